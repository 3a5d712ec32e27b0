"""Kernels of the tests of pages."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32, gp.u32)
WEIGHTS = (0.25, 0.5, 0.25)
MOVES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.int32)


@gp.struct
class Body:
    centre: gp.f32x3
    mass: gp.f32
    kind: gp.i32
    velocity: gp.f32x2


def make_params() -> tuple[type, type]:
    """Two structs of one name, as of two modules, and with different fields."""

    @gp.struct
    class Params:
        scale: gp.f32

    first = Params

    @gp.struct
    class Params:  # type: ignore[no-redef]
        scale: gp.f32
        shift: gp.i32

    return first, Params


Params, OtherParams = make_params()


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """y becomes a x + y."""
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def scalars(f: gp.f32, i: gp.i32, u: gp.u32, b: gp.bool, v: gp.f32x3, w: gp.i32x2, small: gp.i8, out: gp.Out[gp.f32]):
    k = gp.global_id(0)
    if k < out.size:
        sign = gp.f32(1.0) if b else gp.f32(-1.0)
        vector = v.x + 10.0 * v.y + 100.0 * v.z + gp.f32(w.x - w.y)
        out[k] = sign * (f + gp.f32(i) + gp.f32(u & gp.u32(255)) + vector + gp.f32(small)) + gp.f32(k)


@gp.kernel
def move(body: Body, bodies: gp.InOut[Body], dt: gp.f32):
    i = gp.global_id(0)
    if i < bodies.size:
        bodies[i].centre = bodies[i].centre + body.centre * dt
        bodies[i].mass = bodies[i].mass + body.mass
        bodies[i].kind = bodies[i].kind * body.kind
        bodies[i].velocity = bodies[i].velocity + body.velocity


@gp.kernel
def scale_all(params: gp.InOut[Params]):
    i = gp.global_id(0)
    if i < params.size:
        params[i].scale = params[i].scale * 2.0


@gp.kernel
def shift_all(params: gp.InOut[OtherParams]):
    i = gp.global_id(0)
    if i < params.size:
        params[i].shift = params[i].shift + 1


@gp.kernel
def lengths(v: gp.In[gp.f32x4], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.dot(v[i], v[i])


@gp.kernel(workgroup_size=(16, 8))
def outer(x: gp.In[gp.f32], y: gp.In[gp.f32], out: gp.Out[gp.f32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = x[row] * y[column]


@gp.kernel
def histogram(x: gp.In[gp.u32], bins: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(bins, gp.i32(x[i] % gp.u32(bins.size)), gp.u32(1))


@gp.kernel(workgroup_size=64)
def sums(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
    part = gp.workgroup_array(gp.i32, 64)
    t, i = gp.local_id(0), gp.global_id(0)
    part[t] = x[i] if i < x.size else 0
    gp.barrier()
    stride = 32
    while stride > 0:
        if t < stride:
            part[t] += part[t + stride]
        gp.barrier()
        stride = stride // 2
    if t == 0:
        out[gp.workgroup_id(0)] = part[0]


@gp.kernel
def walk(turns: gp.In[gp.i32], y: gp.Out[gp.i32, 2], weights: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < turns.size:
        y[i, 0], y[i, 1] = MOVES[turns[i], 0], MOVES[turns[i], 1]
        weights[i] = WEIGHTS[turns[i] % 3]


@gp.kernel(workgroup_size=4)
def numbered(out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = 3 * i + 1


@gp.kernel
def bytes_of(x: gp.In[gp.u8], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.i32(x[i]) - 100


@gp.kernel
def scale(x: gp.In[T], y: gp.Out[T], n: gp.Const[int]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] * T(n)


@gp.kernel
def doubled(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@gp.kernel(workgroup_size=64)
def subgroup_sums(x: gp.In[gp.u32], out: gp.Out[gp.u32], sizes: gp.Out[gp.u32]):
    i = gp.global_id(0)
    out[i] = gp.subgroup_add(x[i])
    sizes[i] = gp.u32(gp.subgroup_size())


# ---------------------------------------------------------------- debug


@gp.kernel(workgroup_size=64, debug=True)
def differences(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = x[i + 1] - x[i]


@gp.kernel(workgroup_size=(4, 4), debug=True)
def transposed(x: gp.In[gp.i32, 2], out: gp.Out[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = x[column, row]


@gp.kernel(workgroup_size=(4, 4), debug=True)
def triangle(y: gp.InOut[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    assert column + row < 7, f"{column} and {row}"
    y[row, column] = 1


@gp.kernel(workgroup_size=4, debug="ordered")
def normalise(v: gp.InOut[gp.f32x4], u: gp.u32):
    i = gp.global_id(0)
    if i < v.size:
        length = gp.length(v[i])
        print("vector", i, v[i], "has length", length, length > 1.0, u)
        assert length > 0.0, "a vector without a direction"
        v[i] = v[i] / length


@gp.kernel(workgroup_size=8, debug=True)
def ramp(y: gp.Out[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = i


@gp.kernel(workgroup_size=(4, 4), debug=True)
def striped(y: gp.Out[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1] and (column % 3 != 1 or row == 0):
        y[row, column] = row


@gp.kernel(workgroup_size=8, debug=True)
def half_bodies(bodies: gp.Out[Body]):
    i = gp.global_id(0)
    if i < bodies.size:
        bodies[i].centre = gp.f32x3(1.0, 2.0, 3.0)
        bodies[i].mass = 1.0
        bodies[i].velocity = gp.f32x2(0.0, 0.0)
        if i != 2:
            bodies[i].kind = 1
