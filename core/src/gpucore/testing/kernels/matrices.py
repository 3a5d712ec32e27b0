"""Products of matrices by tiles."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f16)
X = TypeVar("X", gp.f32, gp.f16, gp.bf16, gp.f64, gp.i8, gp.u8, gp.i32, gp.i64)
S = TypeVar("S", gp.f32, gp.f64, gp.i32, gp.u32, gp.i64)
ROWS, COLUMNS, INNER, STAGES = 16, 32, 16, 2


def relu(value):
    """What is positive."""
    return gp.max(value, 0)


def fetch(x, y, a, b, row, column, k):
    """Begin to copy the next tiles."""
    gp.copy_tile(x, a, row, k)
    gp.copy_tile(y, b, k, column)
    gp.copy_group()


@gp.kernel(workgroup_size=64)
def product(a: gp.In[T, 2], b: gp.In[T, 2], c: gp.Out[gp.f32, 2]):
    """c = relu(a @ b), with copies ahead."""
    left, right = gp.tiles(a.dtype, STAGES, (ROWS, INNER)), gp.tiles(b.dtype, STAGES, (INNER, COLUMNS))
    row, column = gp.workgroup_id(1) * ROWS, gp.workgroup_id(0) * COLUMNS
    total = gp.matrix(gp.f32, (ROWS, COLUMNS))
    fetch(left[0], right[0], a, b, row, column, 0)
    for step in range((a.shape[1] + INNER - 1) // INNER):
        gp.copy_wait()
        total += left[step % STAGES] @ right[step % STAGES]
        ahead = step + 1
        fetch(left[ahead % STAGES], right[ahead % STAGES], a, b, row, column, ahead * INNER)
    gp.store_matrix(gp.map(relu, total), c, row, column)


def shifted(value, row, column):
    """Tells a matrix from its transpose."""
    return value - gp.f32(row) + gp.f32(2 * column)


@gp.kernel(workgroup_size=32)
def rotated(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], n: gp.i32):
    """y = x.T @ (n x + 1/2) with numbers added by row and column; x has edges within the tile."""
    tiles = gp.tiles(gp.f32, 2, (16, 16))
    gp.copy_tile(tiles[0], x, 0, 0)
    own = gp.load_matrix(x, 0, 0, (16, 16))
    scaled = gp.matrix(gp.f32, (16, 16), 0.5)
    for _ in range(n):
        scaled = scaled + own
    gp.store_matrix(scaled, tiles[1], 0, 0)
    gp.copy_wait()
    total = gp.multiply_add(tiles[0].T, tiles[1], gp.matrix(gp.f32, (16, 16)))
    gp.store_matrix(gp.map(shifted, total, indices=True), y, 0, 0)


@gp.kernel(workgroup_size=32)
def multiplied(a: gp.In[X, 2], b: gp.In[X, 2], c: gp.Out[S, 2], size: gp.Const[int]):
    """c = a @ b.T + 1, of as many rows and columns."""
    tiles = gp.tiles(a.dtype, 2, (size, 32))
    gp.copy_tile(tiles[0], a, 0, 0)
    gp.copy_tile(tiles[1], b, 0, 0)
    gp.copy_wait()
    total = gp.matrix(c.dtype, (size, size), 1)
    total += tiles[0] @ tiles[1].T
    gp.store_matrix(total, c, 0, 0)


@gp.kernel(workgroup_size=32)
def turned(a: gp.In[X, 2], b: gp.In[X, 2], c: gp.Out[S, 3], size: gp.Const[int]):
    """a @ b, a @ b.T, a.T @ b and a.T @ b.T, of as many rows and columns."""
    tiles = gp.tiles(a.dtype, 2, (size, size))
    gp.copy_tile(tiles[0], a, 0, 0)
    gp.copy_tile(tiles[1], b, 0, 0)
    gp.copy_wait()
    x, y, zero = tiles[0], tiles[1], gp.matrix(c.dtype, (size, size))
    gp.store_matrix(gp.multiply_add(x, y, zero), c[0], 0, 0)
    gp.store_matrix(gp.multiply_add(x, y.T, zero), c[1], 0, 0)
    gp.store_matrix(gp.multiply_add(x.T, y, zero), c[2], 0, 0)
    gp.store_matrix(gp.multiply_add(x.T, y.T, zero), c[3], 0, 0)


@gp.kernel(workgroup_size=64)
def rounded(a: gp.In[gp.f32, 2], b: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 3], precision: gp.Const[str]):
    """1 + a @ b, 1 + a @ b.T, 1 + a.T @ b and 1 + a.T @ b.T, with a precision."""
    tiles = gp.tiles(gp.f32, 2, (32, 32))
    gp.copy_tile(tiles[0], a, 0, 0)
    gp.copy_tile(tiles[1], b, 0, 0)
    gp.copy_wait()
    x, y, one = tiles[0], tiles[1], gp.matrix(gp.f32, (32, 32), 1)
    gp.store_matrix(gp.multiply_add(x, y, one, precision), c[0], 0, 0)
    gp.store_matrix(gp.multiply_add(x, y.T, one, precision), c[1], 0, 0)
    gp.store_matrix(gp.multiply_add(x.T, y, one, precision), c[2], 0, 0)
    gp.store_matrix(gp.multiply_add(x.T, y.T, one, precision), c[3], 0, 0)


@gp.kernel(workgroup_size=256)
def of_bytes(a: gp.In[X, 2], b: gp.In[X, 2], c: gp.Out[S, 2], first: S):
    """first + 2 a @ b.T, of tiles in which groups of subgroups may multiply."""
    left, right = gp.tiles(a.dtype, 1, (128, 256)), gp.tiles(b.dtype, 2, (64, 256))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[1], b, 0, 0)
    gp.copy_wait()
    total = gp.matrix(c.dtype, (128, 64), first)
    for _ in range(2):
        total += left[0] @ right[1].T
    gp.store_matrix(total, c, 0, 0)


C = TypeVar("C", gp.f32, gp.i8, gp.f16)


@gp.kernel(workgroup_size=32)
def copied(x: gp.In[C, 2], y: gp.Out[C, 2], row: gp.i32, column: gp.i32):
    """The part of x of 8 rows and 16 columns that begins at a row and a column."""
    tiles = gp.tiles(x.dtype, 2, (8, 16))
    gp.copy_tile(tiles[1], x, row, column)
    gp.copy_wait()
    for place in range(gp.local_index(), 128, 32):
        y[place // 16, place % 16] = tiles[1, place // 16, place % 16]


@gp.kernel(workgroup_size=32)
def staged(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], z: gp.Out[gp.f32, 2], steps: gp.i32):
    """The rows of x, four in a step, with the copies of the next four under way; zeros after the last. Then a copy that
    no group has."""
    tiles = gp.tiles(gp.f32, 3, (4, 8))
    place = 31 - gp.local_index()
    r, c = place // 8, place % 8
    for s in gp.unroll(range(2)):
        gp.copy_tile(tiles[s], x, 4 * s, 0)
        gp.copy_group()
    for step in range(steps):
        gp.copy_wait(1)
        y[4 * step + r, c] = tiles[step % 3, r, c]
        gp.copy_tile(tiles[(step + 2) % 3], x, 4 * (step + 2), 0)
        gp.copy_group()
    gp.copy_wait()
    gp.copy_tile(tiles[0], x, 1, 2)
    gp.copy_wait()
    z[r, c] = tiles[0, r, c]


@gp.kernel(workgroup_size=32)
def moved(x: gp.In[gp.f32, 2], y: gp.InOut[gp.f32, 2], at: gp.In[gp.i32]):
    """The matrix that begins at a row and a column of x, stored from another row and column of y on."""
    gp.store_matrix(gp.load_matrix(x, at[0], at[1], (8, 16)), y, at[2], at[3])


@gp.kernel(workgroup_size=32)
def through_tiles(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], z: gp.Out[X, 2]):
    """A matrix stored to a part of a tile, which is loaded as its transpose; stored converted, too."""
    tiles = gp.tiles(gp.f32, 1, (8, 16))
    c = gp.load_matrix(x, 0, 0, (8, 16))
    gp.store_matrix(c, tiles[0], 0, 0)
    gp.barrier()
    gp.store_matrix(c, tiles[0].T, 6, -3)
    gp.barrier()
    gp.store_matrix(gp.load_matrix(tiles[0].T, -1, 2, (16, 8)), y, 0, 0)
    gp.store_matrix(c, z, 0, 0)


@gp.kernel(workgroup_size=32)
def changed(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], n: gp.i32):
    """Matrices and numbers added, subtracted and multiplied, on both sides."""
    c, d = gp.load_matrix(x, 0, 0, (8, 16)), gp.matrix(gp.f32, (8, 16), 0.5)
    for _ in range(n):
        d = 2 * d - c * 0.5 + 1
    if n > 2:
        d = 3 - d * c
    else:
        d = -d
    gp.store_matrix(gp.f32(n) + (d - c), y, 0, 0)


def difference(value, other):
    """`value - other`."""
    return value - other


def placed(value, other, row, column):
    """Each of the arguments counts."""
    return value - 3 * other + gp.f32(100 * row + column)


def total(a, b):
    """The sum."""
    return a + b


@gp.kernel(workgroup_size=32)
def mapped(x: gp.In[gp.f32, 2], y: gp.Out[gp.i32, 2], least: gp.Out[gp.f32], sums: gp.Out[gp.i32], n: gp.f32):
    """Helpers of elements and of a matrix, a number, and what each row gives; of the place, too; and to integers."""
    c = gp.load_matrix(x, 0, 0, (8, 16))
    d = gp.map(difference, c, n)
    e = gp.map(placed, d, c, indices=True)
    of_rows = gp.reduce_rows(gp.min, e)
    whole = gp.map(gp.i32, gp.map(difference, e, of_rows))
    all_of_rows = gp.reduce_rows(total, whole)
    if gp.local_index() < 8:
        least[gp.local_index()] = of_rows[gp.local_index()]
        sums[gp.local_index()] = all_of_rows[gp.local_index()]
    gp.store_matrix(whole, y, 0, 0)
