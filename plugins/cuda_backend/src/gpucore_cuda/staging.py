"""Large copies between the device and host memory that is not pinned, through pinned memory.

The driver copies such memory with one thread, at a fifth of what the bus can do. Here several threads copy chunks, each
between the host's memory and two pinned buffers of its own in turn, while the device copies the other one. They give up
the GIL only for what takes long: with it given up for each call, threads wait for it most of the time.

Threads are told what to do, and tell that they have done it, by `SimpleQueue`, whose methods are one step for Ctrl-C. A
`Future` of the standard library is not: an interrupt in its methods can leave it locked, and its thread waits for ever.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

LEAST_STAGED = 64 << 10
"""Bytes from which copies go this way: the driver takes fewer into its queue at once."""

_LEAST_SHARED = 4 << 20  # bytes from which several threads copy
_CHUNK, _LEAST_CHUNK = 4 << 20, 512 << 10  # smaller ones cost more in turns of the GIL than they overlap
_MAX_THREADS = 8
_SLOTS = 2  # pinned buffers of a thread


class _Slot:
    """Pinned memory, and the event after its last copy."""

    def __init__(self, driver: Any) -> None:
        self.address, self.event = driver.allocate_pinned(_CHUNK), driver.create_event()
        self.is_used = False


class Staging:
    """The threads and the pinned memory of one device, made at the first use."""

    def __init__(self, driver: Any, context: int) -> None:
        self._driver, self._context = driver, context
        self._quick = driver.keeping_the_gil()
        self._count = min(_MAX_THREADS, _num_processors())
        self._threads: list[Thread] = []
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._slots: dict[int, list[_Slot]] = {}  # by the number of the thread

    def write(self, target: int, host: int, nbytes: int, stream: int) -> None:
        """Queue a copy to the device. Returns once the host's bytes have been read."""

        def run(at: int, count: int, slot: _Slot) -> None:
            self._wait(slot)
            ctypes.memmove(slot.address, host + at, count)
            self._quick.copy_in(target + at, slot.address, count, stream)
            self._mark(slot, stream)

        self._run(nbytes, stream, run, None)

    def read(self, host: int, source: int, nbytes: int, stream: int) -> None:
        """Copy from the device, after the work queued in the stream."""
        pending: dict[int, tuple[int, int]] = {}  # what is on its way to a slot: where to, and the bytes

        def take(slot: _Slot) -> None:
            self._wait(slot)
            place = pending.pop(slot.address, None)
            if place is not None:
                ctypes.memmove(host + place[0], slot.address, place[1])

        def run(at: int, count: int, slot: _Slot) -> None:
            take(slot)
            self._quick.copy_out(slot.address, source + at, count, stream)
            self._mark(slot, stream)
            pending[slot.address] = at, count

        self._run(nbytes, stream, run, take)

    def _wait(self, slot: _Slot) -> None:
        if slot.is_used:
            if not self._quick.is_event_done(slot.event):
                self._driver.wait_for_event(slot.event)
            slot.is_used = False

    def _mark(self, slot: _Slot, stream: int) -> None:
        self._quick.record_event(slot.event, stream)
        slot.is_used = True

    def _run(
        self, nbytes: int, stream: int, run: Callable[[int, int, _Slot], None], end: Callable[[_Slot], None] | None
    ) -> None:
        """Call `run` for each chunk, on the threads. After Ctrl-C, what has not begun is left out."""
        count = self._count if nbytes >= _LEAST_SHARED else 1
        chunk = min(_CHUNK, max(_LEAST_CHUNK, -(-nbytes // (count * _SLOTS) // 4096) * 4096))
        is_cancelled = Event()
        ends: SimpleQueue[BaseException | None] = SimpleQueue()  # what went wrong in each thread

        def work(number: int) -> None:
            self._driver.set_current_context(self._context)
            slots = self._slots_of(number)
            try:
                for turn, at in enumerate(range(number * chunk, nbytes, count * chunk)):
                    if is_cancelled.is_set():
                        break
                    run(at, min(chunk, nbytes - at), slots[turn % _SLOTS])
                if end is not None:
                    for slot in slots:
                        end(slot)
            except BaseException:  # such as Ctrl-C between a copy and its event
                for slot in slots:
                    self._mark(slot, stream)
                raise

        if count == 1:
            work(0)
            return

        def tell(number: int) -> None:
            try:
                work(number)
            except BaseException as problem:  # noqa: BLE001 (raised by the thread that waits)
                ends.put(problem)
            else:
                ends.put(None)

        try:
            self._start_threads()
            for number in range(count):
                self._tasks.put(functools.partial(tell, number))
            for _ in range(count):
                problem = ends.get()
                if problem is not None:
                    raise problem
        except BaseException:
            is_cancelled.set()
            self._end_threads()  # after what they do: it uses memory of the caller
            raise

    def _start_threads(self) -> None:
        if not self._threads:
            self._tasks = SimpleQueue()
            for number in range(self._count):
                name = f"gpucore-cuda-{number}"
                self._threads.append(Thread(target=_work, args=(self._tasks,), name=name, daemon=True))
                self._threads[-1].start()

    def _end_threads(self) -> None:
        """End the threads, after their tasks, also if Ctrl-C comes."""
        while self._threads:
            try:
                for _ in self._threads:
                    self._tasks.put(None)
                for thread in self._threads:
                    if thread.is_alive():
                        thread.join()
                self._threads = []
            except KeyboardInterrupt:
                continue

    def _slots_of(self, number: int) -> list[_Slot]:
        """The pinned buffers of a thread, with the device's context current."""
        if number not in self._slots:
            self._slots[number] = [_Slot(self._driver) for _ in range(_SLOTS)]
        return self._slots[number]

    def close(self) -> None:
        """End the threads, and free the memory, with the device's context current."""
        self._end_threads()
        for slots in self._slots.values():
            for slot in slots:
                self._wait(slot)
                self._driver.destroy_event(slot.event)
                self._driver.free_pinned(slot.address)
        self._slots = {}


def _num_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work(tasks: SimpleQueue[Callable[[], None] | None]) -> None:
    """A thread: runs tasks until it gets None."""
    while (task := tasks.get()) is not None:
        task()
        del task  # which keeps memory of the caller
