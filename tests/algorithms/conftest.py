"""Devices of these tests, and counting of calls to the backend.

A test that takes `device` runs on every installed backend. Those of one module and dtype, or else device, run on one
worker, which lowers each kernel once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.testing import available_devices, require_device

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one

from driver_traffic import Traffic


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", available_devices(), indirect=True, scope="session")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = str(Path(__file__).parent)
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if str(item.path).startswith(here) and "device" in params:
            item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {params.get('dtype', params['device'])}"))


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)


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
