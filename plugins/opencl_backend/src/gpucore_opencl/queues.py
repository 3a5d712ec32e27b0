"""One in-order command queue: what is queued in it, and copies in which no call into the driver waits for kernels.

A driver's blocking copy waits for all work in the queue, and cannot be interrupted by Ctrl-C. It is used only if no
kernel is queued or running. Otherwise a copy is queued, and its host memory is kept until the copy is done.

The event of the newest command says whether a queue is idle, and serves as a mark. A marker is queued only after
launches without an event.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections import deque
from typing import Any

from gpucore_opencl.staging import Staging

COMPLETE = 0  # the status of a command that has ended, CL_COMPLETE
SPIN = 200e-6  # seconds of a wait in which the thread asks again at once
_MAX_KEPT = 32 << 20  # bytes of host memory that uploads may keep; from 48 MiB on NVIDIA's driver waits by itself
_MIN_KEPT = 4096  # bytes; a smaller upload counts as this many, because the driver's command takes memory too
_SMALL = 64 << 10  # bytes; a copy of so few is faster than waiting for the driver to take them
_SHARE = 0.1  # of the time that a wait has taken so far: the longest sleep
_give_way = getattr(os, "sched_yield", lambda: None)  # to threads of a driver that computes on the same cores
_CLOCK_READINGS = 3  # of which the best one counts
_MIN_SLEEP, _MAX_SLEEP = 20e-6, 5e-3


def has_ended(event: Any) -> bool:
    """Whether a command has ended, well or not."""
    return int(event.command_execution_status) <= COMPLETE  # a failure has a negative status


class Patience:
    """The pauses of one wait: none in the first 200 us, then sleeps of a tenth of the time waited."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    def pause(self, event: Any, seconds: float) -> None:
        """Return when the event has ended, or after that many seconds at most."""
        now = time.perf_counter()
        waited = now - self._began
        if waited >= SPIN:
            time.sleep(min(seconds, max(_MIN_SLEEP, waited * _SHARE)))
            return
        end = now + min(seconds, SPIN - waited)
        while event.command_execution_status > COMPLETE and time.perf_counter() < end:
            _give_way()


def wait_for(event: Any) -> None:
    """Until an event that has been flushed has ended, well or not. Ctrl-C interrupts the wait."""
    patience = Patience()
    while not has_ended(event):
        patience.pause(event, _MAX_SLEEP)


def clock_at(pyopencl: Any, handle: Any, host_time: float) -> int:
    """Nanoseconds of the device's clock at a time of `time.perf_counter`. An event says when its command was given.

    Something may keep this thread waiting meanwhile: of a few commands the one that was given fastest counts.
    """
    fastest, ticks = float("inf"), 0
    for _ in range(_CLOCK_READINGS):
        before = time.perf_counter()
        event = pyopencl.enqueue_marker(handle)
        took = time.perf_counter() - before
        handle.flush()
        wait_for(event)
        if took < fastest:
            fastest = took
            ticks = int(event.profile.queued) + round((host_time - before - took / 2) * 1e9)
    return ticks


