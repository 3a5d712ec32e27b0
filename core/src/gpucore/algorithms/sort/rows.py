"""Sorting the rows of a matrix, and segments of an array.

Short ones are sorted by counting, in one launch. Long ones are sorted one by one; many of a middle length by two stable
sorts: of all keys, and then of the numbers of the rows in which they were found.
"""

from __future__ import annotations

from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import few, gather, methods, queue_few
from gpucore.algorithms.sort.moving import take_rows
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.ir import Capability
from gpucore.types import DType, u8, u16, u32


def sort_rows(x: Array, target: Array, moved: Array | None, descending: bool, variant: str | None) -> None:
    """Sort each row of a matrix, stably; `moved`, u32 of its size, gets the indices in the row."""
    rows, length = x.shape
    if x.size == 0:
        return
    flat, there = x.ravel(), target.ravel()
    shape = shapes_of(x.device).sort
    if variant is not None or rows == 1 or (length >= shape.row_by_row_from and rows <= shape.rows_one_by_one):
        _one_by_one(flat, there, moved, rows, descending, variant)
    elif length <= shape.rows_in_place_up_to:
        if moved is None:
            few.count_rows(flat, there, length, descending, invocations=x.size)
        else:
            few.count_rows_indices(flat, there, moved, length, descending, invocations=x.size)
    elif length <= _longest_counted(x, shape):
        queue_few.count_rows(flat, there, length, descending, moved=moved, index=True)
        if moved is not None:
            gather.subtract_starts(moved.copy(), moved, length, invocations=moved.size)
    else:
        indices = _by_two_sorts(flat, rows, length, None, descending)
        take_rows(flat, indices, there)
        if moved is not None:
            gather.subtract_starts(indices, moved, length, invocations=moved.size)


def sort_segments(x: Array, offsets: Array, longest: int, target: Array, descending: bool) -> None:
    """Sort the segments between rising offsets (i32), from 0 to the size; `longest` is the greatest length."""
    if longest <= shapes_of(x.device).sort.segments_in_place_up_to:
        few.count_segments(x, offsets, target, descending, invocations=x.size)
    else:
        take_rows(x, _by_two_sorts(x, offsets.size + 1, 0, offsets, descending), target)


def _longest_counted(x: Array, shape: SortShape) -> int:
    return queue_few.capacities(x.device, KEY_TYPES[x.dtype], shape.rows_counted_up_to)[-1]


def _one_by_one(x: Array, target: Array, moved: Array | None, rows: int, descending: bool, variant: str | None) -> None:
    length = x.size // rows
    for first in range(0, x.size, length):
        part = slice(first, first + length)
        if moved is None:
            methods.sort(x[part], target[part], descending, variant)
        else:
            methods.sort_pairs(x[part], target[part], None, moved[part], descending, variant)


def _by_two_sorts(x: Array, count: int, length: int, offsets: Array | None, descending: bool) -> Array:
    """The indices that sort rows of a length, or segments, of which there are at most `count`."""
    device, n = x.device, x.size
    with methods.permutation(x, descending) as by_key:
        kind = _number_type(x, count)
        made = empty(n, u32, device=device)
        with empty(n, kind, device=device) as numbers, empty(n, kind, device=device) as sorted_numbers:
            if offsets is None:
                gather.number_rows(by_key, numbers, length, invocations=n)
            else:
                gather.number_segments(by_key, offsets, numbers, invocations=n)
            methods.sort_pairs(numbers, sorted_numbers, by_key, made, False)
    return made


def _number_type(x: Array, count: int) -> DType:
    """The smallest dtype for numbers below `count` that is not emulated: it has the fewest digits."""
    if count <= 1 << 8 and x.device.supports(Capability.INT8):
        return u8
    return u16 if count <= 1 << 16 and x.device.supports(Capability.INT16) else u32
