"""A device for these tests, and a short way to run IR that was built by hand on it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpucore import ir
from gpucore.runtime import Device
from gpucore.runtime.packing import packer
from gpucore_wgpu.emit import emit
from gpucore_wgpu.plugin import WgpuBackend

sys.path.insert(0, str(Path(__file__).parent))  # the modules next to this one
sys.path.insert(0, str(Path(__file__).parents[1]))  # those of several folders

from wgpu_builder import prove, wait


@pytest.fixture(scope="session")
def backend() -> WgpuBackend:
    return WgpuBackend()


@pytest.fixture(scope="session", params=["first", "OpenGL"])
def device(request: pytest.FixtureRequest, backend: WgpuBackend) -> Iterator[Device]:
    """The first device, which is Vulkan's where there is Vulkan, and the first of OpenGL, if that is another."""
    result = backend.probe()
    if not result.devices:
        pytest.skip(f"wgpu: {result.reason}")
    indices = [0] if request.param == "first" else [d.index for d in result.devices[1:] if d.api == request.param]
    if not indices:
        pytest.skip(f"no other device of {request.param}")
    opened = backend.open(indices[0])
    yield opened
    opened.close()


Runner = Callable[..., list[Any]]


@pytest.fixture
def run(device: Device) -> Runner:
    """`run(module, arrays, scalars=(), workgroups=1)`: the arrays after one dispatch. Skips without the capability."""

    def run_module(
        module: ir.Module, arrays: Sequence[np.ndarray[Any, Any]], scalars: Sequence[Any] = (), workgroups: int = 1
    ) -> list[Any]:
        valid = prove(module, device.info)
        if missing := set(valid.needs) - device.info.capabilities:
            pytest.skip(f"{device.info.id} lacks {missing}")
        pipeline = device.compile(emit(valid, device.info))
        buffers = []
        for array in arrays:
            buffer = device.allocate(array.nbytes)
            buffer.write(memoryview(array).cast("B"))
            buffers.append(buffer)
        packed = packer(valid.slots, valid.scalars_nbytes).pack(*scalars) if scalars else b""
        device.dispatch(pipeline, buffers, packed, (workgroups, 1, 1))
        wait(device.mark())
        results = []
        for array, buffer in zip(arrays, buffers, strict=True):
            result = np.empty_like(array)
            buffer.read(memoryview(result).cast("B"))
            results.append(result)
            buffer.release()
        pipeline.release()
        return results

    return run_module
