"""A program without a mistake, annotated in full: the checkers must accept all of it, and it runs."""

from __future__ import annotations

import enum
import math
from typing import NewType, TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f64)
Metres = NewType("Metres", gp.f32)


class Cell(enum.IntEnum):
    ROCK = 1
    WATER = 2


@gp.struct
class Ball:
    height: gp.f32
    place: gp.f32x2
    cell: Cell
    depth: Metres

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.height + other.height, self.place + other.place, self.cell, self.depth)

    @property
    def is_down(self) -> bool:
        return self.height <= 0.0


@gp.kernel(workgroup_size=64, min_workgroups=2)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def scalars(
    ints: gp.InOut[gp.i32], floats: gp.Out[gp.f32], c: gp.bool, i: gp.i32, u: gp.u32, f: gp.f32, n: gp.Const[int]
) -> None:
    k = gp.global_id(0)
    if k < ints.size and c:
        total: gp.f32 = 0
        for j in gp.unroll(range(n)):
            total += f * 2 + gp.f32(j)
        ints[k] = gp.i32(u >> gp.u32(1)) + (i // 2) % 3
        ints[k] += gp.max_value(gp.i32) & 1
        floats[k] = gp.f32(i) * total + gp.sqrt(f) + math.exp(f) + gp.select(i > 2, 1.0, f)


@gp.kernel(workgroup_size=(4, 4))
def matrices(x: gp.In[gp.f32, 2], y: gp.InOut[gp.f32, 2], counts: gp.InOut[gp.u32]) -> None:
    tile = gp.workgroup_array(gp.f32, (4, 4))
    column, row = gp.global_id(0), gp.global_id(1)
    rows, columns = x.shape
    tile[gp.local_id(1), gp.local_id(0)] = x[min(row, rows - 1), min(column, columns - 1)]
    gp.barrier(buffers=False)
    own = gp.private_array(gp.f32, 4)
    gp.vstore(own, 0, gp.vload(own, 2, 2) + 1.0)
    gp.barrier()
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] += tile[gp.local_id(1), gp.local_id(0)] * gp.f32(x.size)
        gp.atomic_add(counts, 0, 1)


@gp.kernel
def vectors(v: gp.f32x4, x: gp.In[gp.f32x4], y: gp.Out[gp.f32x4], heads: gp.Out[gp.f32x2]) -> None:
    i = gp.global_id(0)
    if i < x.size:
        w = gp.f32x4(2.0) * x[i] + v * 0.5 - gp.f32x4(x[i].xy, 0.0, 1.0)
        w.x = gp.dot(v, w)
        y[i] = w.wzyx
        w[i % 4] += 0.0 * w[3 - i % 4]
        heads[i] = gp.f32x2(w.x, w[1])


@gp.kernel
def generic(low: T, high: T, x: gp.InOut[T]) -> None:
    i = gp.global_id(0)
    if i < x.size:
        x[i] = gp.clamp(x[i], low, high) + x.dtype(0)


@gp.kernel
def generic_last(x: gp.In[T], y: gp.Out[T], factor: T) -> None:
    i = gp.global_id(0)
    if i < x.size:
        y[i] = x[i] * factor


@gp.kernel
def own(balls: gp.InOut[Ball], other: Ball, cells: gp.In[Cell], kind: Cell, m: Metres, h: gp.Out[Metres]) -> None:
    i = gp.global_id(0)
    if i < balls.size:
        ball = balls[i] + other
        match cells[i]:
            case Cell.ROCK:
                h[i] = m
            case Cell.WATER:
                h[i] = Metres(0.5) if kind == Cell.ROCK else ball.depth
        if not ball.is_down:
            balls[i] = ball


@gp.func
def double(value: gp.f32) -> gp.f32:
    return value * 2


@gp.kernel(debug=True)
def helped(x: gp.InOut[gp.f32]) -> None:
    i = gp.global_id()
    if i < x.size:
        assert i >= 0, "an id"
        x[i] = double(x[i])


