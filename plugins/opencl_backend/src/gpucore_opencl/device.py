"""Device on pyopencl."""

from __future__ import annotations

import importlib
import re
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from gpucore.plugin import (
    BackendUnavailableError,
    Buffer,
    Device,
    DeviceError,
    DeviceInfo,
    DeviceLostError,
    DriverCompileError,
    GpucoreError,
    HeldBack,
    Mark,
    OutOfMemoryError,
    Pipeline,
    Source,
    cached_binary,
)
from gpucore.plugin.c_family import map_log
from gpucore_opencl.dialect import SUBGROUP_EXTENSION, UNOPTIMISED, VERSION_3, WITHOUT_OPTIMISATION
from gpucore_opencl.launching import launcher
from gpucore_opencl.objects import OpenCLBuffer, OpenCLMark, OpenCLPipeline
from gpucore_opencl.pinned import PinnedMemory
from gpucore_opencl.platforms import describe, list_devices
from gpucore_opencl.queues import Queue, clock_at
from gpucore_opencl.staging import Staging

# "FILE:LINE:COLUMN: error: ...", or from PoCL "error: FILE:LINE:COLUMN: ...". Headers are the compiler's own.
_MESSAGE = re.compile(
    r"(?:(?P<kind>[a-z][a-z ]*): )?.*?(?<!\.h):(?P<line>\d+):\d+:"
    r"(?: (?P<severity>(?:fatal )?error|warning|note|remark):)?"
)
_GRANULE = 16  # bytes; an allocation is rounded up so that the widest vector fits
_SECONDS_PER_TICK = 1e-9
_WITHOUT_EVENTS = "NVIDIA"  # drivers for which the event of a launch is dear: on an H100 15.5 us with it, 7 without


def open_device(backend: str, hint: str, index: int) -> OpenCLDevice:
    """The device with that index among all platforms' devices. Raises BackendUnavailableError."""
    try:
        pyopencl: Any = importlib.import_module("pyopencl")
    except ImportError as error:
        raise BackendUnavailableError(f"pyopencl cannot be imported: {error} (pip install pyopencl)") from error
    try:
        devices = list_devices(pyopencl)
        if not 0 <= index < len(devices):
            raise BackendUnavailableError(f"there is no {backend}:{index}; OpenCL has {len(devices)} devices")
        info = describe(pyopencl, devices[index], backend, index)
        return OpenCLDevice(pyopencl, devices[index], info)
    except pyopencl.Error as error:
        raise BackendUnavailableError(f"{backend}:{index} cannot be opened: {error} ({hint})") from error


