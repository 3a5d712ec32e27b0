"""Arithmetic that an optimiser must not simplify as if floats were real numbers."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(workgroup_size=64)
def errors(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    """Sums that cancel: the error of a sum in three ways, and rounding by a large number."""
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        y = b[i]
        out[0, i] = ((x + y) - x) - y
        total = x + y
        part = total - x
        out[1, i] = (x - (total - part)) + (y - part)
        out[2, i] = (x + 12582912.0) - 12582912.0
        both = gp.f32x2(x, y)
        swapped = gp.f32x2(y, x)
        rest = (both + swapped) - both
        out[3, i] = rest.x
        out[4, i] = rest.y
        out[5, i] = (x * y) * x
        out[6, i] = (x + 1.0) + y


@gp.kernel(workgroup_size=1)
def kahan(a: gp.In[gp.f32], out: gp.Out[gp.f32]):
    """Compensated sums: of an array, of four numbers in a loop of known length, and a loop that adds 1 to 2**24."""
    total = gp.f32(0.0)
    lost = gp.f32(0.0)
    for i in range(a.size):
        y = a[i] - lost
        t = total + y
        lost = (t - total) - y
        total = t
    out[0] = total
    total = a[0]
    lost = 0.0
    for i in range(1, 5):
        y = a[i] - lost
        t = total + y
        lost = (t - total) - y
        total = t
    out[1] = total
    count = a[0]
    for _ in range(4):
        count = count + 1.0
    out[2] = count


@gp.kernel(workgroup_size=64)
def identities(a: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    """Identities that hold for real numbers, but not for infinities, NaN and signed zeros."""
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        same = x
        out[0, i] = x - same
        out[1, i] = x * 0.0
        out[2, i] = 0.0 - x
        out[3, i] = (x - 1.0) + (1.0 - x)
        out[4, i] = x + -x
        root = gp.sqrt(x)
        out[5, i] = root * root
        out[6, i] = gp.exp2(gp.log2(x))
        out[7, i] = gp.log2(gp.exp2(x))
        out[8, i] = x / same
