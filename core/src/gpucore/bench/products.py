"""products: matrices of floats of each dtype and precision, squares and other shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gpucore.bench.case import CALL, FLOPS, Case, Checked, Prepared, powers
from gpucore.bench.factors import NORMAL, UNIFORM, Factors
from gpucore.bench.libraries import BACK_TO_BACK, Gpucore, HostArray, Library
from gpucore.tuning.rounds import wall_time

_SQUARES = frozenset({8, 256, *powers(10, 13)})
_OTHER_SHAPES = (
    (64, 512, 512, 512), (1000, 999, 1001), (4095, 4097, 4099), (4096, 64, 4096), (64, 8192, 64),
    (16, 128, 128, 128), (100, 99, 101),  # of short runs
    (7, 9, 5), (2, 4, 6, 9),  # of the simulator
)  # fmt: skip
"""m, k, n, after the number of products if there are several."""
_NARROW = frozenset({"f16", "bf16"})  # what only GPUs multiply fast
_CALLS = 10  # in a graph
_SHORT = 5e-3  # seconds: calls that take longer need no graph
_LIMIT = 0.8  # seconds of a case


@dataclass(frozen=True)
class Way:
    """A dtype, and how gpucore is to multiply it."""

    name: str
    dtype: str
    options: Mapping[str, str] = field(default_factory=dict)
    loss: float = 0.0  # of each product, in units of 2**-24

    def most(self, inner: int, is_gpucore: bool) -> float:
        """The largest error of a right result, in the unit of `Factors.error`."""
        if self.dtype == "f64":
            return 2.0  # that of the product it is compared with, too
        return 1.0 + (self.loss / inner if is_gpucore else 0.0)


WAYS = (
    Way("f16", "f16"), Way("bf16", "bf16"), Way("f32", "f32", loss=2.0),
    Way("f32 high", "f32", {"precision": "high"}, 2.0**9), Way("f32 fast", "f32", {"precision": "fast"}, 2.0**17),
    Way("f32 register_tile", "f32", {"variant": "register_tile"}), Way("f64", "f64"),
)  # fmt: skip


def product_cases(size: int) -> Iterator[Case]:
    """All ways at each shape whose largest number, but for that of products, is the size: the square first."""
    for shape in _shapes(size):
        *batches, m, k, n = shape
        count, text = math.prod(batches), f"{size}" if is_square(shape) else "x".join(map(str, shape))
        operations = 2.0 * math.prod(shape)
        for way in WAYS:
            nbytes = (8 if way.dtype == "f64" else 4) * count * (2 * (m * k + k * n) + m * n)
            yield Case("products", way.name, size, text, FLOPS, operations, _Draw(way.dtype, shape),
                       partial(_prepare, way), operations, nbytes, limit=_LIMIT, is_near=True)  # fmt: skip


def is_square(shape: tuple[int, ...]) -> bool:
    """Whether it is one product of square matrices."""
    return len(shape) == 3 and len({*shape}) == 1


def _shapes(size: int) -> list[tuple[int, ...]]:
    squares = [(size,) * 3] if size in _SQUARES else []
    return squares + [shape for shape in _OTHER_SHAPES if max(shape[-3:]) == size]


@dataclass(frozen=True)
class _Draw:
    """Inputs of a shape: equal for all ways of one dtype, which so have the same."""

    dtype: str
    shape: tuple[int, ...]

    def __call__(self, size: int) -> Factors:
        return Factors(self.dtype, self.shape)


def _prepare(way: Way, library: Library, factors: Factors) -> Prepared | None:
    """The time of a product on the device, of short ones in a graph, and of a plain call in a row.

    What is checked is the result of what is timed: the products of other numbers were in its place before.
    """
    matmul = library.operations.get("matmul")
    if matmul is None or (library.is_waiting and way.dtype in _NARROW):
        return None
    is_gpucore = isinstance(library, Gpucore)
    options = way.options if is_gpucore else {}
    a, b = (_upload(library, host, way.dtype) for host in factors.pairs[NORMAL])
    result = matmul(a, b, **options)

    def work() -> Any:
        return matmul(a, b, out=result, **options)

    work()  # gpucore plans it once more for this result
    is_short = wall_time(work, library.finish)() < _SHORT
    in_a_row = library.device_times(work)[BACK_TO_BACK]
    timed = (library.timed_recorded(work, _CALLS) if is_short else None) or in_a_row

    def check() -> Checked:
        errors = {}
        for kind in (UNIFORM, NORMAL):
            if kind == NORMAL:
                timed()
            else:
                matmul(*(_upload(library, host, way.dtype) for host in factors.pairs[kind]), out=result, **options)
            errors[kind] = factors.error(kind, _download(library, result, way.dtype))
        most = way.most(factors.inner, is_gpucore)
        wrong = [f"{error:.3g} with {kind} numbers" for kind, error in errors.items() if not error <= most]
        return f"the largest error is {', '.join(wrong)}, but should be at most {most:.3g}" if wrong else errors

    return {"": timed, CALL: in_a_row}, check


def _upload(library: Library, host: HostArray, dtype: str) -> Any:
    array = library.asarray(host)
    return library.operations["cast"](array, dtype) if dtype in _NARROW else array


def _download(library: Library, array: Any, dtype: str) -> HostArray:
    return library.numpy(library.operations["cast"](array, "f32") if dtype in _NARROW else array)
