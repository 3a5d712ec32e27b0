"""Rows, columns and fields of arrays are arrays: in variables, helpers, atomics; of tables and workgroup arrays too."""

from __future__ import annotations

import enum
from typing import Any, NewType

import numpy as np
import pytest

import gpucore as gp


class Kind(enum.IntEnum):
    ROCK = 1
    SAND = 4


Metres = NewType("Metres", gp.f32)


@gp.struct
class Body:
    mass: gp.f32
    at: gp.i32x2


@gp.struct
class Cell:
    body: Body
    count: gp.u8
    velocity: gp.f32x2
    kind: Kind
    depth: Metres
    size: gp.i32


TABLE = np.arange(12, dtype="f4").reshape(3, 4)


def summed(values):  # type: ignore[no-untyped-def]
    total = values[0]
    for j in range(1, values.size):
        total += values[j]
    return total


@gp.func
def first_of(values: gp.In[gp.i32]) -> gp.i32:
    return values[0]


@gp.kernel(workgroup_size=4)
def lines(
    x: gp.In[gp.i32, 3], planes: gp.Out[gp.i32], rows: gp.Out[gp.i32, 2], pillars: gp.Out[gp.i32, 2], n: gp.Out[gp.i32]
):
    i, j = gp.global_id(0), gp.global_id(1)
    if i < x.shape[0] and j < x.shape[1]:
        plane = x[i]
        rows[i, j] = summed(plane[j]) + 1000 * first_of(x[i, :, 1])
        if j == 0:
            planes[i] = plane.size + 100 * plane.ndim + 1000 * len(plane) + 10000 * plane.shape[1]
            n[i] = x[:][i, j][0] + x[:, :, 1][:, j][i] + x[i, :][:][j, 2]
    if i < x.shape[2] and j < x.shape[1]:
        pillars[j, i] = summed(x[:, j, i])


def test_of_arrays_of_rank_three(device: gp.Device) -> None:
    x = np.random.default_rng(3).integers(0, 99, (5, 3, 7)).astype("i4")
    planes, rows = gp.empty(5, gp.i32, device=device), gp.empty((5, 3), gp.i32, device=device)
    pillars, n = gp.empty((3, 7), gp.i32, device=device), gp.empty(5, gp.i32, device=device)
    lines(gp.asarray(x, device=device), planes, rows, pillars, n, invocations=(7, 3))
    assert planes.tolist() == [21 + 200 + 3000 + 70000] * 5
    np.testing.assert_array_equal(rows.numpy(), x.sum(axis=2) + 1000 * x[:, :1, 1])
    np.testing.assert_array_equal(pillars.numpy(), x.sum(axis=0))
    np.testing.assert_array_equal(n.numpy(), x[:, 0, 0] + x[:, 0, 1] + x[:, 0, 2])


@gp.kernel(workgroup_size=(4, 4))
def fields(cells: gp.InOut[Cell, 2], out: gp.Out[gp.f32, 2]):
    c, r = gp.global_id(0), gp.global_id(1)
    if r < cells.shape[0] and c < cells.shape[1]:
        row, column = cells[r], cells[:, c]
        row[c].velocity.x = 3.0
        cells[r].body.mass[c] += 1.0
        cells.count[r, c] = gp.u8(gp.i32(column[r].count) + 1)
        cells[r][c].velocity.y = gp.f32(c)
        place = cells.body[r][c].at
        out[r, c] = column.body.mass[r] + gp.f32(place.y) + row.velocity[c].x
        if row.kind[c] == Kind.ROCK:
            column.kind[r] = Kind.SAND
        row.depth[c] = Metres(0.5) + cells.depth[r, c]
        body = cells.body[r, c]
        cells[r].body[c] = Body(body.mass * 2.0, body.at)
        cells[r, c].size = gp.i32(row.size)


def cells_of(shape: tuple[int, ...]) -> Any:
    numbers = np.random.default_rng(8)
    made = np.zeros(shape, Cell.dtype)
    made["body"]["mass"] = numbers.integers(0, 50, shape)
    made["body"]["at"] = numbers.integers(-9, 9, (*shape, 2))
    made["count"] = numbers.integers(0, 250, shape)
    made["kind"] = numbers.choice([1, 4], shape)
    made["depth"] = numbers.integers(0, 9, shape)
    return made


