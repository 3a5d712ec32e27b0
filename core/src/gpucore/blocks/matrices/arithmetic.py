"""Operators of matrices with matrices of their type and with numbers: element by element."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.blocks.matrices import opaque
from gpucore.blocks.matrices.opaque import made
from gpucore.blocks.matrices.rows import beside, columns_of, numbers, wider


def combine(op, a, b, of_matrix=None, of_number=None):
    """`op` of each element of a matrix and that of another, or a number; of one column the element of the row.
    Cooperative matrices do it themselves, if there is an operation `of_matrix`, or `of_number`."""
    gp.together()
    of_a, of_b = gp.layout_of(a), gp.layout_of(b)
    wide = gp.static(wider(of_a, of_b))
    assert wide is not None, (
        "both matrices have one dtype and one shape, or one of them has one column and the rows of the other one"
    )
    own = of_number if of_b is None else of_matrix
    if of_a.is_opaque and own is not None and gp.static(of_b in (None, of_a)):
        return opaque.combined(own, a, b)
    left, right = beside(a, wide), beside(b, wide)
    of_left, of_right = gp.static((numbers(columns_of(of_a), wide), numbers(columns_of(of_b), wide)))
    values = gp.private_array(wide.dtype, wide.count)
    for e in gp.unroll(range(len(values))):
        values[e] = op(left[of_left[e]], right[of_right[e]])
    return made(wide, values)


def _difference(x, y):
    return x - y


def _reverse_difference(x, y):
    return y - x


def _product(x, y):
    return x * y


def add(self, other):
    """`self + other`."""
    return combine(reductions.add, self, other, opaque.ADD)


def add_reflected(self, other):
    """`other + self`."""
    return combine(reductions.add, self, other)


def subtract(self, other):
    """`self - other`."""
    return combine(_difference, self, other, opaque.SUBTRACT)


def subtract_reflected(self, other):
    """`other - self`."""
    return combine(_reverse_difference, self, other)


def multiply(self, other):
    """`self * other`: element by element."""
    return combine(_product, self, other, of_number=opaque.SCALE)


def multiply_reflected(self, other):
    """`other * self`."""
    return combine(_product, self, other, of_number=opaque.SCALE)


def negate(self):
    """`-self`."""
    gp.together()
    layout, own = gp.layout_of(self), gp.struct_values(self)
    if layout.is_opaque:
        return opaque.combined(opaque.SCALE, self, -1)
    values = gp.private_array(layout.dtype, layout.count)
    for e in gp.unroll(range(len(values))):
        values[e] = -own[e]
    return made(layout, values)
