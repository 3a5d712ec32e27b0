"""Arithmetic and comparisons of f32, one row of the output each."""

from __future__ import annotations

import math

import gpucore as gp

HALF_OF_PI = 1.5707963267948966


@gp.kernel(workgroup_size=64)
def by_zero(a: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    """Division by constant zeros."""
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = a[i] / 0.0
        out[1, i] = a[i] / -0.0
        quotients = gp.f32x2(a[i], 1.0) / 0.0
        out[2, i] = quotients.x
        out[3, i] = quotients.y


@gp.kernel(workgroup_size=64)
def arithmetic(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = x + y
        out[1, i] = x - y
        out[2, i] = x * y
        out[3, i] = x / y
        out[4, i] = -x
        out[5, i] = abs(x)
        out[6, i] = min(x, y)
        out[7, i] = max(x, y)
        out[8, i] = gp.clamp(x, y, 2.0)
        out[9, i] = gp.sign(x)
        out[10, i] = gp.step(x, y)
        out[11, i] = x * 1.0
        out[12, i] = x + 0.0


@gp.kernel(workgroup_size=64)
def extremes_with_literals(a: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = min(a[i], 1.5)
        out[1, i] = max(1.5, a[i])
        out[2, i] = gp.clamp(a[i], -1.0, 1.0)
        out[3, i] = min(max(0.0, a[i]), 1.0)


@gp.kernel(workgroup_size=64)
def multiply_add(a: gp.In[gp.f32], b: gp.In[gp.f32], c: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = a[i] * b[i] + c[i]
        out[1, i] = gp.fma(a[i], b[i], c[i])
        out[2, i] = gp.mix(a[i], b[i], c[i])


@gp.kernel(workgroup_size=64)
def rounding(a: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        out[0, i] = gp.floor(x)
        out[1, i] = gp.ceil(x)
        out[2, i] = gp.trunc(x)
        out[3, i] = round(x)
        out[4, i] = gp.fract(x)


@gp.kernel(workgroup_size=64)
def comparisons(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = gp.u32(x == y)
        out[1, i] = gp.u32(x != y)
        out[2, i] = gp.u32(x < y)
        out[3, i] = gp.u32(x <= y)
        out[4, i] = gp.u32(x > y)
        out[5, i] = gp.u32(x >= y)
        out[6, i] = gp.u32(not (x == y))  # noqa: SIM201 (the operator is tested)
        out[7, i] = gp.u32(not (x != y))  # noqa: SIM202 (as above)
        out[8, i] = gp.u32(not (x < y))
        out[9, i] = gp.u32(not (x <= y))
        out[10, i] = gp.u32(not (x > y))
        out[11, i] = gp.u32(not (x >= y))


@gp.kernel(workgroup_size=64)
def branches(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < a.size:
        found = gp.u32(0)
        if a[i] < b[i]:
            found = gp.u32(1)
        elif a[i] >= b[i]:
            found = gp.u32(2)
        else:
            found = gp.u32(3)
        while not (a[i] <= b[i]) and found < 8:
            found = found + 8
        out[i] = found


@gp.kernel(workgroup_size=64)
def classes(a: gp.In[gp.f32], out: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = gp.u32(gp.isnan(a[i]))
        out[1, i] = gp.u32(gp.isinf(a[i]))
        out[2, i] = gp.u32(a[i] != a[i])
        out[3, i] = gp.u32(math.isnan(a[i]) or math.isinf(a[i]))


@gp.kernel(workgroup_size=64)
def python_operators(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = a[i] // b[i]
        out[1, i] = a[i] % b[i]
        out[2, i] = a[i] ** 0
        out[3, i] = a[i] ** 1
        out[4, i] = a[i] ** 2
        out[5, i] = a[i] ** 5


@gp.kernel(workgroup_size=1)
def literals(out: gp.Out[gp.f32]):
    out[0] = 0.1
    out[1] = HALF_OF_PI
    out[2] = math.pi
    out[3] = 3.4028234663852886e38
    out[4] = -1.1754943508222875e-38
    out[5] = 16777216
    out[6] = -0.0
    out[7] = math.inf
    out[8] = -math.inf
    out[9] = 1e-3
    out[10] = 1.0 / 3.0
    out[11] = 123456789.0
    out[12] = gp.max_value(gp.f32)
    out[13] = gp.min_value(gp.f32)
    out[14] = 5e-324 * 0
    out[15] = 8.589973e9
    out[16] = math.nan


@gp.kernel(workgroup_size=1)
def subnormal_literals(out: gp.Out[gp.f32]):
    out[0] = 1e-45
    out[1] = -1e-40
    out[2] = 1.1754942e-38


@gp.kernel(workgroup_size=1)
def folded(out: gp.Out[gp.f32]):
    out[0] = gp.f32(0.1) + gp.f32(0.2)
    out[1] = gp.f32(16777216.0) + gp.f32(1.0)
    out[2] = gp.f32(3.0e38) * gp.f32(10.0)
    out[3] = gp.f32(1.0) - gp.f32(1e-8)
    out[4] = round(gp.f32(2.5))
    out[5] = round(gp.f32(-3.5))
    out[6] = gp.floor(gp.f32(-0.5))
    out[7] = min(gp.f32(math.nan), gp.f32(1.0))
    out[8] = max(gp.f32(2.0), gp.f32(math.nan))
    out[9] = gp.f32(math.inf) - gp.f32(math.inf)
    out[10] = gp.f32(1.1) * gp.f32(1.1)


@gp.kernel(workgroup_size=64)
def with_nan(a: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    """Functions of values that a compiler may know to be NaN."""
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = math.nan // a[i]
        out[1, i] = a[i] // math.nan
        out[2, i] = math.nan % a[i]
        out[3, i] = gp.floor(a[i] + math.nan)
        out[4, i] = round(a[i] * math.nan)
        out[5, i] = gp.exp(a[i] - math.nan)
        out[6, i] = gp.tanh(math.nan / a[i])
        out[7, i] = gp.fma(math.nan, a[i], math.nan)
        out[8, i] = gp.fma(math.nan, -1.0, math.nan)
        out[9, i] = gp.ceil(gp.f32x2(a[i], 1.0) * math.nan).y


@gp.kernel(workgroup_size=1)
def divisions_folded(out: gp.Out[gp.f32]):
    out[0] = gp.f32(1.0) / gp.f32(0.0)
    out[1] = gp.f32(-1.0) / gp.f32(0.0)
    out[2] = gp.f32(0.0) / gp.f32(0.0)
    out[3] = gp.f32(1.0) / gp.f32(4.0)
