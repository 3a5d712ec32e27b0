"""Buffer, Pipeline and Mark on pyopencl."""

from __future__ import annotations

import ctypes
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gpucore.plugin import Buffer, ClosedError, Mark, Pipeline, Source
from gpucore_opencl.queues import COMPLETE, Patience, Queue

if TYPE_CHECKING:
    from gpucore_opencl.device import OpenCLDevice

_MAX_PARTS = 64  # of a buffer that are kept: a sub-buffer is created once for the launches of a slice


class OpenCLBuffer(Buffer):
    """`memory` is None after release."""

    def __init__(self, device: OpenCLDevice, memory: Any, nbytes: int) -> None:
        self._device = device
        self.memory = memory
        self.nbytes = nbytes
        self._parts: dict[tuple[int, int], OpenCLBuffer] = {}

    def write(self, data: memoryview, offset: int = 0) -> None:
        with self._device.errors():
            self._device.queue.upload(self.memory, data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        with self._device.errors():
            self._device.queue.download(self.memory, out, offset)

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        with self._device.errors():
            self._device.queue.start_upload(self.memory, data, offset)
        return True

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        with self._device.errors():
            self._device.queue.start_download(self.memory, out, offset)
        return True

    def part(self, offset: int, nbytes: int) -> OpenCLBuffer:
        found = self._parts.get((offset, nbytes))
        if found is None:
            while len(self._parts) >= _MAX_PARTS:
                self._parts.pop(next(iter(self._parts)))
            if self.memory is None:
                raise ClosedError(f"the buffer was released, or {self._device.info.id} was closed")
            with self._device.errors():
                memory = self.memory.get_sub_region(offset, nbytes)
            found = self._parts[offset, nbytes] = OpenCLBuffer(self._device, memory, nbytes)
            self._device.owned.add(found)
        return found

    def release(self) -> None:
        memory, self.memory = self.memory, None
        if memory is not None:
            while self._parts:  # before the memory that they are of
                self._parts.popitem()[1].release()
            memory.release()  # the driver keeps it until queued work is done


class OpenCLPipeline(Pipeline):
    """`kernel` is stored because pyopencl creates a new one for each access to a program's kernel."""

    def __init__(self, source: Source, kernel: Any) -> None:
        self.source = source
        self.kernel = kernel
        # pyopencl's `set_arg` takes bytes too, after trying all else in 6 us.
        self.set_bytes = getattr(kernel, "_set_arg_buf", kernel.set_arg)
        self.address = ctypes.c_void_p(kernel.int_ptr)
        self.workgroup_size = tuple(source.workgroup_size)
        self.workgroups = (0, 0, 0)  # of the last dispatch, and what the driver gets for them:
        self.grid = self.workgroup_size
        self.sizes = _three(self.grid), _three(self.workgroup_size)
        # Arguments that are already set. Objects of buffers are kept, so a new buffer is never taken for an old one.
        self.bound: list[Any] = [None] * (len(source.writes) + 1)

    def resize(self, workgroups: tuple[int, int, int]) -> None:
        """Dispatch so many workgroups from now on."""
        self.workgroups = (0, 0, 0)  # Ctrl-C may come in between
        self.grid = tuple(number * size for number, size in zip(workgroups, self.workgroup_size, strict=True))
        self.sizes = _three(self.grid), self.sizes[1]
        self.workgroups = workgroups

    def release(self) -> None:
        self.kernel = self.set_bytes = None
        self.bound = []


def _three(numbers: tuple[int, ...]) -> Any:
    return (ctypes.c_size_t * 3)(*numbers)


class OpenCLMark(Mark):
    """The event of the command that was the last one in its queue, or of a marker; None if the queue was idle and no
    marker was queued. And the host's time when the mark was made.

    A marker in an idle queue is flushed with the work that follows, so that it has the time when that begins."""

    polls = 0  # `pause` asks more often than core would

    def __init__(self, device: OpenCLDevice, queue: Queue, event: Any) -> None:
        self._device = device
        self.queue = queue
        self._patience: Patience | None = None
        self.event = event
        self.is_flushed = True
        self.host_time = time.perf_counter()
        self.ticks: int | None = None  # the same in the time of the device, once it was asked for

    def is_done(self) -> bool:
        if self.event is None:
            return True
        try:
            status = int(self.event.command_execution_status)
            if status > COMPLETE:
                self.flush()
                return False
            self.queue.note_end(self.event)
        except self._device.pyopencl.Error as error:
            raise self._device.converted(error) from error
        if status < COMPLETE:
            raise self._device.failure(f"queued work failed with OpenCL error {status}", status)
        return True

    def flush(self) -> None:
        if not self.is_flushed:
            self.queue.handle.flush()
            self.is_flushed = True

    def pause(self, seconds: float) -> None:
        if self.event is None:
            return
        if self._patience is None:
            self._patience = Patience()
        with suppress(self._device.pyopencl.Error):  # `is_done` raises it
            self._patience.pause(self.event, seconds)
