"""The matrix product of CPUs: tiles in workgroup memory, which gangs of invocations multiply in registers.

A workgroup computes `tile_m` x `tile_n` entries of c, in steps of `tile_k` along the inner dimension. A gang of
invocations, which run in the lanes of a vector, computes neighbouring columns and copies neighbouring elements. The
columns of a gang are contiguous in workgroup memory, so that a core's cache holds them. A gang computes `own_m` x
`own_n` vectors. There is one buffer, for nothing else runs on a core while it waits for a load.

Source: K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication" (2008).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish, finished
from gpucore.algorithms.matmul.versions import range_of_part, sum_type
from gpucore.algorithms.shapes import Tile
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import bf16, f16, f32, f64, i32, i64, u32, u64

T = TypeVar("T", f32, i32, u32, f16, bf16, f64, i64, u64)
S = TypeVar("S", f32, i32, u32, f64, i64, u64)


def tile_of_workgroup(rows, columns, group):
    """The row and column of this workgroup's tile: within `group` rows of tiles, the order is column by column."""
    number = gp.workgroup_id(0)
    band = number // (group * columns)
    inside = number - band * group * columns
    height = gp.min(rows - band * group, group)
    return band * group + inside % height, inside // height


def load_element(matrix, row, column, rows, columns, guarded):
    """One element; guarded: zero beyond the edges."""
    if not guarded:
        return matrix[row, column]
    return matrix[row, column] if row < rows and column < columns else matrix.dtype(0)


def place_in_tile(t, q, count, tile):
    """Where the element number q of the `count` that this invocation copies is in a tile, row by row."""
    gang = gp.static(tile.gang)
    if gang == tile.invocations:
        return t + q * gang
    return t // gang * (gang * count) + q * gang + t % gang


def load_left(a, place, row, k, last, tile, guarded):
    """The element of a for a place in its tile, which begins at a row and at k."""
    row, column = row + place // gp.static(tile.tile_k), k + place % gp.static(tile.tile_k)
    return load_element(a, row, column, a.shape[0], last, guarded)


def load_right(b, place, column, k, last, tile, guarded):
    """The element of b for a place in its tile, which begins at a column and at k."""
    row, column = k + place // gp.static(tile.tile_n), column + place % gp.static(tile.tile_n)
    return load_element(b, row, column, last, b.shape[1], guarded)


def left_index(place, tile):
    """Where the element for a place in the tile of a is in workgroup memory."""
    length, padding = gp.static((tile.tile_k, tile.padding))
    return place if padding == 0 else place + place // length * padding


def right_index(place, tile):
    """Where the element for a place in the tile of b is in workgroup memory: strip by strip."""
    length, strip = gp.static((tile.tile_n, tile.strip_width))
    if strip == length:
        return place
    inside = place % length
    return inside // strip * gp.static(tile.tile_k * strip) + place // length * strip + inside % strip


def are_whole(a, b, row, column, k, last, tile):
    """Whether the tiles of a and b, which begin at a row, at a column and at k, have no edges."""
    tile_m, tile_n, tile_k = gp.static((tile.tile_m, tile.tile_n, tile.tile_k))
    return row + tile_m <= a.shape[0] and column + tile_n <= b.shape[1] and k + tile_k <= last


def copy_tiles(a, b, left, right, t, row, column, k, last, tile, guarded):
    """Copy this invocation's part of tiles of a and b to workgroup memory; without guards if they have no edges."""
    if guarded:
        if are_whole(a, b, row, column, k, last, tile):
            copy_elements(a, b, left, right, t, row, column, k, last, tile, False)
        else:
            copy_elements(a, b, left, right, t, row, column, k, last, tile, True)
    else:
        copy_elements(a, b, left, right, t, row, column, k, last, tile, False)


def copy_elements(a, b, left, right, t, row, column, k, last, tile, guarded):
    """Copy this invocation's part, element by element."""
    count_a, count_b = gp.static((tile.loads_a, tile.loads_b))
    for q in range(count_a):
        place = place_in_tile(t, q, count_a, tile)
        left[left_index(place, tile)] = left.dtype(load_left(a, place, row, k, last, tile, guarded))
    for q in range(count_b):
        place = place_in_tile(t, q, count_b, tile)
        right[right_index(place, tile)] = right.dtype(load_right(b, place, column, k, last, tile, guarded))