def test_fields_of_rows_and_rows_of_fields(device: gp.Device) -> None:
    """`size` is that of the array; a field of this name is one of an element."""
    cells = cells_of((3, 5))
    array, out = gp.asarray(cells, Cell, device=device), gp.empty((3, 5), device=device)
    fields(array, out, invocations=(5, 3))
    found = array.numpy()
    np.testing.assert_array_equal(out.numpy(), cells["body"]["mass"] + 1 + cells["body"]["at"][..., 1] + 3)
    np.testing.assert_array_equal(found["body"]["mass"], (cells["body"]["mass"] + 1) * 2)
    np.testing.assert_array_equal(found["body"]["at"], cells["body"]["at"])
    np.testing.assert_array_equal(found["count"], cells["count"] + 1)
    np.testing.assert_array_equal(found["velocity"][..., 0], 3)
    np.testing.assert_array_equal(found["velocity"][..., 1], np.broadcast_to(np.arange(5), (3, 5)))
    np.testing.assert_array_equal(found["kind"], 4)
    np.testing.assert_array_equal(found["depth"], cells["depth"] + 0.5)
    np.testing.assert_array_equal(found["size"], 5)


@gp.kernel(workgroup_size=1)
def variables(x: gp.In[gp.i32, 2], y: gp.InOut[gp.i32]):
    """A row keeps its index, whatever becomes of the variable, and outlives the block that makes it."""
    r = 1
    row = x[r]
    r = 2
    y[0] = row[0]
    row, other = x[r], row
    y[1] = row[0] * 100 + other[0]
    k = 0
    while True:
        found = x[k * 2 - k]
        if found[0] >= 20 or k == 3:
            break
        k += 1
    y[2] = found[1]
    for j in range(x.shape[0]):
        line = x[j]
        for _ in gp.unroll(range(2)):
            y[3] += line[1]
            line = x[0]


def test_rows_in_variables(device: gp.Device) -> None:
    x = np.array([[1, 2], [10, 11], [20, 21], [30, 31]], "i4")
    y = gp.zeros(4, gp.i32, device=device)
    variables(gp.asarray(x, device=device), y, workgroups=1)
    assert y.tolist() == [10, 2010, 21, 2 + 11 + 21 + 31 + 4 * 2]


@gp.kernel(workgroup_size=8)
def in_other_memories(y: gp.Out[gp.f32], bins: gp.InOut[gp.u32, 2], which: gp.i32):
    l = gp.local_id(0)
    tile = gp.workgroup_array(Body, (2, 8))
    own = gp.private_array(gp.f32, (3, 4))
    tile[1].mass[l] = gp.f32(l)
    tile[1, l].at = gp.i32x2(l)
    tile[0][l] = Body(0.0, gp.i32x2(0))
    weights = own[which]
    weights[l % 4] = 2.0
    gp.barrier()
    y[l] = summed(tile[1].mass) + gp.f32(tile[1].at[7 - l].y) + own[which, l % 4] + TABLE[l % 3][1] + TABLE[:, 2][1]
    gp.atomic_add(bins[which], l % 3, gp.u32(1))
    gp.atomic_max(bins[:, 1], 0, gp.u32(l))


def test_in_tables_workgroup_and_private_arrays_and_atomics(device: gp.Device) -> None:
    y, bins = gp.empty(8, device=device), gp.zeros((3, 3), gp.u32, device=device)
    in_other_memories(y, bins, 2, workgroups=1)
    l = np.arange(8)
    np.testing.assert_array_equal(y.numpy(), 28 + (7 - l) + 2 + TABLE[l % 3, 1] + 6)
    assert bins.tolist() == [[0, 7, 0], [0, 0, 0], [3, 3, 2]]


@gp.kernel(workgroup_size=8, debug=True)
def beyond(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32], r: gp.i32):
    i = gp.global_id(0)
    row = x[r]
    y[i] = row[i]


@pytest.mark.parametrize(("r", "index"), [(0, r"\(0, 5\)"), (-1, r"\(-1, 0\)"), (4, r"\(4, 0\)")])
def test_indices_out_of_range_are_those_of_the_array(device: gp.Device, r: int, index: str) -> None:
    x = gp.zeros((4, 5), device=device)
    y = gp.zeros(8, device=device)

    def run() -> None:
        beyond(x, y, r, workgroups=1)
        device.synchronize()

    with pytest.raises(gp.OutOfRangeError, match=rf"index {index} is out of range for 'x' of shape \(4, 5\)"):
        run()


@gp.kernel
def by_index(x: gp.In[Cell, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.shape[0]:
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j].body.mass
        y[i] = total


@gp.kernel(workgroup_size=256)
def by_row(x: gp.In[Cell, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.shape[0]:
        total = 0.0
        row = x[i].body
        for j in range(row.size):
            total += row.mass[j]
        y[i] = total


@pytest.mark.parametrize("language", ["wgsl", "opencl"])
def test_the_text_is_that_of_indices(language: str) -> None:
    assert by_row.source(language).replace("by_row", "by_index") == by_index.source(language)
