"""Functions of wgpu-native that wgpu-py's public classes do not offer.

Everything here uses `ffi` and `lib` of wgpu.backends.wgpu_native and the `_internal` handles of its objects.
"""

from __future__ import annotations

import itertools
import weakref
from typing import Any, Protocol

from wgpu.backends import wgpu_native as _native
from wgpu.backends.wgpu_native import extras as _extras

from gpucore_wgpu.type_parsing import declare_only_used_names

_ffi: Any = _native.ffi
declare_only_used_names(_ffi)
_lib: Any = _native.lib
_set_pipeline: Any = _lib.wgpuComputePassEncoderSetPipeline
_set_bind_group: Any = _lib.wgpuComputePassEncoderSetBindGroup
_dispatch_workgroups: Any = _lib.wgpuComputePassEncoderDispatchWorkgroups


def _raising_lib() -> Any:
    """wgpu-py's wrapper of the library, whose functions raise the errors that the driver reports during a call."""
    return getattr(_native._api, "libf", _lib)


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
    handle = _raising_lib().wgpuDeviceCreateShaderModuleTrusted(device._internal, descriptor, checks)
    return _native.GPUShaderModule(label, handle, device)


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


def poll(device: Any) -> None:
    """Run the callbacks of finished work; does not wait."""
    if device._internal is not None:
        _lib.wgpuDevicePoll(device._internal, False, _ffi.NULL)


def map_for_reading(buffer: Any, size: int) -> Any:
    """A promise that the first `size` bytes of a buffer can be read. It neither submits anything nor waits.

    wgpu-py's own READ first submits an empty batch, and a driver that executes batches on the caller's thread
    (lavapipe) does not return from that until all earlier work has ended.
    """
    return buffer.map_async("READ_NOSYNC", 0, size)


def timestamp_period(queue: Any) -> float:
    """Seconds per tick of a timestamp query."""
    return float(_lib.wgpuQueueGetTimestampPeriod(queue._internal)) * 1e-9


def write_timestamp(encoder: Any, queries: Any, index: int) -> None:
    """Write a timestamp between passes (feature timestamp-query-inside-encoders)."""
    _extras.write_timestamp(encoder, queries, index)


class PassCommands:
    """The commands of one compute pass, without wgpu-py's wrapper, which doubles the cost of a dispatch.

    Their errors are reported again when the encoder is finished. `group` and `pipeline` are wgpu-py's objects.
    """

    __slots__ = ("_handle", "_offset", "_pass")

    def __init__(self, compute_pass: Any) -> None:
        self._pass = compute_pass  # keeps the handle alive
        self._handle = compute_pass._internal
        self._offset = _ffi.new("uint32_t [1]")

    def set_pipeline(self, pipeline: Any) -> None:
        """Set the pipeline of the next dispatches."""
        _set_pipeline(self._handle, pipeline._internal)

    def set_bind_group(self, group: Any, offset: int | None) -> None:
        """Bind group 0, with a dynamic offset if it has one."""
        if offset is None:
            _set_bind_group(self._handle, 0, group._internal, 0, _ffi.NULL)
        else:
            self._offset[0] = offset
            _set_bind_group(self._handle, 0, group._internal, 1, self._offset)

    def dispatch(self, workgroups: tuple[int, int, int]) -> None:
        """Dispatch this many workgroups."""
        _dispatch_workgroups(self._handle, *workgroups)

    def end(self) -> None:
        """End the pass."""
        self._pass.end()


class WorkListener(Protocol):
    """Something that waits for work of a queue."""

    def arrive(self, succeeded: bool) -> None:
        """Called during a poll, of any device: the work has ended, or the device was lost."""


_listeners: weakref.WeakValueDictionary[int, WorkListener] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def notify_when_done(queue: Any, listener: WorkListener) -> None:
    """Call `listener.arrive` once the work submitted so far has ended, unless the listener is gone by then."""
    number = next(_numbers)
    _listeners[number] = listener
    info = _ffi.new("WGPUQueueWorkDoneCallbackInfo *")
    info.mode = _lib.WGPUCallbackMode_AllowProcessEvents
    info.callback = _on_work_done
    info.userdata1 = _ffi.cast("void *", number)
    _raising_lib().wgpuQueueOnSubmittedWorkDone(queue._internal, info[0])


# One callback for the whole process, never freed: the driver calls it for the work of closed devices too.
@_ffi.callback("WGPUQueueWorkDoneCallback")  # type: ignore[untyped-decorator]  # cffi has no types
def _on_work_done(status: int, *rest: Any) -> None:
    number = int(_ffi.cast("uintptr_t", rest[-2]))  # the two user pointers come last
    listener = _listeners.pop(number, None)
    if listener is not None:
        listener.arrive(status == _lib.WGPUQueueWorkDoneStatus_Success)
