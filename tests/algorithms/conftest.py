"""Devices of these tests, and counting of calls to the backend.

A test that takes `device` runs on every installed backend. Those of one module and dtype, or else device, run on one
worker, which lowers each kernel once; where there are few workers, all of one module. Where dtypes and variants are
combined, software devices take the combinations by turns: see `turns`.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, Tile, shapes_of
from gpucore.testing import available_devices, require_device

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one

from driver_traffic import Traffic
from turns import Turns

FEW = 4
"""Workers that modules keep busy; more have parts of them."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", available_devices(), indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here, has_few = str(Path(__file__).parent), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) <= FEW
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if str(item.path).startswith(here) and "device" in params:
            part = "" if has_few else f" {params.get('dtype', params['device'])}"
            item.add_marker(pytest.mark.xdist_group(item.path.stem + part))


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)


@pytest.fixture(scope="session")
def turns(request: pytest.FixtureRequest, device: gp.Device) -> Turns:
    """Which of several variants the device has in this run."""
    return Turns(device, bool(request.config.getoption("--run-large")))


@pytest.fixture
def small_tiles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Products on the simulator are in tiles of 8 x 8: each element of a tile takes it time, also those beyond the
    matrix. test_matmul_values has its own tiles."""
    device = request.getfixturevalue("device") if "device" in request.fixturenames else None
    if device is not None and device.backend.name == "simulator":
        own = shapes_of(device)
        of_matmul = dataclasses.replace(own.matmul, tiles=(Tile(8, 8, 8, 4, 4),))
        monkeypatch.setitem(SHAPES, device.kind, dataclasses.replace(own, matmul=of_matmul))


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[gp.Device], Traffic]:
    """`traffic = watch(device)` counts from there to the end of the test."""

    def start(device: gp.Device) -> Traffic:
        traffic = Traffic()
        buffer_class = type(gp.empty(1, device=device).storage.buffer)
        counted: dict[str, Any] = {
            "write": buffer_class,
            "read": buffer_class,
            "copy": device.driver_device,
            "dispatch": device.driver_device,
        }
        monkeypatch.setattr(device.driver_device, "is_plain", False)  # every dispatch passes `dispatch`
        for name, owner in counted.items():
            monkeypatch.setattr(owner, name, traffic.counting(name, getattr(owner, name)))
        return traffic

    return start
