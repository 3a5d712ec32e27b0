"""A correct backend around the simulator, and backends that each break one rule of the contract.

A mutant of the device overrides calls of `WrappedDevice` or `WrappedBuffer`; mutants of the language, which rewrite the
IR before the simulator emits it, are in mutant_languages.py.
"""

from __future__ import annotations

import ctypes
import dataclasses
import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from gpucore import ir
from gpucore.errors import BackendUnavailableError, DeviceError, DriverCompileError, OutOfMemoryError
from gpucore.runtime import Backend, Buffer, Device, DeviceInfo, Mark, Pipeline, ProbeResult, ProbeStatus, Source
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

Grid = tuple[int, int, int]


class WrappedBuffer(Buffer):
    """A buffer of the simulator."""

    def __init__(self, inner: Buffer) -> None:
        self.inner = inner
        self.nbytes, self.address = inner.nbytes, inner.address

    def write(self, data: memoryview, offset: int = 0) -> None:
        self.inner.write(data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self.inner.read(out, offset)

    def part(self, offset: int, nbytes: int) -> Buffer:
        return WrappedBuffer(self.inner.part(offset, nbytes))

    def release(self) -> None:
        self.inner.release()


class WrappedDevice(Device):
    """A device of the simulator under another name."""

    buffer_class: type[WrappedBuffer] = WrappedBuffer
    memory_space = SimulatorDevice.memory_space

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self.inner = SimulatorDevice()

    def allocate(self, nbytes: int) -> Buffer:
        return self.buffer_class(self.inner.allocate(nbytes))

    def adopt(self, address: int, nbytes: int) -> Buffer:
        return self.buffer_class(self.inner.adopt(address, nbytes))

    def compile(self, source: Source) -> Pipeline:
        return self.inner.compile(source)

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.inner.dispatch(pipeline, [_inner(buffer) for buffer in buffers], scalars, workgroups)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.inner.copy(_inner(source), _inner(target), nbytes)

    def mark(self) -> Mark:
        return self.inner.mark()

    def elapsed(self, start: Mark, end: Mark) -> float:
        return self.inner.elapsed(start, end)

    def close(self) -> None:
        self.inner.close()


def _inner(buffer: Buffer) -> Any:
    assert isinstance(buffer, WrappedBuffer)
    return buffer.inner


class WrappedBackend(Backend):
    """The simulator as a backend of another name, with a device of `device_class` and IR changed by `rewrite`."""

    priority = 1
    wants_unoptimised_ir = True

    def __init__(
        self,
        name: str,
        device_class: type[WrappedDevice] = WrappedDevice,
        rewrite: Callable[[ir.Module], ir.Module] | None = None,
        emit: Callable[[Source], Source] | None = None,
        facts: Callable[[DeviceInfo], DeviceInfo] | None = None,
        lacks: frozenset[ir.Capability] = frozenset(),
    ) -> None:
        self.name, self.language = name, f"{name}_python"
        self.capabilities = SimulatorBackend.capabilities - lacks
        self._device_class, self._rewrite, self._emit, self._facts = device_class, rewrite, emit, facts
        self._simulator = SimulatorBackend()

    def info(self) -> DeviceInfo:
        """The simulator's facts under this name."""
        made = dataclasses.replace(
            device_info(), id=f"{self.name}:0", backend=self.name, capabilities=self.capabilities
        )
        return self._facts(made) if self._facts else made

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self.info(),))

    def open(self, index: int) -> Device:
        if index != 0:
            raise BackendUnavailableError(f"{self.name} has no device {index}")
        return self._device_class(self.info())

    def emit(self, module: ir.ValidModule, device: DeviceInfo | None = None) -> Source:
        if self._rewrite is not None:
            module = dataclasses.replace(module, module=self._rewrite(module.module))
        source = dataclasses.replace(self._simulator.emit(module), language=self.language)
        return self._emit(source) if self._emit else source


# ---------------------------------------------------------------- mutants of the device


class IgnoresLastWorkgroup(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars, (max(1, workgroups[0] - 1), *workgroups[1:]))


