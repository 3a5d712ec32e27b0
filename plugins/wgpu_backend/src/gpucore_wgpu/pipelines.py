"""Compiled kernels: shader module, layout and their bind groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import wgpu

from gpucore.plugin import ClosedError, DeviceLostError, OutOfMemoryError, Pipeline, Source, read_switch
from gpucore_wgpu import native
from gpucore_wgpu.buffers import WgpuBuffer
from gpucore_wgpu.driver_errors import DRIVER_ERRORS, compile_error, device_error, driver_errors
from gpucore_wgpu.emit import SLOT, Generated
from gpucore_wgpu.settings import CHECKED


@dataclass(frozen=True, slots=True)
class BindGroup:
    """A bind group of wgpu, and the buffers of wgpu that it binds."""

    handle: Any
    buffers: tuple[Any, ...]


class WgpuPipeline(Pipeline):
    """A compute pipeline. `checks_loops`: the kernel reports loops that the driver cut short."""

    def __init__(
        self, source: Source, handle: Any, layout: Any, tail: list[dict[str, Any]], checks_loops: bool
    ) -> None:
        """`tail` has the bind group entries after the buffers: scalars, truncation flags, constant arrays."""
        self.source = source
        self.checks_loops = checks_loops
        self.handle = handle
        self._layout = layout
        self._tail = tail
        self.groups: dict[tuple[int, ...], BindGroup] = {}  # by the serials of their buffers

    def create_bind_group(self, device: Any, buffers: Sequence[WgpuBuffer], *, is_kept: bool) -> BindGroup:
        """A bind group with these buffers; `is_kept`: until one of them is released. Raises ClosedError."""
        if self._layout is None:
            raise ClosedError(f"the pipeline of '{self.source.entry}' was released")
        entries = [{"binding": index, "resource": _resource(buffer)} for index, buffer in enumerate(buffers)]
        with driver_errors(f"bind the buffers of '{self.source.entry}'"):
            handle = device.create_bind_group(layout=self._layout, entries=entries + self._tail)
        group = BindGroup(handle, tuple(buffer.handle for buffer in buffers))
        if is_kept:
            key = tuple(buffer.serial for buffer in buffers)
            self.groups[key] = group
            for buffer in buffers:
                buffer.note_bind_group(self.groups, key)
        return group

    def release(self) -> None:
        self.groups.clear()
        self.handle = self._layout = None
        self._tail = []


def _resource(buffer: WgpuBuffer) -> dict[str, Any]:
    """What a bind group entry binds."""
    if buffer.memory is buffer:
        return {"buffer": buffer.handle}
    return {"buffer": buffer.handle, "offset": buffer.offset, "size": buffer.nbytes}


@dataclass(frozen=True, slots=True)
class TruncationFlag:
    """The word that a kernel sets if its loops were cut short."""

    buffer: Any
    index: int


def create_pipeline(device: Any, source: Source, scalars: Any, flag: TruncationFlag | None) -> WgpuPipeline:
    """Compile `source`. `scalars` is the uniform buffer for them, `flag` is for a kernel that checks its loops.

    Raises DriverCompileError, DeviceLostError or OutOfMemoryError; BackendError for an invalid value of
    GPUCORE_WGPU_CHECKED.
    """
    # a user's own WGSL has no payload
    is_checked = read_switch(CHECKED) or source.payload is None
    buffer_types = ["storage" if written else "read-only-storage" for written in source.writes]
    layouts: list[dict[str, Any]] = [{"type": type} for type in buffer_types]
    tail: list[dict[str, Any]] = []
    if source.scalars_nbytes:
        resource = {"buffer": scalars, "offset": 0, "size": source.scalars_nbytes}
        tail.append({"binding": len(layouts), "resource": resource})
        layouts.append({"type": "uniform", "has_dynamic_offset": True})
    constants: dict[str, int] = {}
    if flag is not None:
        constants[SLOT] = flag.index
        tail.append({"binding": len(layouts), "resource": {"buffer": flag.buffer}})
        layouts.append({"type": "storage"})
    generated = Generated.of(source)
    table_data = generated.tables if generated is not None else b""
    if table_data:
        layouts.append({"type": "uniform"})
    entries = [
        {"binding": index, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": layout}
        for index, layout in enumerate(layouts)
    ]
    try:
        if table_data:
            tables = device.create_buffer_with_data(data=table_data, usage=wgpu.BufferUsage.UNIFORM)
            tail.append({"binding": len(layouts) - 1, "resource": {"buffer": tables}})
        layout = device.create_bind_group_layout(entries=entries)
        handle = device.create_compute_pipeline(
            label=source.entry,
            layout=device.create_pipeline_layout(bind_group_layouts=[layout]),
            compute={
                "module": _create_module(device, source, is_checked),
                "entry_point": source.entry,
                "constants": constants,
            },
        )
    except DRIVER_ERRORS as error:
        failure = device_error("compile", error)
        is_device = isinstance(failure, DeviceLostError | OutOfMemoryError)
        raise (failure if is_device else compile_error(source, error)) from error
    return WgpuPipeline(source, handle, layout, tail, flag is not None)


def _create_module(device: Any, source: Source, is_checked: bool) -> Any:
    """Generated kernels guard their own indices; with GPUCORE_WGPU_CHECKED naga checks them as well.

    A user's own WGSL is always checked, as WGSL defines it.
    """
    if is_checked:
        return device.create_shader_module(label=source.entry, code=source.text)
    return native.create_trusted_shader_module(device, source.text, source.entry)
