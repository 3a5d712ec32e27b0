"""The device of these tests; and the kernels that the tests of the C family build by hand can be imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "c_family"))


@pytest.fixture(scope="session")
def device() -> Iterator[Any]:
    """The first OpenCL device."""
    from gpucore_opencl.plugin import OpenCLBackend

    backend = OpenCLBackend()
    found = backend.probe()
    if not found.devices:
        pytest.skip(found.reason)
    opened = backend.open(0)
    yield opened
    opened.close()
