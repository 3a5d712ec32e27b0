"""Copies between the host and buffers in which no call into the driver waits for kernels.

A driver's blocking copy waits for all work in the queue, and cannot be interrupted by Ctrl-C. It is used only if no
kernel is queued or running. Otherwise a copy is queued, and its host memory is kept until the copy is done.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any

COMPLETE = 0  # the status of a command that has ended, CL_COMPLETE
_MAX_STAGED = 32 << 20  # bytes of host memory that uploads may keep; from 48 MiB on NVIDIA's driver waits by itself
_MIN_STAGED = 4096  # bytes; a smaller upload counts as this many, because the driver's command takes memory too
_MIN_PAUSE, _MAX_PAUSE = 50e-6, 5e-3


class Transfers:
    """The copies of one queue. The caller converts the driver's exceptions to gpucore's."""

    def __init__(self, pyopencl: Any, queue: Any) -> None:
        self._pyopencl = pyopencl
        self._queue = queue
        self._work: Any = None  # event of the last kernel or copy between buffers, until it is known to have ended
        self._queued: deque[tuple[Any, int]] = deque()  # in order: an event, which keeps its host memory, and bytes
        self._staged = 0

    def note_work(self, event: Any) -> None:
        """A kernel, or a copy between buffers, was queued."""
        self._work = event

    def upload(self, memory: Any, data: memoryview, offset: int) -> None:
        """Copy `data` to byte `offset` of a buffer, in queue order."""
        copy = self._pyopencl.enqueue_copy
        self.free_ended()
        if not self._has_work():
            copy(self._queue, memory, data, dst_offset=offset, is_blocking=True)
            return
        event = copy(self._queue, memory, bytes(data), dst_offset=offset, is_blocking=False)
        self._keep(event, max(data.nbytes, _MIN_STAGED))
        self._queue.flush()

    def download(self, memory: Any, out: memoryview, offset: int) -> None:
        """Fill `out` from byte `offset` of a buffer, after all queued work. Ctrl-C interrupts the wait."""
        copy = self._pyopencl.enqueue_copy
        self.free_ended()
        if not self._has_work():
            copy(self._queue, out, memory, src_offset=offset, is_blocking=True)
            return
        event = copy(self._queue, out, memory, src_offset=offset, is_blocking=False)
        self._keep(event, 0)  # also after Ctrl-C: the driver writes to `out` then
        self._queue.flush()
        self._wait(event)
        event.wait()  # raises what went wrong

    def close(self) -> None:
        """Wait until all queued work has ended, and release the queue. Ctrl-C interrupts the wait."""
        event = self._pyopencl.enqueue_marker(self._queue)
        self._queue.flush()
        self._wait(event)
        queue, self._queue, self._work = self._queue, None, None
        self.free_ended()
        queue.finish()  # raises what went wrong

    def event_before_upload(self, nbytes: int) -> Any:
        """The event to wait for before `nbytes` are uploaded; None if they can be uploaded now."""
        self.free_ended()
        if self._staged + nbytes <= _MAX_STAGED or not self._has_work():
            return None
        return self._queued[0][0] if self._queued else self._work

    def free_ended(self) -> None:
        """Release host memory of copies that have ended."""
        while self._queued and self._has_ended(self._queued[0][0]):
            self._staged -= self._queued.popleft()[1]

    def _keep(self, event: Any, nbytes: int) -> None:
        self._queued.append((event, nbytes))
        self._staged += nbytes

    def _wait(self, event: Any) -> None:
        pause = _MIN_PAUSE
        while not self._has_ended(event):
            time.sleep(pause)
            pause = min(pause * 1.5, _MAX_PAUSE)

    def _has_work(self) -> bool:
        if self._work is not None and self._has_ended(self._work):
            self._work = None
        return self._work is not None

    def _has_ended(self, event: Any) -> bool:
        return int(event.command_execution_status) <= COMPLETE  # a failure has a negative status