class SwapsAxes(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        x, y, z = workgroups
        super().dispatch(pipeline, buffers, scalars, (y, x, z))


class IgnoresDepth(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars, (*workgroups[:2], 1))


class SwapsBuffers(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        swapped = [buffers[1], buffers[0], *buffers[2:]] if len(buffers) > 2 else buffers
        super().dispatch(pipeline, swapped, scalars, workgroups)


class ShiftsScalars(WrappedDevice):
    """Packs scalars without the gaps: everything lies one word early."""

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars[4:] + scalars[:4], workgroups)


class Queued(WrappedDevice):
    """Queues dispatches; `flush` runs them. What else is called sees to it that they have run."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.queue: list[Callable[[], None]] = []

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        run = super().dispatch
        self.queue.append(lambda: run(pipeline, buffers, scalars, workgroups))

    def flush(self) -> None:
        for work in self.queue:
            work()
        self.queue.clear()

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.flush()
        super().copy(source, target, nbytes)

    def mark(self) -> Mark:
        self.flush()
        return super().mark()


class UnorderedDispatches(Queued):
    def flush(self) -> None:
        self.queue.reverse()
        super().flush()


class WritesOvertakeDispatches(Queued):
    """Correct for dispatches and copies; a write goes to the buffer at once, before work that was queued earlier."""


class SharesScalars(Queued):
    """One block of scalars for all dispatches that wait: the last one's."""

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.latest = scalars
        run = WrappedDevice.dispatch
        self.queue.append(lambda: run(self, pipeline, buffers, self.latest, workgroups))


class MarksDoneEarly(Queued):
    """A mark says that it is done while the work before it still waits for the next call."""

    def mark(self) -> Mark:
        return WrappedDevice.mark(self)

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.flush()
        super().dispatch(pipeline, buffers, scalars, workgroups)


class CopiesLate(WrappedDevice):
    """Copies run at the next mark."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.copies: list[tuple[Buffer, Buffer, int]] = []

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.copies.append((source, target, nbytes))

    def mark(self) -> Mark:
        for source, target, nbytes in self.copies:
            super().copy(source, target, nbytes)
        self.copies.clear()
        return super().mark()


class CopiesWholeBuffers(WrappedDevice):
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        super().copy(source, target, min(source.nbytes, target.nbytes))


class CopiesWords(WrappedDevice):
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        super().copy(source, target, nbytes // 4 * 4)


class ElapsedInMilliseconds(WrappedDevice):
    def elapsed(self, start: Mark, end: Mark) -> float:
        return 1000 * super().elapsed(start, end)


class ElapsedBackwards(WrappedDevice):
    def elapsed(self, start: Mark, end: Mark) -> float:
        return super().elapsed(end, start)


class ClosesOnce(WrappedDevice):
    is_closed = False

    def close(self) -> None:
        if self.is_closed:
            raise RuntimeError("closed already")
        self.is_closed = True


class _WithThread(WrappedDevice):
    """Runs dispatches in a thread, in order. Only marks wait for them: reads and copies of buffers do not."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while (run := self.work.get()) is not None:
            run()

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        run = super().dispatch
        self.work.put(lambda: run(pipeline, buffers, scalars, workgroups))

    def mark(self) -> Mark:
        return _ThreadMark(self.work)

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, _ThreadMark) and isinstance(end, _ThreadMark)
        return end.seconds - start.seconds

    def close(self) -> None:
        self.work.put(None)
        self.thread.join()


class _ThreadMark(Mark):
    """Is done when the thread comes to it, and has that time."""

    def __init__(self, work: queue.SimpleQueue[Callable[[], None] | None]) -> None:
        self.seconds = -1.0
        self.asked = time.perf_counter()
        work.put(self._arrive)

    def _arrive(self) -> None:
        self.seconds = time.perf_counter()

    def is_done(self) -> bool:
        return self.seconds >= 0


class WithThread(_WithThread):
    """Measures times and closes correctly."""


class ClosesWithoutJoining(_WithThread):
    def close(self) -> None:
        self.work.put(None)


class HostTimesUnsaid(_WithThread):
    """The time between the calls of `mark`, and not a word in the details that it is the host's."""

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, _ThreadMark) and isinstance(end, _ThreadMark)
        return end.asked - start.asked


class RunsOutOfMemoryOnce(WrappedDevice):
    """After an allocation that failed nothing works any more."""

    is_broken = False

    def allocate(self, nbytes: int) -> Buffer:
        if self.is_broken:
            raise OutOfMemoryError("no memory since the last failure")
        try:
            return super().allocate(nbytes)
        except OutOfMemoryError:
            self.is_broken = True
            raise


class RaisesPythonsMemoryError(WrappedDevice):
    def allocate(self, nbytes: int) -> Buffer:
        try:
            return super().allocate(nbytes)
        except OutOfMemoryError as error:
            raise MemoryError(str(error)) from error


