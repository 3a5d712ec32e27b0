"""Matrices to multiply, and how far whole products are from those in f64."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gpucore.bench.chunks import in_chunks
from gpucore.bench.libraries import HostArray

NORMAL, UNIFORM = "normal", "uniform"
"""Kinds of numbers: of the standard normal distribution, and from 0 to 1."""


_T = TypeVar("_T")


class _Precision(NamedTuple):
    """What rounding to a dtype costs."""

    of_sums: float  # the largest relative error of one operation
    of_results: float = 0.0  # of the rounding of a sum to the dtype, where sums have another
    least: float = 0.0  # absolute error of that, for the smallest results


_PRECISIONS = {
    "f16": _Precision(2.0**-24, 2.0**-11, 2.0**-25), "bf16": _Precision(2.0**-24, 2.0**-8),
    "f32": _Precision(2.0**-24), "f64": _Precision(2.0**-53),
}  # fmt: skip


class Factors:
    """Pairs of matrices by kind of numbers, the same in each run, for the host: f64, or f32 with values that the dtype
    has. `shape` is (m, k, n), after the number of products if there are several.

    The products in f64 are computed by PyTorch where it has a GPU, which takes a hundredth of NumPy's time. Raises
    MemoryError if that GPU lacks memory.
    """

    def __init__(self, dtype: str, shape: tuple[int, ...]) -> None:
        *batches, m, k, n = shape
        self.inner, self._precision = k, _PRECISIONS[dtype]
        self.pairs: dict[str, tuple[HostArray, HostArray]] = {}
        self._exact: dict[str, tuple[Any, Any]] = {}  # the product, and the bound of the error of a sum
        self._wide = _find_wide()
        for number, kind in enumerate((NORMAL, UNIFORM)):
            a, b = (_draw(kind, dtype, (2 * number + which, k), (*batches, *matrix))
                    for which, matrix in enumerate(((m, k), (k, n))))  # fmt: skip
            self.pairs[kind] = a, b
            self._exact[kind] = _with_memory(partial(self._multiply, a, b))

    def _multiply(self, a: HostArray, b: HostArray) -> tuple[Any, Any]:
        x, y = self._wide(a), self._wide(b)
        return x @ y, self.inner * self._precision.of_sums * (abs(x) @ abs(y))

    def error(self, kind: str, result: HostArray) -> float:
        """The largest error of a product, but for its last rounding, in units of k * 2**-24 * (|a| @ |b|), with 2**-53
        for f64: at most 1 for sums of that precision in any order. NaN if it has a number that is not finite.

        The bound: C.-P. Jeannerod and S. M. Rump, "Improved error bounds for inner products in floating-point
        arithmetic" (2013). The product that f64 is compared with has such an error, too.
        """
        exact, bound = self._exact[kind]
        if result.shape != tuple(exact.shape):
            return math.nan
        _, of_results, least = self._precision

        def worst() -> float:
            found = self._wide(result)
            with np.errstate(invalid="ignore"):
                return float(((abs(found - exact) - of_results * abs(found) - least) / bound).max())

        return max(_with_memory(worst), 0.0)  # the first stays if it is NaN


def _draw(kind: str, dtype: str, seed: tuple[int, ...], shape: tuple[int, ...]) -> HostArray:
    wide: type[Any] = np.float64 if dtype == "f64" else np.float32
    numbers = np.empty(math.prod(shape), wide)

    def fill(part: slice) -> None:
        random, count = np.random.default_rng([*seed, part.start]), part.stop - part.start
        drawn = random.standard_normal(count, wide) if kind == NORMAL else random.random(count, wide)
        numbers[part] = _shorten(drawn, dtype)

    for _ in in_chunks(numbers.size, fill):
        pass
    return numbers.reshape(shape)


def _shorten(numbers: HostArray, dtype: str) -> HostArray:
    """Values near these that the dtype has."""
    if dtype == "bf16":
        return (numbers.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return numbers.astype(np.float16) if dtype == "f16" else numbers


def _find_wide() -> Callable[[HostArray], Any]:
    """What makes an array of f64: of PyTorch on a GPU, or of NumPy. Their operators are alike."""
    try:
        torch = import_module("torch")
        if torch.cuda.is_available():
            # In two steps: one would convert on the host.
            return lambda host: torch.from_numpy(np.ascontiguousarray(host)).to("cuda").to(torch.float64)
    except Exception:  # noqa: BLE001 (whatever a library raises that does not work here: `peers` tells it)
        pass
    return lambda host: host.astype(np.float64)


def _with_memory(compute: Callable[[], _T]) -> _T:
    """PyTorch's error for want of memory is no MemoryError."""
    try:
        return compute()
    except RuntimeError as error:
        if type(error).__name__ != "OutOfMemoryError":
            raise
        raise MemoryError("a GPU lacks the memory to compute the product in f64") from None
