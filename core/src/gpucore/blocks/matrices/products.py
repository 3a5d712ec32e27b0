"""Products of tiles, added to a matrix. The source of the method is that of `gpucore.algorithms.matmul.tiled`."""

from __future__ import annotations

import math

import gpucore.lang as gp
from gpucore.types import f16, f32, f64, i8, i32, u8, u32


def sum_type(dtype):
    """The dtype of the sums of products of a dtype."""
    return {f16: f32, i8: i32, u8: u32}.get(dtype, dtype)


def _rows_at(rows, x, first, layout):
    """The elements of this invocation's rows of x, as many columns from `first` on as `rows` has."""
    top, dtype = gp.local_index() // layout.across, rows.dtype
    for i in gp.unroll(range(rows.shape[0])):
        row = top + i * layout.down
        if rows.shape[1] == 4 and dtype in (f32, i32, u32, f16) and not gp.is_transposed(x):
            vector = gp.vload(x[row], first, 4)
            for k in gp.unroll(range(4)):
                rows[i, k] = vector[k]
        else:
            for k in gp.unroll(range(rows.shape[1])):
                rows[i, k] = x[row, first + k]


def _columns_at(columns, y, row, layout):
    """The elements of this invocation's columns of a row of y."""
    across, width = layout.across, layout.width
    left, dtype = gp.local_index() % across * width, columns.dtype
    for j in gp.unroll(range(0, len(columns), width)):
        start = left + j * across
        if width == 4 and dtype in (f32, i32, u32, f16) and not gp.is_transposed(y):
            vector = gp.vload(y[row], start, 4)
            for q in gp.unroll(range(4)):
                columns[j + q] = vector[q]
        else:
            for q in gp.unroll(range(width)):
                columns[j + q] = y[row, start + q]


def multiply_add(x, y, c):
    """`gp.multiply_add`."""
    assert gp.is_transposed(x) is not None and gp.is_transposed(y) is not None, (
        "a product is one of two tiles: t[i] of t = gp.tiles(...), or its transpose, t[i].T"
    )
    layout = gp.layout_of(c)
    assert x.shape == (layout.rows, y.shape[0]) and y.shape[1] == layout.columns, (
        "the shapes must fit: (m, k) and (k, n) for a matrix of (m, n)"
    )
    assert x.dtype is y.dtype, "both tiles have one dtype"
    dtype, inner = x.dtype, x.shape[1]
    assert gp.static(sum_type(dtype)) is layout.dtype, (
        "the matrix holds the sums: f32 for tiles of f16, i32 for i8, u32 for u8, otherwise the dtype of the tiles"
    )
    own_rows, own_columns = layout.own_rows, layout.own_columns
    values = gp.struct_values(c)
    sums = gp.private_array(layout.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        sums[e] = values[e]
    steps = gp.static(math.gcd(inner, 4))
    for outer in range(gp.static(inner // steps)):
        rows = gp.private_array(x.dtype, gp.static((own_rows, steps)))
        _rows_at(rows, x, outer * steps, layout)
        for k in gp.unroll(range(steps)):
            columns = gp.private_array(x.dtype, own_columns)
            _columns_at(columns, y, outer * steps + k, layout)
            for i in gp.unroll(range(own_rows)):
                for j in gp.unroll(range(own_columns)):
                    a, b, e = layout.dtype(rows[i, k]), layout.dtype(columns[j]), i * own_columns + j
                    sums[e] = gp.fma(a, b, sums[e]) if layout.dtype in (f32, f64) else sums[e] + a * b
    return gp.make_struct(c.dtype, sums)


def add_product(self, x, y):
    """`self + x @ y`."""
    return multiply_add(x, y, self)
