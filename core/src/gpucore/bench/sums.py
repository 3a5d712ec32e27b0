"""reduce, scan, histogram and compact: algorithms that read each element once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gpucore.bench.case import BYTES, Case, Prepared, describe_power, random_floats
from gpucore.bench.checks import check_bits, check_numbers
from gpucore.bench.libraries import BINS, HostArray, Library


class Given(NamedTuple):
    """Arguments of an operation, and the result."""

    arrays: tuple[HostArray, ...]
    expected: HostArray


def _case(
    benchmark: str, what: str, size: int, moved: float, inputs: Callable[[int], Given], *names: str,
    check: Callable[[HostArray, HostArray], str] = check_bits,
) -> Case:  # fmt: skip
    """A case that runs the first of some operations that a library has."""
    run = partial(prepare_operation, names, check)
    return Case(benchmark, what, size, describe_power(size), BYTES, moved, inputs, run, size, 12 * size, moved)


def prepare_operation(
    names: tuple[str, ...], check: Callable[[HostArray, HostArray], str], library: Library, given: Given
) -> Prepared | None:
    """The first of some operations that a library has, and a check of its result as an array of rank 1."""
    found = next(filter(None, map(library.operations.get, names)), None)
    if found is None:
        return None
    operation, arrays = found, [library.asarray(host) for host in given.arrays]

    def run() -> Any:
        return operation(*arrays)

    return library.device_times(run), lambda: check(np.reshape(library.numpy(run()), -1), given.expected)


# ---------------------------------------------------------------- reduce


def reduce_cases(size: int) -> Iterator[Case]:
    """Sums by a kernel of the benchmarks and by `gp.sum`, and the place of the least element."""
    yield _case("reduce", "sum f32", size, 4 * size, whole_floats, "sum by a kernel", "sum")
    yield _case("reduce", "gp.sum f32", size, 4 * size, whole_floats, "sum")
    yield _case("reduce", "gp.sum u32", size, 4 * size, _uints, "sum u32")
    yield _case("reduce", "gp.argmin f32", size, 4 * size, _floats_with_a_minimum, "argmin", check=check_numbers)


def whole_floats(size: int) -> Given:
    """Whole numbers from -8 to 8: all sums of parts of them are exact in f32, so the order of summation, which each
    library chooses, does not matter."""
    x = np.random.default_rng(7).integers(-8, 9, size, dtype=np.int8).astype(np.float32)
    return Given((x,), x.sum(dtype=np.float64).astype(np.float32).reshape(1))


def _uints(size: int) -> Given:
    x = np.random.default_rng(8).integers(0, 1 << 32, size, dtype=np.uint32)
    return Given((x,), x.sum(dtype=np.uint32, keepdims=True))


def _floats_with_a_minimum(size: int) -> Given:
    """One element is the least: libraries choose different ones of several."""
    x, place = random_floats(9, size), size * 5 // 7
    x[place] = -2.0
    return Given((x,), np.array([place]))


# ---------------------------------------------------------------- scan, histogram, compact


def scan_cases(size: int) -> Iterator[Case]:
    """Sums up to each element, with it and without it."""
    yield _case("scan", "cumsum u32", size, 8 * size, _uints_to_scan, "cumsum")
    yield _case("scan", "exclusive scan u32", size, 8 * size, _uints_to_scan_exclusively, "exclusive scan")


def _uints_to_scan(size: int) -> Given:
    (x,), _ = _uints(size)
    return Given((x,), np.cumsum(x, dtype=np.uint32))


def _uints_to_scan_exclusively(size: int) -> Given:
    (x,), sums = _uints_to_scan(size)
    return Given((x,), sums - x)


def histogram_cases(size: int) -> Iterator[Case]:
    """Counts of numbers below 256: with the range given, and found."""
    for what in ("histogram", "bincount"):
        yield _case("histogram", f"{what} u32, {BINS} bins", size, 4 * size, _small_uints, what, check=check_numbers)


def _small_uints(size: int) -> Given:
    x = np.random.default_rng(10).integers(0, BINS, size, dtype=np.uint8).astype(np.uint32)
    return Given((x,), np.bincount(x, minlength=BINS))


def compact_cases(size: int) -> Iterator[Case]:
    """Every second element on average, and half of all exactly: 4 bytes read, 1 of the mask, 2 written."""
    yield _case("compact", "compact u32, half of them", size, 7 * size, _uints_with_a_mask, "compact")


def _uints_with_a_mask(size: int) -> Given:
    (x,), _ = _uints(size)
    first = np.random.default_rng(11).integers(0, 2, size // 2, dtype=np.uint8) != 0
    mask = np.concatenate([first, ~first])
    return Given((x, mask), x[mask])
