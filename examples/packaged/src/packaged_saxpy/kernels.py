"""The kernels. The wheel has them compiled; nothing imports this module when the project is installed."""

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)


@gp.kernel(workgroup_size=128)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel(workgroup_size=128)
def scale(x: gp.InOut[T], factor: gp.Const[int]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * T(factor)