def prefetch_tiles(a, b, t, row, column, k, part, tile):
    """Prefetch a part of what this invocation copies of the next tiles of a and b."""
    length_a, length_b, parts = gp.static((tile.tile_k, tile.tile_n, tile.parts))
    count_a, count_b = gp.static((tile.loads_a, tile.loads_b))
    for first in gp.unroll(range(0, gp.static(max(tile.loads_a, tile.loads_b)), parts)):
        q = first + part
        place_a, place_b = place_in_tile(t, q, count_a, tile), place_in_tile(t, q, count_b, tile)
        if q < count_a:
            gp.prefetch(a, (row + place_a // length_a, k + place_a % length_a))
        if q < count_b:
            gp.prefetch(b, (k + place_b // length_b, column + place_b % length_b))


def num_parts(rest, has_entries, tile, guarded):
    """The parts of the tiles that an invocation multiplies: those with some of the `rest` of the inner dimension."""
    parts, length = gp.static((tile.parts, tile.tile_k // tile.parts))
    if not guarded:
        return parts
    return gp.min(parts, (rest + (length - 1)) // length) if has_entries else 0


def multiply_tiles(left, right, sums, x, y, z, tile, part):
    """Add the product of a part of the tiles, as long as `unrolled`, to the sums."""
    row_a, row_b, steps = gp.static((tile.left_row, tile.strip_width, tile.tile_k // tile.parts))
    start_a = y * (tile.own_m * row_a) + part * steps
    start_b = (z * tile.tile_k + part * steps) * row_b + x
    for k in gp.unroll(range(steps)):
        rows = gp.private_array(left.dtype, tile.own_m)
        for i in gp.unroll(range(tile.own_m)):
            rows[i] = left[start_a + (i * row_a + k)]
        for j in gp.unroll(range(tile.own_n)):
            columns = right[start_b + (k * row_b + j * tile.gang)]
            for i in gp.unroll(range(tile.own_m)):
                if left.dtype in (f32, f64):
                    sums[i, j] = gp.fma(rows[i], columns, sums[i, j])
                else:
                    sums[i, j] += rows[i] * columns


def place_of_invocation(t, tile):
    """The place of an invocation in its strip of columns, that of its rows, and that of the strip."""
    gang, size_y = gp.static((tile.gang, tile.tile_m // tile.own_m))
    return t % gang, t // gang % size_y, t // (gang * size_y)


def place_of_entry(row, column, x, y, z, i, j, tile):
    """The row and column of entry i, j of an invocation. Computed where it is used: kept, it would cost a register."""
    return row + y * tile.own_m + i, column + z * tile.strip_width + x + j * tile.gang


def store_sums(c, sums, row, column, x, y, z, tile, guarded):
    """Store the entries that an invocation has computed; guarded: only those inside the matrix."""
    for i in gp.unroll(range(tile.own_m)):
        for j in gp.unroll(range(tile.own_n)):
            own_row, own_column = place_of_entry(row, column, x, y, z, i, j, tile)
            if not guarded or (own_row < c.shape[0] and own_column < c.shape[1]):
                c[own_row, own_column] = c.dtype(sums[i, j])


def finish_sums(c, sums, row, column, x, y, z, tile, guarded, finish, bias, alpha, beta):
    """Make the sums of an invocation what is stored."""
    total = sums.dtype
    for i in gp.unroll(range(tile.own_m)):
        for j in gp.unroll(range(tile.own_n)):
            own_row, own_column = place_of_entry(row, column, x, y, z, i, j, tile)
            before, added = total(0), total(0)
            if finish.has_before:
                before = total(load_element(c, own_row, own_column, c.shape[0], c.shape[1], guarded))
            if finish.has_bias:
                added = total(load_element(bias, 0, own_column, 1, bias.shape[1], guarded))
            sums[i, j] = finished(sums[i, j], before, added, alpha, beta, finish)


def product(a, b, c, first, last, tile, guarded, finish, bias, alpha, beta):
    """One tile of c = a @ b over the inner range [first, last)."""
    tile_k, total = gp.static(tile.tile_k), sum_type(a.dtype)
    left = gp.workgroup_array(total, gp.static(tile.left_length))
    right = gp.workgroup_array(total, gp.static(tile.right_length))
    sums = gp.private_array(total, (tile.own_m, tile.own_n))
    first = gp.max(first, 0)  # so that the cpu backend sees that no index is negative
    t = gp.local_id(0)
    x, y, z = place_of_invocation(t, tile)
    tile_row, tile_column = tile_of_workgroup(
        (c.shape[0] + gp.static(tile.tile_m - 1)) // tile.tile_m,
        (c.shape[1] + gp.static(tile.tile_n - 1)) // tile.tile_n,
        gp.static(tile.group),
    )
    row, column = tile_row * tile.tile_m, tile_column * tile.tile_n
    for step in range((last - first + gp.static(tile.tile_k - 1)) // tile_k):
        k = first + step * tile_k
        copy_tiles(a, b, left, right, t, row, column, k, last, tile, guarded)
        gp.barrier()
        own_row, strip_column = row + y * tile.own_m, column + z * tile.strip_width
        parts = num_parts(last - k, own_row < c.shape[0] and strip_column < c.shape[1], tile, guarded)
        for part in range(parts):
            prefetch_tiles(a, b, t, row, column, k + tile_k, part, tile)
            multiply_tiles(left, right, sums, x, y, z, tile, part)
        gp.barrier()
    if finish is not None:
        finish_sums(c, sums, row, column, x, y, z, tile, guarded, finish, bias, alpha, beta)
    store_sums(c, sums, row, column, x, y, z, tile, guarded)


def make_kernel(tile: Tile) -> Kernel:
    """The kernel for all shapes, with guarded accesses, or for shapes of whole tiles."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_tiled(a: In[T, 2], b: In[T, 2], c: Out[T, 2], last: i32, tile: Const[Tile], guarded: Const[bool]):
        product(a, b, c, 0, last, tile, guarded, None, None, None, None)

    return matmul_tiled


def make_finishing_kernel(tile: Tile) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_tiled(
        a: In[T, 2], b: In[T, 2], c: InOut[T, 2], bias: In[T, 2], alpha: S, beta: S, last: i32, tile: Const[Tile],
        guarded: Const[bool], finish: Const[Finish],
    ):  # fmt: skip
        product(a, b, c, 0, last, tile, guarded, finish, bias, alpha, beta)

    return matmul_tiled


def make_parts_kernel(tile: Tile) -> Kernel:
    """The kernel for parts of the inner dimension, each of `length`: sums[p] is the product over part p."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_tiled_parts(a: In[T, 2], b: In[T, 2], sums: Out[S, 3], length: i32, tile: Const[Tile]):
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, a.shape[1])
        product(a, b, sums[part], first, last, tile, True, None, None, None, None)

    return matmul_tiled_parts
