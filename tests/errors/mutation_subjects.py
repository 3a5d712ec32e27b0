"""Correct kernels of every kind of syntax, to be damaged by test_mutations. Its text is read, not its kernels."""

from __future__ import annotations

import enum
import math
from typing import TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)
LIMIT = 5
PAIR = (2, (3, 4.5))
TABLE = [1, 2, 3]
SMALL = np.int32(3)
HUGE = 1 << 5000


class Mode(enum.IntEnum):
    FAST = 1
    SLOW = 2


@gp.struct
class Params:
    alpha: gp.f32
    n: gp.i32

    def scaled(self, x):
        return self.alpha * x


def clamp(value, low=0, high=LIMIT):
    if value < low:
        return low
    while value > high:
        value -= 1
        if value == 3:
            break
    return value


def ordered(a, b):
    if a > b:
        a, b = b, a
    return a, (b, a + b)


def find(x, wanted):
    for part in gp.unroll(range(2)):
        for i in range(part, x.size, 2):
            if x[i] == wanted:
                return i
            if i > LIMIT:
                break
    return -1


@gp.kernel(workgroup_size=8)
def integers(x: gp.In[gp.i32], n: gp.i32, k: gp.Const[int], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i >= y.size or n < 0:
        return
    total, last = 0, PAIR[0]
    for j in range(i, n, 2):
        total += x[j % x.size] * SMALL
        if total > 100 and x[i] != 3:
            continue
        last = j // 3
    for u in gp.unroll(range(k)):
        if (total + u) % 5 == 0:
            break
        total = total ^ gp.static(u * 2 + LIMIT)
    low, (high, both) = ordered(x[i], last)
    y[i] += clamp(total, high=7) + low - high * both
    y[i] = find(x, n) if 0 <= i < x.size else -(total << 2) | ~last
    y[i] *= abs(min(last, total, 4)) + gp.select(i > 3, 1, Mode.SLOW)


@gp.kernel(workgroup_size=8)
def floats(a: gp.f32, p: Params, x: gp.In[T], m: gp.InOut[gp.f32, 2]):
    i, j = gp.global_id(0), gp.local_id(0)
    value: gp.f32 = 0
    zero = T(0)
    if i < m.shape[0] and j < m.shape[1]:
        value = a * m[i, j] + p.scaled(2.0) ** 2 - gp.f32(x[i])
        m[i, j] = math.sqrt(value) / (p.alpha + math.pi) + gp.clamp(value, 0.0, 1.0) * float(LIMIT)
    else:
        value = gp.f32(p.n)
    if x[0] > zero:
        m[0, 0] = gp.fma(value, a, PAIR[1][1]) if not gp.isnan(value) else gp.max_value(gp.f32)


@gp.kernel(workgroup_size=8)
def vectors(v: gp.In[gp.f32x4], w: gp.Out[gp.f32x4]):
    i = gp.global_id(0)
    local = gp.private_array(gp.f32x4, 2)
    b = v[i]
    b.x = b.w + 1.0
    local[0] = gp.f32x4(b.xy, 1.0, 2.0)
    local[1].y = gp.dot(b, local[0])
    local[1] *= b
    for item in gp.unroll((b, local[0])):
        local[0] += item * 2.0
    w[i] = gp.bitcast(gp.f32x4, gp.bitcast(gp.u32x4, local[0])) + local[1]


@gp.kernel(workgroup_size=8)
def shared(x: gp.In[gp.u32], count: gp.InOut[gp.u32], y: gp.InOut[gp.u32]):
    tile = gp.workgroup_array(gp.u32, (2, 8))
    t, g = gp.local_id(0), gp.workgroup_id(0)
    tile[0, t] = x[g * gp.workgroup_size(0) + t] >> 3
    gp.barrier()
    step = 4
    while step > 0:
        if t < step:
            tile[0, t] += tile[0, t + step]
        gp.barrier()
        step //= 2
    if t == 0:
        before = gp.atomic_add(count, g, tile[0, 0])
        gp.atomic_max(count, 0, gp.popcount(before))
    y[t] = tile[0, 7 - t] % 7 + gp.u32(len(y)) + gp.rem(x[t], 3)
