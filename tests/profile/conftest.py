"""A test that takes `device` runs on every installed backend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.testing import available_devices, require_device

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", available_devices(), indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> Iterator[gp.Device]:
    """The device of a backend, or a skip with the probe's reason. A profile leaves nothing on it."""
    opened = require_device(request.param)
    yield opened
    assert opened.driver_device.profiler is None
