"""What a case of a benchmark is: one or several rows of a table, at one size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gpucore.bench.libraries import HostArray, Library
from gpucore.tuning.rounds import Timed


class Unit(NamedTuple):
    """The unit of a figure: a time, or a rate."""

    name: str
    size: float  # in seconds, or in what is counted
    is_rate: bool = True  # more is better

    def figure(self, seconds: float, amount: float) -> float:
        """The figure of work of some amount (bytes, keys, operations) that takes some seconds."""
        return amount / seconds / self.size if self.is_rate else seconds / self.size


MICROSECONDS, MILLISECONDS = Unit("us", 1e-6, False), Unit("ms", 1e-3, False)
KEYS, FLOPS, BYTES = Unit("Mkeys/s", 1e6), Unit("GFLOP/s", 1e9), Unit("GB/s", 1e9)

CALL = ", call"
"""What is added to the name of a row for the time of a plain call, which is part of the row."""
Checked = str | Mapping[str, float]
"""The problem of a result that is wrong, or "", or the errors of one that is right, by the kind of its numbers."""
Prepared = tuple[Timed | Mapping[str, Timed], Callable[[], Checked]]
"""What is timed, or several times by what is added to the name of the row, and a check of the whole result."""


@dataclass(frozen=True)
class Case:
    """What is prepared and verified together: a row, or one for each of its times."""

    benchmark: str
    what: str
    size: int
    size_text: str
    unit: Unit
    amount: float  # of what a rate counts, in one run
    inputs: Callable[[int], Any]  # by size; with the expected result where it takes long to compute
    prepare: Callable[[Library, Any], Prepared | None]  # None: the library does not have it
    effort: float  # what the time grows with from size to size
    nbytes: int  # that a library holds at the same time, in about
    moved: float = 0.0  # bytes that are read or written at least: each of the inputs and results once; 0: no share
    limit: float = math.inf  # seconds, where it has less than the others
    is_near: bool = False  # whether libraries of the processor are measured beside other devices of it only


class Sizes(NamedTuple):
    """The sizes of a benchmark: all, those of a short run, and those of the simulator."""

    full: tuple[int, ...]
    quick: tuple[int, ...]
    simulator: tuple[int, ...]
    processor: tuple[int, ...] = ()  # instead of all, of devices that are no GPUs; (): all


def powers(low: int, high: int, step: int = 1) -> tuple[int, ...]:
    """Powers of two, by their exponents."""
    return tuple(1 << exponent for exponent in range(low, high + 1, step))


def describe_power(size: int) -> str:
    """A power of two: "2^20"."""
    return f"2^{size.bit_length() - 1}"


def random_floats(seed: int, *shape: int) -> HostArray:
    """f32 from -1 to 1."""
    return np.random.default_rng(seed).random(shape, dtype=np.float32) * 2 - 1
