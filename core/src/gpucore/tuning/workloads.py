"""What is measured when gpucore's own algorithms are tuned, with checks of whole results."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.algorithms import matmul, sort
from gpucore.array import Array
from gpucore.creation import asarray
from gpucore.device import Device
from gpucore.types import ElementDType, bf16, f32, f64

_ROUNDING: dict[ElementDType, float] = {f32: 2.0**-24, f64: 2.0**-53, bf16: 2.0**-8}  # of a result
PRODUCTS = {"highest": 0.0, "high": 2.0**-15, "fast": 2.0**-7}
"""The error of each product of f32 by precision, beside that of sums in f32: see docs/matmul.md."""


class Workload:
    """Arrays on a device, what is done with them, and the check of a whole result."""

    arrays: tuple[Array, ...]

    def run(self, *arrays: Array) -> Array:
        """The result."""
        raise NotImplementedError

    def check(self, result: Array) -> str:
        """Why the whole result is wrong; "" if it is right."""
        raise NotImplementedError


class Keys(Workload):
    """A sort of random u32."""

    def __init__(self, device: Device, size: int) -> None:
        host = np.random.default_rng(size).integers(0, 1 << 32, size, np.uint32)
        self.arrays = (asarray(host, device=device),)
        self._sorted = np.sort(host)

    def run(self, *arrays: Array) -> Array:
        """The keys in order."""
        (x,) = arrays
        return sort(x)

    def check(self, result: Array) -> str:
        """All keys are those of NumPy."""
        wrong = np.flatnonzero(result.numpy() != self._sorted)
        return f"{wrong.size} of {self._sorted.size} keys are wrong, the first is key {wrong[0]}" if wrong.size else ""


class Product(Workload):
    """A product of matrices with numbers from -1 to 1, and its error bound.

    The error of a sum of k products is at most k * u * (|a| @ |b|), whatever the order: so tiles may differ.
    """

    def __init__(
        self, device: Device, shape: tuple[int, int, int], dtype: ElementDType = f32, precision: str = "highest",
        variant: str = "auto",
    ) -> None:  # fmt: skip
        (m, k, n), rng = shape, np.random.default_rng(shape)
        pairs = (rng.uniform(-1, 1, (m, k)), rng.uniform(-1, 1, (k, n)))
        self.arrays = tuple(asarray(x.astype(np.float32), device=device).astype(dtype) for x in pairs)
        self._precision, self._variant = precision, variant
        a, b = (_wide(array) for array in self.arrays)
        self._exact, sizes = a @ b, np.abs(a) @ np.abs(b)
        summed = 2 * k * _ROUNDING[f64] if dtype is f64 else k * _ROUNDING[f32] + PRODUCTS[precision]
        self._bound = summed * sizes + _ROUNDING[dtype] * np.abs(self._exact)

    def run(self, *arrays: Array) -> Array:
        """The product."""
        a, b = arrays
        return matmul(a, b, precision=self._precision, variant=self._variant)

    def check(self, result: Array) -> str:
        """All numbers are within the bound."""
        is_right = np.abs(_wide(result) - self._exact) <= self._bound  # False for NaN
        if is_right.all():
            return ""
        row, column = np.unravel_index(int(np.argmin(is_right)), is_right.shape)
        return f"{np.count_nonzero(~is_right)} of {result.size} numbers are wrong, the first at ({row}, {column})"


def _wide(array: Array) -> Any:
    return (array.astype(f32) if array.dtype is bf16 else array).numpy().astype(np.float64)


__all__ = ["PRODUCTS", "Keys", "Product", "Workload"]
