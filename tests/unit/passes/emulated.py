"""Runs emulated kernels, built by hand, on the simulator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpucore.ir import Limits, Module
from gpucore.passes import run
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.valid import validate


def run_plainly(module: Module, arrays: Sequence[np.ndarray], workgroups: int = 1) -> list[np.ndarray]:
    """What is in the arrays after one dispatch, the same with the other passes and without.

    Validated for a device without any capability.
    """
    plain, simplified = (_run(each, arrays, workgroups) for each in (module, run(module)))
    for one, other in zip(plain, simplified, strict=True):
        assert one.tobytes() == other.tobytes(), "the other passes changed the result"
    return plain


def _run(module: Module, arrays: Sequence[np.ndarray], workgroups: int) -> list[np.ndarray]:
    backend = SimulatorBackend()
    device = backend.open(0)
    pipeline = device.compile(backend.emit(validate(module, frozenset(), Limits(max_workgroup_invocations=1024))))
    buffers = [device.allocate(array.nbytes) for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(memoryview(array.view(np.uint8)))
    device.dispatch(pipeline, buffers, b"", (workgroups, 1, 1))
    results = [np.empty_like(array) for array in arrays]
    for buffer, result in zip(buffers, results, strict=True):
        buffer.read(memoryview(result.view(np.uint8)))
    return results
