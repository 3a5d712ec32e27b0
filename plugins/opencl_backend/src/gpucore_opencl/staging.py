"""Large copies through pinned memory, which a device of its own memory copies faster than the pages of NumPy's arrays.

Threads copy between the caller's memory and a ring of slots; each slot is a copy in the device's queue. On an H100 with
4 threads 30 GB/s, where the driver alone reaches 10 to the device and 15 from it. Where a device's memory is the
host's, the driver's own copy is best: with PoCL as fast as a copy to mapped memory, or faster.

Threads are told what to do, and tell that they have done it, by `SimpleQueue`, whose methods are one step for Ctrl-C. A
`Future` of the standard library is not: an interrupt in its methods can leave it locked, and its thread waits for ever.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore_opencl.queues import Queue

_SMALLEST = 1 << 20  # bytes of a copy that goes through slots
_SLOT = 4 << 20  # bytes
_SLOTS = 8
_AHEAD = _SLOTS // 2  # copies from the device in flight while the slots before them are emptied
_THREADS = 4  # more are no faster: the host's memory is the limit then


Task = tuple[memoryview, memoryview, "SimpleQueue[BaseException | None]"]
"""Where to copy to, where from, and where to tell the end."""


class _Slot:
    def __init__(self, view: memoryview) -> None:
        self.view = view
        self.event: Any = None  # of the copy between the slot and the device that was queued last
        self._is_used = False  # by a thread, or nobody has waited for it since
        self._ends: SimpleQueue[BaseException | None] = SimpleQueue()  # of the threads' copies: what went wrong

    def copy(self, tasks: SimpleQueue[Task | None], target: memoryview, source: memoryview) -> None:
        """Let a thread copy between the slot and the caller's memory."""
        self._is_used = True
        tasks.put((target, source, self._ends))

    def has_copied(self) -> bool:
        """Whether the thread has ended its copy."""
        return not self._is_used or not self._ends.empty()

    def wait(self) -> None:
        """Wait for the thread's copy."""
        if self._is_used:
            problem = self._ends.get()
            self._is_used = False
            if problem is not None:
                raise problem

    def make_free(self) -> None:
        """Wait until no copy uses the slot. The driver's wait is short: no kernel is in the queue."""
        self.wait()
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
        self._threads: list[Thread] = []
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()

    def takes(self, nbytes: int) -> bool:
        """Whether copies of so many bytes go this way: large ones, if there is pinned memory."""
        return nbytes >= _SMALLEST and (bool(self._slots) or self._start())

    def upload(self, queue: Queue, memory: Any, data: memoryview, offset: int) -> None:
        """Copy `data` to byte `offset` of a buffer; it is not needed after the return."""
        filled: deque[tuple[_Slot, memoryview, int]] = deque()

        def send() -> None:
            slot, part, start = filled.popleft()
            slot.wait()
            slot.event = queue.start_write(memory, part, offset + start)

        with self._closed_after_failure():
            for start in range(0, data.nbytes, self._nbytes):
                slot, source = self._take(), data[start : start + self._nbytes]
                part = slot.view[: source.nbytes]
                slot.copy(self._tasks, part, source)
                filled.append((slot, part, start))
                while filled and (len(filled) == _SLOTS or filled[0][0].has_copied()):
                    send()
            while filled:
                send()

    def download(self, queue: Queue, memory: Any, out: memoryview, offset: int) -> None:
        """Fill `out` from byte `offset` of a buffer."""
        coming: deque[tuple[_Slot, memoryview, memoryview]] = deque()

        def receive() -> None:
            slot, part, target = coming.popleft()
            slot.event.wait()
            slot.copy(self._tasks, target, part)

        with self._closed_after_failure():
            for start in range(0, out.nbytes, self._nbytes):
                slot, target = self._take(), out[start : start + self._nbytes]
                part = slot.view[: target.nbytes]
                slot.event = queue.start_read(memory, part, offset + start)
                coming.append((slot, part, target))
                if len(coming) == _AHEAD:
                    receive()
            while coming:
                receive()
            for slot in self._slots:
                slot.wait()

    def close(self) -> None:
        """End the threads, after their copies, and give the slots back, after those of the device."""
        threads, self._threads = self._threads, []
        _slots, self._slots = self._slots, []  # kept until the end
        for _ in threads:
            self._tasks.put(None)
        for thread in threads:
            if thread.is_alive():
                thread.join()

    def _start(self) -> bool:
        ring = self._allocate(_SLOTS * self._nbytes)
        if ring is None:
            return False
        self._slots = [_Slot(ring[i * self._nbytes : (i + 1) * self._nbytes]) for i in range(_SLOTS)]
        return True

    @contextmanager
    def _closed_after_failure(self) -> Iterator[None]:
        try:
            if not self._threads:
                self._tasks = SimpleQueue()
                for number in range(min(_THREADS, os.cpu_count() or 1)):
                    name = f"gpucore-opencl-{number}"
                    self._threads.append(Thread(target=_work, args=(self._tasks,), name=name, daemon=True))
                    self._threads[-1].start()
            yield
        except BaseException:
            self.close()
            raise

    def _take(self) -> _Slot:
        slot = self._slots[self._next]
        self._next = (self._next + 1) % _SLOTS
        slot.make_free()
        return slot


def _work(tasks: SimpleQueue[Task | None]) -> None:
    """A thread: copies bytes, without the interpreter's lock, until it gets None."""
    while (task := tasks.get()) is not None:
        target, source, ends = task
        problem = None
        try:
            ctypes.memmove(_address(target), _address(source), target.nbytes)
        except Exception as error:  # noqa: BLE001 (raised by the thread that waits)
            problem = error
        del task, target, source  # which are kept until it is done
        ends.put(problem)


def _address(view: memoryview) -> int:
    return int(np.frombuffer(view, np.uint8).ctypes.data)
