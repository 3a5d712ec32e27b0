"""The matrix product in registers of devices that copy while a kernel goes on, with stages of tiles on their way.

A workgroup computes `tile_m` x `tile_n` entries of c, an invocation `own_m` x `own_n` of them in registers. The tile of
a is transposed in workgroup memory, so that the rows and the columns of an invocation are read as vectors of four. They
alternate with those of the other invocations of its block. Sums are computed down one column and up the next, so that
neighbouring instructions share an operand: reads of registers are the limit.

Beyond the edges of a and b are their last rows and columns again, whose products are not stored. The first step has
what is left of the inner dimension by whole steps, with zeros behind it; so all other loads need no conditions.

Source: S. Boehm, "How to optimize a CUDA matmul kernel for cuBLAS-like performance" (2022).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish, finish_vector
from gpucore.algorithms.matmul.tiled import VECTORS, tile_of_workgroup
from gpucore.algorithms.matmul.versions import range_of_part
from gpucore.algorithms.shapes import Tile
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut, Out
from gpucore.types import f32, f32x4, i32, i32x4, u32, u32x4

E = TypeVar("E", f32, i32, u32)
B = TypeVar("B", f32, i32, u32, f32x4, i32x4, u32x4)
C = TypeVar("C", f32, i32, u32, f32x4, i32x4, u32x4)
ELEMENTS = MappingProxyType({vector: element for element, vector in VECTORS.items()})
RUN = 8
"""The most neighbouring elements of a row of a that invocations copy side by side: 32 bytes, to as many banks."""


def copy_left(a, left, row, k, rest, stage, tile, is_first):
    """Begin to copy the tile of a at a row and at k; in the first step `rest` columns, and zeros."""
    tile_m, size, run = gp.static((tile.tile_m, tile.tile_m * tile.tile_k, min(RUN, tile.tile_k)))
    for begin in gp.unroll(range(0, size, tile.invocations)):
        place = gp.local_id(0) + begin
        r, c = place // run % tile_m, place // (run * tile_m) * run + place % run
        if gp.static(begin + tile.invocations <= size) or place < size:
            own, target = gp.min(row + r, a.shape[0] - 1), stage * (4 * tile.left_length) + c * tile.pitch + r
            if is_first:
                column, valid = gp.min(k + c, a.shape[1] - 1), 1 if c < rest else 0
                gp.copy_async(left, target, a[own], column, 1, valid, True)
            else:
                gp.copy_async(left, target, a[own], k + c, 1, 1, True)


def copy_right(b, right, column, k, rest, stage, tile, is_first):
    """Begin to copy the tile of b, of elements or of vectors, at k and at a column; as `copy_left`."""
    dtype = b.dtype
    width = gp.static(4 if dtype in ELEMENTS else 1)
    across, size = gp.static((tile.tile_n // width, tile.tile_k * tile.tile_n // width))
    for begin in gp.unroll(range(0, size, tile.invocations)):
        place = gp.local_id(0) + begin
        if gp.static(begin + tile.invocations <= size) or place < size:
            r, own = place // across, gp.min(column // width + place % across, b.shape[1] - 1)
            if is_first:
                valid = 1 if r < rest else 0
                gp.copy_async(right, stage * size + place, b[gp.min(k + r, b.shape[0] - 1)], own, 1, valid, True)
            else:
                gp.copy_async(right, stage * size + place, b[k + r], own, 1, 1, True)


def add_products(a, b, sums, row, column, first, last, y, x, tile):
    """Add the products over the inner range [first, last), which is not empty, to the sums."""
    steps = (last - first + gp.static(tile.tile_k - 1)) // tile.tile_k
    rest = last - first - (steps - 1) * tile.tile_k
    last_stage, tile_k = gp.static((tile.stages - 1, tile.tile_k))
    left = gp.workgroup_array(a.dtype, gp.static(4 * tile.stages * tile.left_length))
    of_right = b.dtype
    right = gp.workgroup_array(b.dtype, gp.static(tile.stages * tile.right_length * (1 if of_right in ELEMENTS else 4)))
    copy_left(a, left, row, first, rest, 0, tile, True)
    copy_right(b, right, column, first, rest, 0, tile, True)
    gp.end_copies()
    k = first + rest  # of the next copies
    for stage in gp.unroll(range(1, last_stage)):
        if stage < steps:
            copy_left(a, left, row, k, rest, stage, tile, False)
            copy_right(b, right, column, k, rest, stage, tile, False)
        gp.end_copies()
        k += tile_k
    stage, free = 0, last_stage
    for step in range(steps):
        gp.wait_for_copies(gp.static(last_stage - 1))
        gp.barrier(buffers=False)
        if step + last_stage < steps:
            copy_left(a, left, row, k, rest, free, tile, False)
            copy_right(b, right, column, k, rest, free, tile, False)
        gp.end_copies()
        k += tile_k
        multiply_stage(left, right, sums, stage * tile.left_length + y, stage * tile.right_length + x, tile)
        free = stage
        stage = 0 if stage == last_stage else stage + 1


def load_four(array, index):
    """The vector with an index, of an array of elements or of vectors."""
    if array.dtype in (f32, i32, u32):
        return gp.vload(array, 4 * index, 4)
    return array[index]


def load_fragments(left, right, rows, columns, at_left, at_right, k, tile):
    """Load the rows and the columns of an invocation at step k of a stage to the registers of even or odd steps."""
    turn = gp.static(k % 2)
    for q in gp.unroll(range(gp.static(tile.own_m // 4))):
        four = load_four(left, at_left + gp.static(k * tile.pitch // 4 + q * tile.block_m))
        for part in gp.unroll(range(4)):
            rows[turn, 4 * q + part] = four[part]
    for q in gp.unroll(range(gp.static(tile.own_n // 4))):
        four = load_four(right, at_right + gp.static(k * tile.tile_n // 4 + q * tile.block_n))
        for part in gp.unroll(range(4)):
            columns[turn, 4 * q + part] = four[part]


def multiply_stage(left, right, sums, at_left, at_right, tile):
    """Add the products of the tiles of a stage to the sums."""
    rows = gp.private_array(sums.dtype, (2, tile.own_m))
    columns = gp.private_array(sums.dtype, (2, tile.own_n))
    load_fragments(left, right, rows, columns, at_left, at_right, 0, tile)
    for k in gp.unroll(range(gp.static(tile.tile_k // tile.slices))):
        if gp.static((k + 1) * tile.slices < tile.tile_k):
            load_fragments(left, right, rows, columns, at_left, at_right, k + 1, tile)
        for number in gp.unroll(range(gp.static(tile.own_n * tile.own_m))):
            j, n, turn = gp.static((number // tile.own_m, number % tile.own_m, k % 2))
            i = gp.static(n if j % 2 == 0 else tile.own_m - 1 - n)
            if sums.dtype is f32:
                sums[i, j] = gp.fma(rows[turn, i], columns[turn, j], sums[i, j])
            else:
                sums[i, j] += rows[turn, i] * columns[turn, j]


def add_slices(sums, number, place, tile):
    """Add the sums of the other slices to those of the first. An invocation has a place in the slice with a number."""
    others = gp.workgroup_array(sums.dtype, gp.static(tile.tile_m * tile.tile_n))
    for other in gp.unroll(range(1, tile.slices)):
        gp.barrier(buffers=False)
        if number == other:
            for n in gp.unroll(range(gp.static(tile.own_m * tile.own_n))):
                i, j = gp.static((n // tile.own_n, n % tile.own_n))
                others[n * tile.slice_size + place] = sums[i, j]
        gp.barrier(buffers=False)
        if number == 0:
            for n in gp.unroll(range(gp.static(tile.own_m * tile.own_n))):
                i, j = gp.static((n // tile.own_n, n % tile.own_n))
                sums[i, j] += others[n * tile.slice_size + place]


def store_sums(c, sums, row, column, tile, width, finish, bias, alpha, beta):
    """Store the sums of an invocation, whose first is at a row and a column, with their finish."""
    for i in gp.unroll(range(tile.own_m)):
        own_row = row + gp.static(i // 4 * 4 * tile.block_m + i % 4)
        for j in gp.unroll(range(0, tile.own_n, width)):
            own = column + gp.static(j // 4 * 4 * tile.block_n + j % 4)
            if own_row < c.shape[0] and own < c.shape[1] * width:
                before, added = c.dtype(0), c.dtype(0)
                if width == 1:
                    value = sums[i, j]
                else:
                    value = c.dtype(sums[i, j], sums[i, j + 1], sums[i, j + 2], sums[i, j + 3])
                if finish is not None:
                    if finish.has_before:
                        before = c[own_row, own // width]
                    if finish.has_bias:
                        added = bias[0, own // width]
                    value = finish_vector(value, before, added, alpha, beta, finish, width)
                c[own_row, own // width] = value


def product(a, b, c, first, last, begin, end, tile, finish, bias, alpha, beta):
    """One tile of the columns [begin, end) of c = a @ b over the inner range [first, last)."""
    stored = c.dtype
    width, element = gp.static((4 if stored in ELEMENTS else 1, ELEMENTS.get(stored, stored)))
    tile_row, tile_column = tile_of_workgroup(
        (c.shape[0] + gp.static(tile.tile_m - 1)) // tile.tile_m,
        (end - begin + gp.static(tile.tile_n - 1)) // tile.tile_n,
        gp.static(tile.group),
    )
    row, column = tile_row * tile.tile_m, begin + tile_column * tile.tile_n
    size, blocks = gp.static((tile.block_m * tile.block_n, tile.tile_n // (tile.block_n * tile.own_n)))
    number, t = gp.local_id(0) // tile.slice_size, gp.local_id(0) % tile.slice_size
    block, place = t // size, t % size
    y = block // blocks * gp.static(tile.block_m * tile.own_m // 4) + place // tile.block_n
    x = block % blocks * gp.static(tile.block_n * tile.own_n // 4) + place % tile.block_n
    sums = gp.private_array(element, (tile.own_m, tile.own_n))
    of_left, of_right = gp.static((tile.left_length // tile.slices, tile.right_length // tile.slices))
    add_products(a, b, sums, row, column, first, last, number * of_left + y, number * of_right + x, tile)
    if tile.slices > 1:
        add_slices(sums, number, t, tile)
    if number == 0:
        store_sums(c, sums, row + 4 * y, column + 4 * x, tile, width, finish, bias, alpha, beta)


def make_kernel(tile: Tile) -> Kernel:
    """The kernel for the columns [begin, end) of c; b and c are of elements, or of vectors of four."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_staged(a: In[E, 2], b: In[B, 2], c: Out[C, 2], begin: i32, end: i32, tile: Const[Tile]):
        product(a, b, c, 0, a.shape[1], begin, end, tile, None, None, None, None)

    return matmul_staged