class CompileErrorOfDriver(WrappedDevice):
    def compile(self, source: Source) -> Pipeline:
        if source.payload is None:
            raise RuntimeError("the driver's own exception")
        return super().compile(source)


# ---------------------------------------------------------------- mutants of the buffer


class DropsLastByte(WrappedBuffer):
    def write(self, data: memoryview, offset: int = 0) -> None:
        super().write(data[: max(1, data.nbytes - 1)], offset)


class IgnoresWriteOffset(WrappedBuffer):
    def write(self, data: memoryview, offset: int = 0) -> None:
        super().write(data, 0)


class IgnoresReadOffset(WrappedBuffer):
    def read(self, out: memoryview, offset: int = 0) -> None:
        super().read(out, 0)


class ReadsStaleData(WrappedBuffer):
    """The first read of the whole buffer is kept and given again."""

    kept: bytes | None = None

    def read(self, out: memoryview, offset: int = 0) -> None:
        if self.kept is None:
            everything = bytearray(self.nbytes)
            super().read(memoryview(everything))
            self.kept = bytes(everything)
        out.cast("B")[:] = self.kept[offset : offset + out.nbytes]


class KeepsCallersData(WrappedBuffer):
    """Writes when the buffer is read next, from memory that belongs to the caller."""

    pending: tuple[memoryview, int] | None = None

    def write(self, data: memoryview, offset: int = 0) -> None:
        self._apply()
        self.pending = (data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self._apply()
        super().read(out, offset)

    def _apply(self) -> None:
        if self.pending is not None:
            super().write(*self.pending)
            self.pending = None


class RoundsSizeUp(WrappedBuffer):
    def __init__(self, inner: Buffer) -> None:
        super().__init__(inner)
        self.nbytes = -(-inner.nbytes // 16) * 16


class ReleasesOnce(WrappedBuffer):
    is_released = False

    def release(self) -> None:
        if self.is_released:
            raise RuntimeError("released already")
        self.is_released = True


class NeverFreed(WrappedBuffer):
    """Its memory stays with a list."""

    kept: ClassVar[list[Buffer]] = []

    def release(self) -> None:
        self.kept.append(self.inner)


def with_buffers(buffer_class: type[WrappedBuffer]) -> type[WrappedDevice]:
    """A device whose buffers are of that class."""
    return type(f"DeviceOf{buffer_class.__name__}", (WrappedDevice,), {"buffer_class": buffer_class})


class AdoptsACopy(WrappedDevice):
    """Copies what it adopts."""

    def adopt(self, address: int, nbytes: int) -> Buffer:
        copied = self.allocate(nbytes)
        copied.address = address
        copied.write(memoryview(ctypes.string_at(address, nbytes)))
        return copied


class ClearsBesideAdopted(WrappedDevice):
    def adopt(self, address: int, nbytes: int) -> Buffer:
        ctypes.memset(address + nbytes, 0, 4)
        return super().adopt(address, nbytes)


class FreesAdopted(WrappedDevice):
    """Memory that it adopted is overwritten at the release."""

    def adopt(self, address: int, nbytes: int) -> Buffer:
        return _Overwritten(self.inner.adopt(address, nbytes))


class _Overwritten(WrappedBuffer):
    def release(self) -> None:
        if self.address:
            ctypes.memset(self.address, 0xDD, self.nbytes)
        self.address = 0


class HasAddressBefore(WrappedBuffer):
    """Its memory begins 16 bytes after its address."""

    def __init__(self, inner: Buffer) -> None:
        super().__init__(inner)
        self.address -= 16


class BindsFewerBuffers(WrappedDevice):
    """Binds 16 buffers and says 64."""

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        if len(buffers) > 16:
            raise DeviceError("16 buffers are the most")
        super().dispatch(pipeline, buffers, scalars, workgroups)


class RunsSmallWorkgroups(WrappedDevice):
    """Compiles workgroups of up to 256 invocations and says 1024."""

    def compile(self, source: Source) -> Pipeline:
        if math.prod(source.workgroup_size) > 256:
            raise DriverCompileError("GP610", "256 invocations are the most")
        return super().compile(source)


class HasLittleWorkgroupMemory(WrappedDevice):
    """Has 32 KiB and says 256."""

    def compile(self, source: Source) -> Pipeline:
        if source.workgroup_memory > 32768:
            raise DriverCompileError("GP610", "32 KiB are the most")
        return super().compile(source)
