"""Operators of structs in augmented assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore as gp

Outputs = Callable[..., Any]


@gp.struct
class Point:
    a: gp.i32
    b: gp.f32

    def __mul__(self, factor):  # type: ignore[no-untyped-def]
        return Point(self.a * factor, self.b * gp.f32(factor))

    def __sub__(self, other):  # type: ignore[no-untyped-def]
        return Point(self.a - other.a, self.b - other.b)

    def __matmul__(self, other):  # type: ignore[no-untyped-def]
        return self.a * other.a

    def __rfloordiv__(self, number):  # type: ignore[no-untyped-def]
        return number // self.a

    def __add__(self, number):  # type: ignore[no-untyped-def]
        return Point(self.a + number, self.b)

    def __iadd__(self, number):  # type: ignore[no-untyped-def]
        return Point(self.a + 100 * number, self.b)


@gp.kernel(workgroup_size=1)
def augment(p: Point, x: gp.InOut[Point], y: gp.Out[gp.i32]):
    v, q = p, Point(2, 0.5)
    v *= 2
    y[0] = v.a
    v -= q * (v @ q)
    y[1] = v.a
    v += 1
    y[2] = v.a
    y[3] = (v + 1).a
    for i in range(2):
        x[i] *= i + 3
        x[i] += 1
    n = 100
    n //= q
    y[4] = n


def test_augmented_assignments_call_the_operators_of_structs(outputs: Outputs) -> None:
    rows = np.array([(1, 1.0), (2, 2.0)], Point.dtype)
    x, y = outputs(augment, Point(5, 1.0), (rows, Point), np.zeros(5, np.int32), n=1)
    assert x == [(103, 3.0), (108, 8.0)]
    assert y == [10, -30, 70, 71, 50]


@gp.kernel(workgroup_size=1)
def count_reads(count: gp.InOut[gp.i32], x: gp.InOut[Point]):
    x[gp.atomic_add(count, 0, 1)] *= 5


def test_an_augmented_element_evaluates_its_index_once(outputs: Outputs) -> None:
    count, x = outputs(count_reads, np.zeros(1, np.int32), (np.array([(1, 1.0), (2, 2.0)], Point.dtype), Point), n=1)
    assert count == [1]
    assert x == [(5, 5.0), (2, 2.0)]
