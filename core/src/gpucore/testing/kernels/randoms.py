"""Functions of gp.random in a kernel."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(workgroup_size=64)
def words(key: gp.In[gp.u32x2], counter: gp.In[gp.u32x4], out: gp.Out[gp.u32x4]):
    """The words of keys and counters."""
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.random.philox(key[i], counter[i])


@gp.kernel(workgroup_size=64)
def numbers(bits: gp.In[gp.u32], out: gp.Out[gp.f32, 2], whole: gp.Out[gp.i32]):
    """What is made of neighbouring words."""
    i = gp.global_id(0)
    if i < bits.size:
        pair = gp.random.normal(bits[i], bits[(i + 1) % bits.size])
        out[0, i] = gp.random.uniform(bits[i])
        out[1, i] = pair.x
        out[2, i] = pair.y
        whole[i] = gp.random.integers(bits[i], -1000, 2_000_000_000)
