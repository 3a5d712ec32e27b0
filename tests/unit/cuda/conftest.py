"""Lets these tests import the kernels that the tests of the C family build by hand; and opens a device."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "c_family"))


@pytest.fixture(scope="session")
def device() -> Iterator[Any]:
    """The first device of the backend."""
    yield from importlib.import_module("device_run").open_first_device("cuda")
