"""Conversions between types, and operations that preserve bits."""

from __future__ import annotations

import math
from typing import TypeVar

import gpucore as gp

S = TypeVar("S", gp.i32, gp.u32, gp.f32, gp.i64, gp.u64, gp.f64, gp.f16)
D = TypeVar("D", gp.i32, gp.u32, gp.f32, gp.i64, gp.u64, gp.f64, gp.f16)


@gp.kernel(workgroup_size=64)
def convert(source: gp.In[S], out: gp.Out[D]):
    i = gp.global_id(0)
    if i < source.size:
        out[i] = D(source[i])


@gp.kernel(workgroup_size=64)
def through_bf16(bits: gp.In[gp.u16], x: gp.In[gp.f32], wide: gp.Out[gp.f32], narrow: gp.Out[gp.u16]):
    """bf16 in a private array. Of the bits of a bf16 the number; of a number the bits of the nearest bf16."""
    i = gp.global_id(0)
    if i < x.size:
        held = gp.private_array(gp.bf16, 2)
        held[0] = gp.bf16(gp.bitcast(gp.f32, gp.u32(bits[i]) << 16))
        held[1] = gp.bf16(x[i])
        wide[i] = gp.f32(held[0])
        narrow[i] = gp.u16(gp.bitcast(gp.u32, gp.f32(held[1])) >> 16)


@gp.kernel(workgroup_size=64)
def add_bf16(x: gp.In[gp.bf16], y: gp.In[gp.bf16], out: gp.Out[gp.bf16], wide: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        out[i] = gp.bf16(x[i] + y[i])
        wide[i] = x[i] * y[i]


@gp.kernel(workgroup_size=64)
def from_bool(a: gp.In[gp.i32], signed: gp.Out[gp.i32], unsigned: gp.Out[gp.u32], real: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < a.size:
        flag = a[i] > 0
        signed[i] = gp.i32(flag)
        unsigned[i] = gp.u32(flag)
        real[i] = gp.f32(flag)


@gp.kernel(workgroup_size=64)
def to_bool(a: gp.In[gp.i32], x: gp.In[gp.f32], out: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = gp.u32(gp.bool(a[i]))
        out[1, i] = gp.u32(gp.bool(x[i]))


@gp.kernel(workgroup_size=1)
def of_literals(whole: gp.Out[gp.i32], real: gp.Out[gp.f32]):
    whole[0] = gp.i32(3.9)
    whole[1] = gp.i32(-3.9)
    whole[2] = gp.i32(gp.f32(1e20))
    whole[3] = gp.i32(gp.f32(-1e20))
    whole[4] = gp.i32(gp.u32(4294967295))
    whole[5] = gp.i32(gp.f32(2.5))
    real[0] = gp.f32(16777217)
    real[1] = gp.f32(gp.i32(16777219))
    real[2] = gp.f32(gp.u32(4294967295))
    real[3] = gp.f32(True)


@gp.kernel(workgroup_size=64)
def bitcasts(bits: gp.In[gp.u32], out: gp.Out[gp.u32, 2]):
    i = gp.global_id(0)
    if i < bits.size:
        x = gp.bitcast(gp.f32, bits[i])
        out[0, i] = gp.bitcast(gp.u32, x)
        n = gp.bitcast(gp.i32, bits[i])
        out[1, i] = gp.bitcast(gp.u32, n)
        out[2, i] = gp.bitcast(gp.u32, gp.bitcast(gp.f32, n))


def passed_on(x):
    y = x
    return y


@gp.kernel(workgroup_size=64)
def carry(x: gp.In[gp.f32], flags: gp.In[gp.u32], out: gp.Out[gp.f32, 2]):
    """f32 values through every operation that computes nothing."""
    i = gp.global_id(0)
    t = gp.local_id(0)
    tile = gp.workgroup_array(gp.f32, 64)
    slots = gp.private_array(gp.f32, 4)
    value = gp.f32(0.0)
    if i < x.size:
        value = x[i]
    tile[t] = value
    gp.barrier()
    if i < x.size:
        zero = gp.f32(0.0)
        out[0, i] = x[i]
        out[1, i] = gp.select(flags[i] != 0, x[i], zero)
        out[2, i] = x[i] if flags[i] == 0 else zero
        out[3, i] = passed_on(x[i])
        slots[i & 3] = x[i]
        out[4, i] = slots[i & 3]
        out[5, i] = tile[t]
        moved = zero
        for k in range(3):
            if k == 1:
                moved = x[i]
        out[6, i] = moved
        pair = gp.f32x2(x[i], zero)
        out[7, i] = pair.yx.y


@gp.kernel(workgroup_size=64)
def carry_vectors(x: gp.In[gp.f32x4], out: gp.Out[gp.f32x4], swapped: gp.Out[gp.f32x4]):
    i = gp.global_id(0)
    if i < x.size:
        v = x[i]
        out[i] = v
        swapped[i] = v.wzyx


@gp.kernel(workgroup_size=64)
def vector_bitcasts(x: gp.In[gp.u32x4], out: gp.Out[gp.u32x4], converted: gp.Out[gp.i32x4]):
    i = gp.global_id(0)
    if i < x.size:
        out[i] = gp.bitcast(gp.u32x4, gp.bitcast(gp.f32x4, x[i]))
        converted[i] = gp.i32x4(gp.bitcast(gp.f32x4, x[i]))


@gp.kernel(workgroup_size=64)
def wide_bitcasts(x: gp.In[gp.u64], out: gp.Out[gp.u64, 2]):
    i = gp.global_id(0)
    if i < x.size:
        out[0, i] = gp.bitcast(gp.u64, gp.bitcast(gp.i64, x[i]))
        out[1, i] = gp.bitcast(gp.u64, gp.bitcast(gp.u32x2, x[i]).yx)


@gp.kernel(workgroup_size=64)
def double_bitcasts(x: gp.In[gp.u64], y: gp.In[gp.f64], out: gp.Out[gp.u64], copied: gp.Out[gp.f64]):
    i = gp.global_id(0)
    if i < x.size:
        out[i] = gp.bitcast(gp.u64, gp.bitcast(gp.f64, x[i]))
        copied[i] = gp.select(i % 2 == 0, y[i], -y[i])


@gp.kernel(workgroup_size=64)
def arithmetic(a: gp.In[S], b: gp.In[S], out: gp.Out[S, 2]):
    """f16 or f64, which few devices have."""
    i = gp.global_id(0)
    if i < a.size:
        out[0, i] = a[i] + b[i]
        out[1, i] = a[i] - b[i]
        out[2, i] = a[i] * b[i]
        out[3, i] = -a[i]
        out[4, i] = min(a[i], b[i])
        out[5, i] = max(a[i], b[i])
        out[6, i] = a[i] + b[i] + a[i]
        out[7, i] = a[i] * b[i] * a[i]
        out[8, i] = a[i] / b[i]


@gp.kernel(workgroup_size=64)
def store_scalar(value: S, out: gp.Out[S]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = value


@gp.kernel(workgroup_size=1)
def literals_of_a_type(out: gp.Out[S]):
    out[0] = 1.0 / 3.0
    out[1] = -0.0
    out[2] = math.inf
    out[3] = -math.inf
    out[4] = gp.max_value(S)
    out[5] = -1e-3
    out[6] = math.nan
