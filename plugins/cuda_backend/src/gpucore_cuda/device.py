"""Device and Buffer on CUDA's driver.

pycuda, or `nvidia_binding`, which has the same functions, owns the context and the memory; all else is called in the
driver itself (driver.py). The device's primary context is used: other libraries in the process share its memory.
pycuda aborts the process when a thread ends with a context on pycuda's own stack, but allocates and frees only with a
context on that stack: so it is pushed for those calls and popped at once. Everything else needs only the driver's
current context, which is set once per thread.

The first queue is the default stream; the others are streams that have no order with it but by events.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from gpucore.plugin import (
    BackendUnavailableError,
    Buffer,
    Device,
    DeviceError,
    DeviceInfo,
    DeviceLostError,
    DispatchStep,
    DriverCompileError,
    HeldBack,
    Launcher,
    Mark,
    OutOfMemoryError,
    Pipeline,
    Recording,
    Source,
    Step,
    cached_binary,
)
from gpucore_cuda.bindings import load_binding
from gpucore_cuda.dialect import MAX_STATIC_WORKGROUP_MEMORY
from gpucore_cuda.driver import NOT_READY, OUT_OF_MEMORY, Driver, DriverError, load_driver
from gpucore_cuda.graphs import CUDARecording
from gpucore_cuda.launching import CUDAPipeline, current, launcher, start
from gpucore_cuda.marks import CUDAMark, Unloading
from gpucore_cuda.nvrtc import load_nvrtc
from gpucore_cuda.pinned import Pinned
from gpucore_cuda.probe import architecture_of, describe
from gpucore_cuda.staging import LEAST_STAGED, Staging

_SECONDS_PER_MILLISECOND = 1e-3
_LEAST_RECORDED = 2  # steps: one alone costs less than a graph of it, unless its arguments have maps
_DEFAULT_STREAM = 0  # it and blocking streams wait for each other
_LEGACY = 1  # CU_STREAM_LEGACY, the same: as DLPack numbers it. The driver takes longer for a launch in it.
_QUEUES = 8


def open_device(backend: str, index: int) -> CUDADevice:
    """The device with that ordinal. Raises BackendUnavailableError."""
    pycuda, driver = load_binding(), load_driver()
    try:
        driver.initialise()
        if not 0 <= index < driver.device_count():
            raise BackendUnavailableError(f"there is no {backend}:{index}; CUDA has {driver.device_count()} devices")
        info = describe(driver, backend, index)
    except DriverError as error:
        raise BackendUnavailableError(f"{backend}:{index} cannot be opened: {error}") from error
    try:
        return CUDADevice(pycuda, driver, info)
    except (pycuda.Error, DriverError) as error:
        raise BackendUnavailableError(f"{backend}:{index} cannot be opened: {error}") from error


class CUDABuffer(Buffer):
    """`address` is 0 after release. `allocation` is None if something else owns the memory."""

    def __init__(self, device: CUDADevice, address: int, nbytes: int, allocation: Any = None) -> None:
        self._device = device
        self._allocation = allocation
        self.address = address
        self.nbytes = nbytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        self._device.copy_in(self.address + offset, data)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self._device.copy_out(out, self.address + offset)

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        self._device.start_copy_in(self.address + offset, data)
        return True

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        return self._device.start_copy_out(out, self.address + offset)

    def part(self, offset: int, nbytes: int) -> CUDAPart:
        return CUDAPart(self, offset, nbytes)

    def release(self) -> None:
        allocation, self._allocation, self.address = self._allocation, None, 0
        if allocation is not None:
            self._device.free(allocation)


class CUDAPart(CUDABuffer):
    """A part of a buffer."""

    def __init__(self, buffer: CUDABuffer, offset: int, nbytes: int) -> None:
        self._buffer, self._offset, self.nbytes = buffer, offset, nbytes
        self._device = buffer._device

    @property
    def address(self) -> int:  # type: ignore[override]  # read-only here
        return self._buffer.address and self._buffer.address + self._offset


class CUDADevice(Device):
    """The primary context of one GPU, its default stream, and others."""

    stream = _LEGACY
    queues = _QUEUES
    idle_polls = 30  # on an H200 a short kernel is seen to have ended 7 us earlier than by an event

    def __init__(self, pycuda: Any, driver: Driver, info: DeviceInfo) -> None:
        self.info = info
        self.memory_space = 2, info.index
        self.pycuda, self.driver, self.quick_driver = pycuda, driver, driver.keeping_the_gil()
        self.events: list[int] = []  # of marks that are gone
        self._all_events: list[int] = []
        self.selected = _DEFAULT_STREAM
        self._architecture = architecture_of(info)
        self._allocations: dict[int, Any] = {}  # by identity; keeps them from being freed in another thread
        self._modules: set[int] = set()
        self._unloading = Unloading()
        self._recordings: set[CUDARecording] = set()
        self._streams = [_DEFAULT_STREAM]
        pycuda.init()
        self._context: Any = pycuda.Device(info.index).retain_primary_context()
        with self._pushed():
            self.context = driver.current_context()
        self.pinned_memory = Pinned(driver)
        self._staging = Staging(driver, self.context)

    # ------------------------------------------------------------ the backend interface

    def allocate(self, nbytes: int) -> CUDABuffer:
        try:
            with self._pushed():
                allocation = self.pycuda.mem_alloc(nbytes)
        except self.pycuda.MemoryError as error:
            raise OutOfMemoryError(f"{self.info.id} has no {nbytes} bytes of memory left") from error
        except (self.pycuda.Error, DriverError) as error:
            raise self._failure(error) from error
        self._allocations[id(allocation)] = allocation
        return CUDABuffer(self, int(allocation), nbytes, allocation)

    def adopt(self, address: int, nbytes: int) -> CUDABuffer:
        return CUDABuffer(self, address, nbytes)

    def wait_for_stream(self, stream: int) -> None:
        self._order(_DEFAULT_STREAM if stream == _LEGACY else stream, self.selected)

    def block_stream(self, stream: int) -> None:
        self._order(self.selected, _DEFAULT_STREAM if stream == _LEGACY else stream)

    def _order(self, first: int, second: int) -> None:
        if first != second:
            self.make_current()  # in another context it would succeed for default streams, but not for this queue
            self.run(self.driver.order_streams, first, second)

    def pinned(self, nbytes: int) -> memoryview:
        return memoryview(self.run(self.pinned_memory.allocate, nbytes)).cast("B")

    def select(self, queue: int) -> None:
        while len(self._streams) <= queue:
            self.make_current()  # to which a new stream belongs
            self._streams.append(self.run(self.driver.create_stream))
        self.selected = self._streams[queue]

    def order(self, mark: Mark) -> None:
        assert isinstance(mark, CUDAMark)
        self.make_current()  # likewise
        self.run(self.driver.order, self.selected, mark.event)

    def compile(self, source: Source) -> CUDAPipeline:
        nvrtc = load_nvrtc()
        self._unload_finished()
        return cached_binary(
            __name__,
            [source.text, source.entry, *nvrtc.facts(self._architecture)],
            lambda: nvrtc.compile(source, self._architecture)[0],
            lambda cubin: self._load(source, cubin),
        )

    def load(self, source: Source, binary: bytes) -> CUDAPipeline:
        self._unload_finished()
        try:
            return self._load(source, binary)
        except (OutOfMemoryError, DeviceLostError):
            raise
        except DeviceError as error:
            message = f"the driver of {self.info.id} refused the machine code of {source.entry}: {error}"
            raise DriverCompileError("GP611", message, fix="update the driver, or build the package again") from error

    def _load(self, source: Source, cubin: bytes) -> CUDAPipeline:
        module = self.run(self.driver.load_module, cubin)
        self._modules.add(module)
        pipeline = CUDAPipeline(self, source, module, self.run(self.driver.function, module, source.entry))
        if pipeline.dynamic_memory > MAX_STATIC_WORKGROUP_MEMORY:
            self.run(self.driver.allow_dynamic_memory, pipeline.function, pipeline.dynamic_memory)
        return pipeline

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, CUDAPipeline)
        addresses = [buffer.address for buffer in buffers]
        start(self, pipeline, pipeline.pack(*addresses) + scalars, workgroups, self.selected)

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher:
        assert isinstance(pipeline, CUDAPipeline)
        return launcher(self, pipeline, nbytes, _DEFAULT_STREAM)

    def record(self, steps: Sequence[Step]) -> Recording | None:
        has_views = any(isinstance(step, DispatchStep) and step.pipeline.source.payload for step in steps)
        if len(steps) < _LEAST_RECORDED and not has_views:
            return None
        recording: CUDARecording = self.run(CUDARecording, self, steps)
        self._recordings.add(recording)
        return recording

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.make_current()  # in another context it would succeed, but out of order with this queue
        self.run(self.driver.copy, target.address, source.address, nbytes, self.selected)

    def copy_in(self, address: int, data: memoryview) -> None:
        """Queue a copy from the host, whose bytes have been read at the return."""
        self.make_current()
        if data.nbytes < LEAST_STAGED:  # of memory that is not pinned, the driver keeps so little
            kept = ctypes.create_string_buffer(bytes(data), data.nbytes)
            self.run(self.driver.copy_in, address, ctypes.addressof(kept), data.nbytes, self.selected)
        else:
            self.run(self._staging.write, address, _address_of(data), data.nbytes, self.selected)

    def copy_out(self, out: memoryview, address: int) -> None:
        """Copy to the host."""
        self.make_current()
        if out.nbytes < LEAST_STAGED:
            self.run(self.driver.copy_out, _address_of(out), address, out.nbytes, self.selected)
            self.run(self.driver.wait_for_stream, self.selected)  # for memory that some library has pinned
        else:
            self.run(self._staging.read, _address_of(out), address, out.nbytes, self.selected)

    def start_copy_in(self, address: int, data: memoryview) -> None:
        """Queue a copy from the host, which is read at any time."""
        self.make_current()
        is_staged = data.nbytes >= LEAST_STAGED and not self.pinned_memory.has(data)
        run = self._staging.write if is_staged else self.driver.copy_in
        self.run(run, address, _address_of(data), data.nbytes, self.selected)

    def start_copy_out(self, out: memoryview, address: int) -> bool:
        """Queue a copy to pinned memory; False for other memory, for which the driver would wait."""
        if not self.pinned_memory.has(out):
            return False
        self.make_current()
        self.run(self.driver.copy_out, _address_of(out), address, out.nbytes, self.selected)
        return True

    def mark(self) -> CUDAMark:
        mark = self._mark(self.selected)
        self._unload_finished()
        return mark

    def is_idle(self) -> bool:
        self.make_current()  # in another context the default stream would be another one
        state = self.quick_driver.stream_state(self.selected)
        if state not in (0, NOT_READY):
            error = DriverError("cuStreamQuery", state, self.driver.error_name(state))
            raise self._failure(error) from error
        self._unload_finished()
        return state == 0

    def _mark(self, stream: int) -> CUDAMark:
        if self.events:
            event = self.events.pop()
        else:
            self.make_current()  # to which a new event belongs
            event = self.run(self.driver.create_event)
            self._all_events.append(event)
        mark = CUDAMark(self, event)
        self.run(self.driver.record_event, event, stream)
        return mark

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, CUDAMark) and isinstance(end, CUDAMark)
        return float(self.run(self.driver.elapsed, start.event, end.event)) * _SECONDS_PER_MILLISECOND

    def close(self) -> None:
        with HeldBack():
            self._close_held_back()

    def _close_held_back(self) -> None:
        context = self._context
        if context is None:
            return
        try:
            context.push()
            with suppress(DriverError):  # of a context that is lost
                self._close()
            for allocation in self._allocations.values():
                allocation.free()
            # Detaching the context at the top of pycuda's stack removes it there, but not from the driver's stack.
            context.detach()
            if self.driver.current_context() == self.context:
                self.driver.set_current_context(0)
        except (self.pycuda.Error, DriverError) as error:
            raise self._failure(error) from error
        finally:
            self._context = None
            self._allocations.clear()
            current.context = 0

    def _close(self) -> None:
        """Destroy all but the memory, with the context current: other libraries may use it on."""
        for recording in self._recordings:
            recording.destroy()
        self._recordings.clear()
        self._staging.close()
        self.pinned_memory.close()
        for stream in self._streams[1:]:
            self.driver.destroy_stream(stream)
        for event in self._all_events:
            self.driver.destroy_event(event)
        self._all_events.clear()
        self.events.clear()
        self._unloading.clear()
        for module in self._modules:
            self.driver.unload_module(module)
        self._modules.clear()

    # ------------------------------------------------------------ contexts

    def run(self, function: Any, *arguments: Any) -> Any:
        """Call into the driver with the device's context current.

        Another library may have changed the thread's context in between: then the call fails and is retried once.
        """
        if current.context != self.context:
            self.make_current()
        try:
            return function(*arguments)
        except DriverError as error:
            failure = error
        if self.driver.current_context() != self.context:
            self.make_current()
            try:
                return function(*arguments)
            except DriverError as error:
                failure = error
        raise self._failure(failure) from failure

    def free(self, allocation: Any) -> None:
        """Free memory; the driver waits for work that uses it."""
        if self._context is not None:
            del self._allocations[id(allocation)]
            with self._errors(), self._pushed():
                allocation.free()

    def unload(self, pipeline: CUDAPipeline) -> None:
        """Unload the module once the work that is queued by now is done: it may run the module's code."""
        module, pipeline.module = pipeline.module, 0
        if self._context is not None:
            self._unloading.add([self._mark(stream) for stream in self._streams], module)
            self._unload_finished()

    def _unload_finished(self) -> None:
        for module in self._unloading.finished():
            self._modules.discard(module)
            self.run(self.driver.unload_module, module)

    def drop_recording(self, recording: CUDARecording) -> None:
        """Destroy a recording; what is running ends."""
        if self._context is not None and recording in self._recordings:
            self._recordings.discard(recording)
            self.run(recording.destroy)

    def make_current(self) -> None:
        """Make the device's context current in this thread, whatever other libraries have made current."""
        if self._context is None:
            raise DeviceError(f"{self.info.id} is closed")
        try:
            self.driver.set_current_context(self.context)
        except DriverError as error:
            raise self._failure(error) from error
        current.context = self.context

    @contextmanager
    def _pushed(self) -> Iterator[None]:
        """The context pushed on pycuda's stack, and popped at the end."""
        if self._context is None:
            raise DeviceError(f"{self.info.id} is closed")
        self._context.push()
        try:
            yield
        finally:
            self._context.pop()
            current.context = 0  # there may have been another one below it on pycuda's stack

    # ------------------------------------------------------------ errors

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (self.pycuda.Error, DriverError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> DeviceError:
        """The error for a failed call. A sticky error has destroyed the context: the device is lost."""
        if isinstance(error, self.pycuda.MemoryError) or getattr(error, "code", 0) == OUT_OF_MEMORY:
            return OutOfMemoryError(f"{self.info.id}: {error}")
        try:
            self.driver.set_current_context(self.context)
            state = self.driver.stream_state(_DEFAULT_STREAM)
        except DriverError as dead:
            state = dead.code
        if state in (0, NOT_READY):
            return DeviceError(f"{self.info.id}: {error}")
        return DeviceLostError(f"{self.info.id} is lost: {error} ({self.driver.error_name(state)})")


def _address_of(data: memoryview) -> int:
    address: int = np.frombuffer(data, np.uint8).ctypes.data
    return address
