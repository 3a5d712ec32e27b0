"""`gpucore profile`: runs a script, and prints what it did on devices, as `gp.profile` measures it.

    gpucore profile train.py --trace trace.json -- --epochs 3

What follows `--` is the script's own. The table follows its output, also if the script fails. `--json` writes what
`Profile.to_json` returns.

Exit code: that of the script (1 for an exception, which is shown as Python shows it).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.files import check_writable
from gpucore.cli.screen import Column, Styled, open_screen
from gpucore.errors import ArgumentError
from gpucore.profile import Profile, profile
from gpucore.profile.results import COLUMNS


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "profile", help="run a script, and show its kernels: calls, device time, bytes, compile time",
        usage="gpucore profile [-h] [--trace FILE] [--json FILE] SCRIPT [-- ARGUMENT ...]",
    )  # fmt: skip
    parser.add_argument("script", metavar="SCRIPT", help="a Python file; what follows -- are its arguments")
    parser.add_argument("--trace", metavar="FILE", help="write a trace for https://ui.perfetto.dev or chrome://tracing")
    parser.add_argument("--json", metavar="FILE", help="write the table as one JSON object")
    parser.set_defaults(run=run)


def split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The arguments of gpucore, and those of the script."""
    if arguments[:1] != ["profile"] or "--" not in arguments:
        return arguments, ()
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def run(options: argparse.Namespace) -> int:
    """Run the script under a profile."""
    if not Path(options.script).is_file():
        raise ArgumentError(f"there is no file {options.script}")
    trace, table = _check_file(options.trace), _check_file(options.json)
    measured = profile()
    try:
        with measured, _as_script(options.script, options.arguments):
            code = _run_script(options.script)
    finally:
        _show(measured)
        if trace is not None:
            measured.save(trace)
        if table is not None:
            table.write_text(json.dumps(measured.to_json(), indent=2) + "\n", encoding="utf-8")
    return code


def _check_file(path: str | None) -> Path | None:
    if path == "-":
        raise ArgumentError("standard output is the script's; name a file")
    return None if path is None else check_writable(path)


def _run_script(path: str) -> int:
    """Run it as Python does, and return its exit code."""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as stop:
        code = stop.code
        if code is None or isinstance(code, int):
            return OK if code is None else code
        print(code, file=sys.stderr)
        return CHECK_FAILED
    except Exception as error:  # noqa: BLE001 (the script's own)
        place = error.__traceback__
        while place is not None and place.tb_frame.f_code.co_filename != path:
            place = place.tb_next
        traceback.print_exception(type(error), error, place or error.__traceback__)
        return CHECK_FAILED
    return OK


@contextlib.contextmanager
def _as_script(path: str, arguments: Sequence[str]) -> Iterator[None]:
    """Give the script its `sys.argv`, and the modules beside it."""
    kept = sys.argv, sys.path[:]
    sys.argv, sys.path[:0] = [path, *arguments], [str(Path(path).resolve().parent)]
    try:
        yield
    finally:
        sys.argv, sys.path[:] = kept


def _show(measured: Profile) -> None:
    screen = open_screen()
    cells, lines = measured.table()
    columns = [Column(title, right=is_right, no_wrap=not is_right) for title, is_right in COLUMNS]
    screen.write()
    screen.table(columns, [[Styled(row[0], "strong"), *row[1:]] for row in cells])
    screen.write()
    for line in lines:
        screen.write(line)
