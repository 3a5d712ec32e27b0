"""Operators of matrices with matrices of their type and with numbers: element by element."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.blocks.matrices import opaque
from gpucore.blocks.matrices.opaque import made, values_of


def combine(op, a, b, of_matrix=None, of_number=None):
    """`op` of each element of a matrix and that of another, or a number. Cooperative matrices do it themselves, if
    there is an operation `of_matrix`, or `of_number`."""
    layout, is_number = gp.layout_of(a), gp.layout_of(b) is None
    assert is_number or b.dtype is a.dtype, "both matrices have one dtype and one shape"
    own = of_number if is_number else of_matrix
    if layout.is_opaque and own is not None:
        return opaque.combined(own, a, b)
    left, right = values_of(a), values_of(b)
    count = len(left)
    values = gp.private_array(layout.dtype, count)
    for e in gp.unroll(range(count)):
        values[e] = op(left[e], right[e if len(right) > 1 else 0])
    return made(layout, values)


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
    if gp.layout_of(self).is_opaque:
        return combine(_product, self, -1, of_number=opaque.SCALE)
    return combine(_reverse_difference, self, 0)
