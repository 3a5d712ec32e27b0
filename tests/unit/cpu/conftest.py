"""Lets the tests of this folder import `cpu_kernels`, in every import mode of pytest, and shares one device."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(Path(__file__).parent))

from gpucore.runtime import Device
from gpucore_cpu.plugin import CpuBackend


@pytest.fixture(scope="session")
def device() -> Iterator[Device]:
    """The cpu device, with two threads whatever the machine has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUCORE_CPU_THREADS", "2")
        opened = CpuBackend().open(0)
    yield opened
    opened.close()
