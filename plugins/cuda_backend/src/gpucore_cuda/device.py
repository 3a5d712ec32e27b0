"""Device, Buffer, Pipeline and Mark on pycuda, or on `nvidia_binding`, which has the same functions.

The device's primary context is used, so that other libraries in the process share its memory. pycuda aborts the
process when a thread ends with a context on pycuda's own stack, but creates and frees its objects only with a context
on that stack: so it is pushed for those calls and popped at once. Everything else needs only the driver's current
context, which is set once per thread. All work goes to the default stream, in the order of the calls.
"""

from __future__ import annotations

import re
import struct
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gpucore.errors import BackendUnavailableError, DeviceError, DeviceLostError, OutOfMemoryError
from gpucore.runtime.cache import cached_binary
from gpucore.runtime.protocol import Buffer, Device, DeviceInfo, Mark, Pipeline, Source
from gpucore_cuda.bindings import load_binding
from gpucore_cuda.dialect import MAX_STATIC_WORKGROUP_MEMORY
from gpucore_cuda.driver import NOT_READY, Driver, DriverError, load_driver
from gpucore_cuda.nvrtc import Nvrtc, load_nvrtc
from gpucore_cuda.probe import architecture_of, describe

_SECONDS_PER_MILLISECOND = 1e-3
_DEFAULT_STREAM = 1  # CU_STREAM_LEGACY: it and blocking streams wait for each other
_current = threading.local()  # `context`: the last one that this thread made current


def open_device(backend: str, index: int) -> CUDADevice:
    """The device with that ordinal. Raises BackendUnavailableError."""
    pycuda, driver, nvrtc = load_binding(), load_driver(), load_nvrtc()
    try:
        driver.initialise()
        if not 0 <= index < driver.device_count():
            raise BackendUnavailableError(f"there is no {backend}:{index}; CUDA has {driver.device_count()} devices")
        info = describe(driver, backend, index)
    except DriverError as error:
        raise BackendUnavailableError(f"{backend}:{index} cannot be opened: {error}") from error
    if architecture_of(info) not in nvrtc.architectures:
        raise BackendUnavailableError(nvrtc.refusal(architecture_of(info)))
    try:
        return CUDADevice(pycuda, driver, nvrtc, info)
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
        self._device.transfer(self._device.pycuda.memcpy_htod, self.address + offset, data)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self._device.transfer(self._device.pycuda.memcpy_dtoh, out, self.address + offset)

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


class CUDAPipeline(Pipeline):
    """`launch` takes the grid, the workgroup, the packed arguments, bytes of workgroup memory and the stream."""

    def __init__(self, device: CUDADevice, source: Source, module: Any, function: Any) -> None:
        self.source = source
        self._device = device
        self._module = module
        self.launch: Any = function._launch_kernel
        self.pack = struct.Struct(f"<{len(source.writes)}Q").pack
        at_launch = re.search(r"\bextern\s+__shared__", source.text) is not None
        self.dynamic_memory = source.workgroup_memory if at_launch else 0

    def release(self) -> None:
        if self._module is not None:
            self._device.unload(self)

    def forget(self) -> None:
        """Drop pycuda's objects; the function also keeps its module alive."""
        self._module = self.launch = None


class CUDAMark(Mark):
    """An event. It is returned to the device's pool: pycuda cannot destroy it in another thread."""

    def __init__(self, device: CUDADevice, event: Any) -> None:
        self._device = device
        self.event = event
        device.marked[id(event)] = event

    def is_done(self) -> bool:
        return bool(self._device.run(self.event.query))

    def __del__(self) -> None:
        self._device.events.append(self.event)
        self._device.marked.pop(id(self.event), None)


