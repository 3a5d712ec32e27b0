"""`gpucore bench [NAME ...]`: measures gpucore on devices, beside the other libraries of the machine.

`--json FILE` writes one object:

    machine   python, system, processor, cores, packages (versions), devices (by id: name, kind, driver, api)
    peers     versions of the other libraries, by name
    notes     list of strings: libraries that are not installed, and what was not measured
    failures  list of strings: results that are wrong
    rows      list of objects:
        benchmark, what    "copy" is first where other rows have shares
        size      elements, bytes (transfer), keys (sort), rows of a matrix (matmul) or the largest of m, k and n
                  (products); null for compile
        size_text   as in the table: of products the rows of a square, or m x k x n, after the number of products
        unit      of the figures: "us" and "ms" are times, of which less is better; others are rates
        figures   object: the median by library; gpucore's are named by the id of the device; null if it is 0 s
        seconds   object: median, min, max and the number of rounds, by library
        shares    object: by library, the bytes that are read and written at least in a second / those of the fastest
                  "copy" in that memory; null if there is none; {} where memory is not what counts
        ratio     the time of the fastest peer / that of gpucore on its fastest device; null without the two
        calls     as seconds, of a plain call in a row (products, whose seconds are those of the device); else {}
        errors    object: by library, the largest error of the whole result by kind of numbers (normal, uniform), in
                  units of k * 2**-24 * (|a| @ |b|), of f64 with 2**-53 (products); else {}

Exit code 1 if a result is wrong; it is not timed, and the others are. Ctrl-C shows and writes what was measured so far.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from typing import Any

from gpucore.bench.plot import check_plot, plot
from gpucore.bench.session import BENCHMARKS, Options, Row, Session
from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.files import check_writable
from gpucore.cli.numbers import format_rate
from gpucore.cli.screen import Cell, Column, Screen, Style, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError, NoDeviceError
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.select import devices
from gpucore.tuning.rounds import ROUNDS
from gpucore.version import __version__

_STANDARD_OUTPUT = "-"
_ALL = "all"
_MOST_ROUNDS = 10_000
_WIDTH = max(map(len, BENCHMARKS)) + 2
_DESCRIPTION = f"""\
Measure gpucore on devices, beside NumPy and those of CuPy, PyTorch, numba and CUB (by nvcc) that are installed.

{chr(10).join(f"  {name:{_WIDTH}}{text}" for name, text in BENCHMARKS.items())}

Inputs are random, and each whole result is verified against NumPy before it is timed. All run in turn in the same
rounds; a figure is the median of 20, or of fewer where they take long. Work on the device is timed by the device's
clock on GPUs, and by the host's, with the wait, elsewhere. A size that would take seconds is left out. The ratio is the
time of the fastest peer / that of gpucore on its fastest device: above 1, gpucore is faster. A figure in % is the share
of the bandwidth of a copy, with each element read and written once. Products have two more columns: the figure of
plain calls in a row, and the largest error, both of the fastest device.
"""


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bench", help="measure speed, beside other libraries", description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("names", nargs="*", type=_benchmark, metavar="NAME", help="which benchmarks (default: all)")
    where = f'such as "cuda" or "cuda:1"; {_ALL}: all but the simulator (default: the default device)'
    parser.add_argument("--device", nargs="+", action="extend", metavar="ID", help=where)
    parser.add_argument("--quick", action="store_true", help="small sizes, for a few seconds each")
    parser.add_argument("--sizes", nargs="+", action="extend", type=parse_size, metavar="N", help=(
        "measure these sizes only, of those that the benchmarks have: 2^20, or 1048576"
    ))  # fmt: skip
    parser.add_argument("--rounds", type=_count, default=ROUNDS, metavar="N", help=f"at most (default: {ROUNDS})")
    parser.add_argument("--limit", type=_seconds, metavar="SECONDS", help=(
        "of the rounds of a row, of which there are three at least (default: 4; 0.5 with --quick)"
    ))  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all figures; - is standard output, without the tables")
    parser.add_argument("--plot", metavar="FILE", help=(
        "draw a figure for each benchmark (.png, .svg, .pdf); needs matplotlib. With several benchmarks, the names of "
        "the files have theirs: FILE-sort.png"
    ))  # fmt: skip
    parser.set_defaults(run=run)


def _benchmark(name: str) -> str:
    if name not in BENCHMARKS:
        raise argparse.ArgumentTypeError(f"there is no benchmark {name!r}; choose from {', '.join(BENCHMARKS)}")
    return name


def parse_size(text: str) -> int:
    """A size of a command line: "2^20" or "1048576"."""
    base, is_power, exponent = text.partition("^")
    digits = (base, exponent) if is_power else (base,)
    if not all(part.isdecimal() and len(part) < 12 for part in digits) or (is_power and int(exponent) > 40):
        raise argparse.ArgumentTypeError(f"a size is a number such as 2^20 or 1048576, not {text!r}")
    return int(base) ** int(exponent) if is_power else int(base)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_ROUNDS:
        raise argparse.ArgumentTypeError(f"the number of rounds is from 1 to {_MOST_ROUNDS}, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"a limit is a number of seconds from 0, not {text!r}")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Measure. The exit code says whether all results were right."""
    target = check_writable(options.json) if options.json not in (None, _STANDARD_OUTPUT) else None
    if options.plot == _STANDARD_OUTPUT:
        raise ArgumentError("plots are not written to standard output; name a file: --plot bench.png")
    picture = check_writable(options.plot) if options.plot else None
    if picture:
        check_plot(picture)
    names = list(dict.fromkeys(options.names)) or list(BENCHMARKS)
    with stdout_to_stderr():
        session = Session(open_devices(options.device), names, _options(options))
    try:
        with stdout_to_stderr(), open_screen(sys.stderr).progress(session.count_steps()) as bar:
            for step in session.run():
                bar.describe(step)
                bar.advance()
    finally:  # also what was measured before Ctrl-C, or before a device failed
        if options.json == _STANDARD_OUTPUT:
            print(json.dumps(session.document(), indent=1))
        else:
            _show(open_screen(), session)
        if target:
            target.write_text(json.dumps(session.document(), indent=1) + "\n", encoding="utf-8")
        if picture:
            for file in plot(session.rows, session.names, picture, session.own):
                print(f"wrote {file}", file=sys.stderr)
    return CHECK_FAILED if session.failures else OK


