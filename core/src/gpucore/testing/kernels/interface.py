"""Kernels for tests of the backend interface: small, and sensitive to order."""

from __future__ import annotations

import gpucore as gp

SIZE = 32


@gp.kernel(workgroup_size=SIZE)
def affine(scale: gp.i32, offset: gp.i32, x: gp.InOut[gp.i32]):
    """Two of them in another order give another result."""
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * scale + offset


@gp.kernel(workgroup_size=1)
def put(index: gp.i32, value: gp.u32, fraction: gp.f32, out: gp.InOut[gp.u32]):
    out[index * 2] = value
    out[index * 2 + 1] = gp.bitcast(gp.u32, fraction)


@gp.kernel(workgroup_size=SIZE)
def combine(a: gp.In[gp.i32], b: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = a[i] * 1000 - b[i]


@gp.kernel(workgroup_size=SIZE)
def no_scalars(out: gp.InOut[gp.u32]):
    """Takes nothing but its buffer: not even a length."""
    tile = gp.workgroup_array(gp.u32, SIZE)
    tile[gp.local_id(0)] = out[gp.global_id(0)]
    gp.barrier()
    out[gp.global_id(0)] = tile[SIZE - 1 - gp.local_id(0)]


@gp.kernel(workgroup_size=SIZE)
def busy(n: gp.i32, out: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < out.size:
        x = out[i]
        for _ in range(n):
            x = x * 1664525 + 1013904223
        out[i] = x
