"""Large copies through pinned memory, which a device of its own memory copies faster than the pages of NumPy's arrays.

Threads copy between the caller's memory and a ring of slots; each slot is a copy in the device's queue. On an H100 with
4 threads 30 GB/s, where the driver alone reaches 10 to the device and 15 from it. Where a device's memory is the
host's, the driver's own copy is best: with PoCL as fast as a copy to mapped memory, or faster.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore_opencl.queues import Queue

_SMALLEST = 1 << 20  # bytes of a copy that goes through slots
_SLOT = 4 << 20  # bytes
_SLOTS = 8
_AHEAD = _SLOTS // 2  # copies from the device in flight while the slots before them are emptied
_THREADS = 4  # more are no faster: the host's memory is the limit then


class _Slot:
    def __init__(self, view: memoryview) -> None:
        self.view = view
        self.event: Any = None  # of the copy between the slot and the device that was queued last
        self.copied: Future[None] | None = None  # the copy between the slot and the caller's memory

    def make_free(self) -> None:
        """Wait until no copy uses the slot. The driver's wait is short: no kernel is in the queue."""
        copied, self.copied = self.copied, None
        if copied is not None:
            wait([copied])
        event, self.event = self.event, None
        if event is not None:
            event.wait()


class Staging:
    """The slots and threads of a device, made at the first large copy.

    `allocate` returns pinned memory, or None; `nbytes` is the size of a slot. The methods are called while no kernel is
    in the queue, by one thread at a time. If a copy ends by an exception, Ctrl-C for example, no thread uses the
    caller's memory any more, and the next copy gets new slots and threads.
    """

    def __init__(self, allocate: Callable[[int], memoryview | None], nbytes: int = _SLOT) -> None:
        self._allocate, self._nbytes = allocate, nbytes
        self._slots: list[_Slot] = []
        self._next = 0
        self._threads: ThreadPoolExecutor | None = None

    def takes(self, nbytes: int) -> bool:
        """Whether copies of so many bytes go this way: large ones, if there is pinned memory."""
        return nbytes >= _SMALLEST and (self._threads is not None or self._start())

    def upload(self, queue: Queue, memory: Any, data: memoryview, offset: int) -> None:
        """Copy `data` to byte `offset` of a buffer; it is not needed after the return."""
        filled: deque[tuple[_Slot, Future[None], memoryview, int]] = deque()

        def send() -> None:
            slot, copied, part, start = filled.popleft()
            copied.result()
            slot.event = queue.start_write(memory, part, offset + start)

        with self._closed_after_failure() as threads:
            for start in range(0, data.nbytes, self._nbytes):
                slot, source = self._take(), data[start : start + self._nbytes]
                part = slot.view[: source.nbytes]
                slot.copied = threads.submit(_copy, part, source)
                filled.append((slot, slot.copied, part, start))
                while filled and (len(filled) == _SLOTS or filled[0][1].done()):
                    send()
            while filled:
                send()

    def download(self, queue: Queue, memory: Any, out: memoryview, offset: int) -> None:
        """Fill `out` from byte `offset` of a buffer."""
        coming: deque[tuple[_Slot, memoryview, memoryview]] = deque()

        def receive() -> None:
            slot, part, target = coming.popleft()
            slot.event.wait()
            slot.copied = threads.submit(_copy, target, part)

        with self._closed_after_failure() as threads:
            for start in range(0, out.nbytes, self._nbytes):
                slot, target = self._take(), out[start : start + self._nbytes]
                part = slot.view[: target.nbytes]
                slot.event = queue.start_read(memory, part, offset + start)
                coming.append((slot, part, target))
                if len(coming) == _AHEAD:
                    receive()
            while coming:
                receive()
            wait([slot.copied for slot in self._slots if slot.copied is not None])

    def close(self) -> None:
        """End the threads, after their copies, and give the slots back, after those of the device."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown()
        self._slots = []

    def _start(self) -> bool:
        ring = self._allocate(_SLOTS * self._nbytes)
        if ring is None:
            return False
        self._slots = [_Slot(ring[i * self._nbytes : (i + 1) * self._nbytes]) for i in range(_SLOTS)]
        self._threads = ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1), "gpucore-opencl")
        return True

    @contextmanager
    def _closed_after_failure(self) -> Iterator[ThreadPoolExecutor]:
        assert self._threads is not None  # `takes` has said so
        try:
            yield self._threads
        except BaseException:
            self.close()
            raise

    def _take(self) -> _Slot:
        slot = self._slots[self._next]
        self._next = (self._next + 1) % _SLOTS
        slot.make_free()
        return slot


def _copy(target: memoryview, source: memoryview) -> None:
    """Copy bytes without the interpreter's lock. The two are kept until it is done."""
    ctypes.memmove(_address(target), _address(source), target.nbytes)


def _address(view: memoryview) -> int:
    return int(np.frombuffer(view, np.uint8).ctypes.data)
