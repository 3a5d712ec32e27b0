"""Kernels for tests of the backend interface: small, and sensitive to order."""

from __future__ import annotations

import functools
from typing import TypeVar

import gpucore as gp

SIZE = 32

S = TypeVar("S", gp.i8, gp.u8, gp.i16, gp.u16, gp.i32, gp.u32, gp.i64, gp.u64, gp.f16, gp.f32, gp.f64)


@gp.kernel(workgroup_size=SIZE)
def affine(scale: gp.i32, offset: gp.i32, x: gp.InOut[gp.i32]):
    """Not commutative: two dispatches in another order give another result."""
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * scale + offset


@gp.kernel(workgroup_size=1)
def put(index: gp.i32, value: gp.u32, fraction: gp.f32, out: gp.InOut[gp.u32]):
    out[index * 2] = value
    out[index * 2 + 1] = gp.bitcast(gp.u32, fraction)


@gp.kernel(workgroup_size=1)
def between(first: gp.u32, flag: gp.bool, value: S, last: gp.f32, out: gp.Out[S], ends: gp.Out[gp.u32]):
    """A scalar of any type, which may need gaps before and after it."""
    out[0] = value
    ends[0] = first
    ends[1] = gp.u32(flag)
    ends[2] = gp.bitcast(gp.u32, last)


@gp.kernel(workgroup_size=SIZE)
def combine(a: gp.In[gp.i32], b: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = a[i] * 1000 - b[i]


@gp.kernel(workgroup_size=SIZE)
def no_scalars(out: gp.InOut[gp.u32]):
    """Has only a buffer as argument: not even a length."""
    tile = gp.workgroup_array(gp.u32, SIZE)
    tile[gp.local_id(0)] = out[gp.global_id(0)]
    gp.barrier()
    out[gp.global_id(0)] = tile[SIZE - 1 - gp.local_id(0)]


R = TypeVar("R", gp.f32, gp.i32)


@gp.kernel(workgroup_size=SIZE)
def reduced(x: gp.In[R], out: gp.Out[R], n: gp.Const[int]):
    """The sum of n multiples of each workgroup's elements, in workgroup memory."""
    tile = gp.workgroup_array(R, SIZE)
    t = gp.local_id(0)
    total = R(0)
    for k in range(n):
        total += x[gp.global_id(0)] * R(k)
    tile[t] = total
    gp.barrier()
    for step in gp.unroll((16, 8, 4, 2, 1)):
        if t < step:
            tile[t] = tile[t] + tile[t + step]
        gp.barrier()
    if t == 0:
        out[gp.workgroup_id(0)] = tile[0]


@gp.kernel(workgroup_size=SIZE)
def busy(n: gp.i32, out: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < out.size:
        x = out[i]
        for _ in range(n):
            x = x * 1664525 + 1013904223
        out[i] = x


STATEMENTS = (1234577, 7654319, 2345689, 9876543)
"""The constants of `marked`, one per line, in order."""


@gp.kernel(workgroup_size=1)
def marked(n: gp.i32, m: gp.i32, out: gp.InOut[gp.i32]):
    """Each statement has a unique constant, by which its line is found in the generated text."""
    if n < 1234577:  # noqa: SIM102 (each constant on its own line)
        if m > 7654319:  # noqa: SIM102 (as above)
            if n != 2345689:
                out[0] = 9876543


@functools.cache
def reversing(size, words):
    """A kernel of the given workgroup size that uses `words` words of workgroup memory."""

    @gp.kernel(workgroup_size=size)
    def reversed_through_workgroup_memory(out: gp.Out[gp.u32]):
        tile = gp.workgroup_array(gp.u32, words)
        t = gp.local_index()
        count = size[0] * size[1] * size[2]
        for i in range(t, words, count):
            tile[i] = gp.u32(i) * 7 + 1
        gp.barrier()
        out[gp.workgroup_id(0) * count + t] = tile[words - 1 - t]

    return reversed_through_workgroup_memory


@gp.kernel(workgroup_size=4)
def needs_f16(out: gp.InOut[gp.f16]):
    out[gp.local_id(0)] = out[gp.local_id(0)] * gp.f16(2.0)


@gp.kernel(workgroup_size=4)
def needs_f64(out: gp.InOut[gp.f64]):
    out[gp.local_id(0)] = out[gp.local_id(0)] * gp.f64(2.0)


@gp.kernel(workgroup_size=4)
def needs_f64_math(out: gp.InOut[gp.f64]):
    out[gp.local_id(0)] = gp.exp(out[gp.local_id(0)])


@gp.kernel(workgroup_size=4)
def needs_int64(out: gp.InOut[gp.i64]):
    out[gp.local_id(0)] = out[gp.local_id(0)] * gp.i64(3)


@gp.kernel(workgroup_size=4)
def needs_int8(out: gp.InOut[gp.i8]):
    out[gp.local_id(0)] = gp.i8(out[gp.local_id(0)] * 3)


@gp.kernel(workgroup_size=4)
def needs_int16(out: gp.InOut[gp.i16]):
    out[gp.local_id(0)] = gp.i16(out[gp.local_id(0)] * 3)


@gp.kernel(workgroup_size=4)
def needs_atomic_f32(out: gp.InOut[gp.f32]):
    gp.atomic_add(out, 0, 1.0)


@gp.kernel(workgroup_size=4)
def needs_atomic_int64(out: gp.InOut[gp.i64]):
    gp.atomic_add(out, 0, gp.i64(1))


@gp.kernel(workgroup_size=4)
def needs_subgroup(out: gp.InOut[gp.i32]):
    out[gp.local_id(0)] = gp.subgroup_add(out[gp.local_id(0)])
