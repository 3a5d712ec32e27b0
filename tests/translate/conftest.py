"""The tools of translation, or a skip that names what is missing; and what a device of wgpu ran."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

import dispatches  # noqa: E402 (in the folder that was just added)
import hlsl_route  # noqa: E402
import metal_host_route  # noqa: E402
import naga_translation  # noqa: E402

import gpucore as gp  # noqa: E402
from gpucore.runtime.registry import OpenDevice  # noqa: E402
from gpucore.testing import require_device  # noqa: E402
from gpucore_wgpu.plugin import WgpuBackend  # noqa: E402

REQUIRE_VARIABLE = "TRANSLATION_REQUIRED"

Recorder = Callable[[Callable[[gp.Device], object]], dispatches.Log]


def pytest_itemcollected(item: pytest.Item) -> None:
    """All tests here run on one worker, which translates each text once."""
    item.add_marker(pytest.mark.xdist_group("translate"))


def _require(missing: str) -> None:
    if missing and os.environ.get(REQUIRE_VARIABLE):
        pytest.fail(f"{REQUIRE_VARIABLE} is set: {missing}", pytrace=False)
    if missing:
        pytest.skip(missing)


@pytest.fixture(scope="session")
def naga() -> None:
    """naga translates."""
    _require(naga_translation.missing())


@pytest.fixture(scope="session")
def dxc(naga: None) -> None:
    """naga's HLSL can be compiled and run."""
    _require(hlsl_route.missing())


@pytest.fixture(scope="session")
def metal_host(naga: None) -> None:
    """naga's MSL can be compiled and run."""
    _require(metal_host_route.missing())


@pytest.fixture(scope="session")
def record() -> Recorder:
    """Makes the calls of a function on a new device of wgpu, and returns what the device got."""
    name = require_device("wgpu").name
    if "llvmpipe" not in name:
        pytest.skip(f"the results are compared with those of lavapipe, and wgpu's device is {name}")
    backend = WgpuBackend()
    backend.probe()

    def run(calls: Callable[[gp.Device], object]) -> dispatches.Log:
        with dispatches.recorded() as log, gp.Device(OpenDevice(backend.open(0), backend)) as gpu:
            calls(gpu)
        return log

    return run
