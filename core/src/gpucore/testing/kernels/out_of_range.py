"""Indices far out of range, without debug."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(workgroup_size=64)
def write(out: gp.InOut[gp.i32], by: gp.i32):
    """Stores outside the array."""
    out[gp.global_id(0) + by] = 7


@gp.kernel(workgroup_size=64)
def read(x: gp.In[gp.i32], out: gp.Out[gp.i32], by: gp.i32):
    """Loads from outside the array."""
    i = gp.global_id(0)
    if i < out.size:
        out[i] = x[i + by]


@gp.kernel(workgroup_size=64)
def add(out: gp.InOut[gp.i32], by: gp.i32):
    """Atomic additions outside the array."""
    gp.atomic_add(out, gp.global_id(0) + by, 1)


@gp.kernel(workgroup_size=64)
def share(out: gp.InOut[gp.i32], by: gp.i32):
    """Stores to and loads from outside a workgroup array and a private one."""
    shared = gp.workgroup_array(gp.i32, 64)
    own = gp.private_array(gp.i32, 8)
    i = gp.local_id(0)
    shared[i + by] = i
    own[i + by] = i
    gp.barrier()
    j = gp.global_id(0)
    if j < out.size:
        out[j] = shared[i + by] + own[i + by]
