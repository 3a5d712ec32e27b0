"""Matrices of a workgroup: made, loaded, stored, and changed element by element."""

from __future__ import annotations

import dataclasses

import gpucore.lang as gp
from gpucore.blocks.matrices.layout import choose_layout, matrix_type
from gpucore.blocks.matrices.places import place_of
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import MATRIX_LANES, Capability
from gpucore.types import f16, f32, f64, i32, i64, u32, u64

_DTYPES = (f32, f16, f64, i32, u32, i64, u64)


def multiplies():
    """Whether the device has units that multiply matrices."""
    return gp.target.has(Capability.MATRIX_UNITS) and gp.target.subgroup_size == MATRIX_LANES


def layout_for(dtype, shape):
    """The layout of matrices of a dtype and shape in this kernel."""
    assert dtype in _DTYPES, "a matrix holds f32, f16, f64, i32, u32, i64 or u64"
    assert len(shape) == 2, "a matrix has two lengths: rows and columns"
    kind, invocations, has_units = gp.target.kind, count_invocations(), multiplies()
    layout = gp.static(choose_layout(dtype, shape, invocations, kind, has_units=has_units))
    assert layout is not None, (
        "the invocations of the workgroup must be a product of two numbers, a divisor of the rows of each matrix and "
        "one of its columns, and have no more than 256 elements each"
    )
    return layout


def made(layout, values):
    """The matrix in a layout of which an invocation has these elements."""
    return gp.make_struct(gp.static(matrix_type(layout)), values)


def matrix(dtype, shape, value=0):
    """`gp.matrix`."""
    layout = layout_for(dtype, shape)
    values = gp.private_array(dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        values[e] = value
    return made(layout, values)


def is_inside(array, row, column):
    """Whether an array has an element at a row and a column. Negative ones are none."""
    return u32(row) < u32(array.shape[0]) and u32(column) < u32(array.shape[1])


def load_matrix(array, row, column, shape):
    """`gp.load_matrix`."""
    assert array.ndim == 2, "a matrix is loaded from an array of rank 2, or from a tile"
    layout = layout_for(array.dtype, shape)
    values = gp.private_array(array.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        i, j = place_of(layout, e)
        if is_inside(array, row + i, column + j):
            values[e] = array[row + i, column + j]
    return made(layout, values)


def store_matrix(c, array, row, column):
    """`gp.store_matrix`."""
    assert array.ndim == 2, "a matrix is stored to an array of rank 2, or to a tile"
    values = gp.struct_values(c)
    for e in gp.unroll(range(len(values))):
        i, j = place_of(gp.layout_of(c), e)
        if is_inside(array, row + i, column + j):
            array[row + i, column + j] = array.dtype(values[e])


def map_matrix(f, c, other=None, indices=False):
    """`gp.map`."""
    values, others = gp.struct_values(c), gp.struct_values(other)
    layout = gp.layout_of(c)
    first = _mapped(f, values[0], others[0], layout, 0, indices)
    mapped = gp.private_array(first.dtype, len(values))
    mapped[0] = first
    for e in gp.unroll(range(1, len(values))):
        mapped[e] = _mapped(f, values[e], others[e if len(others) > 1 else 0], layout, e, indices)
    dtype = first.dtype
    return made(gp.static(dataclasses.replace(layout, dtype=dtype)), mapped)


def _mapped(f, value, other, layout, e, indices):
    row, column = place_of(layout, e)
    if other is None:
        return f(value, row, column) if indices else f(value)
    return f(value, other, row, column) if indices else f(value, other)
