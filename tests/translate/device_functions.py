"""Results of functions with an error bound, on the device that dispatches are recorded on: lavapipe through wgpu."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import wgpu

NAMES = ("exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "pow")
"""In the order of `Function` in metal_host/functions.h."""

OF_TWO = {"pow"}

TYPES = {4: ("f32", np.uint32), 2: ("f16", np.uint16)}

CALL = np.dtype([("function", "u4"), ("bytes", "u4"), ("x", "u4"), ("y", "u4")])
"""`Call` in metal_host/functions.h."""

_TEXT = """{enable}
@group(0) @binding(0) var<storage, read> x: array<{type}>;
@group(0) @binding(1) var<storage, read_write> result: array<{type}>;
@group(0) @binding(2) var<storage, read> y: array<{type}>;  // used by functions of two arguments alone
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) at: vec3u) {{
    if at.x < arrayLength(&x) {{ result[at.x] = {name}({arguments}); }}
}}
"""


def evaluate(calls: npt.NDArray[np.void]) -> npt.NDArray[np.uint32]:
    """The bits of the results of calls, which are of type `CALL`."""
    results = np.zeros(calls.size, np.uint32)
    for function, size in {(int(one["function"]), int(one["bytes"])) for one in calls}:
        chosen = (calls["function"] == function) & (calls["bytes"] == size)
        results[chosen] = _evaluate(NAMES[function], size, calls["x"][chosen], calls["y"][chosen])
    return results


def _evaluate(name: str, size: int, x: npt.NDArray[np.uint32], y: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
    device, (type, word) = _device(), TYPES[size]
    storage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
    even = -(-x.size // 2) * 2  # whole words
    first, second = (np.resize(bits, even).astype(word) for bits in (x, y))
    buffers = [device.create_buffer_with_data(data=one, usage=storage) for one in (first, np.zeros_like(first))]
    if name in OF_TWO:
        buffers.append(device.create_buffer_with_data(data=second, usage=storage))
    pipeline = _pipeline(name, type)
    group = device.create_bind_group(
        layout=pipeline.get_bind_group_layout(0),
        entries=[{"binding": at, "resource": {"buffer": buffer}} for at, buffer in enumerate(buffers)],
    )
    encoder = device.create_command_encoder()
    one = encoder.begin_compute_pass()
    one.set_pipeline(pipeline)
    one.set_bind_group(0, group)
    one.dispatch_workgroups(-(-x.size // 64))
    one.end()
    device.queue.submit([encoder.finish()])
    return np.frombuffer(device.queue.read_buffer(buffers[1]), word)[: x.size]


@functools.cache
def _device() -> Any:
    adapters: Sequence[Any] = wgpu.gpu.enumerate_adapters_sync()
    adapter = next(one for one in adapters if "llvmpipe" in one.info["device"] and one.info["backend_type"] == "Vulkan")
    return adapter.request_device_sync(required_features=["shader-f16"])


@functools.cache
def _pipeline(name: str, type: str) -> Any:
    enable = "enable f16;" if type == "f16" else ""
    arguments = "x[at.x], y[at.x]" if name in OF_TWO else "x[at.x]"
    text = _TEXT.format(enable=enable, type=type, name=name, arguments=arguments)
    module = _device().create_shader_module(code=text)
    return _device().create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
