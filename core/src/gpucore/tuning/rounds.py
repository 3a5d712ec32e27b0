"""Timing of several implementations: warmed up, in turn, with medians. The caller verifies the outputs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from gpucore.device import Device
from gpucore.runtime.protocol import DeviceKind

ROUNDS = 20
_LEAST = 3  # rounds, however long they take
_WARMUPS = 3
_AT_ONCE = 3.0  # times as slow as the fastest: such work is dropped before the three rounds, if any is
_SHORT = 5e-3  # seconds
_ENOUGH, _LEAST_CALLS, _MOST_CALLS = 5e-3, 3, 20  # seconds and number of calls in a row

Timed = Callable[[], float]
"""Runs the work once, until it is complete, and returns the seconds."""
_Key = TypeVar("_Key")


class Shuffler(Protocol):
    """What `random.Random` has."""

    def shuffle(self, items: list[Any], /) -> None:
        """Put a list in another order."""


def has_clock(device: Device) -> bool:
    """Whether work on a device is timed by the device's clock."""
    return device.kind in (DeviceKind.GPU, DeviceKind.IGPU)


def device_time(device: Device, work: Callable[[], Any], calls: int = 1) -> Timed:
    """Time of work on a device: by its clock if it is a GPU, else by the host's with the wait. With several calls, from
    the start of the first to the end of the last, divided by their number."""
    if not has_clock(device):
        return wall_time(work, device.synchronize, calls)

    def run() -> float:
        with device.timer() as timer:
            for _ in range(calls):
                work()
        return timer.seconds / calls

    return run


def wall_time(work: Callable[[], Any], finish: Callable[[], Any] = lambda: None, calls: int = 1) -> Timed:
    """Host time from the call of `work` to the end of `finish`; with several calls in a row that of each."""

    def run() -> float:
        start = time.perf_counter()
        for _ in range(calls):
            work()
        finish()
        return (time.perf_counter() - start) / calls

    return run


def call_time(work: Callable[[], Any], calls: int, finish: Callable[[], Any]) -> Timed:
    """Host time of each of the `calls` that `work` makes, without the wait for them, which is `finish`."""

    def run() -> float:
        start = time.perf_counter()
        work()
        seconds = (time.perf_counter() - start) / calls
        finish()
        return seconds

    return run


def in_a_row(timed: Callable[[int], Timed]) -> Timed:
    """What `timed` gives for 3 to 20 calls in a row, as many as take 5 ms. The first run finds the number."""
    chosen: list[Timed] = []

    def run() -> float:
        if not chosen:
            calls = int(_ENOUGH / max(timed(1)(), 1e-9))
            chosen.append(timed(max(_LEAST_CALLS, min(calls, _MOST_CALLS))))
        return chosen[0]()

    return run


def interleave(
    implementations: Mapping[_Key, Timed], rounds: int = ROUNDS, warmups: int = _WARMUPS, limit: float = math.inf,
    *, order: Shuffler | None = None, slower: float = math.inf,
) -> dict[_Key, dict[str, float]]:  # fmt: skip
    """Median, minimum and maximum seconds of each implementation, run in turn, and the number of rounds.

    The time of the rounds has a limit in seconds, of which each implementation has an equal share. One that has used
    up its share, after three rounds at least, takes no more part; and it is warmed up once.

    Short work runs once more right before it is measured: a GPU takes 0.2 ms to go on with another API, and the caches
    have what ran last.

    With `order` each round has an order of its own. One whose best time is more than `slower` times the best median is
    dropped after three rounds, or, if it is three times slower than that, after the first.
    """
    samples: dict[_Key, list[float]] = {key: [] for key in implementations}
    last: dict[_Key, float] = dict.fromkeys(implementations, math.inf)
    spent: dict[_Key, float] = dict.fromkeys(implementations, 0.0)
    share = limit / max(len(implementations), 1)
    for number in range(warmups):
        for key, timed in implementations.items():
            if not number or spent[key] <= share / 4:
                start = time.perf_counter()
                last[key] = timed()
                spent[key] += time.perf_counter() - start
    spent = dict.fromkeys(implementations, 0.0)
    remaining = list(implementations)
    for number in range(rounds):
        if order is not None:
            order.shuffle(remaining)
        for key in remaining:
            timed = implementations[key]
            if number < _LEAST or spent[key] <= share:
                start = time.perf_counter()
                if last[key] < _SHORT:
                    timed()
                samples[key].append(timed())
                spent[key] += time.perf_counter() - start
        if slower < math.inf:
            allowed = slower * (1.0 if number + 1 >= _LEAST else _AT_ONCE)
            most = allowed * min(summarise(samples[key])["median"] for key in remaining)
            remaining = [key for key in remaining if min(samples[key]) <= most]
    return {key: summarise(seconds) for key, seconds in samples.items()}


def summarise(seconds: list[float]) -> dict[str, float]:
    """Median, minimum and maximum of some samples, and their number."""
    ordered, middle = sorted(seconds), len(seconds) // 2
    median = ordered[middle] if len(seconds) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return {"median": median, "min": ordered[0], "max": ordered[-1], "rounds": len(seconds)}
