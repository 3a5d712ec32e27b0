"""Kernels under debug that fail a check, or print."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(workgroup_size=8, debug=True)
def read_at(x: gp.In[gp.i32], out: gp.Out[gp.i32], offset: gp.i32):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = x[i + offset]


@gp.kernel(workgroup_size=8, debug=True)
def write_at(out: gp.InOut[gp.i32], offset: gp.i32):
    i = gp.global_id(0)
    out[i + offset] = i + 1


@gp.kernel(workgroup_size=8, debug=True)
def below(out: gp.Out[gp.i32], limit: gp.i32):
    i = gp.global_id(0)
    assert i < limit, "an id beyond the limit"
    out[i] = i


@gp.kernel(workgroup_size=8, debug=True)
def ramp(out: gp.Out[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        out[i] = i


@gp.kernel(workgroup_size=4, debug="ordered")
def tell(x: gp.In[gp.f32], out: gp.Out[gp.i32], a: gp.u32, flag: gp.bool):
    i = gp.global_id(0)
    print("at", i, x[i], a, flag, gp.i32x2(i, -i))
    out[i] = i
    if i % 2 == 0:
        print(f"even {i}!")


@gp.kernel(workgroup_size=8, debug=True)
def reversed_in_workgroups(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
    """Right: nothing is reported."""
    tile = gp.workgroup_array(gp.i32, 8)
    i = gp.local_id(0)
    if gp.global_id(0) < x.size:
        tile[i] = x[gp.global_id(0)]
    gp.barrier()
    if gp.global_id(0) < out.size:
        assert i >= 0
        out[gp.global_id(0)] = tile[7 - i]


@gp.kernel(workgroup_size=8)
def racing(x: gp.In[gp.i32], out: gp.InOut[gp.i32]):
    """Every invocation of a workgroup stores to one element."""
    out[gp.workgroup_id(0)] = x[gp.global_id(0)]
