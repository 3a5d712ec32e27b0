"""Products of matrices by tiles."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f16)
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