@gp.kernel
def portable(x: gp.Out[gp.i32]) -> None:
    if gp.target.kind == "gpu" or gp.target.has(gp.Capability.F64):
        x[0] = 1
    else:
        x[0] = 2


def launch(kernel: gp.Kernel, *arrays: gp.Array) -> None:
    """A function that takes any kernel."""
    kernel(*arrays, invocations=arrays[0].shape)


x, y = gp.arange(5, dtype=gp.f32), gp.ones(5)
saxpy(2.0, x, y, invocations=y.size)
saxpy(2, x, y, invocations=(5,))
saxpy(np.float32(2), x, y, workgroups=1)
saxpy(a=2.0, x=x, y=y, invocations=np.int64(5))
assert gp.check(saxpy, 2.0, x, y, invocations=5).ok

ints, floats = gp.empty(3, gp.i32), gp.empty(3)
scalars(ints, floats, True, 4, 5, 0.5, 3, invocations=3)
scalars(ints, floats, np.bool_(True), np.int32(4), np.uint32(5), np.float64(0.5), 3, invocations=3)

matrix = gp.asarray(np.eye(3, 4, dtype=np.float32))
matrices(matrix, gp.zeros(matrix.shape), gp.zeros(1, gp.u32), invocations=matrix.shape[::-1])

quads = gp.zeros(2, gp.f32x4)
vectors((1, 2, 3, 4), quads, gp.zeros(2, gp.f32x4), gp.empty(2, gp.f32x2), invocations=2)
vectors(np.ones(4, np.float32), quads, gp.zeros(2, gp.f32x4), gp.empty(2, gp.f32x2), invocations=2)

generic(0.0, 1.0, x, invocations=5)
generic_last(x, y, 2.0, invocations=5)
generic_last(x, y, np.float32(2.0), invocations=5)

balls = gp.asarray(np.zeros(2, Ball), Ball)
cells = gp.asarray(np.array([1, 2], np.int32))
ball = Ball(1.0, (0.0, 1.0), Cell.ROCK, Metres(1.0))
own(balls, ball, cells, Cell.WATER, Metres(0.5), gp.empty(2), invocations=2)

helped(x, invocations=5)
launch(helped, x)
portable(ints, invocations=1)
print(saxpy.name, saxpy.source("python") != "", gp.sort(x).numpy().shape, gp.matmul(matrix, matrix.reshape(4, 3)).shape)

# Arrays on the host
blend = gp.elementwise("a*x + (1.0 - a)*y")
mixed: gp.Array = 2 * x + gp.exp(-x) / y - blend(0.5, x, y)
mixed += 1
mixed[1:3] = 4.0
mixed[0] = x[1:2]
above: gp.Array = gp.where(mixed > 2, mixed, 0)
saxpy(2.0, x[0:2], mixed[1:3])
saxpy(2.0, x, mixed, invocations=mixed)
whole = [float(x[2]), above.item(1), *above.tolist()]
assert len(whole) == 7 and whole[1] == 4.0
print(mixed.copied[::2].T.astype(gp.i32).numpy(out=np.zeros(3, np.int32)).shape)
with gp.zeros_like(mixed) as zeros:
    zeros.set([1.0] * zeros.size)
print(gp.random.uniform(3, 5).shape, gp.linspace(0, 1, 5).shape)
gp.synchronize()


class Tensor:
    """What a checker sees of a tensor of PyTorch or CuPy."""

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return {"shape": (5,), "typestr": "<f4", "data": (0, False), "version": 3}


def on_cuda(tensor: Tensor) -> gp.Array:
    saxpy(2.0, tensor, tensor, invocations=5)
    saxpy(2.0, x, tensor, invocations=tensor)
    return gp.matmul(gp.sort(tensor), gp.from_dlpack(tensor))
