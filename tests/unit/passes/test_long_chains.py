"""Analyses of indices and steps visit each value once, however long the chain of values is that they come from."""

from __future__ import annotations

import gpucore as gp


@gp.kernel
def spread(x: gp.In[gp.f32], y: gp.InOut[gp.f32], low: gp.i32, high: gp.i32):
    for _ in gp.unroll(range(500)):  # each value is used twice
        low = low + high
        high = high + low
    y[low] = 1.0
    gp.barrier()
    v = gp.vload(x, low, 4)
    gp.vstore(y, high, v)
    for i in range(gp.global_id(0), x.size, high):
        y[i] = x[i]


def test_values_that_are_used_twice() -> None:
    text = spread.source("cuda")
    assert text.count("gpucore_load_f32x4(&x[low") == text.count("gpucore_store_f32x4(&y[high") == 1
