"""One kernel for each function of numbers; the function is captured."""

from __future__ import annotations

import functools
import math

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


@gp.kernel(workgroup_size=64)
def of_vectors(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        v = gp.f32x4(x[i], y[i], 0.5, -0.5)
        lengths = math.hypot(v, v.yxwz)
        roots = math.cbrt(v)
        out[0, i] = lengths.x
        out[1, i] = lengths.w
        out[2, i] = math.log1p(v * v).x
        out[3, i] = math.expm1(v).w
        out[4, i] = roots.y
        out[5, i] = math.log10(v * v + 2.0).x


@functools.cache
def of_type(dtype, exact_only):
    """The functions on another float type; with `exact_only`, those that need no more than the type."""

    @gp.kernel(workgroup_size=64)
    def of_floats(x: gp.In[dtype], y: gp.In[dtype], out: gp.Out[dtype, 2]):
        i = gp.global_id(0)
        if i < x.size:
            out[0, i] = gp.hypot(x[i], y[i])
            out[1, i] = gp.copysign(x[i], y[i])
            out[2, i] = gp.ldexp(x[i], i % 9 - 4)
            if not exact_only:
                out[3, i] = gp.log1p(abs(x[i]))
                out[4, i] = gp.expm1(x[i])
                out[5, i] = gp.cbrt(x[i])
                out[6, i] = gp.log10(abs(x[i]))

    return of_floats
