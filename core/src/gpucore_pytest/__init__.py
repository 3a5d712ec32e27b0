"""The pytest plugin of gpucore: `pytest --gpucore-check` checks every kernel call that a test makes.

This module stands beside the package `gpucore`, not in it: pytest imports it in every run, also where gpucore is not
used, and importing anything of a package imports the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

OPTION = "--gpucore-check"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; their values mean what they mean for `gp.check`."""
    group = parser.getgroup("gpucore")
    group.addoption(
        OPTION,
        action="store_true",
        help="check every kernel call of a test on the simulator, on copies, for races, bad indices and the like",
    )
    group.addoption("--gpucore-check-schedules", type=int, default=2, metavar="N", help="orders to run (default: 2)")
    group.addoption(
        "--gpucore-check-subgroup-size", type=int, default=32, metavar="N", help="from 1 to 64 (default: 32)"
    )
    group.addoption(
        "--gpucore-check-most",
        type=int,
        default=16_384,
        metavar="N",
        help="leave out calls of more invocations than this (default: 16384)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Nothing of gpucore is imported unless it is asked for."""
    if config.getoption(OPTION):
        from gpucore.testing.pytest_plugin import CheckPlugin  # noqa: PLC0415 (only where it is used)

        config.pluginmanager.register(CheckPlugin(config), "gpucore-check")
