"""Structs in arrays and by value, enums, new types."""

from __future__ import annotations

import enum
import typing

import gpucore as gp

Metres = typing.NewType("Metres", gp.f32)


class Shape(enum.IntEnum):
    """The kind of a record."""

    DISC = 0
    SQUARE = 3
    LINE = -7


@gp.struct
class Point:
    """A position and a weight: 12 of 16 bytes."""

    at: gp.f32x2
    weight: gp.f32

    def __add__(self, other):
        return Point(self.at + other.at, self.weight + other.weight)

    @property
    def moment(self):
        return self.weight * (self.at.x + self.at.y)

    def scaled(self, factor):
        return Point(self.at * factor, self.weight)

    @staticmethod
    def origin(weight):
        return Point(gp.f32x2(0.0), weight)


@gp.struct
class Record:
    """Fields of several sizes, with gaps between them, and a nested struct."""

    key: gp.u32
    point: Point
    count: gp.i32
    color: gp.u32x4


@gp.kernel(workgroup_size=32)
def update(records: gp.InOut[Record], shift: Point, moments: gp.Out[gp.f32]):
    """Fields read and written one by one, and whole structs."""
    i = gp.global_id(0)
    if i >= records.size:
        return
    moments[i] = records[i].point.moment
    records[i].count -= 2
    records[i].point = records[i].point.scaled(2.0) + shift
    records[i].color.y = records[i].key
    if i % 3 == 0:
        first = records[i]
        records[i] = Record(first.key + 1, Point.origin(first.point.weight), first.count, first.color * 2)


def _dotted(counts, points):
    """A helper that takes arrays: the counts, and a view of structs."""
    total = 0.0
    for j in range(len(counts)):
        total += gp.f32(counts[j]) * points.weight[j]
    return total


@gp.kernel(workgroup_size=32)
def rows_and_columns(
    records: gp.InOut[Record, 2], weights: gp.InOut[gp.f32, 2], of_rows: gp.Out[gp.f32], of_columns: gp.Out[gp.f32]
):
    """Rows, columns and fields of arrays: read, stored to, in variables that a loop binds anew, given to a helper."""
    i = gp.global_id(0)
    if i < of_rows.size:
        row = records[i]
        of_rows[i] = _dotted(row.count, row.point) + records[i][0].point.at.y
        for j in range(row.size):
            row.point.weight[j] += 1.0
            records.color[i][j] = records[i, j].color + 1
            weight = weights[:, j]
            weight[i] = row[j].point.weight
    if i < of_columns.size:
        total = 0.0
        for k in range(records.shape[0]):
            column = records[k].point.at
            total += column[i].x
        of_columns[i] = total


@gp.kernel(workgroup_size=32)
def rotate_structs(points: gp.In[Point], out: gp.Out[Point]):
    """Structs through workgroup and private memory, and in variables that change."""
    shared = gp.workgroup_array(Point, 32)
    own = gp.private_array(Point, 2)
    t = gp.local_id(0)
    i = gp.global_id(0)
    copied = Point(points[i].at, points[i].weight)
    shared[t] = points[i] if False else copied  # type: ignore[redundant-expr]  # known, on purpose
    gp.barrier()
    own[i % 2] = shared[(t + 1) % 32]
    total = own[i % 2]
    for step in range(3):
        total = total + shared[(t + step) % 32]
        if total.weight > 100.0:
            total = Point.origin(1.0)
    out[i] = total


@gp.kernel(workgroup_size=32)
def matched(shapes: gp.In[Shape], sizes: gp.In[Metres], default: Shape, areas: gp.Out[gp.f32], kinds: gp.Out[gp.i32]):
    """An exhaustive match on an enum, with a value selected where the size is negative."""
    i = gp.global_id(0)
    if i >= shapes.size:
        return
    shape = shapes[i]
    size = sizes[i]
    if size < 0.0:
        shape = default
        size = -size
    match shape:
        case Shape.DISC:
            area = gp.f32(size) * gp.f32(size) * 3.0
        case Shape.SQUARE:
            area = gp.f32(size) * gp.f32(size)
        case Shape.LINE:
            area = 0.0
    areas[i] = area
    kinds[i] = gp.i32(shape)


@gp.kernel(workgroup_size=32)
def patterns(values: gp.In[gp.i32], out: gp.Out[gp.i32]):
    """A match on numbers: alternatives, guards, break and continue inside cases, a default."""
    i = gp.global_id(0)
    if i >= values.size:
        return
    result = 0
    for step in range(5):
        match values[i] + step:
            case 1 | 2 | -3:
                result += 1
            case 5 if step > 2:
                break
            case 7:
                continue
            case _:
                result += 100
        result *= 2
    out[i] = result
