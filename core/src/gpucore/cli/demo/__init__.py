"""`gpucore demo`: on every device, nine sorts and all versions of matrix multiplication, with all results checked.

Exit code 0 if all results are correct, 1 if not (or if a device cannot be opened; the others still run), 2 for an
invalid device name, 3 if there is no device.
"""

from __future__ import annotations

import argparse
from typing import Any

from gpucore.cli.demo.run import DeviceResult, run_devices
from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.numbers import format_rate, format_seconds
from gpucore.cli.screen import Cell, Column, Screen, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import BackendUnavailableError, NoDeviceError
from gpucore.runtime.parse import parse_device
from gpucore.runtime.plugins.manager import hints_for_missing
from gpucore.runtime.probing.probe import probe_all
from gpucore.runtime.protocol import DeviceInfo, ProbeStatus
from gpucore.runtime.select import choose, devices

_COLUMNS = (
    Column("device", no_wrap=True), Column("kind"), Column("adapter"), Column("sorts", right=True),
    Column("products", right=True), Column("best GFLOP/s", right=True), Column("time", right=True), Column("result"),
)  # fmt: skip


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("demo", help="sort and multiply on every device, and check every result")
    parser.add_argument("--device", nargs="+", action="extend", metavar="ID", help="only these devices")
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the demo. The exit code says whether every check passed."""
    screen = open_screen()
    with stdout_to_stderr():
        found, refused = _choose(options.device) if options.device else (devices(), {})
        others = [] if options.device else _explain_others()
    if not found:
        raise NoDeviceError("\n  ".join(["no device can be used", *refused.values(), *others]))
    results = [DeviceResult(name, "-", "-", problems=[reason]) for name, reason in refused.items()]
    results += run_devices(screen, found, options.quick)
    _summarise(screen, results, others)
    return OK if all(result.passed for result in results) else CHECK_FAILED


def _choose(names: list[str]) -> tuple[list[DeviceInfo], dict[str, str]]:
    """The requested devices, without duplicates, and the reasons why others cannot be used."""
    for name in names:
        parse_device(name)
    found: dict[str, DeviceInfo] = {}
    refused: dict[str, str] = {}
    for name in names:
        try:
            info = choose(name).info
            found[info.id] = info
        except BackendUnavailableError as error:
            refused[name] = str(error)
    return list(found.values()), refused


def _explain_others() -> list[str]:
    """Backends without a device, with the reason."""
    lines = [
        f"{name}: {result.status.value.replace('_', ' ')}: {result.reason}"
        for _, name, result in probe_all()
        if result.status is not ProbeStatus.AVAILABLE
    ]
    return lines + [f"{name}: not installed: {hint}" for name, hint in hints_for_missing().items()]


def _summarise(screen: Screen, results: list[DeviceResult], others: list[str]) -> None:
    screen.title("Summary")
    screen.table(_COLUMNS, [_row(result) for result in results])
    screen.write()
    for line in others:
        screen.write(Styled(f"not run: {line}", "faint"))
    problems = [(result.device, problem) for result in results for problem in result.problems]
    for device, problem in problems:
        screen.write(Styled("FAILED", "bad"), f"  {device}: {problem}")
    if problems:
        screen.write(Styled(f"{len(problems)} failed.", "bad"))
    else:
        screen.write(Styled("All demos completed successfully!", "good"))


def _row(result: DeviceResult) -> list[Cell]:
    return [
        Styled(result.device, "strong"),
        result.kind,
        result.adapter,
        f"{result.sorts_passed}/{result.sorts}",
        f"{result.products_passed}/{result.products}",
        format_rate(result.best_gflops) if result.best_gflops else "-",
        format_seconds(result.seconds),
        Styled("PASSED", "good") if result.passed else Styled("FAILED", "bad"),
    ]
