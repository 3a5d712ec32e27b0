"""What the soak watches: Ctrl-C at random moments, memory, file descriptors, threads."""

from __future__ import annotations

import ctypes
import gc
import itertools
import re
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from gpucore.testing.processes import ONE_HEAP, resident_bytes

VARIABLES = {**ONE_HEAP, "PYTHONMALLOC": "malloc"}
"""Of the process that is watched. Python's own allocator keeps each MiB in which one object lives, and tells of no
holes: 62 MB of objects had 86 to 110 MiB. glibc's tells of them."""


class Interrupter:
    """Sends SIGINT to the main thread while it is in a call."""

    def __init__(self) -> None:
        self.delivered = False
        self.swallowed = 0  # raised in a finalizer, where Python reports and drops every exception
        self.half_made: list[str] = []  # other exceptions that were dropped in an interrupted call
        self.others: list[str] = []  # and in others
        signal.signal(signal.SIGINT, self._deliver)
        sys.unraisablehook = self._note

    def _deliver(self, number: int, frame: Any) -> None:
        self.delivered = True
        raise KeyboardInterrupt

    def _note(self, unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            self.swallowed += 1
        else:
            place = self.half_made if self.delivered else self.others
            place.append(f"{unraisable.err_msg} {unraisable.object!r}: {unraisable.exc_value!r}")

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
        gc.collect()  # what was half made by a library: its finalizers may fail
        self.delivered = False
        return is_inside


def _send(delay: float) -> None:
    time.sleep(delay)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


_HEAP = re.compile(r" \[heap\]\n(?:\w+:.*\n)*?Rss: +(\d+) kB")
_OF_FILES = re.compile(r"^RssFile:\s+(\d+) kB", re.MULTILINE)


class _Usage(ctypes.Structure):
    """`struct mallinfo2` of glibc: `uordblks`, bytes in use in its heaps, is the eighth of ten numbers."""

    _fields_ = [("before", ctypes.c_size_t * 7), ("in_use", ctypes.c_size_t), ("after", ctypes.c_size_t * 2)]


def memory_in_use(resident: int) -> int:
    """Resident bytes of this process without pages of files, and without freed memory in glibc's heap; all of
    `resident` where the system tells neither.

    Pages of a driver's libraries come in when they run for the first time. A compiler and Python leave holes of tens
    of MB between allocations that stay, and later allocations fill them. The process has been started with VARIABLES.
    """
    usage = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if usage is None:
        return resident
    usage.restype = _Usage
    files, heap = (
        sum(int(kilobytes) << 10 for kilobytes in pattern.findall(Path(path).read_text(encoding="utf-8")))
        for pattern, path in ((_OF_FILES, "/proc/self/status"), (_HEAP, "/proc/self/smaps"))
    )
    return resident - files - heap + int(usage().in_use) if files and heap else resident


@dataclass(frozen=True)
class Sample:
    seconds: float
    calls: int
    resident: int  # bytes
    in_use: int  # of them
    descriptors: int
    threads: int
    kept: int
    """Bytes that drivers may have kept by now of kernels that were dropped."""


@dataclass
class Resources:
    """Samples of this process."""

    process: psutil.Process = field(default_factory=psutil.Process)
    samples: list[Sample] = field(default_factory=list)

    def take(self, seconds: float, calls: int, kept: int) -> None:
        gc.collect()
        resident, descriptors = resident_bytes() or 0, self.process.num_fds()
        threads, in_use = self.process.num_threads(), memory_in_use(resident)
        self.samples.append(Sample(seconds, calls, resident, in_use, descriptors, threads, kept))

    def seconds(self) -> float:
        """The time of the samples."""
        return self.samples[-1].seconds - self.samples[0].seconds if self.samples else 0.0

    def growth_a_call(self) -> float:
        """Bytes of memory in use for each call, beyond what drivers may keep: the median of the slopes between all
        pairs of samples (Theil and Sen), which a few samples during large operations do not move."""
        slopes = [
            (second.in_use - first.in_use - (second.kept - first.kept)) / (second.calls - first.calls)
            for first, second in itertools.combinations(self.samples, 2)
            if second.calls > first.calls
        ]
        return statistics.median(slopes) if slopes else 0.0

    def problems(self, bytes_a_call: float, least_seconds: float) -> list[str]:
        """What has grown, if the samples are of so many seconds or more. Descriptors and threads: the most of the last
        third is no more than the most before it."""
        third = len(self.samples) // 3
        if third == 0 or self.seconds() < least_seconds:
            return []
        found = []
        if (growth := self.growth_a_call()) > bytes_a_call:
            found.append(f"memory grows by {growth:.0f} bytes a call; the bound is {bytes_a_call:g}")
        for name in ("descriptors", "threads"):
            counts = [getattr(sample, name) for sample in self.samples]
            if max(counts[-third:]) > max(counts[:-third]):
                found.append(f"{name}: up to {max(counts[-third:])} at the end, {max(counts[:-third])} before")
        return found
