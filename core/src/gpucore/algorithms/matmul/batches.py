"""Products of arrays of any rank: all matrices of a batch at once by units, and without a finish in tiles whose copies
end later, unless both arrays have axes that are repeated; otherwise one after the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from gpucore.algorithms.matmul import by_units
from gpucore.algorithms.matmul.launches import AUTO, TILES, UNITS, Finishing, queue_batch, queue_nothing, queue_product
from gpucore.array import Array
from gpucore.creation import zeros
from gpucore.errors import ArgumentError
from gpucore.ir import PRECISIONS

PARTS = dict(zip(PRECISIONS, (3, 2, 1), strict=True))
"""By the name of a precision the parts of an f32 that units multiply."""
Shape = tuple[int, ...]
_MOST_RECORDED = 32
"""Matrices of a batch: with more, their launches take as long when they are replayed."""


class Operands:
    """What is multiplied: the shapes of two arrays, of which the last two axes are swapped or not."""

    def __init__(self, a: Shape, b: Shape, transpose_a: bool, transpose_b: bool, variant: str, precision: str) -> None:
        """Raises ArgumentError for shapes that cannot be multiplied."""
        self._transposed, self._variant = (transpose_a, transpose_b), variant
        self._count = PARTS[precision]
        if len(a) < 2 or len(b) < 2:
            fix = "; reshape a vector to a row, x.reshape(1, -1), or to a column, x.reshape(-1, 1)"
            raise ArgumentError(f"matmul takes shapes (..., m, k) and (..., k, n), not {a} and {b}{fix}")
        self._a, self._b = _turned(a, transpose_a), _turned(b, transpose_b)
        if self._a[-1] != self._b[-2]:
            swaps = zip((a, b), self._transposed, strict=True)
            first, second = (f"{shape}{' transposed' if swapped else ''}" for shape, swapped in swaps)
            raise ArgumentError(f"matmul takes shapes (..., m, k) and (..., k, n), not {first} and {second}")
        try:
            self._batch = _broadcast(a[:-2], b[:-2])
        except ValueError:
            raise ArgumentError(
                f"matmul repeats the axes before the last two as NumPy broadcasts, and those of {a} and {b} do not fit"
            ) from None
        self.shape = *self._batch, self._a[-2], self._b[-1]
        is_one = math.prod(self._b[:-2]) == 1 or math.prod(self._batch) <= _MOST_RECORDED
        self.is_repeatable = is_one and self._a[-1] > 0  # few launches, and no store from the host

    def queue(self, a: Array, b: Array, out: Array, finishing: Finishing | None = None) -> None:
        """Queue the product, of whatever arrays of these shapes."""
        if out.size == 0:
            if finishing is not None and finishing.finish.epilogue is not None:
                queue_nothing(zeros((1, 1), out.dtype, device=out.device), finishing.alone())  # a wrong one is an error
            return
        if self._a[-1] == 0:
            queue_nothing(out.reshape(-1, out.shape[-1]), finishing)
            return
        if all(self._by_units(*each, finishing) for each in self._products(a, b, out)):
            return  # the first one decides for all, which have one shape
        a, b = (_swap(x) if swaps else x for x, swaps in zip((a, b), self._transposed, strict=True))
        if math.prod(b.shape[:-2]) == 1:  # the rows of all matrices are those of one
            a = a.reshape(-1, a.shape[-1])
            queue_product(a, b.reshape(b.shape[-2:]), out.reshape(a.shape[0], -1), self._variant, finishing)
            return
        left, right, products = (x.reshape(-1, *x.shape[-2:]) for x in (a, b, out))
        is_plain = finishing is None and self._variant in (AUTO, TILES)
        if (
            is_plain
            and {left.shape[0], right.shape[0]} <= {1, products.shape[0]}
            and queue_batch(left, right, products)
        ):
            return
        for number, (i, j) in enumerate(self._pairs()):
            queue_product(left[i], right[j], products[number], self._variant, finishing)

    def _products(self, a: Array, b: Array, out: Array) -> Iterator[tuple[Array, Array, Array]]:
        """The products as arrays of rank 3: one, unless both arrays have axes that are repeated for the other."""
        left, right, products = (x.reshape(-1, *x.shape[-2:]) for x in (a, b, out))
        if right.shape[0] == 1 and not self._transposed[0]:
            yield left.reshape(1, -1, left.shape[2]), right, products.reshape(1, -1, products.shape[2])
        elif {left.shape[0], right.shape[0]} <= {1, products.shape[0]}:
            yield left, right, products
        else:
            for number, (i, j) in enumerate(self._pairs()):
                yield left[i : i + 1], right[j : j + 1], products[number : number + 1]

    def _by_units(self, a: Array, b: Array, c: Array, finishing: Finishing | None) -> bool:
        """Multiply by the device's units for matrices, all at once; False if it has none, or is faster without them."""
        if self._variant not in (AUTO, UNITS):
            return False
        return by_units.multiply(by_units.Factors(a, b, c, self._transposed), self._variant, self._count, finishing)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """For each matrix of the product, which ones of a and b it is of."""
        for place in itertools.product(*map(range, self._batch)):
            yield _number(place, self._a[:-2]), _number(place, self._b[:-2])


def _turned(shape: Shape, swaps: bool) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if swaps else shape


def _swap(x: Array) -> Array:
    """A copy with the last two axes swapped."""
    return x.transpose(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


def _broadcast(a: Shape, b: Shape) -> Shape:
    """The axes of both. Raises ValueError."""
    longest = max(len(a), len(b))
    pairs = zip((1,) * (longest - len(a)) + a, (1,) * (longest - len(b)) + b, strict=True)
    both = []
    for one, other in pairs:
        if one != other and 1 not in (one, other):
            raise ValueError
        both.append(other if one == 1 else one)
    return tuple(both)


def _number(place: Shape, axes: Shape) -> int:
    """The number of the matrix that is at a place of the batch, in row-major order of axes that are repeated."""
    number = 0
    for index, length in zip(place[len(place) - len(axes) :], axes, strict=True):
        number = number * length + (index if length > 1 else 0)
    return number


__all__ = ["PARTS", "Operands"]
