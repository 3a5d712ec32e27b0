"""Device time between two points of a queue."""

from __future__ import annotations

from collections.abc import Callable

from gpucore.errors import ArgumentError
from gpucore.runtime.protocol import Mark


class Timer:
    """Device time between two points of a queue."""

    def __init__(self, wait: Callable[[Mark], None], elapsed: Callable[[Mark, Mark], float]) -> None:
        self._wait, self._elapsed = wait, elapsed
        self.start: Mark | None = None
        self.end: Mark | None = None

    @property
    def seconds(self) -> float:
        """Seconds of device time; waits for the work in between. ArgumentError before the end of the `with` block."""
        if self.start is None or self.end is None:
            raise ArgumentError("the seconds of a timer are available after the end of its `with` block")
        self._wait(self.start)
        self._wait(self.end)
        return self._elapsed(self.start, self.end)
