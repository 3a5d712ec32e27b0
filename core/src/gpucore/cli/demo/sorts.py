"""The nine sorts of the demo: what is sorted, and one of them on one device."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.random  # here, and not at the first use: an interrupt in the middle of that import is lost
import numpy.typing as npt

from gpucore.algorithms import sort
from gpucore.cli.demo.checks import check_sorted
from gpucore.creation import asarray
from gpucore.device import Device

Values = npt.NDArray[Any]

_LARGE, _LARGE_QUICK = 100_000, 20_000
_LARGE_SIMULATOR, _LARGE_SIMULATOR_QUICK = 5_000, 600  # up to 2048 values take one dispatch
_SHOWN = 5  # values at each end


@dataclass(frozen=True)
class SortDemo:
    """One demo: sorts several arrays of one dtype."""

    number: int
    title: str
    arrays: tuple[Values, ...]
    descending: bool = False


@dataclass(frozen=True)
class SortOutcome:
    """The outcome of one array."""

    given: Values
    result: Values
    first_seconds: float  # wall time of the first run: transfers and compilation included
    device_seconds: float  # device time of the second
    problem: str  # "" for a right result


def make_sorts(is_simulator: bool, quick: bool) -> list[SortDemo]:
    """The nine demos; the large one is smaller on the simulator and with --quick."""
    random = np.random.default_rng(20)
    sizes = (_LARGE_SIMULATOR, _LARGE_SIMULATOR_QUICK) if is_simulator else (_LARGE, _LARGE_QUICK)
    large = random.integers(0, 1 << 32, sizes[quick], dtype=np.uint32)
    example = np.array([42, 7, 999, 1, 500, 33, 87, 250], np.uint32)
    signed = np.array([-5, 10, 0, -100, 42, -(2**31), 2**31 - 1, -1], np.int32)
    thousand = random.permutation(np.linspace(-1000, 1000, 1000, dtype=np.float32))
    cases: list[tuple[str, Sequence[Values], bool]] = [
        ("u32, a small example", [example], False),
        ("i32 with negatives", [signed], False),
        ("f32 with fractions, infinities, NaN and both zeros", [_make_floats()], False),
        ("u32, descending", [example], True),
        ("1,000 shuffled f32", [thousand], False),
        ("i32, descending", [signed], True),
        ("f32, descending", [_make_floats()], True),
        (f"{large.size:,} random u32", [large], False),
        (
            "u32 that is sorted already, and all equal",
            [np.arange(1000, dtype=np.uint32), np.full(1000, 7, np.uint32)],
            False,
        ),
    ]
    return [SortDemo(i, title, tuple(arrays), descending) for i, (title, arrays, descending) in enumerate(cases, 1)]


def _make_floats() -> Values:
    inf, nan = np.inf, np.nan
    return np.array([3.14, -2.5, 0.0, nan, 1e-40, -inf, 2.71, -0.0, inf, -1e30, 0.5, -0.125], np.float32)


def run_sort(device: Device, demo: SortDemo) -> list[SortOutcome]:
    """Sort each array twice: first to check it and time the first run, then to time the device."""
    return [_sort_once(device, values, demo.descending) for values in demo.arrays]


def _sort_once(device: Device, values: Values, descending: bool) -> SortOutcome:
    start = time.perf_counter()
    on_device = asarray(values, device=device)
    first = sort(on_device, descending).numpy()
    first_seconds = time.perf_counter() - start
    with device.timer() as timer:
        second_on_device = sort(on_device, descending)
    second = second_on_device.numpy()
    problem = check_sorted(values, first, descending) or check_sorted(values, second, descending)
    return SortOutcome(values, second, first_seconds, timer.seconds, problem)


def show_values(values: Values) -> str:
    """The first and last values of an array."""
    shown = [f"{value:.6g}" if values.dtype.kind == "f" else str(value) for value in values[: 2 * _SHOWN + 2]]
    if values.size <= 2 * _SHOWN + 2:
        return " ".join(shown)
    last = [f"{value:.6g}" if values.dtype.kind == "f" else str(value) for value in values[-_SHOWN:]]
    return f"{' '.join(shown[:_SHOWN])} ... {' '.join(last)}"
