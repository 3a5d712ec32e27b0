"""Numbers of the rows of a matrix: rows combined, and matrices of one column beside others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gpucore.lang as gp
from gpucore.blocks.matrices.opaque import values_of
from gpucore.blocks.matrices.places import first_row, own_part, row_offset
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import Capability
from gpucore.types import f32, i32, u32

if TYPE_CHECKING:
    from gpucore.blocks.matrices.layout import MatrixLayout


def holds_rows(column: MatrixLayout, layout: MatrixLayout) -> bool:
    """Whether each invocation has, of a column, the elements of the rows of which it has elements of a matrix."""

    def holding(each: MatrixLayout) -> tuple[Any, ...]:
        return each.rows, each.down, each.is_fragments, each.is_groups, each.edge

    return holding(column) == holding(layout) and (not layout.is_fragments or layout.across == 1)


def wider(one: MatrixLayout, other: MatrixLayout | None) -> MatrixLayout | None:
    """The layout of what is computed of two matrices element by element, or of one and of a number (None): that of the
    one that has more than one column. None if their shapes do not fit."""
    if other is None or other == one:
        return one
    if other.rows != one.rows or other.dtype is not one.dtype or 1 not in (one.columns, other.columns):
        return None
    return one if other.columns == 1 else other


def numbers(columns: int, layout: MatrixLayout) -> tuple[int, ...]:
    """For each element of an invocation in a layout, the number of that of another matrix with so many columns, or of a
    number (0), among what `beside` gives."""
    if columns == 0:
        return (0,) * layout.count
    return tuple(layout.place(e)[0] if columns < layout.columns else e for e in range(layout.count))


def columns_of(layout: MatrixLayout | None) -> int:
    """The columns of a matrix; of a number (None) 0."""
    return 0 if layout is None else layout.columns


def _is_shuffled(layout):
    """Whether the four invocations of a subgroup that share a row pass their elements by shuffles."""
    return layout.is_fragments and gp.target.has(Capability.SUBGROUP) and layout.dtype in (f32, i32, u32)


def own_rows(op, values, layout):
    """The elements of each of this invocation's rows combined, and those of its subgroup where it has shuffles."""
    combined = gp.private_array(layout.dtype, layout.own_rows)
    for i in gp.unroll(range(layout.own_rows)):
        own = values[gp.static(layout.number(i, 0))]
        for j in gp.unroll(range(1, layout.own_columns)):
            own = op(own, values[gp.static(layout.number(i, j))])
        if _is_shuffled(layout):
            own = op(own, gp.subgroup_shuffle_xor(own, 1))
            own = op(own, gp.subgroup_shuffle_xor(own, 2))
        combined[i] = own
    return combined


def has_whole_rows(layout):
    """Whether `own_rows` are the whole rows."""
    return layout.columns == 1 or (_is_shuffled(layout) and layout.across == 1)


def in_array(op, own, layout, is_result):
    """A workgroup array of the whole rows, of those that `own_rows` gives. It `is_result` of a call, or of its own."""
    combined = gp.workgroup_array(layout.dtype, layout.rows)
    if has_whole_rows(layout):
        _wait(combined, combined, is_result)  # a loop may come here again while others still read
        _store_own(combined, own, layout)
        _wait(combined, combined, is_result)
    else:
        among = 4 if _is_shuffled(layout) else 1
        parts = gp.static(layout.columns // layout.own_columns // among)
        partial = gp.workgroup_array(layout.dtype, (layout.rows, parts))
        if among == 1 or gp.subgroup_invocation_id() % 4 == 0:
            for i in gp.unroll(range(layout.own_rows)):
                partial[first_row(layout) + row_offset(layout, i), own_part(layout) // among] = own[i]
        _wait(combined, partial, is_result)
        for row in range(gp.local_index(), layout.rows, count_invocations()):
            total = partial[row, 0]
            for part in range(1, parts):
                total = op(total, partial[row, part])
            combined[row] = total
        _wait(combined, partial, is_result)
    return combined


def _wait(array, other, is_result):
    """A barrier of the call, on all devices, or one for two arrays of its own."""
    if is_result:
        gp.barrier(buffers=False)
    else:
        gp.barrier_of(array, other)


def _store_own(array, own, layout):
    """Store the numbers of this invocation's rows to an array with an element for each row."""
    if own_part(layout) == 0:
        for i in gp.unroll(range(layout.own_rows)):
            array[first_row(layout) + row_offset(layout, i)] = own[i]


def load_rows(array, layout):
    """The elements of this invocation's rows of an array with an element for each row."""
    own = gp.private_array(array.dtype, layout.own_rows)
    for i in gp.unroll(range(layout.own_rows)):
        own[i] = array[first_row(layout) + row_offset(layout, i)]
    return own


def beside(other, layout):
    """A number alone, the elements of a matrix, or those of one of one column in the rows of which this invocation has
    elements in a layout."""
    of_other, own = gp.layout_of(other), values_of(other)
    if of_other is None or of_other.columns == layout.columns:
        return own
    if gp.static(holds_rows(of_other, layout)):
        return own
    array = gp.workgroup_array(of_other.dtype, of_other.rows)
    _store_own(array, own, of_other)
    gp.barrier_of(array)
    rows = load_rows(array, layout)
    gp.barrier_of(array)
    return rows
