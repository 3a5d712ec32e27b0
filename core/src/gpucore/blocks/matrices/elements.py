"""Matrices of a workgroup: made, loaded, stored, and changed element by element."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import gpucore.lang as gp
from gpucore.blocks.matrices import opaque
from gpucore.blocks.matrices.layout import MatrixLayout, choose_layout
from gpucore.blocks.matrices.opaque import known_layout, made, values_of
from gpucore.blocks.matrices.places import own_part, place_of
from gpucore.blocks.matrices.products import VECTORS, is_of_groups, sum_type
from gpucore.blocks.matrices.rows import (
    beside,
    columns_of,
    has_whole_rows,
    holds_rows,
    in_array,
    load_rows,
    numbers,
    own_rows,
    wider,
)
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import MATRIX_LANES, Capability, VectorType
from gpucore.lang.outside import in_kernels_only
from gpucore.types import dtype_of, f16, f32, f64, i32, i64, u32, u64

_DTYPES = (f32, f16, f64, i32, u32, i64, u64)


def multiplies():
    """Whether the device has units that multiply matrices."""
    return gp.target.has(Capability.MATRIX_UNITS) and gp.target.subgroup_size == MATRIX_LANES


def layout_for(dtype, shape, by_groups=True):
    """The layout of matrices of a dtype and shape in this kernel, for products by groups where the device has them."""
    assert dtype in _DTYPES, "a matrix holds f32, f16, f64, i32, u32, i64 or u64"
    assert len(shape) == 2, "a matrix has two lengths: rows and columns"
    kind, invocations, has_units = gp.target.kind, count_invocations(), multiplies()
    has_groups = by_groups and has_units and gp.target.has(Capability.MATRIX_GROUPS)
    edge = opaque.edge_of_parts()
    layout = gp.static(
        choose_layout(dtype, shape, invocations, kind, has_units=has_units, has_groups=has_groups, edge=edge)
    )
    assert layout is not None, (
        f"a matrix of {shape[0]} x {shape[1]} elements cannot be held by {invocations} invocations: their number must "
        "be a product of a divisor of its rows and a divisor of its columns, and none has more than 256 elements"
    )
    return layout


@in_kernels_only
def matrix(dtype: Any, shape: tuple[int, int], value: Any = 0) -> Any:
    """A matrix of the workgroup, with `value` in each element. The invocations hold its elements, in registers.

    `dtype` is f32, f16, f64, i32, u32, i64 or u64, and `shape` the rows and columns, known at compile time. `+`, `-`
    and `*` with a matrix of its type, one of its rows and one column, or a number work element by element; `c += x @ y`
    adds the product of two tiles, as `gp.multiply_add` does. It is assigned, passed to helpers and returned by them as
    a number is. All invocations of the workgroup must reach what is done with it, with the same numbers.
    """
    gp.together()
    return _filled(layout_for(dtype, shape), value)


def layout_for_sums(dtype, shape):
    """The layout of the sums of products of tiles of a dtype."""
    return layout_for(gp.static(sum_type(dtype)), shape, gp.static(is_of_groups(dtype)))


def sums_for(dtype, shape):
    """The matrix of zeros to which products of tiles of a dtype are added, held so that these are fast. Others of its
    shape may be held in another way."""
    return _filled(layout_for_sums(dtype, shape), 0)


def _filled(layout, value):
    if layout.is_opaque and gp.is_zero(value):
        return opaque.zeros(layout)
    values = gp.private_array(layout.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        values[e] = value
    return made(layout, values)


def is_inside(array, row, column):
    """Whether an array has an element at a row and a column. Negative ones are none."""
    return u32(row) < u32(array.shape[0]) and u32(column) < u32(array.shape[1])


def has_part(array, row, column, rows, columns):
    """Whether an array has all elements of a part that begins at a row and a column."""
    return row >= 0 and column >= 0 and row <= array.shape[0] - rows and column <= array.shape[1] - columns


@in_kernels_only
def load_matrix(array: Any, row: Any, column: Any, shape: tuple[int, int]) -> Any:
    """The matrix of the elements of an array of rank 2, or of a tile, from a row and a column on.

    Beyond the edges it is zero.
    """
    gp.together(array, row, column)
    assert array.ndim == 2, "a matrix is loaded from an array of rank 2, or from a tile"
    layout = layout_for(array.dtype, shape)
    values = gp.private_array(array.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        i, j = place_of(layout, e)
        if is_inside(array, row + i, column + j):
            values[e] = array[row + i, column + j]
    return made(layout, values)


@in_kernels_only
def store_matrix(c: Any, array: Any, row: Any, column: Any) -> None:
    """Store a matrix to an array of rank 2, or to a tile, from a row and a column on, converted to its dtype.

    What lies beyond the edges is not stored.
    """
    gp.together(array, row, column)
    assert array.ndim == 2, "a matrix is stored to an array of rank 2, or to a tile"
    layout, values = known_layout(c), values_of(c)
    width = layout.width if array.dtype in VECTORS and not gp.is_transposed(array) else 1
    if width > 1 and has_part(array, row, column, layout.rows, layout.columns):
        for e in gp.unroll(range(0, len(values), width)):
            i, j = place_of(layout, e)
            gp.vstore(array[row + i], column + j, _vector(array.dtype, values, e, width))
    elif layout.columns > 1 or own_part(layout) == 0:
        for e in gp.unroll(range(len(values))):
            i, j = place_of(layout, e)
            if is_inside(array, row + i, column + j):
                array[row + i, column + j] = array.dtype(values[e])


def _vector(dtype, values, e, width):
    """The vector of neighbouring elements from e on."""
    vector = gp.static(dtype_of(VectorType(dtype.ir_type, width)))
    if width == 2:
        return vector(dtype(values[e]), dtype(values[e + 1]))
    return vector(dtype(values[e]), dtype(values[e + 1]), dtype(values[e + 2]), dtype(values[e + 3]))


@in_kernels_only
def map(f: Callable[..., Any], c: Any, other: Any = None, indices: bool = False) -> Any:
    """The matrix of `f(value)` for each element of c; with `other`, of `f(value, its value)`.

    `other` is a matrix of the shape of c, a number, or what has one number for each row of c: a matrix of one column,
    or an array, as `gp.reduce_rows` gives. With `indices`, f gets the row and the column in the matrix too, i32. f is a
    helper.
    """
    gp.together()
    layout, of_other, values = known_layout(c), gp.layout_of(other), values_of(c)
    is_array = gp.is_array(other)
    if is_array:
        assert other.shape == (layout.rows,), "the array has an element for each row of the matrix"
        others = load_rows(other, layout)
    else:
        assert gp.static(_is_beside(of_other, layout)), "both matrices have one shape, or the other one has one column"
        others = beside(other, layout)
    places = gp.static(numbers(1 if is_array else columns_of(of_other), layout))
    first = _mapped(f, values[0], others[places[0]], layout, 0, indices)
    mapped = gp.private_array(first.dtype, len(values))
    mapped[0] = first
    for e in gp.unroll(range(1, len(values))):
        mapped[e] = _mapped(f, values[e], others[places[e]], layout, e, indices)
    dtype = first.dtype
    return made(gp.static(dataclasses.replace(layout, dtype=dtype)), mapped)


def _is_beside(other: MatrixLayout | None, layout: MatrixLayout) -> bool:
    """Whether the elements of another matrix, or a number, are mapped with those of a matrix in a layout."""
    return other is None or wider(layout, dataclasses.replace(other, dtype=layout.dtype)) == layout


def _mapped(f, value, other, layout, e, indices):
    row, column = place_of(layout, e)
    if other is None:
        return f(value, row, column) if indices else f(value)
    return f(value, other, row, column) if indices else f(value, other)


@in_kernels_only
def reduce_rows(op: Callable[[Any, Any], Any], c: Any, keepdims: bool = False) -> Any:
    """The elements of each row of a matrix combined by a helper, such as `gp.max`: a workgroup array, one for each row.

    With `keepdims` it is a matrix of one column, held in registers, which operators and `gp.map` take beside c. `op` is
    associative and commutative; in which order elements are combined is open. All invocations of the workgroup must
    reach it. It waits for them twice, but with `keepdims` where a subgroup holds whole rows not at all. The array is
    that of the call, which writes it again in a loop.
    """
    gp.together()
    layout, values = known_layout(c), values_of(c)
    own = values if layout.columns == 1 else own_rows(op, values, layout)
    if not keepdims:
        return in_array(op, own, layout, True)
    column = layout_for(layout.dtype, gp.static((layout.rows, 1)))
    if not gp.static(holds_rows(column, layout)) or not has_whole_rows(layout):
        own = load_rows(in_array(op, own, layout, False), column)
    kept = gp.private_array(layout.dtype, column.count)
    for i in gp.unroll(range(len(kept))):
        kept[i] = own[i]
    return made(column, kept)
