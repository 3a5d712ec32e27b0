"""Copies of parts of arrays to tiles."""

from __future__ import annotations

import math

import gpucore.lang as gp
from gpucore.blocks.matrices.elements import is_inside
from gpucore.blocks.reductions import count_invocations
from gpucore.types import f16, f32, i32, u32


def copy_tile(tile, array, row, column):
    """`gp.copy_tile`."""
    assert gp.is_transposed(tile) is False, "the copy goes to a tile: t[i] of t = gp.tiles(...)"
    assert array.ndim == 2, "a tile is copied from an array of rank 2"
    assert array.dtype is tile.dtype, "the array and the tile have one dtype"
    rows, columns = tile.shape
    dtype = array.dtype
    width = gp.static(math.gcd(columns, 4) if dtype in (f32, i32, u32, f16) else 1)
    across, size = gp.static((columns // width, rows * columns // width))
    for start in gp.unroll(range(0, size, count_invocations())):
        place = gp.local_index() + start
        if place < size:
            r, c = place // across, place % across * width
            if width > 1:
                if u32(row + r) < u32(array.shape[0]) and column + c >= 0 and column + c + width <= array.shape[1]:
                    gp.vstore(tile[r], c, gp.vload(array[row + r], column + c, width))
                else:
                    _copy_elements(tile, array, row, column, r, c, width)
            else:
                _copy_elements(tile, array, row, column, r, c, width)


def _copy_elements(tile, array, row, column, r, c, width):
    """Copy some elements of a row, with zeros beyond the edges of the array."""
    for q in gp.unroll(range(width)):
        value = array.dtype(0)
        if is_inside(array, row + r, column + c + q):
            value = array[row + r, column + c + q]
        tile[r, c + q] = value


def copy_group():
    """`gp.copy_group`."""


def copy_wait(pending=0):
    """`gp.copy_wait`."""
    gp.barrier(buffers=False)
