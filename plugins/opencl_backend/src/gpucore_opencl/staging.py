"""Large copies through pinned memory, which a device of its own memory copies faster than the pages of NumPy's arrays.

Threads copy between the caller's memory and a ring of slots; each slot is a copy in the device's queue. On an H100 with
4 threads 30 GB/s, where the driver alone reaches 10 to the device and 15 from it.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore_opencl.queues import Queue

SMALLEST = 1 << 20  # bytes of a copy that goes through slots
_SLOT = 4 << 20  # bytes
_SLOTS = 8
_AHEAD = _SLOTS // 2  # copies from the device in flight while the slots before them are emptied
_THREADS = 4  # more are no faster: the host's memory is the limit then


class _Slot:
    def __init__(self, view: memoryview) -> None:
        self.view = view
        self.event: Any = None  # of the copy between the slot and the device that was queued last
        self.copied: Future[Any] | None = None  # the copy between the slot and the caller's memory

    def make_free(self) -> None:
        """Wait until no copy uses the slot. The driver's wait is short: no kernel is in the queue."""
        copied, self.copied = self.copied, None
        if copied is not None:
            wait([copied])
        event, self.event = self.event, None
        if event is not None:
            event.wait()


class Staging:
    """The slots and threads of a device, made at the first large copy. `allocate` returns pinned memory."""

    def __init__(self, allocate: Callable[[int], memoryview], nbytes: int = _SLOT) -> None:
        self._allocate, self._nbytes = allocate, nbytes
        self._slots: list[_Slot] = []
        self._next = 0
        self._threads: ThreadPoolExecutor | None = None

    def upload(self, queue: Queue, memory: Any, data: memoryview, offset: int) -> None:
        """Copy `data` to byte `offset` of a buffer; it is not needed after the return. No kernel is in the queue."""
        threads = self._start()
        filled: deque[tuple[_Slot, memoryview, int]] = deque()

        def send() -> None:
            slot, part, start = filled.popleft()
            assert slot.copied is not None
            slot.copied.result()
            write = queue._cl._enqueue_write_buffer
            slot.event = queue.newest = write(queue.handle, memory, part, offset + start, None, False)
            queue.handle.flush()

        try:
            for start in range(0, data.nbytes, self._nbytes):
                slot, source = self._take(), data[start : start + self._nbytes]
                part = slot.view[: source.nbytes]
                slot.copied = threads.submit(_copy, part, source)
                filled.append((slot, part, start))
                while filled and (len(filled) == _SLOTS or filled[0][0].copied.done()):  # type: ignore[union-attr]
                    send()
            while filled:
                send()
        finally:  # after an exception too, the caller may change `data`
            self._settle()

    def download(self, queue: Queue, memory: Any, out: memoryview, offset: int) -> None:
        """Fill `out` from byte `offset` of a buffer. No kernel is in the queue."""
        threads = self._start()
        coming: deque[tuple[_Slot, memoryview, memoryview]] = deque()

        def receive() -> None:
            slot, part, target = coming.popleft()
            slot.event.wait()
            slot.copied = threads.submit(_copy, target, part)

        try:
            for start in range(0, out.nbytes, self._nbytes):
                slot, target = self._take(), out[start : start + self._nbytes]
                part = slot.view[: target.nbytes]
                read = queue._cl._enqueue_read_buffer
                slot.event = queue.newest = read(queue.handle, memory, part, offset + start, None, False)
                queue.handle.flush()
                coming.append((slot, part, target))
                if len(coming) == _AHEAD:
                    receive()
            while coming:
                receive()
        finally:  # after an exception too, nothing writes to `out` any more
            self._settle()

    def close(self) -> None:
        """End the threads and give the memory back. No copy uses it any more."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown()
        self._slots = []

    def _start(self) -> ThreadPoolExecutor:
        if self._threads is None:
            ring = self._allocate(_SLOTS * self._nbytes)
            self._slots = [_Slot(ring[i * self._nbytes : (i + 1) * self._nbytes]) for i in range(_SLOTS)]
            self._threads = ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1), "gpucore-opencl")
        return self._threads

    def _take(self) -> _Slot:
        slot = self._slots[self._next]
        self._next = (self._next + 1) % _SLOTS
        slot.make_free()
        return slot

    def _settle(self) -> None:
        """Wait for the threads' copies, each of a few ms."""
        wait([slot.copied for slot in self._slots if slot.copied is not None])


def _copy(target: memoryview, source: memoryview) -> None:
    """Copy bytes without the interpreter's lock. The two are kept until it is done."""
    ctypes.memmove(_address(target), _address(source), target.nbytes)


def _address(view: memoryview) -> int:
    return int(np.frombuffer(view, np.uint8).ctypes.data)
