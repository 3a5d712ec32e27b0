"""Products of tiles, added to a matrix. The source of the method is that of `gpucore.algorithms.matmul.tiled`."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import gpucore.lang as gp
from gpucore.blocks.matrices.doubles import add_doubles
from gpucore.blocks.matrices.opaque import add_tiles, known_layout
from gpucore.blocks.matrices.places import (
    column_offset,
    first_column,
    first_column_of_subgroup,
    first_row,
    first_row_of_subgroup,
    row_offset,
)
from gpucore.blocks.matrices.rounded import STEP, add_rounded
from gpucore.ir import GROUP_INPUTS, MATRIX_INPUTS, PRECISIONS, Capability, MatrixInputs, matrix_capability
from gpucore.lang.outside import in_kernels_only
from gpucore.types import DType, bf16, f16, f32, f32x4, f64, i8, i32, i32x4, u8, u32, u32x2, u32x4

if TYPE_CHECKING:
    from gpucore.blocks.matrices.layout import MatrixLayout

VECTORS = (f32, i32, u32, f16)
"""The dtypes of which there are vectors."""


_OF_FOUR = MappingProxyType({f32: f32x4, i32: i32x4, u32: u32x4})


def sum_type(dtype: Any) -> Any:
    """The dtype of the sums of products of a dtype, in kernels and on the host."""
    return f32 if dtype in (f16, bf16) else i32 if dtype is i8 else u32 if dtype is u8 else dtype


def _load_rows(rows, x, first, layout):
    """The elements of this invocation's rows of x, as many columns from `first` on as `rows` has."""
    for i in gp.unroll(range(rows.shape[0])):
        row = first_row(layout) + row_offset(layout, i)
        if rows.shape[1] == 4 and rows.dtype in VECTORS and not gp.is_transposed(x):
            vector = gp.vload(x[row], first, 4)
            for k in gp.unroll(range(4)):
                rows[i, k] = vector[k]
        else:
            for k in gp.unroll(range(rows.shape[1])):
                rows[i, k] = x[row, first + k]


def _load_columns(columns, y, row, layout):
    """The elements of this invocation's columns of a row of y."""
    left, width = first_column(layout), layout.width
    for j in gp.unroll(range(0, len(columns), width)):
        column = left + column_offset(layout, j)
        if width > 1 and columns.dtype in VECTORS and not gp.is_transposed(y):
            vector = gp.vload(y[row], column, width)
            for q in gp.unroll(range(width)):
                columns[j + q] = vector[q]
        else:
            for q in gp.unroll(range(width)):
                columns[j + q] = y[row, column + q]


