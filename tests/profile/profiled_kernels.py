"""Kernels of these tests."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(workgroup_size=32)
def axpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += a * x[i]


@gp.kernel(workgroup_size=32)
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


def add_one(y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += 1.0


@gp.kernel(workgroup_size=32, debug=True)
def checked(y: gp.InOut[gp.f32]):
    y[gp.global_id(0)] += 1.0