class OpenCLDevice(Device):
    """A context and in-order queues of one device."""

    queues = 8

    def __init__(self, pyopencl: Any, device: Any, info: DeviceInfo) -> None:
        self.pyopencl = pyopencl
        self._device = device
        self._context = pyopencl.Context([device])
        self._enqueue = pyopencl.enqueue_nd_range_kernel
        self._launch = launcher(pyopencl) if info.driver.startswith(_WITHOUT_EVENTS) else None
        self._aside: Any = None  # the driver's queue for what waits for no kernel
        self._pinned: PinnedMemory | None = None
        self.owned: weakref.WeakSet[OpenCLBuffer | OpenCLPipeline] = weakref.WeakSet()  # they keep the context
        self._fills: dict[bool, Any] = {}  # event of the last first use of a buffer: in the only queue, or aside
        self.staging = None if device.host_unified_memory else Staging(self._ring)
        self.queue = Queue(pyopencl, self._new_queue(), self.staging)  # the selected one
        self._queues: list[Queue | None] = [self.queue, *[None] * (self.queues - 1)]
        platform = device.platform
        facts = (platform.name, platform.version, device.name, device.version, device.driver_version)
        self._facts = repr((*facts, device.vendor_id))
        self._has_timestamps = self._markers_have_timestamps()
        note = () if self._has_timestamps else (("timestamps", "host"),)
        self.info = replace(info, details=info.details + note)

    def _new_queue(self) -> Any:
        profiling = self.pyopencl.command_queue_properties.PROFILING_ENABLE
        return self.pyopencl.CommandQueue(self._context, self._device, properties=profiling)

    def _aside_queue(self) -> Any:
        if self._aside is None:
            self._aside = self._new_queue()
        return self._aside

    # ------------------------------------------------------------ queues

    def select(self, queue: int) -> None:
        found = self._queues[queue]
        if found is None:
            with self.errors():
                found = Queue(self.pyopencl, self._new_queue(), self.staging)
                self.queue.handle.flush()
                for event in self._fills.values():
                    found.order_after(event)
            self._queues[queue] = found
        self.queue = found

    def _is_busy(self) -> bool:
        """Whether some queue may have work: with NVIDIA's driver a marker in an idle one waits for it."""
        return any(each is not None and (each.has_unmarked or each.newest is not None) for each in self._queues)

    def order(self, mark: Mark) -> None:
        assert isinstance(mark, OpenCLMark)
        if mark.event is not None and mark.queue is not self.queue:
            with self.errors():
                mark.flush()
                self.queue.order_after(mark.event)

    def _first_use(self, memory: Any) -> None:
        """Write to new memory: drivers allocate at first use, and here the failure can be reported. No queue uses the
        memory before that."""
        queues = [each for each in self._queues if each is not None]
        is_aside = len(queues) > 1
        handle = self._aside_queue() if is_aside else self.queue.handle
        event = self._fills[is_aside] = self.pyopencl.enqueue_fill_buffer(handle, memory, b"\0\0\0\0", 0, 4)
        if is_aside:
            handle.flush()
            for each in queues:
                each.order_after(event)

    # ------------------------------------------------------------ memory

    def pinned(self, nbytes: int) -> memoryview:
        try:
            return self._allocate_pinned(nbytes)
        except self.pyopencl.Error as error:
            raise self._refusal(error, nbytes) from error

    def _allocate_pinned(self, nbytes: int) -> memoryview:
        if self._pinned is None:
            self._pinned = PinnedMemory(self.pyopencl, self._context, self._aside_queue())
        return self._pinned.allocate(nbytes)

    def _ring(self, nbytes: int) -> memoryview | None:
        try:
            return self._allocate_pinned(nbytes)
        except self.pyopencl.Error:  # large copies go without it
            return None

    def allocate(self, nbytes: int) -> OpenCLBuffer:
        size = -(-nbytes // _GRANULE) * _GRANULE
        self._collect_pinned()
        try:
            memory = self.pyopencl.Buffer(self._context, self.pyopencl.mem_flags.READ_WRITE, size)
            self._first_use(memory)
        except self.pyopencl.Error as error:
            raise self._refusal(error, nbytes) from error
        buffer = OpenCLBuffer(self, memory, nbytes)
        self.owned.add(buffer)
        return buffer

    def compile(self, source: Source) -> OpenCLPipeline:
        built: list[Any] = []  # the program, if this process compiled its text

        def make() -> bytes:
            built.append(self._build(source))
            try:
                (binary,) = built[0].get_info(self.pyopencl.program_info.BINARIES)
            except self.pyopencl.Error:  # a driver that gives none
                return b""
            return bytes(binary)

        def use(binary: bytes) -> OpenCLPipeline:
            with self.errors():
                program = built[0] if built else self._load(source, binary)
                kernel = self._kernel(program, source)
                self._check_workgroup_size(kernel, source)
                pipeline = OpenCLPipeline(source, kernel)
                self.owned.add(pipeline)
                return pipeline

        return cached_binary(__name__, [source.text, source.entry, self._facts], make, use)

    def _build(self, source: Source) -> Any:
        """A program from the text of a Source."""
        cl = self.pyopencl
        with self.errors():
            # The driver's program object itself: pyopencl's public class writes a cache and temporary files.
            program = cl._cl._Program(self._context, source.text)
        try:
            program._build(b" ".join(self._options(source)), [self._device])
        except cl.Error as error:
            if self._is_out_of_memory(error):
                raise OutOfMemoryError(f"{self.info.id} lacks memory to compile {source.entry}: {error}") from error
            log = str(program.get_build_info(self._device, cl.program_build_info.LOG))
            span, log = map_log(log, _MESSAGE, source.lines)
            what = "the generated code" if source.lines else "the text"
            message = f"the OpenCL compiler of {self.info.name} refused {what} of {source.entry}"
            raise DriverCompileError("GP611", message, span, log=log or str(error)) from error
        return program

    def _load(self, source: Source, binary: bytes) -> Any:
        """A program from what the driver made of the text of a Source."""
        program = self.pyopencl._cl._Program(self._context, [self._device], [binary])
        program._build(b" ".join(self._options(source)), [self._device])
        return program

    def _kernel(self, program: Any, source: Source) -> Any:
        cl = self.pyopencl
        try:
            return cl.Kernel(program, source.entry)
        except cl.Error as error:
            if getattr(error, "code", None) != cl.status_code.INVALID_KERNEL_NAME:
                raise
            message = f"the text has no __kernel function named {source.entry!r}"
            raise DriverCompileError("GP611", message) from error

    def _check_workgroup_size(self, kernel: Any, source: Source) -> None:
        """Reject a user's text that requires a workgroup size other than that of its dispatches."""
        which = self.pyopencl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
        required = tuple(map(int, kernel.get_work_group_info(which, self._device)))
        if any(required) and required != tuple(source.workgroup_size):
            raise DriverCompileError(
                "GP611",
                f"the text of {source.entry!r} has reqd_work_group_size{required}, and the kernel is called with "
                f"workgroup_size={tuple(source.workgroup_size)}; make the two the same: the kernel's form() shows what "
                "its text must declare",
            )

    def _options(self, source: Source) -> list[bytes]:
        """1.2 is supported by every device; subgroups came with 2.0, which some 3.0 devices do not accept."""
        more = [WITHOUT_OPTIMISATION.encode()] if source.text.startswith(UNOPTIMISED.header) else []
        if re.search(rf"^{VERSION_3}$", source.text, re.MULTILINE):
            return [b"-cl-std=CL3.0", *more]
        if re.search(rf"^\s*#pragma OPENCL EXTENSION {SUBGROUP_EXTENSION} : enable", source.text, re.MULTILINE) is None:
            return [b"-cl-std=CL1.2", *more]
        return [b"-cl-std=CL3.0" if self._device.version.startswith("OpenCL 3.") else b"-cl-std=CL2.0", *more]

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, OpenCLPipeline)
        queue, kernel, bound, index = self.queue, pipeline.kernel, pipeline.bound, 0
        try:
            for buffer in buffers:
                memory = buffer.memory  # type: ignore[attr-defined]  # this device's, as the protocol says
                if bound[index] is not memory:
                    bound[index] = None  # Ctrl-C may come in between
                    kernel.set_arg(index, memory)
                    bound[index] = memory
                index += 1
            if scalars and bound[-1] != scalars:
                bound[-1] = None
                pipeline.set_bytes(index, scalars)
                bound[-1] = scalars
            if pipeline.workgroups != workgroups:
                pipeline.resize(workgroups)
            queue.has_unmarked = True  # until there is an event: Ctrl-C may take it away
            if self._launch is None or self._launch(queue.address, pipeline.address, *pipeline.sizes):
                event = self._enqueue(queue.handle, kernel, pipeline.grid, pipeline.workgroup_size)
                queue.newest = queue.work = event
                queue.has_unmarked = False
        except self.pyopencl.Error as error:
            raise self.converted(error) from error

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, OpenCLBuffer) and isinstance(target, OpenCLBuffer)
        with self.errors():
            self.queue.copy(source.memory, target.memory, nbytes)

    def mark_before_write(self, nbytes: int) -> OpenCLMark | None:
        with self.errors():
            event = self.queue.event_before_upload(nbytes)
        return None if event is None else OpenCLMark(self, self.queue, event)

    def mark(self) -> OpenCLMark:
        mark = self.fence()
        if mark.event is None and self._has_timestamps and not self._is_busy():
            with self.errors():
                mark.event, mark.is_flushed = self.queue.marker(), False
        return mark

    def fence(self) -> OpenCLMark:
        self._collect_pinned()
        with self.errors():
            event = self.queue.pending()
            if event is not None:
                self.queue.handle.flush()
        return OpenCLMark(self, self.queue, event)

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, OpenCLMark) and isinstance(end, OpenCLMark)
        if not self._has_timestamps or start.event is end.event is None:
            return end.host_time - start.host_time
        with self.errors():
            ticks = self._ticks(end) - self._ticks(start)
        return max(0, ticks) * _SECONDS_PER_TICK

    def _ticks(self, mark: OpenCLMark) -> int:
        """When the work before a mark had ended, in the time of the device."""
        if mark.ticks is None:
            if mark.event is not None:
                mark.ticks = int(mark.event.profile.end)
            else:
                mark.ticks = clock_at(self.pyopencl, self._aside_queue(), mark.host_time)
        return mark.ticks

    def close(self) -> None:
        queues = [each for each in self._queues if each is not None]
        self._queues = [None] * self.queues
        if not queues:
            return
        with self.errors():
            try:
                for each in queues:  # all before the first wait: they can wait for one another
                    each.pending()
                    each.handle.flush()
                for each in queues:
                    each.finish()
            except self.pyopencl.Error:
                self._free()
                raise
            self._free()  # not after Ctrl-C: a queue that is dropped waits for its work

    def _free(self) -> None:
        with HeldBack():
            if self.staging is not None:
                self.staging.close()
            for each in [*self.owned]:
                with suppress(self.pyopencl.Error):  # of a device that is lost
                    each.release()
            if self._pinned is not None:
                with suppress(self.pyopencl.Error):
                    self._pinned.close()
            self._context = self._aside = self._pinned = None
            self._fills.clear()
            del self.queue

    def _collect_pinned(self) -> None:
        if self._pinned is not None:
            with self.errors():
                self._pinned.collect()

    # ------------------------------------------------------------ errors

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Converts a driver's exception to one of gpucore's."""
        try:
            yield
        except self.pyopencl.Error as error:
            raise self.converted(error) from error

    def converted(self, error: Any) -> GpucoreError:
        """The error of gpucore's for one of the driver's."""
        if self._is_out_of_memory(error):
            return OutOfMemoryError(f"{self.info.id}: {error}")
        return self.failure(str(error), getattr(error, "code", 0))

    def failure(self, text: str, code: int) -> DeviceError:
        """The error for an OpenCL status."""
        lost = (self.pyopencl.status_code.DEVICE_NOT_AVAILABLE, self.pyopencl.status_code.INVALID_COMMAND_QUEUE)
        kind = DeviceLostError if code in lost else DeviceError
        return kind(f"{self.info.id}: {text}")

    def _is_out_of_memory(self, error: Any) -> bool:
        return isinstance(error, self.pyopencl.MemoryError) or (
            getattr(error, "code", None) == self.pyopencl.status_code.OUT_OF_HOST_MEMORY
        )

    def _refusal(self, error: Any, nbytes: int) -> GpucoreError:
        """The error of gpucore's for an allocation that failed."""
        codes = self.pyopencl.status_code  # elsewhere OUT_OF_RESOURCES can mean that a kernel failed
        code = getattr(error, "code", 0)
        if self._is_out_of_memory(error) or code in (codes.INVALID_BUFFER_SIZE, codes.OUT_OF_RESOURCES):
            return OutOfMemoryError(f"{self.info.id} has no {nbytes} bytes of memory left: {error}")
        return self.failure(str(error), code)

    def _markers_have_timestamps(self) -> bool:
        event = self.pyopencl.enqueue_marker(self.queue.handle)
        event.wait()
        try:
            return int(event.profile.end) > 0
        except self.pyopencl.Error:
            return False
