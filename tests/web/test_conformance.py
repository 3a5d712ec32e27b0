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

    time_limit = 900.0  # seconds; a browser's device is slow
