"""A correct device with all optional members of the interface.

Work is done as late as it may be: one piece each time that a mark behind it is asked, in its queue alone.
"""

from __future__ import annotations

import struct
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from mutant_backends import Grid, WrappedBuffer, WrappedDevice

from gpucore.runtime import Buffer, DeviceInfo, Mark, Pipeline
from gpucore.runtime.protocol import CopyStep, DispatchStep, Launcher, Recording, Step, WriteStep


class Queue:
    """Pieces of work in order. Each returns whether it has ended."""

    def __init__(self) -> None:
        self.work: list[Callable[[], bool]] = []
        self.done = 0

    def put(self, run: Callable[[], None]) -> None:
        self.work.append(lambda: run() is None)

    def step(self) -> None:
        """Do the next piece, or one of a queue that it waits for."""
        if self.done < len(self.work) and self.work[self.done]():
            self.done += 1


class QueueMark(Mark):
    """Does a piece of the work before it each time that it is asked."""

    def __init__(self, queue: Queue, position: int | None = None) -> None:
        self.queue, self.position = queue, len(queue.work) if position is None else position
        self.seconds = time.perf_counter()

    def is_done(self) -> bool:
        if self.queue.done >= self.position:
            return True
        self.queue.step()
        return False


class QueuedBuffer(WrappedBuffer):
    """A buffer whose bytes change in the order of the queues. Its memory is freed when nothing refers to it."""

    device: SeveralQueues

    def write(self, data: memoryview, offset: int = 0) -> None:
        run, kept = self.inner.write, memoryview(bytes(data))
        self.device.selected.put(lambda: run(kept, offset))

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        run = self.inner.write
        self.device.selected.put(lambda: run(data, offset))
        return True

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        run = self.inner.read
        self.device.selected.put(lambda: run(out, offset))
        return True

    def release(self) -> None:
        return

    def poison(self) -> None:
        """Overwrite all of it."""
        self.inner.write(memoryview(b"\xdd" * self.nbytes))


class RefusesEverySecond(QueuedBuffer):
    """Takes every second copy that ends later."""

    is_free = False

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        self.is_free = not self.is_free
        return self.is_free and super().start_write(data, offset)

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        self.is_free = not self.is_free
        return self.is_free and super().start_read(out, offset)


class QueuedRecording(Recording):
    """Queues its steps one by one."""

    is_released = False

    def __init__(self, device: SeveralQueues, steps: Sequence[Step]) -> None:
        self.device, self.steps = device, list(steps)

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        for step, each in zip(self.steps, buffers, strict=True):
            match step:
                case DispatchStep(_, pipeline, scalars, workgroups):
                    self.device.dispatch(pipeline, each, scalars, workgroups)
                case CopyStep(_, nbytes):
                    self.device.copy(*each, nbytes)
                case WriteStep(_, data, offset):
                    each[0].write(data, offset)

    def release(self) -> None:
        self.is_released = True


class SeveralQueues(WrappedDevice):
    """The simulator's device, with three queues."""

    queues = 3
    idle_polls = 2
    buffer_class = QueuedBuffer
    recording_class: type[QueuedRecording] = QueuedRecording

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.lines = [Queue() for _ in range(self.queues)]
        self.selected = self.lines[0]
        self.by_address: weakref.WeakValueDictionary[int, Buffer] = weakref.WeakValueDictionary()

    def allocate(self, nbytes: int) -> Buffer:
        return self._own(super().allocate(nbytes))

    def adopt(self, address: int, nbytes: int) -> Buffer:
        return self._own(super().adopt(address, nbytes))

    def _own(self, buffer: Buffer) -> QueuedBuffer:
        assert isinstance(buffer, QueuedBuffer)
        buffer.device = self
        self.by_address[buffer.address] = buffer
        return buffer

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        run = super().dispatch
        self.selected.put(lambda: run(pipeline, buffers, scalars, workgroups))

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        run = super().copy
        self.selected.put(lambda: run(source, target, nbytes))

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher | None:
        block = bytearray(nbytes)
        return Launcher(block, lambda workgroups: self.launch(pipeline, bytes(block), workgroups))

    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        """Dispatch in the first queue with the bytes of a block."""
        count = len(pipeline.source.writes)
        buffers = [self.by_address[address] for address in struct.unpack_from(f"={count}Q", block)]
        with self.selecting(0):
            self.dispatch(pipeline, buffers, block[8 * count :], workgroups)

    def record(self, steps: Sequence[Step]) -> Recording | None:
        return self.recording_class(self, steps)

    def pinned(self, nbytes: int) -> memoryview | None:
        return memoryview(bytearray(nbytes))

    def select(self, queue: int) -> None:
        self.selected = self.lines[queue]

    @contextmanager
    def selecting(self, queue: int) -> Iterator[None]:
        """Another queue for a block."""
        before, self.selected = self.selected, self.lines[queue]
        yield
        self.selected = before

    def order(self, mark: Mark) -> None:
        assert isinstance(mark, QueueMark)
        self.selected.work.append(mark.is_done)

    def mark(self) -> Mark:
        return QueueMark(self.selected)

    def is_idle(self) -> bool:
        return QueueMark(self.selected).is_done()

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, QueueMark) and isinstance(end, QueueMark)
        return end.seconds - start.seconds