def make_batch_kernel(tile: Tile) -> Kernel:
    """The kernel for all matrices of c; there may be one of a or b for all of them."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_staged_batch(a: In[E, 3], b: In[B, 3], c: Out[C, 3], end: i32, tile: Const[Tile]):
        batch = gp.workgroup_id(1)
        own_a, own_b = a[gp.min(batch, a.shape[0] - 1)], b[gp.min(batch, b.shape[0] - 1)]
        product(own_a, own_b, c[batch], 0, a.shape[2], 0, end, tile, None, None, None, None)

    return matmul_staged_batch


def make_finishing_kernel(tile: Tile) -> Kernel:
    """As `make_kernel`, with the finish of all sums. `bias` has one row, of any length if there is no bias."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_staged(
        a: In[E, 2], b: In[B, 2], c: InOut[C, 2], bias: In[C, 2], alpha: E, beta: E, begin: i32, end: i32,
        tile: Const[Tile], finish: Const[Finish],
    ):  # fmt: skip
        product(a, b, c, 0, a.shape[1], begin, end, tile, finish, bias, alpha, beta)

    return matmul_staged


def make_parts_kernel(tile: Tile) -> Kernel:
    """The kernel for parts of the inner dimension, each of `length`: sums[p] is the product over part p, of `end`
    columns."""

    @kernel(workgroup_size=tile.invocations, unchecked=True)
    def matmul_staged_parts(a: In[E, 2], b: In[B, 2], sums: Out[C, 3], length: i32, end: i32, tile: Const[Tile]):
        part = gp.workgroup_id(1)
        first, last = range_of_part(part, length, a.shape[1])
        product(a, b, sums[part], first, last, 0, end, tile, None, None, None, None)

    return matmul_staged_parts
