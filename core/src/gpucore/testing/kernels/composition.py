"""Helpers, generics, captured constants, enums."""

from __future__ import annotations

import enum
import math
from typing import TypeVar

import numpy as np

import gpucore as gp
from gpucore.testing.kernels import control

T = TypeVar("T", gp.i32, gp.u32, gp.f32)

FACTOR = 3
LIMITS = (10, 20, 40)
IS_SHIFTED = True
ELEMENT = gp.i32


class Mode(enum.IntEnum):
    """How `by_mode` computes."""

    ADD = 1
    MULTIPLY = 2
    NONE = 7


def classify(x):
    if x < 0:
        return -1
    if x == 0:
        return 0
    for k in range(100):
        if k * k > x:
            return k
    return 1000


def digits(x):
    total = 0
    count = 0
    while x > 0:
        total += x % 10
        x = x // 10
        count += 1
    return total, count


def scaled(x, factor=2, offset=0):
    return x * factor + offset


def twice(x):
    return scaled(scaled(x), offset=1)


def clamp_index(i, array):
    if i < 0:
        return 0
    if i >= array.size:
        return array.size - 1
    return i


def store_if_even(out, i, value):
    if value % 2 != 0:
        return
    out[i] = value


@gp.kernel(workgroup_size=32)
def helpers(a: gp.In[gp.i32], out: gp.InOut[gp.i32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = classify(a[i])
        total, count = digits(a[i])
        out[1, i] = total * 100 + count
        out[2, i] = twice(a[i]) + scaled(a[i], factor=5)
        out[3, i] = a[clamp_index(i - 2, a)] + a[clamp_index(i + 2, a)]
        for k in range(3):
            out[4, i] = out[4, i] + classify(a[i] + k)


@gp.kernel(workgroup_size=32)
def early_helpers(a: gp.In[gp.i32], out: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        store_if_even(out, i, a[i])


@gp.kernel(workgroup_size=32)
def generic(x: gp.In[T], scale: T, out: gp.Out[T], ends: gp.Out[T]):
    i = gp.global_id(0)
    if i < x.size:
        total = T(0)
        for k in gp.unroll(range(3)):
            total = total + x[i] * scale + T(k)
        out[i] = total
    if i == 0:
        ends[0] = gp.max_value(T)
        ends[1] = gp.min_value(T)
        ends[2] = T(7) // T(2)


@gp.kernel(workgroup_size=32)
def captured(out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        value = ELEMENT(i) * FACTOR
        for limit in gp.unroll(LIMITS):
            if value > limit:
                value = value + 1
        if IS_SHIFTED:
            value = value << 1
        out[i] = value


def make_adder(amount, function):
    """A kernel with values captured by its closure."""

    @gp.kernel(workgroup_size=32)
    def add(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
        i = gp.global_id(0)
        if i < x.size:
            out[i] = function(x[i]) + amount

    return add


@gp.kernel(workgroup_size=32)
def by_mode(x: gp.In[gp.i32], out: gp.Out[gp.i32], mode: gp.Const[Mode], run_mode: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        if mode == Mode.ADD:
            value = value + 5
        elif mode == Mode.MULTIPLY:
            value = value * 5
        if run_mode == Mode.ADD:
            value = value + 100
        elif run_mode == Mode.NONE:
            value = value + Mode.NONE
        out[i] = value


@gp.kernel(workgroup_size=32)
def static_values(out: gp.Out[gp.i32], n: gp.Const[int]):
    i = gp.global_id(0)
    if i < out.size:
        total = gp.static(sum(k * k for k in range(n)))
        shift = gp.static(int(math.log2(n)))
        out[i] = total + (i << shift)


WEIGHTS = (0.25, -1.5, 3.0, 1e-3, 7.0)
PRIMES = [2, 3, 5, 7, 11, 13, -17]
PLANE = np.arange(12, dtype=np.uint32).reshape(3, 4) * np.uint32(400000000)
SPECIAL = np.array([np.inf, -0.0, np.nan, -np.inf], np.float32)


def _third(table, k):
    return table[k] + table[2]


@gp.kernel(workgroup_size=32)
def tables(at: gp.In[gp.i32], floats: gp.Out[gp.f32, 2], ints: gp.Out[gp.i32, 2], words: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < at.size:
        k = at[i]
        floats[0, i] = WEIGHTS[k % 5]
        floats[1, i] = SPECIAL[k % 4]
        floats[2, i] = (1.5, 2.5)[k % 2] + WEIGHTS[4]
        ints[0, i] = _third(PRIMES, k % len(PRIMES))
        ints[1, i] = PRIMES[gp.workgroup_id(0)] * PRIMES.size
        words[0, i] = PLANE[k % 3, gp.u32(i % 4)]
        words[1, i] = PLANE[2, 3]


@gp.kernel(workgroup_size=32)
def imported(a: gp.In[gp.i32], out: gp.Out[gp.i32], hits: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        out[i] = control.counted(hits, a[i] + 1)


@gp.kernel(workgroup_size=32)
def mathematics(x: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = math.floor(x[i]) + math.fabs(x[i])
        out[1, i] = abs(x[i]) * 2 + max(x[i], 0.5, 2.0) - min(x[i], 3)
        out[2, i] = x[i] ** 3 + math.pi
