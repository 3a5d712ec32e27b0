"""A test that takes `device` runs on every installed backend; one that takes `compiled` on all but the simulator."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.testing import available_devices, require_device

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    names = available_devices()
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", names, indirect=True)
    if "compiled" in metafunc.fixturenames:
        metafunc.parametrize("compiled", [name for name in names if name != "simulator"], indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)


@pytest.fixture
def compiled(request: pytest.FixtureRequest) -> gp.Device:
    """A device whose kernels report through the hidden buffer."""
    return require_device(request.param)
