"""Products by the device's units for matrices: tiles in workgroup memory, copied ahead (docs/language.md).

f16 and bf16 are summed in f32, over the whole inner length. The order of the tiles is that of `tiled`.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish, finished
from gpucore.algorithms.matmul.tiled import tile_of_workgroup
from gpucore.algorithms.matmul.versions import range_of_part
from gpucore.algorithms.shapes import UnitTile
from gpucore.blocks.matrices import (
    PANEL,
    copy_group,
    copy_panels,
    copy_tile,
    copy_wait,
    matrix,
    moved_piece,
    store_matrix,
)
from gpucore.blocks.matrices.elements import is_inside, made
from gpucore.blocks.matrices.places import place_of
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import bf16, f16, f32, i32, u32, u32x4

H = TypeVar("H", f16, bf16)
N = TypeVar("N", f16, bf16, f32, i32, u32)


@kernel(workgroup_size=256)
def pad(x: In[N, 2], out: Out[N, 2]):
    """A copy with zeros behind the rows."""
    i, j = gp.global_id(1), gp.global_id(0)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = x[i, j] if j < x.shape[1] else x.dtype(0)


@kernel(workgroup_size=256)
def pack(x: In[H, 2], y: In[H, 2], of_x: Out[H, 3], of_y: Out[H, 3]):
    """Two matrices in panels, a piece of 8 elements of a row at once; zeros beyond the rows and columns. The rows of y
    follow those of x in the grid."""
    row, j = gp.global_id(1), gp.global_id(0)
    i = row - of_x.shape[1]
    if i < 0:
        if j < of_x.shape[0] * gp.static(PANEL // 8):
            store_piece(of_x, x, row, j)
    elif i < of_y.shape[1] and j < of_y.shape[0] * gp.static(PANEL // 8):
        store_piece(of_y, y, i, j)


def store_piece(out, x, i, j):
    """Piece j of row i of x."""
    pieces = gp.static(PANEL // 8)
    place = moved_piece(j % pieces, i) * 8
    for q in gp.unroll(range(8)):
        value = x.dtype(0)
        if i < x.shape[0] and 8 * j + q < x.shape[1]:
            value = x[i, 8 * j + q]
        out[j // pieces, i, place + q] = value


@kernel(workgroup_size=256)
def pack_aligned(x: In[u32x4, 2], y: In[u32x4, 2], of_x: Out[u32x4, 3], of_y: Out[u32x4, 3]):
    """As `pack`, of matrices whose rows are whole pieces."""
    row, j = gp.global_id(1), gp.global_id(0)
    i, pieces = row - of_x.shape[1], gp.static(PANEL // 8)
    zero = u32x4(0)
    if i < 0:
        if j < of_x.shape[0] * pieces:
            is_inside = row < x.shape[0] and j < x.shape[1]
            of_x[j // pieces, row, moved_piece(j % pieces, row)] = x[row, j] if is_inside else zero
    elif i < of_y.shape[1] and j < of_y.shape[0] * pieces:
        is_inside = i < y.shape[0] and j < y.shape[1]
        of_y[j // pieces, i, moved_piece(j % pieces, i)] = y[i, j] if is_inside else zero


def place_of_workgroup(c, tile):
    """The row and the column of c at which this workgroup's tile begins."""
    rows, columns = (
        (c.shape[0] + tile.tile_m - 1) // tile.tile_m,
        (c.shape[1] + tile.tile_n - 1) // tile.tile_n,
    )
    tile_row, tile_column = tile_of_workgroup(rows, columns, tile.group)
    return tile_row * tile.tile_m, tile_column * tile.tile_n


