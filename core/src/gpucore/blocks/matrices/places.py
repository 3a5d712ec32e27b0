"""Where the elements of this invocation are in a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gpucore.lang as gp
from gpucore.ir import MATRIX_LANES

if TYPE_CHECKING:
    from gpucore.blocks.matrices.layout import MatrixLayout


def neighbours(layout: MatrixLayout) -> int:
    """The elements of a part, in one row, that an invocation has."""
    return layout.edge * layout.edge // MATRIX_LANES


def lanes_across(layout: MatrixLayout) -> int:
    """The invocations that have a row of a part."""
    return MATRIX_LANES // layout.edge


def first_row(layout):
    """The first of its rows."""
    if layout.edge:
        return first_row_of_subgroup(layout) + gp.subgroup_invocation_id() // gp.static(lanes_across(layout))
    if layout.is_fragments:
        return first_row_of_subgroup(layout) + gp.subgroup_invocation_id() // 4
    return gp.local_index() // layout.across


def first_row_of_subgroup(layout):
    """The first row of the fragments of this subgroup."""
    if layout.is_groups:
        return gp.subgroup_id() // 4 // layout.across * layout.block[0] + gp.subgroup_id() % 4 * 16
    return gp.subgroup_id() // layout.across * layout.block[0]


def first_column_of_subgroup(layout):
    """The first column of the fragments of this subgroup."""
    if layout.is_groups:
        return gp.subgroup_id() // 4 % layout.across * layout.block[1]
    return gp.subgroup_id() % layout.across * layout.block[1]


def row_offset(layout, i):
    """From its first row to row i of its own."""
    if layout.edge:
        return gp.static(i * layout.edge)
    if layout.is_groups:
        return gp.static(i // 2 * 64 + i % 2 * 8)
    return i * (8 if layout.is_fragments else layout.down)


def first_column(layout):
    """The first of its columns."""
    if layout.columns == 1:
        return 0
    if layout.edge:
        lane = gp.subgroup_invocation_id() % gp.static(lanes_across(layout))
        return first_column_of_subgroup(layout) + lane * gp.static(neighbours(layout))
    if layout.is_fragments:
        return first_column_of_subgroup(layout) + gp.subgroup_invocation_id() % 4 * 2
    return gp.local_index() % layout.across * layout.width


def column_offset(layout, j):
    """From its first column to column j of its own."""
    if layout.edge:
        return gp.static(j // neighbours(layout) * layout.edge + j % neighbours(layout))
    groups = 4 if layout.is_fragments else layout.across
    return gp.static(j // layout.width * (layout.width * groups) + j % layout.width)


def place_of(layout, e):
    """The row and the column of element e."""
    i, j = gp.static(layout.place(e))
    return first_row(layout) + row_offset(layout, i), first_column(layout) + column_offset(layout, j)


def own_part(layout):
    """The number of its columns, among those of the invocations that share its rows."""
    if layout.edge:
        lanes = gp.static(lanes_across(layout))
        return gp.subgroup_id() % layout.across * lanes + gp.subgroup_invocation_id() % lanes
    if layout.is_groups:
        return gp.subgroup_id() // 4 % layout.across * 4 + gp.subgroup_invocation_id() % 4
    if layout.is_fragments:
        return gp.subgroup_id() % layout.across * 4 + gp.subgroup_invocation_id() % 4
    return gp.local_index() % layout.across