class Queue:
    """An in-order queue of the driver. The caller converts the driver's exceptions to gpucore's."""

    def __init__(self, pyopencl: Any, handle: Any, staging: Staging | None = None) -> None:
        self.handle = handle
        self.address = ctypes.c_void_p(handle.int_ptr)
        self.has_unmarked = (
            False  # there is work behind `newest`, such as launches without an event, or it cannot be a mark
        )
        self.newest: Any = None  # event of the last command; None if it is known to have ended
        self.work: Any = None  # event of the last one that is not a copy from or to the host, likewise
        self._pyopencl = pyopencl
        self._cl = pyopencl._cl  # without the tests of types that its public functions make
        self._staging = staging
        self._kept: deque[tuple[Any, int]] = deque()  # in order: an event, which keeps its host memory, and bytes
        self._kept_nbytes = 0

    def copy(self, source: Any, target: Any, nbytes: int) -> None:
        """Copy the first bytes of a buffer to another one."""
        self.has_unmarked = True
        self._note_work(self._cl._enqueue_copy_buffer(self.handle, source, target, nbytes))

    def pending(self) -> Any:
        """The event of the last command; None if all have ended well. A failure is returned once."""
        self._mark_unmarked()
        event = self.newest
        if event is not None:
            status = int(event.command_execution_status)
            if status <= COMPLETE:
                self.note_end(event)
            if status == COMPLETE:
                return None
        return event

    def marker(self) -> Any:
        """The event of a marker in an idle queue, which is not flushed."""
        self.newest = self._pyopencl.enqueue_marker(self.handle)
        return self.newest

    def note_end(self, event: Any) -> None:
        """A command was seen to have ended, well or not."""
        if event is self.newest:
            self._note_idle()
        else:
            self.free_ended()

    def _note_work(self, event: Any) -> None:
        self.newest = self.work = event
        self.has_unmarked = False

    def _note_idle(self) -> None:
        self.newest = self.work = None
        self.free_ended()

    def order_after(self, event: Any) -> None:
        """Let later commands run after an event of another queue, in which it has been flushed."""
        if not has_ended(event):
            self.has_unmarked = True  # also afterwards: NVIDIA's driver gives no times for what waits for events
            self.newest = self.work = self._pyopencl.enqueue_barrier(self.handle, wait_for=[event])

    def upload(self, memory: Any, data: memoryview, offset: int) -> None:
        """Copy `data` to byte `offset` of a buffer, in queue order. It is not needed after the return."""
        self.free_ended()
        is_small = data.nbytes <= _SMALL and self._kept_nbytes < _MAX_KEPT
        if is_small or self._has_work():
            self._keep(self._write(memory, bytes(data), offset), max(data.nbytes, _MIN_KEPT))
            if not is_small:  # others start with what follows: to wake a driver costs more than to queue the copy
                self.handle.flush()
        elif self._staging is not None and self._staging.takes(data.nbytes):
            self._staging.upload(self, memory, data, offset)
        else:
            self._write(memory, data, offset, is_blocking=True)
            self._note_idle()

    def download(self, memory: Any, out: memoryview, offset: int) -> None:
        """Fill `out` from byte `offset` of a buffer, after all queued work. Ctrl-C interrupts the wait."""
        self.free_ended()
        if self._has_work():
            self.start_download(memory, out, offset)
            self.handle.flush()
            event = self.newest  # kept, also after Ctrl-C: the driver writes to `out` then
            wait_for(event)
            event.wait()  # raises what went wrong
        elif self._staging is not None and self._staging.takes(out.nbytes):
            self._staging.download(self, memory, out, offset)
        else:
            self._read(memory, out, offset, is_blocking=True)
            self._note_idle()

    def start_upload(self, memory: Any, data: memoryview, offset: int) -> None:
        """Queue a copy of `data`, which is kept until it is done."""
        self._keep(self._write(memory, data, offset), 0)

    def start_download(self, memory: Any, out: memoryview, offset: int) -> None:
        """Queue a copy to `out`, which is kept until it is done."""
        self._keep(self._read(memory, out, offset), 0)

    def start_write(self, memory: Any, data: memoryview, offset: int) -> Any:
        """Let a copy from the host begin. Returns its event: to drop that is to wait for the copy."""
        event = self.newest = self._write(memory, data, offset)
        self.handle.flush()
        return event

    def start_read(self, memory: Any, out: memoryview, offset: int) -> Any:
        """Let a copy to the host begin. Returns its event: to drop that is to wait for the copy."""
        event = self.newest = self._read(memory, out, offset)
        self.handle.flush()
        return event

    def _write(self, memory: Any, data: object, offset: int, is_blocking: bool = False) -> Any:
        return self._cl._enqueue_write_buffer(self.handle, memory, data, offset, None, is_blocking)

    def _read(self, memory: Any, out: memoryview, offset: int, is_blocking: bool = False) -> Any:
        return self._cl._enqueue_read_buffer(self.handle, memory, out, offset, None, is_blocking)

    def event_before_upload(self, nbytes: int) -> Any:
        """The event to wait for before `nbytes` are uploaded; None if they can be uploaded now."""
        self.free_ended()
        if self._kept_nbytes + nbytes <= _MAX_KEPT or not self._has_work():
            return None
        self.handle.flush()
        return self._kept[0][0] if self._kept else self.work

    def free_ended(self) -> None:
        """Release host memory of copies that have ended."""
        while self._kept and has_ended(self._kept[0][0]):
            self._kept_nbytes -= self._kept.popleft()[1]

    def finish(self) -> None:
        """Wait until all work has ended; the queue must have been flushed. Ctrl-C interrupts the wait."""
        if self.newest is not None:
            wait_for(self.newest)
        self._note_idle()
        self.handle.finish()  # raises what went wrong

    def _keep(self, event: Any, nbytes: int) -> None:
        self.newest = event
        self._kept.append((event, nbytes))
        self._kept_nbytes += nbytes

    def _mark_unmarked(self) -> None:
        if self.has_unmarked:
            self._note_work(self._pyopencl.enqueue_marker(self.handle))
            self.handle.flush()

    def _has_work(self) -> bool:
        self._mark_unmarked()
        if self.work is not None and has_ended(self.work):
            self.work = None
        return self.work is not None
