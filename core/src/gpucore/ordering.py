"""Points in the queue of a device: to wait for, to measure between, to order the work of other queues by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.timing import Mark, Timer

_DEFAULT_STREAM = 1  # CUDA's, which 0 means too


class Ordering:
    """What a device has for that."""

    def mark(self: Any) -> Mark:
        """A point in the queue, of a stream where this thread is in one: after all work that was queued there by now,
        which begins to run. It can be waited for, asked whether it is done, and measured from."""
        return Mark(self)

    def wait_for(self: Any, mark: Mark) -> None:
        """Let the work queued here from now on run after the work before a mark. For a mark of another device the host
        waits. With one of this device all its queues wait for each other: that is for memory of the host, as arrays
        keep the order by themselves. Raises what `Mark.wait` raises, and ArgumentError for what is no mark, and while
        this thread records a graph."""
        if not isinstance(mark, Mark):
            raise ArgumentError(f"wait_for takes what device.mark() returned, not {type(mark).__name__}")
        self.refuse_while_recording("a wait for a mark")
        self.driver_device.check()
        if mark.device is not self:
            mark.wait()
            return
        with self.lock:
            if self.driver_device.order_of_queues is not None:
                self.driver_device.order_of_queues.put_barrier()

    @contextmanager
    def timer(self: Any) -> Iterator[Timer]:
        """Measure device time: `with device.timer() as t: ...`, then `t.seconds`, which waits. On a device without
        timestamps it is the host's time (`device.info.details` says so)."""
        timer = Timer(Mark(self))
        yield timer
        timer.end = Mark(self)

    def wait_for_stream(self: Any, stream: Any) -> None:
        """Let the work queued here from now on wait for that queued by now in a stream of another library.

        For CUDA: a stream of PyTorch or CuPy, any object with `__cuda_stream__`, or the address of a CUstream. Raises
        ArgumentError for something else, and on devices without streams.
        """
        handle = _handle_of(self, stream)
        if handle != self.driver_device.stream or self.driver_device.order_of_queues is not None:
            with self.lock:
                self.driver_device.wait_for_stream(handle)

    def block_stream(self: Any, stream: Any) -> None:
        """Let later work in a stream of another library, given as to `wait_for_stream`, wait for the work queued here
        by now."""
        handle = _handle_of(self, stream)
        if handle != self.driver_device.stream or self.driver_device.order_of_queues is not None:
            with self.lock:
                self.driver_device.block_stream(handle)


def _handle_of(device: Any, stream: Any) -> int:
    if device.driver_device.stream is None:
        raise ArgumentError(f"{device.id} has no streams that other libraries could use; streams are CUDA's")
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    handle = getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))
    if isinstance(handle, bool) or not isinstance(handle, int) or handle < 0:
        raise ArgumentError(f"a stream is an object of PyTorch or CuPy, or an address, not {stream!r}")
    return handle or _DEFAULT_STREAM
