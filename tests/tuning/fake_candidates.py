"""Candidates whose time is what they say, and whose output is a copy of the problem, or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gpucore as gp


class Clock:
    """In the place of the module `time`."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def perf_counter(self) -> float:
        """The time of this clock."""
        return self.seconds


class Family:
    """`family(candidate)` copies an array in `candidate.cost` seconds of the clock. `order` has the costs of all calls,
    `calls` their numbers. A candidate with another `kind` is wrong: "off" by one in the last element, "empty", which
    writes nothing, "late": wrong from call `after` on, or "raises"."""

    def __init__(self, clock: Clock, after: int = 1 << 30) -> None:
        self.clock, self.after = clock, after
        self.order: list[float] = []
        self.calls: Counter[float] = Counter()

    def __call__(self, candidate: Any) -> Callable[[gp.Array], gp.Array]:
        kind = getattr(candidate, "kind", "right")

        def run(x: gp.Array) -> gp.Array:
            self.clock.seconds += candidate.cost
            self.order.append(candidate.cost)
            self.calls[candidate.cost] += 1
            if kind == "raises":
                raise gp.LimitError("GP999", "too much workgroup memory")
            made = gp.empty(x.shape, x.dtype, device=x.device)
            if kind != "empty":
                made.set(x)
            if kind == "off" or (kind == "late" and self.calls[candidate.cost] > self.after):
                made[-1] = made[-1] + 1
            return made

        return run
