"""Two workers with a processor each, and what tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one

pytest.importorskip("distributed", reason="distributed is in requirements-dev.txt")

from distributed import Client

import gpucore_dask as gd


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Workers compile kernels for one another's tests, and two clusters would share the processors: one group."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("scale"))


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """A client of two workers on the cpu device, which no test ends."""
    with gd.LocalDevices(["cpu:0", "cpu:0"]) as made:
        yield made
