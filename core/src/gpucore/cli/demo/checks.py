"""Checks of whole results against NumPy. Each check returns "" for a correct result, else the problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_NAN_RANK = 1 << 40


def rank(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The rank of each value in the documented order: -inf ... -0.0 < 0.0 ... inf < every NaN."""
    if values.dtype != np.float32:
        return values.astype(np.int64)
    bits = values.view(np.int32).astype(np.int64)
    ranks = np.where(bits < 0, -(bits & 0x7FFFFFFF) - 1, bits)
    return np.where(np.isnan(values), _NAN_RANK, ranks)


def check_sorted(given: npt.NDArray[Any], result: npt.NDArray[Any], descending: bool) -> str:
    """Whether `result` holds exactly the values of `given`, bit for bit, in order."""
    if result.shape != given.shape or result.dtype != given.dtype:
        return f"the result is {result.dtype} of shape {result.shape}, not {given.dtype} of shape {given.shape}"
    ranks = rank(result)
    steps = np.diff(ranks) if not descending else -np.diff(ranks)
    if (steps < 0).any():
        place = int(np.argmax(steps < 0))
        return f"value {place} is {result[place]!r} and value {place + 1} is {result[place + 1]!r}: out of order"
    wanted, found = (np.sort(array.view(np.uint32)) for array in (given, result))
    if not np.array_equal(wanted, found):
        count = int(np.count_nonzero(wanted != found))
        return f"the result is in order, but is not a permutation of the input: {count} of {given.size} values differ"
    return ""


@dataclass(frozen=True)
class Product:
    """Two square f32 matrices with their product in f64 and the largest error that an f32 product may have.

    The error of a sum of k products, in any order, fused or not, is at most k * 2**-24 * (|a| @ |b|): C.-P. Jeannerod
    and S. M. Rump, "Improved error bounds for inner products in floating-point arithmetic" (2013).
    """

    a: npt.NDArray[np.float32]
    b: npt.NDArray[np.float32]
    reference: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]

    @classmethod
    def random(cls, side: int) -> Product:
        """Matrices of `side` rows with values from -1 to 1, the same at each call."""
        random = np.random.default_rng(side)
        a, b = (random.uniform(-1, 1, (side, side)).astype(np.float32) for _ in range(2))
        wide = a.astype(np.float64), b.astype(np.float64)
        return cls(a, b, wide[0] @ wide[1], side * 2.0**-24 * (np.abs(wide[0]) @ np.abs(wide[1])))

    def worst(self, result: npt.NDArray[Any]) -> float:
        """The largest error in units of the bound: at most 1 for a correct result, NaN if the result contains one."""
        return float(np.max(np.abs(result.astype(np.float64) - self.reference) / self.bound))

    def check(self, result: npt.NDArray[Any]) -> str:
        """Whether every entry of `result` is within the bound."""
        if result.shape != self.reference.shape or result.dtype != np.float32:
            return f"the result is {result.dtype} of shape {result.shape}"
        is_right = np.abs(result.astype(np.float64) - self.reference) <= self.bound  # False for NaN
        if is_right.all():
            return ""
        i, j = np.unravel_index(int(np.argmin(is_right)), is_right.shape)
        wrong = (
            f"entry ({i}, {j}) is {result[i, j]!r}, but should be {self.reference[i, j]:.9g} +- {self.bound[i, j]:.2g}"
        )
        return f"{np.count_nonzero(~is_right)} of {result.size} entries are wrong; {wrong}"
