"""`%` and `//` of floats."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f16, gp.f32, gp.f64, gp.f32x2, gp.f32x4)


@gp.kernel(workgroup_size=64)
def remainders(a: gp.In[T], b: gp.In[T], remainder: gp.Out[T], quotient: gp.Out[T]):
    i = gp.global_id(0)
    if i < a.size:
        remainder[i] = a[i] % b[i]
        quotient[i] = a[i] // b[i]


@gp.kernel(workgroup_size=1)
def folded(out: gp.Out[gp.f32]):
    out[0] = gp.f32(1.0) % 0.1
    out[1] = gp.f32(-1.0) % 0.1
    out[2] = gp.f32(2147483648.0) % 3.0
    out[3] = gp.f32(-1.0) % gp.f32(1e30)
    out[4] = gp.f32(1.0) // 0.1
    out[5] = gp.f32(-7.5) // 2.0
