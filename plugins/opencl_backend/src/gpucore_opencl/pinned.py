"""Host memory that a device copies from and to directly: a buffer that the driver allocates on the host, mapped."""

from __future__ import annotations

import ctypes
import weakref
from collections import deque
from contextlib import suppress
from typing import Any


class PinnedMemory:
    """The pinned memory of a device. `handle` is a queue without other work: a map waits for what is in its queue."""

    def __init__(self, pyopencl: Any, context: Any, handle: Any) -> None:
        self._pyopencl, self._context, self._handle = pyopencl, context, handle
        self._dropped: deque[tuple[Any, Any]] = deque()  # buffers and maps without a view
        self._is_closed = False

    def allocate(self, nbytes: int) -> memoryview:
        """`nbytes` writable bytes. They are freed with the last view of them, or rather at the next `collect`."""
        cl = self._pyopencl
        self.collect()
        buffer = cl.Buffer(self._context, cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, nbytes)
        flags = cl.map_flags.READ | cl.map_flags.WRITE
        array, _ = cl.enqueue_map_buffer(self._handle, buffer, flags, 0, (nbytes,), "u1")
        memory = (ctypes.c_ubyte * nbytes).from_address(array.ctypes.data)  # what views refer to
        weakref.finalize(memory, self._drop, buffer, array.base).atexit = False
        return memoryview(memory).cast("B")

    def collect(self) -> None:
        """Free what has no view any more."""
        if not self._dropped:
            return
        with suppress(IndexError):  # the last one was another thread's
            while True:
                buffer, mapped = self._dropped.popleft()
                mapped.release(self._handle)
                buffer.release()
        self._handle.flush()

    def close(self) -> None:
        """From now on memory is freed at once, in the thread that drops the last view."""
        self._is_closed = True
        self.collect()

    def _drop(self, buffer: Any, mapped: Any) -> None:
        """Called at any point in any thread, also within a call of the driver: it must not call it."""
        self._dropped.append((buffer, mapped))
        if self._is_closed:  # no call of the device follows, nor is one under way
            self.collect()
