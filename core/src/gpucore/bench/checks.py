"""Checks of whole results against NumPy. Each check returns "" for a correct result, else the problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_CHUNK = 1 << 22  # elements whose exact values are in memory at the same time
TURNS = 64
"""How often `refine` goes on."""
_ROUNDING = 2.0**-24  # the largest relative error of one operation in f32


def check_equal(result: npt.NDArray[Any], expected: npt.NDArray[Any]) -> str:
    """Whether all elements are equal, bit for bit."""
    if result.shape != expected.shape or result.dtype != expected.dtype:
        return f"the result is {_describe(result)}, not {_describe(expected)}"
    if result.tobytes() == expected.tobytes():
        return ""
    wrong = np.flatnonzero((result != expected).ravel())
    place = int(wrong[0]) if wrong.size else 0
    return (
        f"{wrong.size} of {result.size} elements are wrong; element {place} is {result.flat[place]!r}, "
        f"but should be {expected.flat[place]!r}"
    )


def check_axpy(a: float, x: npt.NDArray[Any], y: npt.NDArray[Any], result: npt.NDArray[Any], times: int = 1) -> str:
    """Whether the result is y + a * x, added `times` times: each adds at most two roundings in f32."""
    if result.shape != y.shape or result.dtype != np.float32:
        return f"the result is {_describe(result)}, not {_describe(y)}"
    for first in range(0, y.size, _CHUNK):
        part = slice(first, first + _CHUNK)
        added = times * a * x[part].astype(np.float64)
        exact = y[part] + added
        bound = (times + 1) * _ROUNDING * (np.abs(added) + np.abs(y[part])) + 2.0**-126
        is_right = np.abs(result[part] - exact) <= bound  # False for NaN
        if not is_right.all():
            place = int(np.argmin(is_right))
            return f"element {first + place} is {result[first + place]!r}, but should be {exact[place]:.9g}"
    return ""


def check_loop(x: npt.NDArray[Any], result: npt.NDArray[Any]) -> str:
    """Whether the result is that of `refine` three times, each of whose turns rounds twice."""
    exact = x.astype(np.float64)
    for _ in range(3 * TURNS):
        exact = exact * 0.5 + 1.0
    if result.shape != x.shape or result.dtype != np.float32:
        return f"the result is {_describe(result)}, not {_describe(x)}"
    is_right = np.abs(result - exact) <= 8 * _ROUNDING  # errors are halved at each turn, and values are below 2
    if is_right.all():
        return ""
    place = int(np.argmin(is_right))
    return f"element {place} is {result[place]!r}, but should be {exact[place]:.9g}"


def _describe(values: npt.NDArray[Any]) -> str:
    return f"{values.dtype} of shape {values.shape}"


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