def _add_by_registers(sums, x, y, layout):
    """Add x @ y to the elements of this invocation, which loads its rows and columns."""
    own_rows, own_columns, inner = layout.own_rows, layout.own_columns, x.shape[1]
    steps = gp.static(math.gcd(inner, 4))
    for outer in range(gp.static(inner // steps)):
        rows = gp.private_array(x.dtype, (own_rows, steps))
        _load_rows(rows, x, outer * steps, layout)
        for k in gp.unroll(range(steps)):
            columns = gp.private_array(x.dtype, own_columns)
            _load_columns(columns, y, outer * steps + k, layout)
            for i in gp.unroll(range(own_rows)):
                for j in gp.unroll(range(own_columns)):
                    a, b, e = layout.dtype(rows[i, k]), layout.dtype(columns[j]), gp.static(layout.number(i, j))
                    sums[e] = gp.fma(a, b, sums[e]) if layout.dtype in (f32, f64) else sums[e] + a * b


def _load_left(x, row, k, words):
    """A fragment of 16 rows of x from a row on, and 32 bytes of each from k on. `words`: elements of 16 bytes."""
    lane = gp.subgroup_invocation_id()
    if gp.is_transposed(x):
        return gp.load_fragments(x.T[k + lane // 16 * 8 + lane % 8], row + lane // 8 % 2 * 8, True)
    return gp.load_fragments(x[row + lane % 16], k + lane // 16 * words, False)


def _load_right(y, k, column, words):
    """Fragments of 16 columns of y from a column on, and 32 bytes of each from k on: of the first 8, and the others."""
    lane = gp.subgroup_invocation_id()
    if gp.is_transposed(y):
        both = gp.load_fragments(y.T[column + lane // 16 * 8 + lane % 8], k + lane // 8 % 2 * words, False)
    else:
        both = gp.load_fragments(y[k + lane % 16], column + lane // 16 * 8, True)
    return both.xy, both.zw


def private_fragments(layout):
    """Two halves of fragments of a subgroup's rows and columns: for what is multiplied, and what is loaded."""
    down, across = gp.static((layout.own_rows // 2, layout.own_columns // 2))
    return gp.private_array(u32x4, (2, down)), gp.private_array(u32x2, (2, across))


def load_step(lefts, rights, half, x, y, k, layout):
    """Load the fragments of this subgroup to a half of `private_fragments`: of 32 bytes of each row from k on."""
    words, top, left = 16 // x.dtype.itemsize, first_row_of_subgroup(layout), first_column_of_subgroup(layout)
    for j in gp.unroll(range(0, rights.shape[1], 2)):
        rights[half, j], rights[half, j + 1] = _load_right(y, k, left + 8 * j, words)
    for i in gp.unroll(range(lefts.shape[1])):
        lefts[half, i] = _load_left(x, top + row_offset(layout, 2 * i), k, words)


def multiply_step(sums, lefts, rights, half, dtype, layout):
    """Add the products of the fragments of a half, which are of tiles of a dtype."""
    inputs, vector, across = gp.static((MATRIX_INPUTS[dtype.ir_type], _OF_FOUR[layout.dtype], layout.own_columns // 2))
    for i in gp.unroll(range(lefts.shape[1])):
        for j in gp.unroll(range(across)):
            e = gp.static((i * across + j) * 4)
            before = vector(sums[e], sums[e + 1], sums[e + 2], sums[e + 3])
            after = gp.multiply_fragments(inputs, lefts[half, i], rights[half, j], before)
            for q in gp.unroll(range(4)):
                sums[e + q] = after[q]


def _add_by_units(sums, x, y, layout):
    """Add x @ y to the fragments of this subgroup."""
    dtype, inner, (lefts, rights) = x.dtype, x.shape[1], private_fragments(layout)
    step = gp.static(32 // dtype.itemsize)
    for k in gp.unroll(range(-step, inner, step)):
        ahead, now = gp.static((k // step + 1) % 2), gp.static(k // step % 2)
        if k + step < inner:  # while these are on their way, the products of those before are computed
            load_step(lefts, rights, ahead, x, y, k + step, layout)
        if k >= 0:
            multiply_step(sums, lefts, rights, now, dtype, layout)


def _add_by_groups(sums, x, y, layout):
    """Add x @ y to the block of this group, of four subgroups, which reads the tiles itself."""
    dtype, row = x.dtype, gp.subgroup_id() // 4 // layout.across * layout.block[0]
    inputs = gp.static(MATRIX_INPUTS[dtype.ir_type])
    for i in gp.unroll(range(gp.static(layout.block[0] // 64))):
        first = gp.static(i * layout.block[1] // 2)
        gp.multiply_group(sums, first, inputs, x, row + 64 * i, y, first_column_of_subgroup(layout), layout.block[1])
    gp.wait_for_group(sums)


def _is_multiplied(dtype: DType, inner: int, transposed: tuple[bool, bool]) -> bool:
    """Whether units multiply two tiles, of which each may be transposed: of bytes only rows of x with columns of y."""
    if dtype.ir_type not in MATRIX_INPUTS or inner % (32 // dtype.itemsize) != 0:
        return False
    return dtype.itemsize > 1 or transposed == (False, True)


def _capability_for(dtype: DType) -> Capability:
    """What a device has whose units multiply tiles of a dtype."""
    inputs = MATRIX_INPUTS.get(dtype.ir_type)
    return Capability.MATRIX_UNITS if inputs is None else matrix_capability(inputs)


def multiplies_fragments(dtype, layout):
    """Whether subgroups multiply tiles of a dtype by `multiply_step`, of any of which one may be transposed."""
    is_possible = gp.static(dtype.itemsize == 2 and dtype.ir_type in MATRIX_INPUTS and not layout.is_groups)
    return is_possible and layout.is_fragments and gp.target.has(gp.static(_capability_for(dtype)))


def multiplies_rounded():
    """Whether the device has units for f32 in 11 bits of significand."""
    return gp.target.has(gp.static(matrix_capability(MatrixInputs.TF32)))


def is_of_groups(dtype: DType) -> bool:
    """Whether groups multiply tiles of a dtype, where a device has them."""
    return MATRIX_INPUTS.get(dtype.ir_type) in GROUP_INPUTS


def _fits_groups(layout: MatrixLayout, dtype: DType, panels: tuple[int, int]) -> bool:
    """Whether groups multiply two tiles that units do."""
    return layout.is_groups and is_of_groups(dtype) and all(panels)


@in_kernels_only
def multiply_add(x: Any, y: Any, c: Any, precision: str = "highest") -> Any:
    """`x @ y + c` for tiles x of (m, k) and y of (k, n), or transposes of tiles, and a matrix c of (m, n).

    The tiles have one dtype, and c that of the sums: f32 for f16 and bf16, i32 for i8, u32 for u8, otherwise theirs.
    The error of a sum of floats is at most 2 k 2**-24 (|x| @ |y|) for f32; the order of the additions is open. All
    invocations of the workgroup must reach it, after the tiles were copied (`gp.copy_wait`) or written and ordered by
    `gp.barrier`.

    `precision` is for tiles of f32 on devices whose units multiply them (`device.matrix(gp.f32, "high")`): "high", with
    an error of 2**-19 of each product more, for magnitudes from 2**-102 to 3.4e38 and 0, with NaN for an infinity;
    "fast", with 2**-10. "highest" is without units, and so are all precisions on other devices.
    """
    gp.together(x, y)
    assert gp.is_transposed(x) is not None and gp.is_transposed(y) is not None, (
        "a product is one of two tiles: t[i] of t = gp.tiles(...), or its transpose, t[i].T"
    )
    layout = known_layout(c)
    assert x.shape == (layout.rows, y.shape[0]) and y.shape[1] == layout.columns, (
        "the shapes must fit: (m, k) and (k, n) for a matrix of (m, n)"
    )
    assert x.dtype is y.dtype, "both tiles have one dtype"
    dtype = x.dtype
    assert gp.static(sum_type(dtype)) is layout.dtype, (
        "the matrix holds the sums: f32 for tiles of f16 and bf16, i32 for i8, u32 for u8, otherwise the dtype of the "
        "tiles"
    )
    assert precision in PRECISIONS, "the precision is 'highest', 'high' or 'fast'"
    assert precision == "highest" or dtype is f32, "a precision other than 'highest' is for tiles of f32"
    if layout.is_opaque:
        return add_tiles(x, y, c)
    values = gp.struct_values(c)
    sums = gp.private_array(layout.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        sums[e] = values[e]
    inner, transposed = x.shape[1], (gp.is_transposed(x), gp.is_transposed(y))
    is_whole = gp.static(layout.is_fragments and layout.columns > 1 and inner % STEP == 0)
    if precision != "highest" and is_whole and multiplies_rounded():
        add_rounded(sums, x, y, layout, precision)
        return gp.make_struct(c.dtype, sums)
    panels, has_units = (gp.panel_bytes(x), gp.panel_bytes(y)), gp.target.has(gp.static(_capability_for(dtype)))
    is_fit = gp.static(layout.is_fragments and layout.columns > 1 and _is_multiplied(dtype, inner, transposed))
    if not (has_units and is_fit):
        _add_by_registers(sums, x, y, layout)
    elif gp.static(_fits_groups(layout, dtype, panels)):
        _add_by_groups(sums, x, y, layout)
    elif dtype is f64:
        add_doubles(sums, x, y, layout)
    else:
        _add_by_units(sums, x, y, layout)
    return gp.make_struct(c.dtype, sums)


def add_product(self, x, y):
    """`self + x @ y`."""
    return multiply_add(x, y, self)
