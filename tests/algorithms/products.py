"""Matrices to multiply, and bounds on the error of a product."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]


def matrices(dtype: np.dtype[Any], m: int, k: int, n: int, seed: int = 0) -> tuple[Matrix, Matrix]:
    """An (m, k) and a (k, n) matrix: any bits of integers, so that sums wrap; normal numbers of floats."""
    random = np.random.default_rng([seed, m, k, n])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        left = random.integers(limits.min, limits.max, (m, k), dtype, endpoint=True)
        return left, random.integers(limits.min, limits.max, (k, n), dtype, endpoint=True)
    return random.standard_normal((m, k)).astype(dtype), random.standard_normal((k, n)).astype(dtype)


def assert_is_product(c: Matrix, a: Matrix, b: Matrix) -> None:
    """The whole product: integers exactly, wrapping; f32, f16 and bf16 within the bound of a sum in f32 in any order.

    The bound: k roundings, each of at most 2**-24 of the sum of the absolute products (Higham, Accuracy and Stability
    of Numerical Algorithms, section 3.1). A result of 16 bits is rounded once more.
    """
    assert c.dtype == a.dtype and c.shape == (a.shape[0], b.shape[1])
    if a.dtype.kind in "iu":
        assert np.array_equal(c, a @ b)
        return
    left, right = a.astype(np.float64), b.astype(np.float64)
    want = left @ right
    bound = a.shape[1] * 2.0**-24 * (np.abs(left) @ np.abs(right))
    if a.dtype == np.float16:
        bound += 2.0**-11 * (np.abs(want) + bound) + 2.0**-25
    if a.dtype.name == "bfloat16":
        bound += 2.0**-8 * (np.abs(want) + bound) + 2.0**-134
    error = np.abs(c.astype(np.float64) - want)
    assert (error <= bound).all(), (
        f"the error is {np.max(error - bound)} beyond the bound, at {np.argmax(error - bound)}"
    )
