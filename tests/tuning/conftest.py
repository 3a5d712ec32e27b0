"""A clock that candidates turn on themselves, and a cache of a test's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpucore.algorithms.shapes import SHAPES, SHIPPED, set_shapes
from gpucore.device import open_devices
from gpucore.tuning import rounds

sys.path.insert(0, str(Path(__file__).parent))

from fake_candidates import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all times that are measured: it only goes on where a candidate says so."""
    made = Clock()
    monkeypatch.setattr(rounds, "time", made)
    return made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cache, which is on, of this test alone. No open device knows what another test has kept, and the tables are
    those of gpucore."""
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(tmp_path / "cache"))
    for kind, table in SHIPPED.items():
        monkeypatch.setitem(SHAPES, kind, table)
    for device in open_devices():
        set_shapes(device, None)
    yield tmp_path / "cache"
    for device in open_devices():
        set_shapes(device, None)
