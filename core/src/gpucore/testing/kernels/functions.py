"""One kernel for each function of numbers; the function is captured."""

from __future__ import annotations

import functools
import math
from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f32x4, gp.f64, gp.f16)
Second = TypeVar("Second", gp.f32, gp.f32x4, gp.f64, gp.f16, gp.i32)  # i32: the exponents of ldexp


@functools.cache
def kernel_of(function, count):
    """A kernel that applies `function` to one or two arrays of floats or of vectors, element by element."""

    @gp.kernel(workgroup_size=64)
    def apply_one(x: gp.In[T], out: gp.Out[T]):
        i = gp.global_id(0)
        if i < out.size:
            out[i] = function(x[i])

    @gp.kernel(workgroup_size=64)
    def apply_two(x: gp.In[T], y: gp.In[Second], out: gp.Out[T]):
        i = gp.global_id(0)
        if i < out.size:
            out[i] = function(x[i], y[i])

    return apply_one if count == 1 else apply_two


@gp.kernel(workgroup_size=64)
def scaled(x: gp.In[gp.f32], n: gp.In[gp.i32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = gp.ldexp(x[i], n[i])
        out[1, i] = math.ldexp(x[i], 3)
        pair = gp.ldexp(gp.f32x2(x[i], 1.0), n[i])
        out[2, i] = pair.x


@gp.kernel(workgroup_size=64)
def signed(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = gp.copysign(x[i], y[i])
        out[1, i] = math.copysign(2.0, y[i])
        pair = gp.copysign(gp.f32x2(x[i], 1.0), gp.f32x2(y[i], 1.0))
        out[2, i] = pair.x
