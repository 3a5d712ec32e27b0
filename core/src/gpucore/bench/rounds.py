"""Timing of several implementations: warmed up, in turn, with medians. The caller verifies the outputs."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

ROUNDS = 20
_LEAST = 3  # rounds, however long they take
_WARMUPS = 3
_SHORT = 5e-3  # seconds

Timed = Callable[[], float]
"""Runs the work once, until it is complete, and returns the seconds."""


def wall_time(work: Callable[[], Any], finish: Callable[[], Any] = lambda: None) -> Timed:
    """Host time from the call of `work` to the end of `finish`."""

    def run() -> float:
        start = time.perf_counter()
        work()
        finish()
        return time.perf_counter() - start

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


def interleave(
    implementations: Mapping[str, Timed], rounds: int = ROUNDS, warmups: int = _WARMUPS, limit: float = math.inf
) -> dict[str, dict[str, float]]:
    """Median, minimum and maximum seconds of each implementation, run in turn, and the number of rounds.

    There are fewer rounds, but at least three after one that warms up, where they take more than `limit` seconds.

    Short work runs once more right before it is measured: a GPU takes 0.2 ms to go on with another API, and the caches
    have what ran last."""
    samples: dict[str, list[float]] = {name: [] for name in implementations}
    last: dict[str, float] = dict.fromkeys(implementations, math.inf)
    start = time.perf_counter()
    for number in range(warmups):
        if number and time.perf_counter() - start > limit / 4:
            break
        last = {name: timed() for name, timed in implementations.items()}
    for number in range(rounds):
        if number >= _LEAST and time.perf_counter() - start > limit:
            break
        for name, timed in implementations.items():
            if last[name] < _SHORT:
                timed()
            samples[name].append(timed())
    return {name: summarise(seconds) for name, seconds in samples.items()}


def summarise(seconds: list[float]) -> dict[str, float]:
    """Median, minimum and maximum of some samples, and their number."""
    return {"median": statistics.median(seconds), "min": min(seconds), "max": max(seconds), "rounds": len(seconds)}
