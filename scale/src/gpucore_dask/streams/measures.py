"""What a stream did: bytes and seconds of each phase."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

PHASES = ("read", "upload", "compute", "download", "write")


@dataclass(frozen=True)
class Streamed:
    """What `stream_sort` and `stream_matmul` return.

    The phases are "read", "upload", "compute", "download" and "write". The seconds of a copy are those until its end
    was seen, those of "compute" are device time. A sort reads and writes its runs, too, and "read" has the seconds of
    the search for splitters.
    """

    device: str
    """The id of the device."""
    pieces: int
    """How many pieces were computed on the device."""
    nbytes: Mapping[str, int]
    """The bytes of each phase; of "compute", what the device had as input."""
    seconds: Mapping[str, float]
    """The seconds of each phase, which overlap."""
    wall: float
    """The seconds from the first byte to the last one."""

    @property
    def bytes_read(self) -> int:
        return self.nbytes["read"]

    @property
    def bytes_uploaded(self) -> int:
        return self.nbytes["upload"]

    @property
    def bytes_downloaded(self) -> int:
        return self.nbytes["download"]

    @property
    def bytes_written(self) -> int:
        return self.nbytes["write"]

    @property
    def overlap(self) -> float:
        """The seconds of all phases together over the wall time: 1 where one follows the other."""
        return sum(self.seconds.values()) / self.wall if self.wall else 1.0

    def rate(self, phase: str) -> float:
        """GB/s of a phase; 0 if it took no time."""
        return self.nbytes[phase] / self.seconds[phase] / 1e9 if self.seconds[phase] else 0.0

    def __str__(self) -> str:
        lines = [f"{'phase':<10}{'GB':>10}{'s':>10}{'GB/s':>10}"]
        for phase in PHASES:
            lines.append(
                f"{phase:<10}{self.nbytes[phase] / 1e9:>10.3f}{self.seconds[phase]:>10.3f}{self.rate(phase):>10.2f}"
            )
        lines.append(f"{self.device}, {self.pieces} pieces, {self.wall:.3f} s, overlap {self.overlap:.2f}")
        return "\n".join(lines)


class Measures:
    """Bytes and seconds while they add up, from two threads."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance, self._lock = advance, threading.Lock()
        self._nbytes, self._seconds = dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0.0)
        self._start = time.perf_counter()
        self.pieces = 0

    def add(self, phase: str, nbytes: int, seconds: float) -> None:
        """Count a piece of a phase."""
        with self._lock:
            self._nbytes[phase] += nbytes
            self._seconds[phase] += seconds
            if phase == "compute":
                self.pieces += 1
        if phase in ("read", "write"):
            self._advance(nbytes)

    @contextmanager
    def of(self, phase: str, nbytes: int) -> Iterator[None]:
        """Count what a block does as a phase."""
        start = time.perf_counter()
        yield
        self.add(phase, nbytes, time.perf_counter() - start)

    def result(self, device: str) -> Streamed:
        """What was done by now."""
        wall = time.perf_counter() - self._start
        return Streamed(
            device, self.pieces, MappingProxyType(dict(self._nbytes)), MappingProxyType(dict(self._seconds)), wall
        )
