"""Functions of wgpu-native that wgpu-py's public classes do not offer.

Everything here uses `ffi` and `lib` of wgpu.backends.wgpu_native and the `_internal` handles of its objects.
"""

from __future__ import annotations

import itertools
import weakref
from typing import Any, Protocol

from wgpu.backends import wgpu_native as _native

from gpucore.plugin import HeldBack
from gpucore_wgpu.type_parsing import declare_only_used_names

_ffi: Any = _native.ffi
declare_only_used_names(_ffi)
_lib: Any = _native.lib
_raising: Any = getattr(_native._api, "libf", _lib)
"""wgpu-py's wrapper of the library, whose functions raise the errors that the driver reports during a call."""

# Looked up once, for the calls of every launch.
_device_poll: Any = _lib.wgpuDevicePoll
_set_pipeline: Any = _lib.wgpuComputePassEncoderSetPipeline
_set_bind_group: Any = _lib.wgpuComputePassEncoderSetBindGroup
_dispatch_workgroups: Any = _lib.wgpuComputePassEncoderDispatchWorkgroups
_ENCODER: Any = _ffi.new("WGPUCommandEncoderDescriptor *")
_PASS: Any = _ffi.new("WGPUComputePassDescriptor *")
_FINISH: Any = _ffi.new("WGPUCommandBufferDescriptor *")


def create_trusted_shader_module(device: Any, text: str, label: str) -> Any:
    """A shader module without naga's index clamping and loop bounding: for code that guards its own indices."""
    code = _ffi.new("char []", text.encode())
    name = _ffi.new("char []", label.encode())
    source = _ffi.new("WGPUShaderSourceWGSL *")
    source.chain.sType = _lib.WGPUSType_ShaderSourceWGSL
    source.code.data, source.code.length = code, len(code) - 1
    descriptor = _ffi.new("WGPUShaderModuleDescriptor *")
    descriptor.nextInChain = _ffi.cast("WGPUChainedStruct *", source)
    descriptor.label.data, descriptor.label.length = name, len(name) - 1
    checks = _lib.WGPUShaderRuntimeChecks_None
    handle = _raising.wgpuDeviceCreateShaderModuleTrusted(device._internal, descriptor, checks)
    return _native.GPUShaderModule(label, handle, device)


def destroy(device: Any) -> None:
    """Destroy a device, which refers to itself in two ways: its memory would be kept until Python collects cycles."""
    device.destroy()
    device._device = device.queue._device = None


def subgroup_sizes(adapter: Any) -> tuple[int, int]:
    """The minimum and maximum subgroup size of an adapter, as reported by wgpu-native; 0 if unknown.

    wgpu-py's own adapter info always says 4 and 128.
    """
    info = _ffi.new("WGPUAdapterInfo *")
    if _lib.wgpuAdapterGetInfo(adapter._internal, info) != _lib.WGPUStatus_Success:
        return 0, 0
    sizes = int(info.subgroupMinSize), int(info.subgroupMaxSize)
    _lib.wgpuAdapterInfoFreeMembers(info[0])
    return sizes


def timestamp_period(queue: Any) -> float:
    """Seconds per tick of a timestamp query."""
    return float(_lib.wgpuQueueGetTimestampPeriod(queue._internal)) * 1e-9


def pointer_to(data: Any) -> Any:
    """Where a contiguous object with the buffer protocol begins, for a `with` block."""
    return _ffi.from_buffer("uint8_t []", data)


def new_bytes(nbytes: int) -> Any:
    """Memory of the host, as a pointer that keeps it."""
    return _ffi.new("uint8_t []", nbytes)


def view_of(pointer: Any, nbytes: int) -> Any:
    """Bytes at a pointer, as a buffer of cffi."""
    return _ffi.buffer(pointer, nbytes)