def _options(given: argparse.Namespace) -> Options:
    return Options(given.quick, frozenset(given.sizes or ()), given.rounds, given.limit)


def open_devices(names: Sequence[str] | None) -> list[Device]:
    """The devices, without duplicates."""
    wanted: list[str | None] = []
    for name in names or (None,):
        wanted += [info.id for info in devices() if info.backend != SIMULATOR] if name == _ALL else [name]
    if not wanted:
        raise NoDeviceError(f"there is no device besides the simulator; name it: --device {SIMULATOR}")
    opened = [open_device(name) for name in wanted]
    return list({device.id: device for device in opened}.values())


# ---------------------------------------------------------------- tables


def _show(screen: Screen, session: Session) -> None:
    for benchmark in dict.fromkeys(row.benchmark for row in session.rows):
        screen.title(benchmark)
        rows = [row for row in session.rows if row.benchmark == benchmark]
        whats = list(dict.fromkeys(row.what for row in rows))
        _show_table(screen, session, sorted(rows, key=lambda row: whats.index(row.what)))
        screen.write()
    versions = [("gpucore", __version__), *((peer.name, peer.version) for peer in session.peers)]
    screen.write(", ".join(f"{name} {version}" for name, version in versions))
    for device in session.devices:
        about = (device.name, device.info.driver, device.info.api)
        screen.write(f"{device.id}: {', '.join(filter(None, about))}")
    for note in session.notes:
        screen.write(Styled(note, "faint"))
    for failure in session.failures:
        screen.write(Styled("FAILED", "bad"), f"  {failure}")


def _show_table(screen: Screen, session: Session, rows: Sequence[Row]) -> None:
    names = [name for name in session.names if any(name in row.seconds for row in rows)]
    columns = [Column("what"), Column("size", right=True), Column("unit")]
    columns += [Column(name, right=True, no_wrap=True) for name in names] + [Column("ratio", right=True)]
    columns += [Column(name, right=True) for name in ("call", "error") if any(row.calls for row in rows)]
    screen.table(columns, [_cells(session, row, names) for row in rows])


def _cells(session: Session, row: Row, names: Sequence[str]) -> list[Cell]:
    ratio = row.ratio(session.own)
    style: Style = "good" if ratio is not None and ratio >= 1 else "bad"
    return [
        row.what, row.size_text, row.unit.name,
        *(_format(session, row, name) for name in names),
        "-" if ratio is None else Styled(format_rate(ratio), style), *_more(session, row),
    ]  # fmt: skip


def _more(session: Session, row: Row) -> list[Cell]:
    """The figure of plain calls, and the largest error, of the fastest device, where a row has them."""
    if not row.calls:
        return []
    name = row.fastest(session.own)
    seconds = row.calls[name]["median"]
    call = format_rate(row.unit.figure(seconds, row.amount)) if seconds else "-"
    return [call, f"{max(row.errors[name].values()):.2g}"]


def _format(session: Session, row: Row, name: str) -> str:
    """A figure, with the share of the copy's bandwidth where memory counts: "3,910 93%"."""
    figure = row.figure(name)
    if figure is None:
        return "-"
    share = session.share(row, name)
    return format_rate(figure) if share is None else f"{format_rate(figure)} {100 * share:3.0f}%"
