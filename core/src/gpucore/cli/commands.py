"""The parser of the command line and the run of one command."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TextIO

from gpucore.cli import (
    bench,
    build,
    cache,
    compute,
    conformance,
    demo,
    devices,
    doctor,
    export,
    inspection,
    new_backend,
    profile,
    tune,
)
from gpucore.cli.failures import EXPLANATION, INTERRUPTED, PIPE_CLOSED, exit_code_of
from gpucore.cli.streams import flush_output
from gpucore.errors import BackendError, BackendWarning, CacheWarning, GpucoreError
from gpucore.runtime.settings import find_mistakes
from gpucore.version import __version__


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # replaces characters that the encoding of the stream lacks
    try:
        try:
            return _run(arguments)
        finally:
            flush_output()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except (GpucoreError, BackendWarning, CacheWarning, OSError, MemoryError) as error:
        print(f"error: {str(error) or 'there is not enough memory'}", file=sys.stderr)
        return exit_code_of(error)


def _run(arguments: Sequence[str]) -> int:
    try:
        own, passed = profile.split(arguments)
        parser = _make_parser()
        options, unknown = parser.parse_known_args(own, argparse.Namespace(arguments=passed))
        if unknown:
            hint = "; those of the script follow --" if options.run is profile.run else ""
            parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    except SystemExit as stop:  # --help, --version and mistakes
        return stop.code if isinstance(stop.code, int) else 0
    if options.run is not doctor.run and (mistakes := find_mistakes()):  # doctor reports them
        raise BackendError(mistakes[0])
    with _short_warnings():
        code: int = options.run(options)
        return code


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gpucore",
        description="One kernel, written once as an ordinary Python function, runs on every device.",
        epilog=EXPLANATION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gpucore {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for part in (devices, doctor, conformance, demo, bench):
        part.add_parser(commands)
    compute.add_parsers(commands)
    inspection.add_parser(commands)
    export.add_parser(commands)
    build.add_parser(commands)
    cache.add_parser(commands)
    tune.add_parser(commands)
    profile.add_parser(commands)
    new_backend.add_parser(commands)
    return parser


@contextlib.contextmanager
def _short_warnings() -> Iterator[None]:
    """Print warnings of backends and the cache without their source location, and other warnings as Python does."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def show_short(
            message: Warning | str, category: type[Warning], filename: str, lineno: int,
            file: TextIO | None = None, line: str | None = None,
        ) -> None:  # fmt: skip
            if issubclass(category, (BackendWarning, CacheWarning)):
                print(f"warning: {message}", file=sys.stderr)
            else:
                show(message, category, filename, lineno, file, line)

        warnings.showwarning = show_short
        yield
