"""sort: keys of u32, keys with values, and other distributions of keys than random ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.bench.case import KEYS, Case, Prepared, describe_power, powers
from gpucore.bench.checks import check_equal, check_order, check_pairs, mix
from gpucore.bench.chunks import in_chunks
from gpucore.bench.libraries import HostArray, Library
from gpucore.tuning.rounds import wall_time

ON_THE_DEVICE, OF_PAIRS = "sort u32 on the device", "sort pairs of u32 on the device"
FROM_NUMPY, OF_A_DISTRIBUTION = "sort u32 from NumPy to NumPy", "sort u32, "
_COPIED = powers(8, 26, 2)  # sizes from NumPy to NumPy
_DISTRIBUTED = (1 << 18, 1 << 20, 1 << 24, 1 << 27)  # sizes of distributions
_MOST_PAIRS = 1 << 28
_MOST_COMPARED = 1 << 24  # keys that NumPy sorts, too
_MOST_RECORDED = 1 << 20  # keys: a graph keeps the results of its calls
_FEW = 16  # values
_ZIPF_BITS = 16

UInts = npt.NDArray[np.uint32]


class Keys:
    """Keys, and what their sort must be: NumPy's result, or the hashes of large arrays."""

    def __init__(self, keys: UInts) -> None:
        self.keys = keys
        self._sorted = np.sort(keys) if keys.size <= _MOST_COMPARED else None
        self._mixed = mix(keys) if self._sorted is None else None

    def check(self, result: HostArray) -> str:
        """Whether the result has the same keys, in order."""
        if self._sorted is not None:
            return check_equal(result, self._sorted)
        if result.shape != self.keys.shape or result.dtype != np.uint32:
            return f"the result is {result.dtype} of shape {result.shape}, not uint32 of shape {self.keys.shape}"
        return check_order(result) or ("" if mix(result) == self._mixed else "it has other keys than the array")


def sort_cases(size: int) -> Iterator[Case]:
    """Keys and pairs, each with several times; at some sizes also from NumPy to NumPy, and distributions."""
    make = partial(
        Case, "sort", size=size, size_text=describe_power(size), unit=KEYS, amount=size, effort=size * math.log2(size)
    )
    yield make(ON_THE_DEVICE, inputs=_random, prepare=_prepare_times, nbytes=16 * size, moved=8 * size)
    if size <= _MOST_PAIRS:
        yield make(OF_PAIRS, inputs=_random, prepare=_prepare_pairs, nbytes=32 * size, moved=16 * size)
    if size in _COPIED:
        yield make(FROM_NUMPY, inputs=_random, prepare=_prepare_copied, nbytes=16 * size)
    if size in _DISTRIBUTED:
        for name, draw in DISTRIBUTIONS.items():
            yield make(f"{OF_A_DISTRIBUTION}{name}", inputs=partial(_distributed, draw), prepare=_prepare_sort,
                       nbytes=16 * size, moved=8 * size)  # fmt: skip


# ---------------------------------------------------------------- keys


def _fill(size: int, draw: Callable[[np.random.Generator, slice], UInts]) -> UInts:
    """Keys that are drawn in chunks, the same in each run."""
    keys = np.empty(size, np.uint32)

    def fill(part: slice) -> None:
        keys[part] = draw(np.random.default_rng([4, part.start]), part)

    for _ in in_chunks(size, fill):
        pass
    return keys


def _draw_random(random: np.random.Generator, part: slice) -> UInts:
    keys: UInts = random.integers(0, 1 << 32, part.stop - part.start, dtype=np.uint32)
    return keys


def _draw_few(random: np.random.Generator, part: slice) -> UInts:
    keys: UInts = random.integers(0, _FEW, part.stop - part.start, dtype=np.uint32) * np.uint32((1 << 32) // _FEW + 1)
    return keys


def _draw_zipf(random: np.random.Generator, part: slice) -> UInts:
    """A number k from 1 to 2**16 - 1 about as often as 1 / k."""
    keys: UInts = np.exp(random.random(part.stop - part.start) * (_ZIPF_BITS * math.log(2))).astype(np.uint32)
    return keys


def _draw_sorted(random: np.random.Generator, part: slice) -> UInts:
    return np.arange(part.start, part.stop, dtype=np.uint32)


def _draw_equal(random: np.random.Generator, part: slice) -> UInts:
    return np.full(part.stop - part.start, 0x9E3779B9, np.uint32)


DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, slice], UInts]] = {
    "sorted": _draw_sorted, "all equal": _draw_equal, f"{_FEW} values": _draw_few,
    f"Zipf's law in {_ZIPF_BITS} bits": _draw_zipf,
}  # fmt: skip
"""Keys that are not random numbers of 32 bits."""


def _random(size: int) -> Keys:
    return Keys(_fill(size, _draw_random))


def _distributed(draw: Callable[[np.random.Generator, slice], UInts], size: int) -> Keys:
    return Keys(_fill(size, draw))


# ---------------------------------------------------------------- what is timed


def _prepare_sort(library: Library, inputs: Keys) -> Prepared | None:
    found = _prepare(library, inputs)
    return found and (library.timed(found[0]), found[1])


def _prepare_times(library: Library, inputs: Keys) -> Prepared | None:
    found = _prepare(library, inputs)
    return found and (library.times(found[0], inputs.keys.size <= _MOST_RECORDED), found[1])


def _prepare(library: Library, inputs: Keys) -> tuple[Callable[[], Any], Callable[[], str]] | None:
    sort = library.operations.get("sort")
    if sort is None:
        return None
    keys = library.asarray(library.encode(inputs.keys))
    return lambda: sort(keys), lambda: inputs.check(library.decode(library.numpy(sort(keys))))


def _prepare_copied(library: Library, inputs: Keys) -> Prepared | None:
    sort = library.operations.get("sort")
    if sort is None or not library.has_memory:
        return None
    keys = library.encode(inputs.keys)

    def run() -> HostArray:
        return library.numpy(sort(library.operand(keys)))

    return wall_time(run), lambda: inputs.check(library.decode(run()))


def _prepare_pairs(library: Library, inputs: Keys) -> Prepared | None:
    sort = library.operations.get("sort pairs")
    if sort is None:
        return None
    keys = library.asarray(library.encode(inputs.keys))
    values = library.asarray(np.arange(inputs.keys.size, dtype=np.uint32))

    def check() -> str:
        sorted_keys, places = map(library.numpy, sort(keys, values))
        return check_pairs(inputs.keys, library.decode(sorted_keys), places)

    return library.times(lambda: sort(keys, values), inputs.keys.size <= _MOST_RECORDED), check
