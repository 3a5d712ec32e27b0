"""The tools of translation, or a skip that names what is missing; and what a device of wgpu ran."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.runtime.registry import OpenDevice
from gpucore.testing import require_device

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

REQUIRE_VARIABLE = "TRANSLATION_REQUIRED"


def pytest_itemcollected(item: pytest.Item) -> None:
    """All tests here run on one worker, which translates each text once."""
    item.add_marker(pytest.mark.xdist_group("translate"))


def _require(module: str) -> None:
    """Skip the test, or fail it, if a module next to this one says that something is missing."""
    missing: str = importlib.import_module(module).missing()
    if missing and os.environ.get(REQUIRE_VARIABLE):
        pytest.fail(f"{REQUIRE_VARIABLE} is set: {missing}", pytrace=False)
    if missing:
        pytest.skip(missing)


@pytest.fixture(scope="session")
def naga() -> None:
    """naga translates."""
    _require("naga_translation")


@pytest.fixture(scope="session")
def dxc(naga: None) -> None:
    """naga's HLSL can be compiled and run."""
    _require("hlsl_route")


@pytest.fixture(scope="session")
def metal_host(naga: None) -> None:
    """naga's MSL can be compiled and run."""
    _require("metal_host_route")


@pytest.fixture(scope="session")
def record() -> Any:
    """A `dispatches.Recorder` of wgpu."""
    name = require_device("wgpu").name
    if "llvmpipe" not in name:
        pytest.skip(f"the results are compared with those of lavapipe, and wgpu's device is {name}")
    dispatches, backend = importlib.import_module("dispatches"), require_device("wgpu").backend

    def run(calls: Callable[[gp.Device], object]) -> Any:
        with dispatches.recorded() as log, gp.Device(OpenDevice(backend.open(0), backend)) as gpu:
            calls(gpu)
        return log

    return run
