"""Lets the tests of this folder import the modules next to them, the cases' library, and the fake backend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "library"), str(HERE.parent / "plugins")]

import small_devices

import gpucore as gp


@pytest.fixture
def small_device() -> Iterator[str]:
    """The name of a device with WebGPU's least limits and no capability, which runs nothing."""
    gp.register_backend(small_devices.SmallBackend())
    yield "small:0"
    gp.device("small:0").close()
    gp.unregister_backend("small")
