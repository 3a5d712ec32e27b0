"""A test that takes `device` runs on every installed backend."""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.testing import available_devices, require_device


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", available_devices(), indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)
