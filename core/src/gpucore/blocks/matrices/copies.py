"""Copies of parts of arrays to tiles."""

from __future__ import annotations

import math
from typing import Any

import gpucore.lang as gp
from gpucore.blocks.matrices.elements import has_part, is_inside
from gpucore.blocks.matrices.products import VECTORS
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import Capability
from gpucore.lang.outside import in_kernels_only
from gpucore.types import DType, i32, u32


def _width(dtype: DType, columns: int, has_copies: bool) -> tuple[int, bool]:
    """How many elements are copied at once, and whether the copy ends later: that of 4, 8 or 16 bytes."""
    width = math.gcd(columns, 16 // dtype.itemsize)
    if has_copies and width * dtype.itemsize >= 4:
        return width, True
    return math.gcd(columns, 4) if dtype in VECTORS else 1, False


def copies_later():
    """Whether the device copies while the kernel goes on."""
    return gp.target.has(Capability.ASYNC_COPY)


@in_kernels_only
def copy_tile(tile: Any, array: Any, row: Any, column: Any) -> None:
    """Begin to copy the part of an array of rank 2 that begins at a row and a column to a tile; zeros beyond the edges.

    The workgroup copies. The tile may be read after `gp.copy_wait`, and the part must not be written until then.
    """
    gp.together(tile, array, row, column)
    assert gp.is_transposed(tile) is False, "the copy goes to a tile: t[i] of t = gp.tiles(...)"
    assert array.ndim == 2, "a tile is copied from an array of rank 2"
    assert array.dtype is tile.dtype, "the array and the tile have one dtype"
    if gp.copies_parts(tile, array):
        gp.copy_part(tile, array, i32(row), i32(column))
    else:
        _copy_pieces(tile, array, row, column)


def _copy_pieces(tile, array, row, column):
    """Copy a part by all invocations, each some pieces of it."""
    dtype, (rows, columns) = array.dtype, tile.shape
    has_copies = copies_later() and gp.has_rows_in_memory(array)
    width, is_later = gp.static(_width(dtype, columns, has_copies))
    is_even = not is_later or (
        gp.alignment() >= width * dtype.itemsize and (array.shape[1] | column) & (width - 1) == 0
    )
    if is_even and has_part(array, row, column, rows, columns):
        _copy_inside(tile, array, row, column, width, is_later)
    elif is_later:
        _copy_anyhow(tile, array, row, column, width)
    else:
        for place in range(gp.local_index(), gp.static(rows * columns), count_invocations()):
            _copy_element(tile, array, row, column, place // columns, place % columns)


def has_whole_rows(array):
    """Whether an array begins, and all of its rows, at multiples of 16 bytes."""
    dtype = array.dtype
    return gp.alignment() >= 16 and array.shape[1] % gp.static(16 // dtype.itemsize) == 0


def copy_whole(tile, array, row, column):
    """Begin to copy a part that is inside, of an array that has `has_whole_rows`, from a multiple of 16 bytes in each
    row to a tile with such rows."""
    dtype = array.dtype
    _copy_inside(tile, array, row, column, gp.static(16 // dtype.itemsize), True)


def _copy_inside(tile, array, row, column, width, is_later):
    """Copy `width` elements at once of a part that is inside; if the copies end later, from multiples of as many."""
    (rows, columns), invocations = tile.shape, count_invocations()
    across, size = gp.static(columns // width), gp.static(rows * columns // width)
    for start in gp.unroll(range(0, size, invocations)):
        if gp.static(invocations % across == 0):  # an invocation copies parts of one column
            r, c = gp.local_index() // across + gp.static(start // across), gp.local_index() % across * width
        else:
            place = gp.local_index() + start
            r, c = place // across, place % across * width
        if gp.static(start + invocations <= size) or r < rows:
            if is_later:
                gp.copy_async(tile[r], c, array[row + r], column + c, width, width, True)
            elif width > 1:
                gp.vstore(tile[r], c, gp.vload(array[row + r], column + c, width))
            else:
                tile[r, c] = array[row + r, column + c]


def _copy_anyhow(tile, array, row, column, width):
    """Begin copies of `width` elements from anywhere."""
    (rows, columns) = tile.shape
    across = gp.static(columns // width)
    for place in range(gp.local_index(), gp.static(rows * columns // width), count_invocations()):
        r, c = place // across, place % across * width
        if column + c >= 0:
            inside = gp.clamp(array.shape[1] - column - c, 0, width)
            valid = inside if u32(row + r) < u32(array.shape[0]) else 0
            gp.copy_async(tile[r], c, array[row + r], column + c, width, valid, False)
        else:
            for q in range(width):
                _copy_element(tile, array, row, column, r, c + q)


def _copy_element(tile, array, row, column, r, c):
    value = array.dtype(0)
    if is_inside(array, row + r, column + c):
        value = array[row + r, column + c]
    tile[r, c] = value


@in_kernels_only
def copy_group() -> None:
    """End a group of copies: those since the group before."""
    gp.together()
    if copies_later():
        gp.end_copies()


@in_kernels_only
def copy_wait(pending: int = 0) -> None:
    """Wait until at most `pending` groups of copies are under way, and for all invocations of the workgroup.

    The tiles of the others may then be read by all. `pending` is known at compile time; with 0, all copies have ended,
    also those that are in no group.
    """
    gp.together()
    if copies_later() and gp.is_zero(pending):
        gp.end_copies()  # also those that no group has
    gp.wait_for_copies(pending)  # none, where copies have ended
    gp.barrier(buffers=False)
