"""Operators of structs in augmented assignments, and conditional expressions between structs."""

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


@gp.struct
class Segment:
    start: Point
    end: gp.f32x2


CAPTURED = Point(7, 0.25)


@gp.kernel(workgroup_size=1)
def choose(p: Point, s: Segment, x: gp.InOut[Point], t: gp.Out[Segment], y: gp.InOut[gp.i32], k: gp.Const[int]):
    i = gp.global_id(0)
    a = p if i > 0 else Point(3, 0.5)
    y[i] = a.a
    b = x[i] if i % 2 == 0 else CAPTURED
    y[i] += 10 * (b if k == 1 else p).a
    x[i] = p * 2 if i > 1 else x[i]
    b *= 3
    t[i] = s if b.a > 6 else (Segment(b, gp.f32x2(1.0)) if i < 2 else s)
    c = Point(i, 0.0)
    d = c if i > 0 else a
    c += 1
    y[i] += 1000 * d.a


def test_conditional_expressions_choose_between_structs(outputs: Outputs) -> None:
    rows = (np.array([(1, 1.0), (2, 2.0), (3, 3.0)], Point.dtype), Point)
    whole = Segment(Point(8, 8.0), (4.0, 5.0))
    segments = (np.zeros(3, Segment.dtype), Segment)
    x, t, y = outputs(choose, Point(5, 1.0), whole, rows, segments, np.zeros(3, np.int32), n=3, k=1)
    assert x == [(1, 1.0), (2, 2.0), (10, 2.0)]
    found = [(start, list(end)) for start, end in t]
    assert found == [((3, 3.0), [1.0, 1.0]), ((8, 8.0), [4.0, 5.0]), ((8, 8.0), [4.0, 5.0])]
    assert y == [3 + 10 + 3000, 5 + 70 + 1000, 5 + 30 + 2000]


@gp.kernel(workgroup_size=1)
def choose_guarded(x: gp.In[Point], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = (x[i] if i < x.size else Point(0, -1.0)).b


def test_only_the_chosen_struct_is_loaded(outputs: Outputs) -> None:
    rows = (np.array([(1, 1.0), (2, 2.0)], Point.dtype), Point)
    assert outputs(choose_guarded, rows, np.zeros(4, np.float32), n=4)[1] == [1.0, 2.0, -1.0, -1.0]
