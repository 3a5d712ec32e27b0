"""Operators of matrices with matrices of their type and with numbers: element by element."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks import reductions


def combine(op, a, b):
    """`op` of each element of a matrix and that of another, or a number."""
    left, right = gp.struct_values(a), gp.struct_values(b)
    count = len(left)
    if len(right) > 1:
        assert b.dtype is a.dtype, "both matrices have one dtype and one shape"
    values = gp.private_array(gp.layout_of(a).dtype, count)
    for e in gp.unroll(range(count)):
        values[e] = op(left[e], right[e if len(right) > 1 else 0])
    return gp.make_struct(a.dtype, values)


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