class CUDADevice(Device):
    """The primary context of one GPU and its default stream."""

    stream = _DEFAULT_STREAM

    def __init__(self, pycuda: Any, driver: Driver, nvrtc: Nvrtc, info: DeviceInfo) -> None:
        self.info = info
        self.memory_space = 2, info.index
        self.pycuda = pycuda
        self.events: list[Any] = []
        self.marked: dict[int, Any] = {}  # events of marks: the garbage collector must not finalize what is reused
        self._driver = driver
        self._nvrtc = nvrtc
        self._architecture = architecture_of(info)
        self._allocations: dict[int, Any] = {}  # by identity; keeps them from being freed in another thread
        self._pipelines: set[CUDAPipeline] = set()
        self._unloading: deque[tuple[CUDAMark, CUDAPipeline]] = deque()  # released while work was queued
        pycuda.init()
        self._context: Any = pycuda.Device(info.index).retain_primary_context()
        with self._pushed():
            self._address = driver.current_context()

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
        self._order_streams(stream, _DEFAULT_STREAM)

    def block_stream(self, stream: int) -> None:
        self._order_streams(_DEFAULT_STREAM, stream)

    def _order_streams(self, first: int, second: int) -> None:
        self._make_current()
        try:
            self._driver.order_streams(first, second)
        except DriverError as error:
            raise self._failure(error) from error

    def compile(self, source: Source) -> CUDAPipeline:
        self._unload_finished()
        pipeline = cached_binary(
            __name__,
            [source.text, source.entry, *self._nvrtc.facts(self._architecture)],
            lambda: self._nvrtc.compile(source, self._architecture)[0],
            lambda cubin: self._load(source, cubin),
        )
        self._pipelines.add(pipeline)
        return pipeline

    def _load(self, source: Source, cubin: bytes) -> CUDAPipeline:
        with self._errors(), self._pushed():
            module = self.pycuda.module_from_buffer(cubin)
            function = module.get_function(source.entry)
            pipeline = CUDAPipeline(self, source, module, function)
            if pipeline.dynamic_memory > MAX_STATIC_WORKGROUP_MEMORY:
                attribute = self.pycuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
                function.set_attribute(attribute, pipeline.dynamic_memory)
        return pipeline

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, CUDAPipeline)
        addresses = [buffer.address for buffer in buffers]
        arguments = pipeline.pack(*addresses) + scalars
        size = pipeline.source.workgroup_size
        self.run(pipeline.launch, workgroups, size, arguments, pipeline.dynamic_memory, None)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, CUDABuffer) and isinstance(target, CUDABuffer)
        self.transfer(self.pycuda.memcpy_dtod_async, target.address, source.address, nbytes, None)

    def mark(self) -> CUDAMark:
        if self.events:
            event = self.events.pop()
        else:
            with self._errors(), self._pushed():
                event = self.pycuda.Event()
        mark = CUDAMark(self, event)
        self.run(event.record)
        self._unload_finished()
        return mark

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, CUDAMark) and isinstance(end, CUDAMark)
        return float(self.run(end.event.time_since, start.event)) * _SECONDS_PER_MILLISECOND

    def close(self) -> None:
        context = self._context
        if context is None:
            return
        try:
            context.push()
            for allocation in self._allocations.values():
                allocation.free()
            for pipeline in (*self._pipelines, *(pipeline for _, pipeline in self._unloading)):
                pipeline.forget()
            self._unloading.clear()
            self.events.clear()
            self.marked.clear()
            # Detaching the context at the top of pycuda's stack removes it there, but not from the driver's stack.
            context.detach()
            if self._driver.current_context() == self._address:
                self._driver.set_current_context(0)
        except (self.pycuda.Error, DriverError) as error:
            raise self._failure(error) from error
        finally:
            self._context = None
            self._allocations.clear()
            self._pipelines.clear()
            _current.context = 0

    # ------------------------------------------------------------ contexts

    def run(self, function: Any, *arguments: Any) -> Any:
        """Call into the driver with the device's context current.

        Another library may have changed the thread's context in between: then the call fails and is retried once.
        """
        if getattr(_current, "context", 0) != self._address:
            self._make_current()
        try:
            return function(*arguments)
        except self.pycuda.Error as error:
            failure: Exception = error
        if self._driver.current_context() != self._address:
            self._make_current()
            try:
                return function(*arguments)
            except self.pycuda.Error as error:
                failure = error
        raise self._failure(failure) from failure

    def transfer(self, function: Any, *arguments: Any) -> None:
        """Like `run`, for copies: in another context they would succeed, but out of order with this queue."""
        self._make_current()
        self.run(function, *arguments)

    def free(self, allocation: Any) -> None:
        """Free memory; the driver waits for work that uses it."""
        if self._context is not None:
            del self._allocations[id(allocation)]
            with self._errors(), self._pushed():
                allocation.free()

    def unload(self, pipeline: CUDAPipeline) -> None:
        """Unload the module once the work that is queued by now is done: it may run the module's code."""
        if self._context is not None and pipeline in self._pipelines:
            mark = self.mark()
            self._pipelines.discard(pipeline)
            self._unloading.append((mark, pipeline))
            self._unload_finished()

    def _unload_finished(self) -> None:
        """Drop the last references to modules that no queued work needs, with the device's context current."""
        while self._unloading and self._unloading[0][0].is_done():
            _, pipeline = self._unloading.popleft()
            with self._errors(), self._pushed():
                pipeline.forget()

    def _make_current(self) -> None:
        if self._context is None:
            raise DeviceError(f"{self.info.id} is closed")
        try:
            self._driver.set_current_context(self._address)
        except DriverError as error:
            raise self._failure(error) from error
        _current.context = self._address

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
            _current.context = 0  # there may have been another one below it on pycuda's stack

    # ------------------------------------------------------------ errors

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (self.pycuda.Error, DriverError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> DeviceError:
        """The error for a failed call. A sticky error has destroyed the context: the device is lost."""
        if isinstance(error, self.pycuda.MemoryError):
            return OutOfMemoryError(f"{self.info.id}: {error}")
        try:
            self._driver.set_current_context(self._address)
            state = self._driver.queue_state()
        except DriverError as dead:
            state = dead.code
        if state in (0, NOT_READY):
            return DeviceError(f"{self.info.id}: {error}")
        return DeviceLostError(f"{self.info.id} is lost: {error} ({self._driver.error_name(state)})")
