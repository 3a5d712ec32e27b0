"""A kernel that keeps a device busy for as long as a test needs."""

from __future__ import annotations

import time

import numpy as np

import gpucore as gp

_LONG_ENOUGH = 0.1  # seconds, to be measured
SIZE = 16


@gp.kernel(workgroup_size=SIZE)
def busy(n: gp.i32, out: gp.InOut[gp.u32]):
    x = out[gp.global_id(0)]
    for _ in range(n):
        x = x * 1664525 + 1013904223
    out[gp.global_id(0)] = x


def keep_busy(device: gp.Device, seconds: float) -> gp.Array:
    """Queue `busy` for about so long, behind nothing; returns the array that it works on."""
    out = gp.asarray(np.arange(SIZE, dtype=np.uint32), device=device)
    busy(1, out, invocations=SIZE)
    steps = 1 << 16
    while True:
        device.synchronize()
        started = time.perf_counter()
        busy(steps, out, invocations=SIZE)
        device.synchronize()
        passed = time.perf_counter() - started
        if passed > _LONG_ENOUGH:
            break
        steps *= 2
    busy(min(int(steps * seconds / passed), 2**31 - 1), out, invocations=SIZE)
    return out
