"""What the soak watches: Ctrl-C at random moments, memory, file descriptors, threads."""

from __future__ import annotations

import gc
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import psutil


class Interrupter:
    """Sends SIGINT to the main thread while it is in a call."""

    def __init__(self) -> None:
        self.delivered = False
        self.swallowed = 0  # raised in a finalizer, where Python reports and drops every exception
        self.others: list[str] = []  # other exceptions that were dropped
        signal.signal(signal.SIGINT, self._deliver)
        sys.unraisablehook = self._note

    def _deliver(self, number: int, frame: Any) -> None:
        self.delivered = True
        raise KeyboardInterrupt

    def _note(self, unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            self.swallowed += 1
        else:
            self.others.append(f"{unraisable.err_msg} {unraisable.object!r}: {unraisable.exc_value!r}")

    def interrupt(self, call: Callable[[], object], delay: float) -> bool:
        """Call, with SIGINT after a delay. Returns whether the call was interrupted; a signal that comes before or
        after it is caught, too."""
        self.delivered = is_inside = False
        sender = threading.Thread(target=_send, args=(delay,), daemon=True)
        try:
            sender.start()
            is_inside = True
            call()
            is_inside = False
            while not self.delivered:
                time.sleep(1e-4)
        except KeyboardInterrupt:
            pass
        sender.join()
        return is_inside


def _send(delay: float) -> None:
    time.sleep(delay)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@dataclass
class Resources:
    """Samples of this process: seconds, calls, resident bytes, file descriptors, threads."""

    process: psutil.Process = field(default_factory=psutil.Process)
    samples: list[tuple[float, int, int, int, int]] = field(default_factory=list)

    def take(self, seconds: float, calls: int) -> None:
        gc.collect()
        with self.process.oneshot():
            self.samples.append((
                seconds, calls, self.process.memory_info().rss, self.process.num_fds(), self.process.num_threads()
            ))  # fmt: skip

    def growth_a_call(self) -> float:
        """Bytes of resident memory for each call: the median of the slopes between all pairs of samples (Theil and
        Sen), which a few samples during large operations do not move."""
        slopes = [
            (second[2] - first[2]) / (second[1] - first[1])
            for number, first in enumerate(self.samples)
            for second in self.samples[number + 1 :]
            if second[1] > first[1]
        ]
        return statistics.median(slopes) if slopes else 0.0

    def problems(self, bytes_a_call: float) -> list[str]:
        """What has grown. Descriptors and threads: the most of the last third is no more than the most before it."""
        third = len(self.samples) // 3
        if third == 0:
            return []
        found = []
        if (growth := self.growth_a_call()) > bytes_a_call:
            found.append(f"memory grows by {growth:.0f} bytes a call; the bound is {bytes_a_call:g}")
        for place, name in ((3, "file descriptors"), (4, "threads")):
            counts = [sample[place] for sample in self.samples]
            if max(counts[-third:]) > max(counts[:-third]):
                found.append(f"{name}: up to {max(counts[-third:])} at the end, {max(counts[:-third])} before")
        return found
