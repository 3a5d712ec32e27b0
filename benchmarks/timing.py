"""Timing of several implementations: warmed up, interleaved, with medians. The caller verifies the outputs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import gpucore as gp

REPEATS = 20
Timed = Callable[[], float]
"""Runs the work once, until it is complete, and returns the seconds."""


def device_time(device: gp.Device, work: Callable[[], Any]) -> Timed:
    """Device time of `work`, which queues kernels on `device`."""

    def run() -> float:
        with device.timer() as timer:
            work()
        return timer.seconds

    return run


def wall_time(work: Callable[[], Any], finish: Callable[[], Any] = lambda: None) -> Timed:
    """Host time from the call of `work` to the end of `finish`."""

    def run() -> float:
        start = time.perf_counter()
        work()
        finish()
        return time.perf_counter() - start

    return run


def torch_time(torch: Any, work: Callable[[], Any]) -> Timed:
    """Device time of PyTorch work on CUDA, by its events."""

    def run() -> float:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        work()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3

    return run


def interleave(
    implementations: Mapping[str, Timed], repeats: int = REPEATS, warmups: int = 3
) -> dict[str, dict[str, float]]:
    """Median, minimum and maximum seconds of each implementation, run in turn."""
    samples: dict[str, list[float]] = {name: [] for name in implementations}
    for round_number in range(warmups + repeats):
        for name, timed in implementations.items():
            seconds = timed()
            if round_number >= warmups:
                samples[name].append(seconds)
    return {
        name: {"median": statistics.median(seconds), "min": min(seconds), "max": max(seconds)}
        for name, seconds in samples.items()
    }
