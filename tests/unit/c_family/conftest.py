"""A device of each backend over the C family, where this machine has one; and these tests' modules on the path."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", params=["opencl", "cuda"])
def device(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The first device of the backend."""
    yield from importlib.import_module("device_run").open_first_device(request.param)
