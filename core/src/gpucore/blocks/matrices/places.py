"""Where the elements of this invocation are in a matrix."""

from __future__ import annotations

import gpucore.lang as gp


def first_row(layout):
    """The first of its rows."""
    if layout.is_fragments:
        return gp.subgroup_id() // layout.across * layout.block[0] + gp.subgroup_invocation_id() // 4
    return gp.local_index() // layout.across


def row_step(layout):
    """From one of its rows to the next."""
    return 8 if layout.is_fragments else layout.down


def first_column(layout):
    """The first of its columns."""
    if layout.is_fragments:
        return gp.subgroup_id() % layout.across * layout.block[1] + gp.subgroup_invocation_id() % 4 * 2
    return gp.local_index() % layout.across * layout.width


def column_offset(layout, j):
    """From its first column to column j of its own."""
    groups = 4 if layout.is_fragments else layout.across
    return gp.static(j // layout.width * (layout.width * groups) + j % layout.width)


def place_of(layout, e):
    """The row and the column of element e."""
    i, j = gp.static(layout.place(e))
    return first_row(layout) + i * row_step(layout), first_column(layout) + column_offset(layout, j)


def own_part(layout):
    """The number of its columns, among those of the invocations that share its rows."""
    if layout.is_fragments:
        return gp.subgroup_id() % layout.across * 4 + gp.subgroup_invocation_id() % 4
    return gp.local_index() % layout.across
