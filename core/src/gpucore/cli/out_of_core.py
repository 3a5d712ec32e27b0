"""`--stream` of `gpucore sort` and `gpucore matmul`: arrays larger than the device's memory, which another distribution
computes.

It names a function for each command as an entry point of the group `gpucore.streaming`: `sort(source, target, ...)` and
`matmul(a, b, target, ...)`, of paths. By name they get device, memory (bytes, or None), overwrite and progress, and a
sort descending, a product precision. The text of what they return is the report.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from typing import Any

from gpucore.cli.failures import OK
from gpucore.cli.numbers import parse_bytes
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import ArgumentError, CapabilityError
from gpucore.runtime.plugins.records import SCALE_DISTRIBUTION, install_command

ENTRY_POINT_GROUP = "gpucore.streaming"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--stream", action="store_true", help=(
        f"by parts, for arrays larger than the device's memory; needs {SCALE_DISTRIBUTION}"))  # fmt: skip
    parser.add_argument("--memory", type=parse_bytes, metavar="SIZE", help=(
        "with --stream: how much of the device's memory may be used, such as 4GiB (default: most of it)"))  # fmt: skip


def is_asked(options: argparse.Namespace) -> bool:
    """Whether the command is to stream. Raises ArgumentError for options that do not fit together."""
    if options.memory is not None and not options.stream:
        raise ArgumentError("--memory is for --stream; without it all arrays are on the device")
    if options.stream and getattr(options, "variant", "auto") != "auto":
        raise ArgumentError("--stream multiplies by the variant auto; leave --variant out")
    return bool(options.stream)


def run(command: str, paths: Sequence[str], options: argparse.Namespace, **more: object) -> int:
    """Run a command by parts, and print its report on standard error."""
    if "-" in (*paths, options.output):
        raise ArgumentError("--stream reads and writes parts of files, and - is a standard stream; name a file")
    compute = _find(command)
    given = {"device": options.device, "memory": options.memory, "overwrite": True, "progress": True}
    with stdout_to_stderr():
        try:
            report = compute(*paths, options.output, **given, **more)
        except CapabilityError as error:
            raise ArgumentError(f"{error.message}; choose another device, or convert the files") from error
    print(report, file=sys.stderr)
    return OK


def _find(command: str) -> Callable[..., Any]:
    """The function for a command. Raises ArgumentError if no distribution has one, or it cannot be imported."""
    needed = install_command(SCALE_DISTRIBUTION)
    for entry_point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP, name=command):
        try:
            function: Callable[..., Any] = entry_point.load()
        except (ImportError, AttributeError) as error:
            raise ArgumentError(f"--stream: {entry_point.value} cannot be loaded: {error}; {needed}") from error
        return function
    raise ArgumentError(f"--stream needs {SCALE_DISTRIBUTION}, which is not installed: {needed}")
