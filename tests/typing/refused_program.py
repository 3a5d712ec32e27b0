"""Wrong calls, and some right ones last. The checkers after `# refused by` must report the line, and no others."""

from __future__ import annotations

from typing import Any, NewType, TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f64)


@gp.struct
class Ball:
    height: gp.f32
    speed: gp.f32


@gp.kernel(workgroup_size=64)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]) -> None:
    y[gp.global_id(0)] += a * x[gp.global_id(0)]


@gp.kernel
def counts(x: gp.In[gp.i32, 2], n: gp.Const[int], k: gp.i32, ball: Ball, y: gp.Out[gp.i32]) -> None:
    y[0] = x[0, n] + k


@gp.kernel
def generic(a: T, x: gp.InOut[T]) -> None:
    x[0] *= a


x, y = gp.ones(3), gp.ones(3)
host = np.ones(3, np.float32)
ball = Ball(1.0, 2.0)

saxpy(2.0, x, y, invoctions=3)  # refused by mypy, pyright
saxpy(2.0, x, invocations=3)  # refused by mypy, pyright
saxpy(2.0, x, y, y, invocations=3)  # refused by mypy, pyright
saxpy("2", x, y, invocations=3)  # refused by mypy, pyright
saxpy(x, 2.0, y, invocations=3)  # refused by mypy, pyright
saxpy(2.0, x, y, invocations="3")  # refused by mypy, pyright
saxpy(2.0, x, y, invocations=3.5)  # refused by mypy, pyright
saxpy(a=2.0, x=x, y=y, invocations="3")  # refused by mypy, pyright
saxpy(np.float32(2), x, invocations=3)  # refused by mypy, pyright
saxpy(2.0, host, y, invocations=3)  # refused by pyright
saxpy(2.0, x, "y", invocations=3)  # refused by pyright
saxpy(2.0, x, [1.0, 2.0], invocations=3)  # refused by pyright
counts(x, 4, 2.5, ball, y, invocations=3)  # refused by mypy, pyright
counts(x, 2.5, 4, ball, y, invocations=3)  # refused by mypy, pyright
counts(x, 4, 4, 1.0, y, invocations=3)  # refused by mypy, pyright
counts(x, 4, 4, ball, host, invocations=3)  # refused by pyright
generic("a", x, invocations=3)  # refused by pyright
generic(1.0, invocations=3)  # refused by mypy, pyright

Ball(1.0)  # refused by mypy, pyright
Ball("1", 2.0)  # refused by mypy, pyright
ball.height = 3.0  # refused by mypy, pyright
print(ball.weight)  # refused by mypy, pyright

print(x.sise)  # refused by mypy, pyright
print(saxpy.nam)  # refused by mypy, pyright
gp.sqt(2.0)  # refused by mypy, pyright
gp.empty("3")  # refused by mypy, pyright
gp.matmul(x, host)  # refused by mypy, pyright


@gp.kernel(workgroup_sise=64)  # refused by mypy, pyright
def misspelt(x: gp.Out[gp.f32]) -> None:
    x[0] = gp.sqrt(1.0, 2.0)  # refused by mypy, pyright
    x[1] = gp.fma(1.0, 2.0)  # refused by mypy, pyright
    x[2] = gp.atomic_add(x, 0)  # refused by mypy, pyright
    x[3] = gp.global_id("x")  # refused by mypy, pyright
    x[4] = gp.target.kin  # refused by mypy, pyright
    x[5] = gp.f32([1.0])  # refused by mypy, pyright


# Right at run time, and yet reported: docs/typing.md names them, and what to write instead.

Metres = NewType("Metres", gp.f32)


@gp.kernel
def right(x: gp.InOut[T], depth: Metres, n: gp.Const[int] = 2) -> None:
    x[0] += T(0)  # refused by mypy, pyright


@gp.kernel
def seven(x: gp.Out[gp.f32], b: gp.f32, c: gp.f32, d: gp.f32, e: gp.f32, f: gp.f32, g: gp.f32) -> None:
    x[0] = b + c + d + e + f + g


@gp.kernel
def between(a: T, n: gp.i32, b: T, x: gp.Out[T]) -> None:
    x[n] = a + b


@gp.kernel  # refused by mypy, pyright
def by_name(x: gp.Out[gp.f32], *, n: gp.Const[int]) -> None:
    x[0] = gp.f32(n)


np.zeros(3, Ball.dtype)  # refused by mypy, pyright
right(x, Metres(1.0), n=3, invocations=3)  # refused by mypy, pyright
right(x, Metres(1.0), invocations=3)  # refused by mypy, pyright
right(x, 1.0, 2, invocations=3)  # refused by mypy, pyright
seven(x, 1.0, 1.0, 1.0, 1.0, np.float32(1), 1.0, invocations=3)
seven(x, 1.0, 1.0, 1.0, 1.0, 1.0, np.float32(1), invocations=3)  # refused by mypy, pyright
between(1.0, 2, 1.0, x, invocations=3)  # refused by mypy
numbers = [2.0]
saxpy(*numbers, x, y, invocations=3)  # refused by mypy, pyright
saxpy(*[*numbers, x, y], invocations=3)
values: list[Any] = [2.0, x, y]
saxpy(*values, invocations=3)