def fetch(left, right, a, b, row, column, k, last):
    """Begin to copy tiles of a and b, from k on. Beyond the edges they are zero. Arrays of rank 3 are in panels."""
    if a.ndim == 2:
        copy_tile(left, a, row, k)
        copy_tile(right, b, k, column)
    elif k < last:
        copy_panels(left, a, row, k // PANEL)
        copy_panels(right, b, k, column // PANEL)
    copy_group()


def finish_all(c, total, row, column, finish, bias, alpha, beta):
    """The matrix of what is stored, from a row and a column on."""
    layout, sums = gp.layout_of(total), gp.struct_values(total)
    values = gp.private_array(f32, len(sums))
    for e in gp.unroll(range(len(sums))):
        i, j = place_of(layout, e)
        before, added = f32(0), f32(0)
        if is_inside(c, row + i, column + j):
            if finish.has_before:
                before = f32(c[row + i, column + j])
            if finish.has_bias:
                added = f32(bias[0, column + j])
        values[e] = finished(sums[e], before, added, alpha, beta, finish)
    return made(layout, values)


def multiply(a, b, c, first, last, tile, finish, bias, alpha, beta):
    """One tile of c = a @ b over the inner range [first, last), with the finish of its sums if there is one."""
    stages = gp.static(tile.stages)
    left = gp.tiles(a.dtype, stages, (tile.tile_m, tile.tile_k))
    right = gp.tiles(b.dtype, stages, (tile.tile_k, tile.tile_n))
    row, column = place_of_workgroup(c, tile)
    for s in gp.unroll(range(stages - 1)):
        fetch(left[s], right[s], a, b, row, column, first + s * tile.tile_k, last)
    total = matrix(f32, (tile.tile_m, tile.tile_n))
    for step in range((last - first + tile.tile_k - 1) // tile.tile_k):
        copy_wait(stages - 2)  # all have read the stage before, to which the next copies go
        ahead = step + stages - 1
        if a.ndim == 3:  # the copies are few, and another invocation may make them
            fetch(left[ahead % stages], right[ahead % stages], a, b, row, column, first + ahead * tile.tile_k, last)
        total += left[step % stages] @ right[step % stages]
        if a.ndim == 2:
            fetch(left[ahead % stages], right[ahead % stages], a, b, row, column, first + ahead * tile.tile_k, last)
    if finish is not None:
        total = finish_all(c, total, row, column, finish, bias, alpha, beta)
    store_matrix(total, c, row, column)


@cache
def make_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """The kernel for workgroups of a size, of which so many share a multiprocessor."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_units(a: In[H, 2], b: In[H, 2], c: Out[H, 2], tile: Const[UnitTile]):
        multiply(a, b, c, 0, a.shape[1], tile, None, None, None, None)

    return matmul_units


@cache
def make_finishing_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_units(
        a: In[H, 2], b: In[H, 2], c: InOut[H, 2], bias: In[H, 2], alpha: f32, beta: f32, tile: Const[UnitTile],
        finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, 0, a.shape[1], tile, finish, bias, alpha, beta)

    return matmul_units


@cache
def make_parts_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, for parts of the inner dimension, each of `length`, which is whole tiles: sums[p] is the
    product over part p."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_parts(a: In[H, 2], b: In[H, 2], sums: Out[f32, 3], length: i32, tile: Const[UnitTile]):
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, a.shape[1])
        multiply(a, b, sums[part], first, last, tile, None, None, None, None)

    return matmul_parts


@cache
def make_packed_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_kernel`, of matrices in panels, with inner length k."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_packed(a: In[H, 3], b: In[H, 3], c: Out[H, 2], k: i32, tile: Const[UnitTile]):
        multiply(a, b, c, 0, k, tile, None, None, None, None)

    return matmul_packed


@cache
def make_packed_finishing_kernel(invocations: int, min_workgroups: int) -> Kernel:
    """As `make_finishing_kernel`, of matrices in panels, with inner length k."""

    @kernel(workgroup_size=invocations, min_workgroups=min_workgroups)
    def matmul_packed(
        a: In[H, 3], b: In[H, 3], c: InOut[H, 2], bias: In[H, 2], alpha: f32, beta: f32, k: i32, tile: Const[UnitTile],
        finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, 0, k, tile, finish, bias, alpha, beta)

    return matmul_packed
