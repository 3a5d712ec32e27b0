"""Recording: dispatches and copies are collected in one command encoder and submitted together.

A submit costs ten times as much as a dispatch. The scalars of each pending dispatch have their own region in one
uniform buffer, selected by a dynamic offset; the buffer is written just before the submit. Host writes go directly to
the queue, hence before everything pending: pending work on the same buffer is submitted first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import wgpu

from gpucore_wgpu.buffers import Reader, WgpuBuffer
from gpucore_wgpu.driver_errors import driver_errors
from gpucore_wgpu.native import PassCommands

if TYPE_CHECKING:
    from gpucore_wgpu.pipelines import BindGroup, WgpuPipeline

_MAX_PENDING = 64  # dispatches before a submit
_MAX_STAGED = 64 << 20  # bytes of writes before a submit: until then they occupy staging memory
_SCALARS_BYTES = 1 << 16


class Recorder:
    """The pending work of one device. Not thread-safe."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.reader = Reader(device)
        self.is_discarded = False
        self.scalars: Any = device.create_buffer(
            size=_SCALARS_BYTES, usage=wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        )
        self._alignment = max(16, device.limits["min-uniform-buffer-offset-alignment"])
        self._packed = bytearray(_SCALARS_BYTES)  # written to `scalars` at the next submit
        self._packed_nbytes = 0
        self._offsets: dict[bytes, int] = {}  # the offset of each distinct block in it
        self._encoder: Any = None
        self._pass: PassCommands | None = None
        self._count = 0
        self._staged = 0  # bytes written by the host since the last submit
        self._used: set[int] = set()  # serials of the memory that pending work uses
        self._pipeline: WgpuPipeline | None = None  # the pipeline bound in the open pass
        self._group: BindGroup | None = None
        self._offset: int | None = None

    def dispatch(
        self, pipeline: WgpuPipeline, group: BindGroup, scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        """Record one dispatch."""
        if self._count >= _MAX_PENDING or len(scalars) > _SCALARS_BYTES - self._packed_nbytes:
            self.flush()
        offset = self._place(scalars) if scalars else None
        current = self._pass
        if current is None:
            with driver_errors("record a dispatch"):
                current = self._pass = PassCommands(self.encoder().begin_compute_pass())
        if self._pipeline is not pipeline:
            current.set_pipeline(pipeline.handle)
            self._pipeline = pipeline
        if self._group is not group or self._offset != offset:
            current.set_bind_group(group.handle, offset)
            self._group, self._offset = group, offset
        current.dispatch(workgroups)
        self._used.update(group.memory)
        self._count += 1

    def copy(self, source: WgpuBuffer, target: WgpuBuffer, nbytes: int) -> None:
        """Record a copy of the first `nbytes`, and what follows up to whole words."""
        with driver_errors(f"copy {nbytes} bytes"):
            self.encoder().copy_buffer_to_buffer(
                source.handle, source.offset, target.handle, target.offset, -(-nbytes // 4) * 4
            )
        self._used.update((source.memory.serial, target.memory.serial))

    def encoder(self) -> Any:
        """The encoder, with no open pass."""
        self._end_pass()
        if self._encoder is None:
            self._encoder = self.device.create_command_encoder()
        return self._encoder

    def flush_if_used(self, *buffers: WgpuBuffer) -> None:
        """Submit if pending work uses one of the buffers."""
        if not self._used.isdisjoint([buffer.memory.serial for buffer in buffers]):
            self.flush()

    def note_staged(self, nbytes: int) -> None:
        """The host has written `nbytes`: submit if the staging memory grows too large. Recorded work stays recorded."""
        self._staged += nbytes
        if self._staged >= _MAX_STAGED:
            self._staged = 0
            self.device.queue.submit([])  # lets the driver free the staging memory of work that has ended

    def flush(self) -> None:
        """Submit pending work; nothing is pending afterwards, even if this raises."""
        encoder, self._encoder = self._encoder, None
        nbytes, self._packed_nbytes = self._packed_nbytes, 0
        self._count = 0
        self._used.clear()
        self._offsets.clear()
        if encoder is None:
            return
        queue = self.device.queue
        with driver_errors("run what was dispatched"):
            self._end_pass()
            if nbytes:
                queue.write_buffer(self.scalars, 0, self._packed, 0, nbytes)
            queue.submit([encoder.finish()])
            self._staged = 0

    def discard(self) -> None:
        """Drop pending work and free what the recorder owns."""
        self.is_discarded = True
        self._end_pass()
        self._encoder = None
        self.reader.release()
        self.scalars.destroy()

    def _end_pass(self) -> None:
        if self._pass is not None:
            current, self._pass = self._pass, None
            self._pipeline = self._group = self._offset = None
            current.end()

    def _place(self, scalars: bytes) -> int:
        """The offset of the scalars of a dispatch."""
        offset = self._offsets.get(scalars)
        if offset is None:
            offset = self._packed_nbytes
            end = offset + len(scalars)
            self._packed[offset:end] = scalars
            self._packed_nbytes = min(-(-end // self._alignment) * self._alignment, _SCALARS_BYTES)
            self._offsets[scalars] = offset
        return offset
