"""Products in one launch in which the steps of the last tiles are divided evenly: "stream-K".

The first workgroups compute a tile each. Of the tiles that are left, which are fewer than what runs at a time, or all
of a product of few tiles, the steps along the inner dimension follow each other, and each of the other workgroups has a
range of as many. A range may begin and end inside a tile. Whoever has a part of a tile stores its sums, fences, and
counts the parts of the tile that are done. The last one adds all parts up, in the order of the inner dimension, so that
results are bit-equal from run to run. Nobody waits for another workgroup.

Source: M. Osama, D. Merrill, C. Cecka, M. Garland and J. D. Owens, "Stream-K: work-centric parallel decomposition for
dense matrix-matrix multiplication on the GPU" (2023).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.parts import is_last_part
from gpucore.algorithms.matmul.staged import ELEMENTS, add_products, add_slices, place_in_tile, store_sums
from gpucore.algorithms.matmul.tiled import tile_of_number
from gpucore.algorithms.shapes import Tile
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, InOut
from gpucore.types import f32, f32x4, i32, i32x4, u32, u32x4

E = TypeVar("E", f32, i32, u32)
B = TypeVar("B", f32, i32, u32, f32x4, i32x4, u32x4)
C = TypeVar("C", f32, i32, u32, f32x4, i32x4, u32x4)
REGISTERS, OTHERS = 1 << 16, 32
"""Of a multiprocessor; and those of an invocation that it needs beside its sums."""


def range_with(step, per, more):
    """Which range has a step: the first `more` ranges have `per` + 1 steps, the others `per`."""
    found = step // (per + 1)
    if found >= more:
        found = (step - more) // per
    return found


def store_part(parts, slot, sums, t, tile):
    """Store the sums of an invocation, so that neighbours store neighbouring vectors."""
    dtype = sums.dtype
    vector = gp.static(f32x4 if dtype is f32 else i32x4 if dtype is i32 else u32x4)
    for n in gp.unroll(range(gp.static(tile.own_m * tile.own_n // 4))):
        i, j = gp.static((4 * n // tile.own_n, 4 * n % tile.own_n))
        at = slot * gp.static(tile.tile_m * tile.tile_n) + gp.static(4 * n * tile.slice_size) + 4 * t
        gp.vstore(parts, at, vector(sums[i, j], sums[i, j + 1], sums[i, j + 2], sums[i, j + 3]))


def loads_at_once(tile: Tile) -> int:
    """The elements of parts that an invocation loads before it adds them: for as many it has registers."""
    free = min(REGISTERS // (tile.invocations * tile.min_workgroups), 255) - tile.own_m * tile.own_n - OTHERS
    return max(16, 1 << max(free, 1).bit_length() - 1)


def load_part(loaded, first, parts, at, begin, count, tile):
    """Load `count` elements of a part, which is at an index for this invocation, from the one with number `begin`."""
    for e in gp.unroll(range(0, count, 4)):
        four = gp.vload(parts, at + gp.static((begin + e) * tile.slice_size), 4)
        for q in gp.unroll(range(4)):
            loaded[gp.static(first + e + q)] = four[q]


def add_loaded(sums, loaded, first, begin, count, tile):
    """Add what was loaded so."""
    for e in gp.unroll(range(count)):
        i, j = gp.static(((begin + e) // tile.own_n, (begin + e) % tile.own_n))
        sums[i, j] += loaded[gp.static(first + e)]


def add_up(parts, slot, count, sums, t, tile):
    """The sums of `count` parts from a slot on, in their order."""
    own, size, most = gp.static((tile.own_m * tile.own_n, tile.tile_m * tile.tile_n, loads_at_once(tile)))
    ahead, together = gp.static((max(1, most // own), min(most, own)))
    for e in gp.unroll(range(own)):
        sums[gp.static(e // tile.own_n), gp.static(e % tile.own_n)] = sums.dtype(0)
    for first in range(0, count, ahead):
        for begin in gp.unroll(range(0, own, together)):
            loaded = gp.private_array(sums.dtype, gp.static(ahead * together))
            for p in gp.unroll(range(ahead)):
                at = (slot + gp.min(first + p, count - 1)) * size + 4 * t
                load_part(loaded, p * together, parts, at, begin, gp.static(min(together, own - begin)), tile)
            for p in gp.unroll(range(ahead)):
                if first + p < count:
                    add_loaded(sums, loaded, p * together, begin, gp.static(min(together, own - begin)), tile)


def multiply(a, b, c, bias, parts, counts, alpha, beta, columns, whole, tile, finish):
    """The tile, or the range of steps, of this workgroup."""
    stored = c.dtype
    width, element = gp.static((4 if stored in ELEMENTS else 1, ELEMENTS.get(stored, stored)))
    rows = (c.shape[0] + gp.static(tile.tile_m - 1)) // tile.tile_m
    across = (columns + gp.static(tile.tile_n - 1)) // tile.tile_n
    steps = (a.shape[1] + gp.static(tile.tile_k - 1)) // tile.tile_k
    rest = a.shape[1] - (steps - 1) * tile.tile_k  # of the first step
    ranges, total = gp.num_workgroups(0) - whole, (rows * across - whole) * steps
    per, more, own = total // ranges, total % ranges, gp.workgroup_id(0) - whole
    left = per + 1 if own < more else per
    at = own * per + gp.min(own, more)
    tile_number, step = at // steps, at % steps
    if own < 0:
        tile_number, step, left = own, 0, steps
    of_slice, t, y, x = place_in_tile(tile)
    found = gp.workgroup_array(i32, 1)
    while left > 0:
        length = gp.min(steps - step, left)
        tile_row, tile_column = tile_of_number(whole + tile_number, rows, across, gp.static(tile.group))
        row, column = tile_row * tile.tile_m, tile_column * tile.tile_n
        first = 0 if step == 0 else rest + (step - 1) * tile.tile_k
        last = rest + (step + length - 1) * tile.tile_k
        sums = gp.private_array(element, (tile.own_m, tile.own_n))
        gp.barrier(buffers=False)  # all have read the tiles of the range before
        add_products(a, b, sums, row, column, first, last, of_slice, y, x, tile)
        if tile.slices > 1:
            add_slices(sums, of_slice, t, tile)
        is_whole = length == steps
        if length < steps:
            begin = range_with(tile_number * steps, per, more)
            end = range_with(tile_number * steps + steps - 1, per, more)
            if of_slice == 0:
                store_part(parts, own + tile_number, sums, t, tile)
            is_whole = is_last_part(counts, tile_number, end - begin, found)
            if is_whole and of_slice == 0:
                add_up(parts, begin + tile_number, end - begin + 1, sums, t, tile)
        if is_whole and of_slice == 0:
            store_sums(c, sums, row + 4 * y, column + 4 * x, tile, width, finish, bias, alpha, beta)
        left -= length
        tile_number, step = tile_number + 1, 0


def make_kernel(tile: Tile) -> Kernel:
    """The kernel of a product with `columns` columns. The first `whole` workgroups have a tile each; the steps of the
    others are divided over the rest. `parts` has room for the sums of as many parts as there are ranges and tiles that
    are divided, `counts` a 0 for each of these tiles. The rest is that of `staged.make_finishing_kernel`."""

    @kernel(workgroup_size=tile.invocations, min_workgroups=tile.min_workgroups, unchecked=True)
    def matmul_streamed(
        a: In[E, 2], b: In[B, 2], c: InOut[C, 2], bias: In[C, 2], parts: InOut[E], counts: InOut[u32], alpha: E,
        beta: E, columns: i32, whole: i32, tile: Const[Tile], finish: Const[Finish],
    ):  # fmt: skip
        multiply(a, b, c, bias, parts, counts, alpha, beta, columns, whole, tile, finish)

    return matmul_streamed
