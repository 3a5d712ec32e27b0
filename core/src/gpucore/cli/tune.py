"""`gpucore tune matmul|sort|all`: chooses the shapes of gpucore's own kernels by measuring, and keeps them.

    --export FILE   write the tables as JSON: those that were tuned, or without a name those that are kept
    --import FILE   keep the tables in such a file, after whole results with them were right
    --forget        remove what is kept
    --json FILE     write what was measured: one object

        gpucore   version
        devices   list of objects: id, backend, name, kind, driver, api; origin: where the table before is from, "tuned"
                  on this machine, "plugin" or "kind"; kept: whether later processes use the new table; shapes: what of
                  it differs from gpucore's for that kind of device; rows: list of objects:
            algorithm, what, size        what was tuned, and the keys or the rows of the matrices
            before, best                 values, as text; the same where no other one was 2 % faster
            before_seconds, best_seconds median times; null for a value whose result is wrong
            trials                       all values: candidate, seconds, least, most, rounds, verdict

Exit code 1 if a result is wrong with the table; it is not kept then.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from gpucore.algorithms.kept_shapes import to_json
from gpucore.algorithms.shapes import find_shapes
from gpucore.cli.bench import open_devices, parse_size
from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.files import check_writable
from gpucore.cli.numbers import format_seconds
from gpucore.cli.screen import Cell, Column, Screen, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.device import Device
from gpucore.errors import ArgumentError, TuningError
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.select import devices
from gpucore.runtime.settings import CacheMode, read_cache_folder, read_cache_mode
from gpucore.runtime.tuned import identity_of
from gpucore.tuning.documents import describe_entry, entry_for, import_entry, make_document, read_document
from gpucore.tuning.tables import ALGORITHMS, Report, TableTuner, check_tunable, forget_table, kept_table
from gpucore.version import __version__

_STANDARD_OUTPUT, _ALL = "-", "all"
_COLUMNS = (
    Column("what"), Column("size", right=True), Column("before"), Column("time", right=True, no_wrap=True),
    Column("best"), Column("time", right=True, no_wrap=True), Column("ratio", right=True),
)  # fmt: skip
_DESCRIPTION = """\
Choose the shapes of the kernels of gp.matmul and gp.sort on a device, by measuring, and keep them for later processes.

