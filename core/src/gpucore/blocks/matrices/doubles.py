"""Products of tiles of f64 by units for matrices of subgroups, which have no loads of their own for such elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gpucore.lang as gp
from gpucore.blocks.matrices.places import first_column_of_subgroup, first_row_of_subgroup, row_offset
from gpucore.ir import MatrixInputs
from gpucore.types import f64

if TYPE_CHECKING:
    from gpucore.blocks.matrices.layout import MatrixLayout

_STEPS = (16, 8, 4)
_MOST_LOADED = 40
"""Elements of both tiles that an invocation has in registers at once, beside its sums."""


def _choose_step(layout: MatrixLayout, inner: int) -> int:
    """How much of the inner length is multiplied at once: the more, the fewer instructions."""
    fours = layout.own_rows + layout.own_columns // 2
    return next(step for step in _STEPS if inner % step == 0 and (step == 4 or step // 4 * fours <= _MOST_LOADED))


def add_doubles(sums, x, y, layout):
    """Add x @ y to the fragments of this subgroup."""
    lane, inner = gp.subgroup_invocation_id(), x.shape[1]
    step = gp.static(_choose_step(layout, inner))
    top, left, own = first_row_of_subgroup(layout) + lane // 4, first_column_of_subgroup(layout) + lane // 4, lane % 4
    down, across, fours = gp.static((layout.own_rows // 2, layout.own_columns // 2, step // 4))
    for outer in range(gp.static(inner // step)):
        lefts, rights = gp.private_array(f64, (down, 2 * fours)), gp.private_array(f64, (across, fours))
        for s in gp.unroll(range(fours)):
            k = outer * step + 4 * s + own
            for j in gp.unroll(range(across)):
                rights[j, s] = y[k, left + 8 * j]
            for i in gp.unroll(range(2 * down)):
                lefts[i // 2, 2 * s + i % 2] = x[top + row_offset(layout, i), k]
        for i in gp.unroll(range(down)):
            for j in gp.unroll(range(across)):
                e, of_left, of_right = gp.static(((i * across + j) * 4, i * 2 * fours, j * fours))
                gp.accumulate_fragments(MatrixInputs.F64, step, sums, e, lefts, of_left, rights, of_right)
