"""gpucore's conformance kit on the low-level queue of the runtime, in a browser.

The suites on what the runtime does are always run; with --run-large it is the whole kit, which takes ten minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Browser
from web_driver import WebBackend

import gpucore as gp
from gpucore.runtime.registry import OpenDevice
from gpucore.testing import ConformanceTests
from gpucore.testing.suites.backends import BackendTests
from gpucore.testing.suites.grids import GridTests
from gpucore.testing.suites.memory import MemoryTests
from gpucore.testing.suites.queues import QueueTests
from gpucore.testing.suites.records import RecordTests
from gpucore.testing.suites.transfers import TransferTests

NOT_MET = {
    "test_generics": "the greatest f32 is written as a decimal that Tint refuses",
    "test_literals": "the greatest f32 is written as a decimal that Tint refuses",
    **{
        f"test_special_arguments[{case}]": "SwiftShader's exp and log are not those of IEEE 754 for nan, 0 and "
        "negative numbers"
        for case in (
            "C362-exp",
            "C363-exp2",
            "C364-log",
            "C365-log2",
            "C375-cosh",
            "C491-log1p",
            "C492-expm1",
            "C499-log10",
        )
    },
    "test_log10_of_subnormal_numbers": "SwiftShader's log takes subnormal numbers for 0",
    "test_no_identities": "SwiftShader's sqrt and log are not those of IEEE 754 for nan and negative numbers",
    "test_division_by_constant_zero": "Tint drops the sign of a constant -0.0",
    "test_nan_that_is_known": "SwiftShader gives infinity for the exp of nan",
}
"""Behaviours that depend on the text of kernels or on the browser's driver, and not on the runtime."""

SLOW = {"test_greatest_workgroups", "test_many_buffers"}


@pytest.fixture(scope="module")
def web_device(driver_page: Browser) -> Iterator[gp.Device]:
    backend = WebBackend(driver_page)
    with gp.Device(OpenDevice(backend.open(0), backend)) as device:
        yield device


class OnWeb:
    device = "web"

    @pytest.fixture
    def gpu(self, web_device: gp.Device) -> gp.Device:
        return web_device


class TestRuntime(OnWeb, BackendTests, QueueTests, TransferTests, GridTests, MemoryTests, RecordTests):
    """What the runtime does: memory, order, grids, workgroups, structs."""

    @pytest.fixture(autouse=True)
    def quick(self, request: pytest.FixtureRequest) -> None:
        if request.function.__name__ in SLOW and not request.config.getoption("--run-large"):
            pytest.skip("takes minutes in a browser: runs with --run-large")


@pytest.mark.large
class TestWeb(OnWeb, ConformanceTests):
    """Everything, the emitted text too."""

    @pytest.fixture(autouse=True)
    def known(self, request: pytest.FixtureRequest) -> None:
        if reason := NOT_MET.get(request.node.name):
            request.node.add_marker(pytest.mark.xfail(reason=reason, strict=False))