class Commands:
    """Commands for one submit, and the submit, without wgpu-py's objects, which cost more than the driver's own work.

    Errors of commands are reported by `submit`. Pipelines, bind groups, buffers and queries are wgpu-py's objects.
    """

    def __init__(self, device: Any) -> None:
        self._owner = device  # keeps the two handles alive
        self._device, self._queue = device._internal, device.queue._internal
        self.serial = 0  # changes with what is recorded, except for further dispatches of an open pass
        self._encoder: Any = None
        self._pass: Any = None
        self._pipeline: Any = None  # bound in the open pass
        self.group: Any = None  # bound in the open pass, too
        self._bound: int | None = None  # the dynamic offset
        self._offset = _ffi.new("uint32_t [1]")
        self._finished = _ffi.new("WGPUCommandBuffer [1]")

    @property
    def is_empty(self) -> bool:
        """Whether nothing was recorded since the last submit."""
        return self._encoder is None

    def dispatch(self, pipeline: Any, group: Any, offset: int | None, workgroups: tuple[int, int, int]) -> None:
        """A dispatch with bind group 0, which has a dynamic offset or none."""
        current = self._pass
        if current is None:
            with HeldBack():  # a pass that nobody knows would lock the encoder
                current = self._pass = _raising.wgpuCommandEncoderBeginComputePass(self._outside_pass(), _PASS)
        # None until it is bound: Ctrl-C may come after the driver's call
        if self._pipeline is not pipeline:
            self._pipeline = None
            _set_pipeline(current, pipeline._internal)
            self._pipeline = pipeline
        if self.group is not group or self._bound != offset:
            self.group = None
            if offset is None:
                _set_bind_group(current, 0, group._internal, 0, _ffi.NULL)
            else:
                self._offset[0] = offset
                _set_bind_group(current, 0, group._internal, 1, self._offset)
            self.group, self._bound = group, offset
        x, y, z = workgroups
        _dispatch_workgroups(current, x, y, z)

    def copy(self, source: Any, source_offset: int, target: Any, target_offset: int, nbytes: int) -> None:
        """A copy of bytes; all numbers are multiples of 4."""
        _raising.wgpuCommandEncoderCopyBufferToBuffer(
            self._outside_pass(), source._internal, source_offset, target._internal, target_offset, nbytes
        )

    def clear(self, buffer: Any, offset: int, nbytes: int) -> None:
        """Zeros for bytes of a buffer; both numbers are multiples of 4."""
        _raising.wgpuCommandEncoderClearBuffer(self._outside_pass(), buffer._internal, offset, nbytes)

    def write_timestamp(self, queries: Any, index: int) -> None:
        """The time at which what was recorded ends (feature timestamp-query-inside-encoders)."""
        _raising.wgpuCommandEncoderWriteTimestamp(self._outside_pass(), queries._internal, index)

    def pass_with_timestamp(self, queries: Any, index: int) -> None:
        """An empty pass that writes the time at which it begins."""
        writes = _ffi.new("WGPUPassTimestampWrites *")
        writes.querySet, writes.beginningOfPassWriteIndex = queries._internal, index
        writes.endOfPassWriteIndex = _lib.WGPU_QUERY_SET_INDEX_UNDEFINED
        descriptor = _ffi.new("WGPUComputePassDescriptor *")
        descriptor.timestampWrites = writes
        encoder = self._outside_pass()
        with HeldBack():
            self._pass = _raising.wgpuCommandEncoderBeginComputePass(encoder, descriptor)
            self._end_pass()

    def resolve(self, queries: Any, index: int, target: Any, offset: int) -> None:
        """The time of one query, as 8 bytes of a buffer."""
        _raising.wgpuCommandEncoderResolveQuerySet(
            self._outside_pass(), queries._internal, index, 1, target._internal, offset
        )

    def submit(self) -> None:
        """Submit what was recorded, after what was written to the queue. Nothing is recorded afterwards, also if this
        raises."""
        encoder, self._encoder = self._encoder, None
        if encoder is None:
            _raising.wgpuQueueSubmit(self._queue, 0, _ffi.NULL)
            return
        try:
            self._end_pass()
            finished = _raising.wgpuCommandEncoderFinish(encoder, _FINISH)
        finally:
            _lib.wgpuCommandEncoderRelease(encoder)
        self._finished[0] = finished
        try:
            _raising.wgpuQueueSubmit(self._queue, 1, self._finished)
        finally:
            _lib.wgpuCommandBufferRelease(finished)

    def drop(self) -> None:
        """Forget what was recorded."""
        encoder, self._encoder = self._encoder, None
        if encoder is not None:
            self._end_pass()
            _lib.wgpuCommandEncoderRelease(encoder)

    def write(self, buffer: Any, offset: int, data: Any, nbytes: int) -> None:
        """Copy host memory (a cffi pointer or buffer) into a buffer, before what is recorded. It is copied at once."""
        _raising.wgpuQueueWriteBuffer(self._queue, buffer._internal, offset, data, nbytes)

    def notify(self, listener: Listener) -> None:
        """Call `listener.arrive` once the work submitted so far has ended, unless the listener is gone by then."""
        info = _info("WGPUQueueWorkDoneCallbackInfo *", _on_work_done, listener)
        _raising.wgpuQueueOnSubmittedWorkDone(self._queue, info)

    def poll(self) -> bool:
        """Notify the listeners of what has ended, and return whether all work has; does not wait."""
        is_idle = _device_poll(self._device, False, _ffi.NULL) & 1  # the library sets the lowest byte alone
        if _interrupts:
            raise _interrupts.pop()
        return bool(is_idle)

    def _outside_pass(self) -> Any:
        """The encoder, with no open pass."""
        self.serial += 1
        if self._pass is not None or self._encoder is None:
            with HeldBack():
                if self._pass is not None:
                    self._end_pass()
                if self._encoder is None:
                    self._encoder = _raising.wgpuDeviceCreateCommandEncoder(self._device, _ENCODER)
        return self._encoder

    def _end_pass(self) -> None:
        current, self._pass = self._pass, None
        self._pipeline = self.group = self._bound = None
        if current is not None:
            try:
                _raising.wgpuComputePassEncoderEnd(current)
            finally:
                _lib.wgpuComputePassEncoderRelease(current)


