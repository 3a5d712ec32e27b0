"""Lets the tests of this folder import `cpu_kernels`, in every import mode of pytest, and shares one device."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(Path(__file__).parent))

from cpu_kernels import opened_with

from gpucore.runtime import Device


@pytest.fixture(scope="session")
def device() -> Iterator[Device]:
    """A device that the tests share."""
    with opened_with(threads=2) as opened:
        yield opened
