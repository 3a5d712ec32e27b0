"""Parts of buffers on wgpu: what is kept for them."""

from __future__ import annotations

import gc

import gpucore as gp
from gpucore.testing import require_device
from gpucore_wgpu.pipelines import WgpuPipeline


@gp.kernel
def take(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    if gp.global_id(0) == 0:
        y[0] = x[0]


def test_bind_groups_of_slices_go_with_their_buffer() -> None:
    """More slices than a buffer keeps; the other buffer of their dispatches stays."""
    device = require_device("wgpu")
    with device.lock:
        device.collect_garbage()
        device._pool.clear()  # so that y has no bind groups of earlier tests
    y, kept, noted = gp.zeros(16, device=device), [], []
    for _ in range(4):
        x = gp.arange(64 * 150, dtype=gp.f32, device=device)
        slices = [x[64 * i : 64 * i + 8] for i in range(150)]
        for part in slices + slices:
            take(part, y, invocations=1)
        assert y[0] == 64.0 * 149
        del slices, part, x
        with device.lock:
            device.collect_garbage()
            device._pool.clear()  # as when memory is short
        kept.append(sum(len(each.groups) for each in gc.get_objects() if isinstance(each, WgpuPipeline)))
        noted.append(len(y.buffer.bind_groups))  # type: ignore[attr-defined]  # a WgpuBuffer
    assert kept[-1] == kept[0], kept
    assert max(noted) <= 512, noted


@gp.kernel
def copy_all(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


def test_copies_for_launches_with_two_slices_of_one_array_are_not_kept() -> None:
    """A kernel writes the one and reads the other, which WebGPU forbids: it gets a copy."""
    device = require_device("wgpu")
    x = gp.arange(1 << 13, dtype=gp.f32, device=device)
    first, second = x[: 1 << 12], x[1 << 12 :]
    kept = []
    for _ in range(3):
        for _ in range(5):
            copy_all(second, first)
        assert first.numpy().tolist() == list(range(1 << 12, 1 << 13))
        kept.append(sum(len(each.groups) for each in gc.get_objects() if isinstance(each, WgpuPipeline)))
    assert kept[0] == kept[-1]