class Mapping:
    """The first `nbytes` of a buffer, which the host can access once the work submitted so far has ended."""

    def __init__(self, buffer: Any, nbytes: int, *, writes: bool = False) -> None:
        """`buffer`: wgpu-py's, unmapped. It MUST not be submitted before `unmap`."""
        self._buffer, self._nbytes = buffer, nbytes
        self.has_arrived = False  # whether it is mapped, or will not be
        self.succeeded = False
        mode = _lib.WGPUMapMode_Write if writes else _lib.WGPUMapMode_Read
        info = _info("WGPUBufferMapCallbackInfo *", _on_map, self)
        _raising.wgpuBufferMapAsync(buffer._internal, mode, 0, nbytes, info)

    def arrive(self, succeeded: bool) -> None:
        self.has_arrived, self.succeeded = True, succeeded

    def view(self) -> Any:
        """The bytes, as a buffer of cffi; only if it `succeeded`, and until `unmap`."""
        return view_of_mapped(self._buffer, self._nbytes)


def view_of_mapped(buffer: Any, nbytes: int) -> Any:
    """The first bytes of a buffer that is mapped, as a buffer of cffi. If it is not, the library ends the process."""
    return view_of(_raising.wgpuBufferGetMappedRange(buffer._internal, 0, nbytes), nbytes)


def unmap(buffer: Any) -> None:
    """End the host's access to a buffer."""
    _raising.wgpuBufferUnmap(buffer._internal)


class Listener(Protocol):
    """Something that waits for the driver."""

    def arrive(self, succeeded: bool) -> None:
        """Called during a poll or a submit: what it waits for has happened, or cannot happen any more."""


_listeners: weakref.WeakValueDictionary[int, Listener] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)
_interrupts: list[BaseException] = []  # that came during a callback, from which cffi cannot raise


def _info(type: str, callback: Any, listener: Listener) -> Any:
    """What tells the driver to call a callback for a listener."""
    number = next(_numbers)
    _listeners[number] = listener
    info = _ffi.new(type)
    info.mode = _lib.WGPUCallbackMode_AllowProcessEvents
    info.callback = callback
    info.userdata1 = _ffi.cast("void *", number)
    return info[0]


def _notify(status: int, message: Any, number: Any, *rest: Any) -> None:
    key = int(_ffi.cast("uintptr_t", number))
    listener = _listeners.get(key)
    if listener is not None:
        listener.arrive(status == 1)  # Success, in both enumerations
        _listeners.pop(key, None)


def _on_interrupt(kind: Any, error: BaseException, traceback: Any) -> None:
    """Notify again after Ctrl-C, which the next poll raises."""
    _interrupts.append(error)
    arguments = traceback.tb_frame.f_locals
    _notify(arguments["status"], None, arguments["number"])


# Never freed: the driver calls them for the work of closed devices too.
_on_work_done = _ffi.callback("WGPUQueueWorkDoneCallback", _notify, onerror=_on_interrupt)
_on_map = _ffi.callback("WGPUBufferMapCallback", _notify, onerror=_on_interrupt)
