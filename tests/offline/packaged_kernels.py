"""Kernels of the packages that the tests build. Some tests import this module where nothing can be compiled."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32, gp.u32)
FACTOR = 3


@gp.kernel(workgroup_size=64)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """y = a x + y."""
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel(workgroup_size=64)
def scale(x: gp.InOut[T], n: gp.Const[int], negated: gp.Const[bool] = False):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * T(n) if not negated else -x[i]


@gp.kernel(workgroup_size=64)
def with_a_captured_value(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = y[i] * FACTOR


class Mode(IntEnum):
    UP = 1
    DOWN = 4


@gp.struct
class Inner:
    mode: Mode
    place: gp.f32x2


@gp.struct
class Params:
    scale: gp.f32
    inner: Inner
    offset: gp.i32


@gp.kernel(workgroup_size=32)
def by_struct(p: Params, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        sign = 1.0 if p.inner.mode == Mode.UP else -1.0
        y[i] = sign * p.scale * gp.f32(i) + p.inner.place.y + gp.f32(p.offset)


@gp.kernel(workgroup_size=32)
def of_structs(x: gp.InOut[Inner]):
    i = gp.global_id(0)
    if i < x.size:
        x[i].place = x[i].place.yx


@gp.kernel(workgroup_size=32)
def by_mode(mode: Mode, y: gp.Out[gp.i32], *, times: gp.i32 = 2):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.i32(mode) * times + i


@gp.kernel(workgroup_size=1)
def count(y: gp.InOut[gp.i32]):
    gp.atomic_add(y, 0, gp.workgroup_id(0) + gp.workgroup_id(1))


@gp.kernel(workgroup_size=32)
def strided(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.i32):
    """With assumptions, which some calls do not satisfy."""
    i = gp.global_id(0)
    if i < n:
        y[i] = x[i] + 1.0


@gp.kernel(workgroup_size=(8, 8))
def transposed(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    tile = gp.workgroup_array(gp.f32, (8, 9))
    tile[gp.local_id(1), gp.local_id(0)] = x[gp.global_id(1), gp.global_id(0)]
    gp.barrier()
    y[gp.global_id(0), gp.global_id(1)] = tile[gp.local_id(1), gp.local_id(0)]


@gp.kernel(workgroup_size=64)
def with_functions(x: gp.InOut[gp.f32]):
    """Of which some are calls of the C library on processors."""
    i = gp.global_id(0)
    if i < x.size:
        x[i] = gp.sin(x[i]) + gp.pow(gp.abs(x[i]), 0.5) + gp.cosh(x[i])


@gp.kernel(workgroup_size=64)
def in_f64(x: gp.InOut[gp.f64]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] * 1.1


SPECIALISATIONS = [
    saxpy, (scale, {"T": gp.f32, "n": 2}), (scale, {"T": gp.i32, "n": 3}),
    (scale, {"T": gp.i32, "n": 3, "negated": True}),
    with_a_captured_value, by_struct, of_structs, by_mode, count, strided, transposed, with_functions, in_f64,
]  # fmt: skip
