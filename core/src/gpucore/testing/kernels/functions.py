"""One kernel for each function of numbers; the function is captured."""

from __future__ import annotations

import functools

import gpucore as gp


@functools.cache
def kernel_of(function, count):
    """A kernel that applies `function` to `count` arrays of f32, element by element."""

    @gp.kernel(workgroup_size=64)
    def apply_one(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < out.size:
            out[i] = function(x[i])

    @gp.kernel(workgroup_size=64)
    def apply_two(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < out.size:
            out[i] = function(x[i], y[i])

    return apply_one if count == 1 else apply_two
