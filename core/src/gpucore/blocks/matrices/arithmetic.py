"""Operators of matrices with matrices of their type and with numbers: element by element."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.blocks.matrices.rows import beside, columns_of, numbers, wider


def combine(op, a, b):
    """`op` of each element of a matrix and that of another, or a number; of one column the element of the row."""
    of_a, of_b = gp.layout_of(a), gp.layout_of(b)
    wide = gp.static(wider(of_a, of_b))
    assert wide is not None, (
        "both matrices have one dtype and one shape, or one of them has one column and the rows of the other one"
    )
    left, right = beside(a, wide), beside(b, wide)
    of_left, of_right = gp.static((numbers(columns_of(of_a), wide), numbers(columns_of(of_b), wide)))
    values = gp.private_array(wide.dtype, wide.count)
    for e in gp.unroll(range(len(values))):
        values[e] = op(left[of_left[e]], right[of_right[e]])
    return gp.make_struct(a.dtype if gp.static(wide == of_a) else b.dtype, values)


def _difference(x, y):
    return x - y


def _reverse_difference(x, y):
    return y - x


def _product(x, y):
    return x * y


def add(self, other):
    """`self + other`."""
    return combine(reductions.add, self, other)


def add_reflected(self, other):
    """`other + self`."""
    return combine(reductions.add, self, other)


def subtract(self, other):
    """`self - other`."""
    return combine(_difference, self, other)


def subtract_reflected(self, other):
    """`other - self`."""
    return combine(_reverse_difference, self, other)


def multiply(self, other):
    """`self * other`: element by element."""
    return combine(_product, self, other)


def multiply_reflected(self, other):
    """`other * self`."""
    return combine(_product, self, other)


def negate(self):
    """`-self`."""
    return combine(_reverse_difference, self, 0)
