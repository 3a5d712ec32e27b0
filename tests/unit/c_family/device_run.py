"""Opens the first device of a backend, runs a kernel on it and waits for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from gpucore.ir import Capability, ValidModule
from gpucore.runtime.protocol import Backend
from gpucore_cuda.plugin import CUDABackend
from gpucore_opencl.plugin import OpenCLBackend

BACKENDS: dict[str, Backend] = {"opencl": OpenCLBackend(), "cuda": CUDABackend()}


def open_first_device(backend_name: str) -> Iterator[Any]:
    """For fixtures: the first device of the backend, closed afterwards; skips the test if there is none."""
    backend = BACKENDS[backend_name]
    found = backend.probe()
    if not found.devices:
        pytest.skip(f"{backend_name}: {found.reason}")
    opened = backend.open(found.devices[0].index)
    yield opened
    opened.close()


def require(device: Any, capability: Capability) -> None:
    """Skip the test if the device lacks a capability."""
    if capability not in device.info.capabilities:
        pytest.skip(f"{device.info.id} has no {capability.value}")


def run(
    device: Any, valid: ValidModule, arrays: Sequence[np.ndarray], scalars: bytes = b"", workgroups: int = 1
) -> None:
    """Runs a kernel over the arrays in place."""
    pipeline = device.compile(BACKENDS[device.info.backend].emit(valid, device.info))
    buffers = [device.allocate(array.nbytes) for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(memoryview(array).cast("B"))
    device.dispatch(pipeline, buffers, scalars, (workgroups, 1, 1))
    wait(device.mark())
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.read(memoryview(array).cast("B"))
        buffer.release()
    pipeline.release()


def wait(mark: Any) -> None:
    """Until the mark is done; fails after 20 seconds."""
    deadline = time.monotonic() + 20
    while not mark.is_done():
        assert time.monotonic() < deadline
        time.sleep(1e-4)
