"""A clock that candidates turn on themselves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
def folder(tables_folder: Path) -> Path:
    """The cache of a test alone, with gpucore's tables."""
    return tables_folder