Each value is tried at several sizes. Its whole result is verified before it is timed, also at an odd size, and at the
end whole results with the new table are. What is kept counts for this device with this driver and this version of
gpucore. It is in the cache on disk: GPUCORE_CACHE=off, or a cleared cache, means the table that the device's plugin has
for it, or else gpucore's for its kind of device.
"""


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "tune", help="choose the shapes of kernels by measuring", description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("names", nargs="*", type=_algorithm, metavar="NAME", help="matmul, sort or all")
    parser.add_argument("--device", nargs="+", action="extend", metavar="ID", help=(
        f'such as "cuda" or "cuda:1"; {_ALL}: all but the simulator (default: the default device)'
    ))  # fmt: skip
    parser.add_argument("--sizes", nargs="+", action="extend", type=parse_size, metavar="N", help=(
        "measure these sizes only, of those that are measured: 2^20, or 512"
    ))  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="few values and small sizes, for some seconds")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the order in each round (default: 0)")
    parser.add_argument("--json", metavar="FILE", help="write all figures; - is standard output, without the tables")
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--export", metavar="FILE", help="write the tables; - is standard output")
    actions.add_argument("--import", dest="source", metavar="FILE", help="keep the tables of a file, if they fit")
    actions.add_argument("--forget", action="store_true", help="remove what is kept for the device")
    parser.set_defaults(run=run)


def _algorithm(name: str) -> str:
    if name not in (*ALGORITHMS, _ALL):
        raise argparse.ArgumentTypeError(f"there is nothing to tune of {name!r}; choose from matmul, sort and all")
    return name


def run(options: argparse.Namespace) -> int:
    """Tune, or do what the options say with what is kept."""
    if (options.source or options.forget) and (options.names or options.json):
        raise ArgumentError("--import and --forget take neither names nor --json: they measure nothing")
    if options.source:
        return _import(options)
    if options.forget:
        return _forget(options)
    if not options.names:
        if not options.export:
            raise ArgumentError("name what is tuned: matmul, sort or all; or use --export, --import or --forget")
        return _export(options)
    return _tune(options)


# ---------------------------------------------------------------- what is kept


def _export(options: argparse.Namespace) -> int:
    found = [(device, kept_table(device)) for device in _open_tunable(options)]
    lacking = [device.id for device, table in found if table is None]
    if lacking:
        raise ArgumentError(f"nothing is kept for {', '.join(lacking)}; `gpucore tune all` tunes a device")
    _write(options.export, make_document([(device.info, table or {}) for device, table in found]))
    return OK


def _import(options: argparse.Namespace) -> int:
    _refuse_without_cache("an import keeps tables")
    try:
        text = Path(options.source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ArgumentError(f"{options.source} cannot be read: {reason or error}") from None
    entries, screen, number = read_document(text, options.source), open_screen(), 0
    named = [device.info for device in _open_tunable(options)] if options.device else None
    for info in named or [info for info in devices() if info.backend != SIMULATOR]:
        entry = entry_for(entries, info)
        if entry is None and named:
            raise ArgumentError(_no_entry(options.source, entries, f"{info.id} is {_identify(info)}"))
        if entry is not None:
            with stdout_to_stderr():
                (device,) = open_devices([info.id])
                is_kept = import_entry(entry, device)
            _tell_kept(screen, device, is_kept)
            number += 1
    if not number:
        here = "; ".join(f"{info.id} is {_identify(info)}" for info in devices() if info.backend != SIMULATOR)
        raise ArgumentError(_no_entry(options.source, entries, here))
    return OK


def _no_entry(name: str, entries: list[dict[str, Any]], here: str) -> str:
    has = "; ".join(map(describe_entry, entries)) or "no device"
    return f"{name} has no table for a device here: it is for {has}, and {here}. Tune it with `gpucore tune all`"


def _identify(info: Any) -> str:
    return ", ".join(filter(None, identity_of(info).values()))


def _forget(options: argparse.Namespace) -> int:
    _refuse_without_cache("nothing can be removed")
    for device in _open_tunable(options):
        done = "removed" if forget_table(device) else "nothing is kept"
        print(f"{device.id}: {done}; it uses the table {find_shapes(device)[1].value}")
    return OK


def _refuse_without_cache(why: str) -> None:
    mode = read_cache_mode()
    if mode is not CacheMode.ON:
        raise ArgumentError(f"GPUCORE_CACHE={mode.value}: {why}, and the cache is not written; set it to on")


def _open_tunable(options: argparse.Namespace) -> list[Device]:
    with stdout_to_stderr():
        opened = open_devices(options.device)
    for device in opened:
        check_tunable(device)
    return opened


# ---------------------------------------------------------------- measuring


def _tune(options: argparse.Namespace) -> int:
    if not options.export:
        _refuse_without_cache("what is tuned is kept")
    targets = [check_writable(name) for name in (options.export, options.json) if name not in (None, _STANDARD_OUTPUT)]
    if len(set(targets)) < len(targets) or (options.export, options.json) == (_STANDARD_OUTPUT,) * 2:
        raise ArgumentError("--export and --json write two files; give them two names")
    names = list(ALGORITHMS) if _ALL in options.names else list(dict.fromkeys(options.names))
    opened = _open_tunable(options)
    tuners = [
        TableTuner(device, names, options.sizes or (), is_quick=options.quick, seed=options.seed) for device in opened
    ]
    is_shown = _STANDARD_OUTPUT not in (options.export, options.json)
    kept: dict[str, bool] = {}
    problems = []
    try:
        for tuner in tuners:
            problem = _measure(tuner)
            if problem:
                problems.append(problem)
            else:
                kept[tuner.device.id] = read_cache_mode() is CacheMode.ON and tuner.keep()
    finally:  # also what was measured before Ctrl-C
        if is_shown:
            for tuner in tuners:
                _show(open_screen(), tuner, kept)
        if options.json:
            _write(options.json, _document(tuners, kept))
    for problem in problems:
        print(f"FAILED  {problem}", file=sys.stderr)
    if options.export and not problems:
        _write(options.export, make_document([(t.device.info, to_json(t.shapes, t.device)) for t in tuners]))
    return CHECK_FAILED if problems else OK


def _measure(tuner: TableTuner) -> str:
    """Tune one device; why its table is not kept, or ""."""
    try:
        with stdout_to_stderr(), open_screen(sys.stderr).progress(tuner.count_steps()) as bar:
            for step in tuner.run():
                bar.describe(f"{tuner.device.id}: {step}")
                bar.advance()
    except TuningError as error:
        return str(error)
    return ""


def _write(name: str, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1)
    target = None if name == _STANDARD_OUTPUT else check_writable(name)
    if target is None:
        print(text)
    else:
        target.write_text(text + "\n", encoding="utf-8")
        print(f"wrote {target}", file=sys.stderr)


def _document(tuners: list[TableTuner], kept: dict[str, bool]) -> dict[str, Any]:
    return {
        "gpucore": __version__,
        "devices": [
            {
                "id": tuner.device.id, **identity_of(tuner.device.info), "origin": tuner.origin.name.lower(),
                "kept": kept.get(tuner.device.id, False), "shapes": to_json(tuner.shapes, tuner.device),
                "rows": [*map(_row, tuner.reports)],
            } for tuner in tuners
        ],
    }  # fmt: skip


def _row(report: Report) -> dict[str, Any]:
    return {
        "algorithm": report.algorithm, "what": report.what, "size": report.size,
        "before": str(report.before), "before_seconds": report.seconds_of(report.before),
        "best": str(report.best), "best_seconds": report.seconds_of(report.best), "trials": report.tuning.table(),
    }  # fmt: skip


def _show(screen: Screen, tuner: TableTuner, kept: dict[str, bool]) -> None:
    device = tuner.device
    if not tuner.reports:
        return
    screen.title(f"{device.id}: {', '.join(filter(None, (device.name, device.info.driver, device.info.api)))}")
    screen.write(f"before: the table {tuner.origin.value}")
    screen.table(_COLUMNS, [*map(_cells, tuner.reports)])
    wrong = [
        (report, trial) for report in tuner.reports for trial in report.tuning.trials if not trial.is_right
    ]  # fmt: skip
    for report, trial in wrong:
        screen.write(Styled(f"{report.what} {report.size}: {trial.candidate}: {trial.reason}", "faint"))
    if device.id in kept:
        _tell_kept(screen, device, kept[device.id])
    screen.write()


def _cells(report: Report) -> list[Cell]:
    before, best = report.seconds_of(report.before), report.seconds_of(report.best)
    is_new = report.best is not report.before
    times = ["wrong" if seconds is None else format_seconds(seconds) for seconds in (before, best)]
    ratio = f"{before / best:.2f}" if is_new and before and best else "-"
    shown = [str(report.best), times[1]] if is_new else ["", ""]
    return [
        f"{report.algorithm}, {report.what}", str(report.size), str(report.before), times[0], *shown,
        Styled(ratio, "good") if is_new else ratio,
    ]  # fmt: skip


def _tell_kept(screen: Screen, device: Device, is_kept: bool) -> None:
    if is_kept:
        screen.write(f"kept for {device.id} in {read_cache_folder()}")
    else:
        screen.write(f"not kept for {device.id}: the cache on disk is not written")


__all__ = ["add_parser", "run"]
