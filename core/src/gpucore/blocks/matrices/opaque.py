"""Matrices of which subgroups hold parts that are cooperative matrices: only workgroup memory shows their elements.

Where elements are read or made, each part goes through a place in workgroup memory of its subgroup. So sums stay where
they are from product to product. A kernel has no such matrices if one of its products cannot be made of them, or if it
has no product at all: then elements would go to memory and back for nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import gpucore.lang as gp
from gpucore.blocks.matrices.places import first_column_of_subgroup, first_row_of_subgroup, lanes_across, neighbours
from gpucore.ir import (
    COOPERATIVE_SUMS,
    MATRIX_LANES,
    Capability,
    CooperativeOp,
    CooperativeType,
    MatrixRole,
    ScalarType,
)
from gpucore.types import DType, Vector, f16

if TYPE_CHECKING:
    from gpucore.blocks.matrices.layout import MatrixLayout

ADD, SUBTRACT, SCALE = CooperativeOp.ADD, CooperativeOp.SUBTRACT, CooperativeOp.SCALE


def edge_of_parts():
    """Rows and columns of the cooperative matrices of the device; 0 if it has none, or something better."""
    if gp.target.has(Capability.MATRIX_UNITS) or not gp.target.has(Capability.COOPERATIVE_MATRICES):
        return 0
    unit = gp.target.matrix(f16)
    return 0 if unit is None else unit.m


@cache
def part_type(dtype: DType, edge: int, role: MatrixRole = MatrixRole.SUMS) -> DType:
    """The dtype of cooperative matrices."""
    assert isinstance(dtype.ir_type, ScalarType)
    type = CooperativeType(dtype.ir_type, edge * edge // MATRIX_LANES, role, edge)
    return DType(f"matrix_{role.value}", (Vector,), {"ir_type": type})


def zeros(layout):
    """The matrix of zeros in a layout."""
    return gp.make_struct(layout.type, gp.private_array(gp.static(part_type(layout.dtype, layout.edge)), layout.parts))


def combined(op, a, b):
    """`op` of each part of a matrix and that of another, or a number."""
    layout, left, right = gp.layout_of(a), gp.struct_values(a), gp.struct_values(b)
    parts = gp.private_array(gp.static(part_type(layout.dtype, layout.edge)), layout.parts)
    for e in gp.unroll(range(len(left))):
        parts[e] = gp.cooperative(op, left[e], right[e if len(right) > 1 else 0])
    return gp.make_struct(layout.type, parts)


def _place_of_subgroup(layout):
    """Workgroup memory for a part of each subgroup, the first row of this one's, and the own row and column in it."""
    rows = gp.static(layout.down * layout.across * layout.edge)
    lane, lanes = gp.subgroup_invocation_id(), gp.static(lanes_across(layout))
    return (
        gp.matrix_scratch(layout.dtype, gp.static((rows, layout.edge))),
        gp.subgroup_id() * layout.edge,
        lane // lanes,
        lane % lanes * gp.static(neighbours(layout)),
    )


def shown(c):
    """The elements that this invocation has of a matrix, in the order of its layout."""
    layout, parts = gp.layout_of(c), gp.struct_values(c)
    memory, first, row, column = _place_of_subgroup(layout)
    values = gp.private_array(layout.dtype, layout.count)
    for part in gp.unroll(range(len(parts))):
        gp.cooperative_store(parts[part], memory, first, 0)
        gp.barrier_of(memory)
        for q in gp.unroll(range(gp.static(neighbours(layout)))):
            values[gp.static(layout.number_in_part(part, q))] = memory[first + row, column + q]
        gp.barrier_of(memory)
    return values


def hidden(layout, values):
    """The matrix in a layout of which this invocation has these elements."""
    memory, first, row, column = _place_of_subgroup(layout)
    dtype = gp.static(part_type(layout.dtype, layout.edge))
    parts = gp.private_array(dtype, layout.parts)
    for part in gp.unroll(range(len(parts))):
        for q in gp.unroll(range(gp.static(neighbours(layout)))):
            memory[first + row, column + q] = values[gp.static(layout.number_in_part(part, q))]
        gp.barrier_of(memory)
        parts[part] = gp.cooperative_load(dtype, memory, first, 0)
        gp.barrier_of(memory)
    return gp.make_struct(layout.type, parts)


def _fits(layout: MatrixLayout, dtype: DType, inner: int) -> bool:
    """Whether cooperative matrices multiply two tiles."""
    sums = COOPERATIVE_SUMS[layout.edge].get(dtype.ir_type, ())
    return layout.dtype.ir_type in sums and inner % layout.edge == 0


def add_tiles(x, y, c):
    """`x @ y + c`."""
    layout, dtype, inner = gp.layout_of(c), x.dtype, x.shape[1]
    if not gp.static(_fits(layout, dtype, inner)):
        gp.not_cooperative()
    edge, before = layout.edge, gp.struct_values(c)
    of_left, of_right = gp.static((part_type(dtype, edge, MatrixRole.LEFT), part_type(dtype, edge, MatrixRole.RIGHT)))
    top, left = first_row_of_subgroup(layout), first_column_of_subgroup(layout)
    down, across = gp.static(layout.parts_of_block)
    sums = gp.private_array(gp.static(part_type(layout.dtype, edge)), layout.parts)
    for e in gp.unroll(range(len(before))):
        sums[e] = before[e]
    for k in gp.unroll(range(0, inner, edge)):
        columns = gp.private_array(of_right, across)
        for j in gp.unroll(range(across)):
            columns[j] = gp.cooperative_load(of_right, y, k, left + j * edge)
        for i in gp.unroll(range(down)):
            rows = gp.cooperative_load(of_left, x, top + i * edge, k)
            for j in gp.unroll(range(across)):
                e = gp.static(i * across + j)
                sums[e] = gp.cooperative(CooperativeOp.MULTIPLY_ADD, rows, columns[j], sums[e])
    return gp.make_struct(layout.type, sums)


def made(layout, values):
    """The matrix in a layout of which an invocation has these elements."""
    return hidden(layout, values) if layout.is_opaque else gp.make_struct(layout.type, values)


def known_layout(c):
    """The layout of what must be a matrix."""
    layout = gp.layout_of(c)
    assert layout is not None, "a matrix is needed here, as of gp.matrix, gp.load_matrix or an operator of matrices"
    return layout


def values_of(c):
    """The elements of a matrix that this invocation has; of anything else a tuple of it alone."""
    layout = gp.layout_of(c)
    if layout is None:
        return (c,)
    return shown(c) if layout.is_opaque else gp.struct_values(c)
