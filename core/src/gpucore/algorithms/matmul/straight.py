"""Products of whole tiles by subgroups in a loop without branches: compilers mix its copies with its products.

The tile of a workgroup is inside the matrices, and all copies are of 16 bytes from multiples of these. Fragments are
loaded one step ahead of their products, also those of the next stage.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.matrices.copies import copies_later, copy_group, copy_wait, copy_whole, has_whole_rows
from gpucore.blocks.matrices.elements import layout_for_sums
from gpucore.blocks.matrices.opaque import made
from gpucore.blocks.matrices.products import load_step, multiplies_fragments, multiply_step, private_fragments


def is_straight(dtype, tile):
    """Whether subgroups multiply tiles of a dtype so: each has an even number of steps of 32 bytes. Where groups hold
    the matrix, they multiply."""
    layout = layout_for_sums(dtype, (tile.tile_m, tile.tile_n))
    unit = gp.target.matrix(dtype)
    is_even = gp.static(tile.tile_k * dtype.itemsize % 64 == 0)
    has_panels = gp.static(not unit.has_padding) if unit is not None else False
    return copies_later() and is_even and has_panels and multiplies_fragments(dtype, layout)


def is_whole(a, b, row, column, first, last, tile):
    """Whether the tile at a row and a column is inside matrices of which all is copied 16 bytes at once, and all of its
    stages are written."""
    rows = a.shape[1] if tile.turns_a else a.shape[0]
    columns = b.shape[0] if tile.turns_b else b.shape[1]
    is_inside = row + tile.tile_m <= rows and column + tile.tile_n <= columns
    is_long = last - first >= gp.static(tile.tile_k * tile.stages) and (last - first) % tile.tile_k == 0
    return is_inside and is_long and has_whole_rows(a) and has_whole_rows(b)


def fetch_whole(left, right, stage, a, b, row, column, k, tile):
    """Begin to copy tiles of a and b, from k on."""
    if tile.turns_a:
        copy_whole(left[stage], a, k, row)
    else:
        copy_whole(left[stage], a, row, k)
    if tile.turns_b:
        copy_whole(right[stage], b, column, k)
    else:
        copy_whole(right[stage], b, k, column)


def load_turned(lefts, rights, half, x, y, k, layout, tile):
    """Load the fragments of two tiles, which may be stored by columns, from k on."""
    if tile.turns_a and tile.turns_b:
        load_step(lefts, rights, half, x.T, y.T, k, layout)
    elif tile.turns_a:
        load_step(lefts, rights, half, x.T, y, k, layout)
    elif tile.turns_b:
        load_step(lefts, rights, half, x, y.T, k, layout)
    else:
        load_step(lefts, rights, half, x, y, k, layout)


def multiply_whole(left, right, a, b, row, column, first, last, tile):
    """The sums of a tile over the inner range [first, last) of two matrices."""
    dtype, stages = a.dtype, gp.static(tile.stages)
    layout, step = layout_for_sums(dtype, (tile.tile_m, tile.tile_n)), 32 // dtype.itemsize
    sums, (lefts, rights) = gp.private_array(layout.dtype, layout.count), private_fragments(layout)
    k, stage = first, 0
    for s in gp.unroll(range(stages - 1)):
        fetch_whole(left, right, s, a, b, row, column, k, tile)
        copy_group()
        k += tile.tile_k
    copy_wait(stages - 2)
    load_turned(lefts, rights, 0, left[0], right[0], 0, layout, tile)
    for _ in range((last - first) // tile.tile_k):
        for inner in gp.unroll(range(0, tile.tile_k, step)):
            now, ahead = gp.static((inner // step % 2, (inner // step + 1) % 2))
            if inner == 0:
                before = stage - 1 if stage > 0 else gp.static(stages - 1)  # all have read it
            if inner + step < tile.tile_k:
                load_turned(lefts, rights, ahead, left[stage], right[stage], inner + step, layout, tile)
            else:  # after the last step it loads what nothing multiplies
                copy_wait(stages - 2)
                stage = stage + 1 if stage < gp.static(stages - 1) else 0
                load_turned(lefts, rights, ahead, left[stage], right[stage], 0, layout, tile)
            if inner == 0:
                if k < last:
                    fetch_whole(left, right, before, a, b, row, column, k, tile)
                copy_group()
                k += tile.tile_k
            multiply_step(sums, lefts, rights, now, dtype, layout)
    return made(layout, sums)
