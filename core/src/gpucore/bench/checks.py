"""Checks of whole results against NumPy. Each check returns "" for a correct result, else the problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.bench.chunks import first_problem, in_chunks

_CHUNK = 1 << 22  # elements whose exact values are in memory at the same time
TURNS, TURN_BITS = 64, 7
"""How often `refine` goes on."""
_ROUNDING = 2.0**-24  # the largest relative error of one operation in f32


def check_equal(result: npt.NDArray[Any], expected: npt.NDArray[Any]) -> str:
    """Whether all elements are equal, bit for bit."""
    if result.shape != expected.shape or result.dtype != expected.dtype:
        return f"the result is {_describe(result)}, not {_describe(expected)}"
    if _have_the_same_bits(result, expected):
        return ""
    wrong = np.flatnonzero((result != expected).ravel())
    place = int(wrong[0]) if wrong.size else 0
    return (
        f"{wrong.size} of {result.size} elements are wrong; element {place} is {result.flat[place]!r}, "
        f"but should be {expected.flat[place]!r}"
    )


def _have_the_same_bits(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    words = f"u{one.dtype.itemsize}"
    a, b = (np.ascontiguousarray(values).reshape(-1).view(words) for values in (one, other))
    return all(in_chunks(a.size, lambda part: bool((a[part] == b[part]).all())))


def check_bits(result: npt.NDArray[Any], expected: npt.NDArray[Any]) -> str:
    """Whether all elements are equal, bit for bit, where the library has integers of the other sign."""
    if result.dtype.kind in "iu" and result.dtype.itemsize == expected.dtype.itemsize:
        result = result.view(expected.dtype)
    return check_equal(result, expected)


def check_numbers(result: npt.NDArray[Any], expected: npt.NDArray[Any]) -> str:
    """Whether all integers are equal, whatever their width."""
    if result.dtype.kind not in "iu":
        return f"the result is {_describe(result)}, not of integers"
    return check_equal(result.astype(np.int64), expected.astype(np.int64))


Mixed = tuple[int, int]
"""What tells one collection of keys from another, whatever their order."""


def mix(keys: npt.NDArray[np.uint32]) -> Mixed:
    """The sum, modulo 2**64, and the exclusive or of the hashes of all keys. The hash is the finaliser of SplitMix64:
    G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators" (2014)."""

    def mix_part(part: slice) -> Mixed:
        x = keys[part].astype(np.uint64)
        x += np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x ^= x >> np.uint64(shift)
            x *= np.uint64(factor)
        x ^= x >> np.uint64(31)
        return int(x.sum(dtype=np.uint64)), int(np.bitwise_xor.reduce(x))

    total, parity = 0, 0
    for one, other in in_chunks(keys.size, mix_part):
        total, parity = (total + one) % 2**64, parity ^ other
    return total, parity


def check_order(keys: npt.NDArray[Any]) -> str:
    """Whether no key is less than the one before it."""

    def check(part: slice) -> str:
        first = max(part.start - 1, 0)
        falls = keys[first + 1 : part.stop] < keys[first : part.stop - 1]
        place = first + int(np.argmax(falls)) + 1 if falls.any() else 0
        return f"element {place} is {keys[place]!r}, less than the one before it" if place else ""

    return first_problem(keys.size, check)


def check_pairs(keys: npt.NDArray[Any], sorted_keys: npt.NDArray[Any], places: npt.NDArray[Any]) -> str:
    """Whether the sorted keys are in order, and `places`, which came along, are where each of them was: a permutation
    of all places, in which equal keys may have any order."""
    if sorted_keys.shape != keys.shape or sorted_keys.dtype != keys.dtype or places.shape != keys.shape:
        return f"the result is {_describe(sorted_keys)} and {_describe(places)} for keys that are {_describe(keys)}"
    if problem := check_order(sorted_keys):
        return problem
    seen = np.zeros(keys.size, bool)

    def check(part: slice) -> str:
        own = places[part].astype(np.int64)
        if own.min() < 0 or own.max() >= keys.size:
            return f"a value is {own.min()} or {own.max()}, but should be from 0 to {keys.size - 1}"
        seen[own] = True
        wrong = keys[own] != sorted_keys[part]
        if wrong.any():
            place = part.start + int(np.argmax(wrong))
            return f"element {place} has the value {places[place]}, which is that of another key"
        return ""

    problem = first_problem(keys.size, check)
    return problem or ("" if seen.all() else f"no element has the value {int(np.argmin(seen))}")


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
    """Whether the result is that of `refine` three times: a turn leaves a part of what is missing to 1, and rounds
    numbers up to 1 twice."""
    turns = 3 * TURNS
    exact = 1.0 + (x.astype(np.float64) - 1.0) * (1.0 - 2.0**-TURN_BITS) ** turns
    if result.shape != x.shape or result.dtype != np.float32:
        return f"the result is {_describe(result)}, not {_describe(x)}"
    is_right = np.abs(result - exact) <= 2 * turns * _ROUNDING
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
