"""Recording: dispatches and copies are collected and submitted together.

A submit costs ten times as much as a dispatch. The scalars of dispatches are in one uniform buffer, each distinct block
at its own dynamic offset: it stays there, so that only new blocks are written, just before the submit. Other host
writes go directly to the queue, hence before everything pending: pending work on the same buffer is submitted first.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import wgpu

from gpucore.errors import DeviceLostError
from gpucore_wgpu.buffers import Reader, WgpuBuffer
from gpucore_wgpu.driver_errors import DRIVER_ERRORS, device_error, driver_errors
from gpucore_wgpu.native import Commands, Mapping, new_bytes, view_of

if TYPE_CHECKING:
    from gpucore_wgpu.pipelines import BindGroup, WgpuPipeline

_MAX_PENDING = 64  # dispatches before a submit
_MAX_STAGED = 64 << 20  # bytes of writes before a submit: until then they occupy staging memory
_SCALARS_BYTES = 1 << 16
_POLLS = 300  # how often a wait polls before its first pause
_MIN_PAUSE, _MAX_PAUSE = 50e-6, 5e-3


class Recorder:
    """The pending work of one device, and how far the submitted work is. Not thread-safe."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.commands = Commands(device)
        self.reader = Reader(self)
        self.is_discarded = False
        self.scalars: Any = device.create_buffer(
            size=_SCALARS_BYTES, usage=wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        )
        self._alignment = max(16, device.limits["min-uniform-buffer-offset-alignment"])
        self._pointer = new_bytes(_SCALARS_BYTES)  # what is in `scalars`, or will be at the next submit
        self._packed = view_of(self._pointer, _SCALARS_BYTES)
        self._packed_nbytes = self._written_nbytes = 0
        self._offsets: dict[bytes, int] = {}  # the offset of each distinct block in it
        self._count = 0
        self._staged = 0  # bytes written by the host since the last submit
        self._used: set[int] = set()  # serials of the memory that pending work uses
        self._num_submits = self._num_ended = 0
        self._marked = 0  # the last submit with a mark
        self._arrivals: dict[int, _Arrival] = {}
        self._is_lost = False

    # ---------------------------------------------------------------- recording

    def dispatch(
        self, pipeline: WgpuPipeline, group: BindGroup, scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        """Record one dispatch."""
        if self._count >= _MAX_PENDING:
            self.flush()
        offset = None
        if scalars:
            offset = self._offsets.get(scalars)
            if offset is None:
                offset = self._place(scalars)
        try:
            self.commands.dispatch(pipeline.handle, group.handle, offset, workgroups)
        except DRIVER_ERRORS as error:
            raise device_error("record a dispatch", error) from error
        self._used.update(group.memory)
        self._count += 1

    def copy(self, source: WgpuBuffer, target: WgpuBuffer, nbytes: int) -> None:
        """Record a copy of the first `nbytes`, and what follows up to whole words."""
        with driver_errors(f"copy {nbytes} bytes"):
            self.commands.copy(source.handle, source.offset, target.handle, target.offset, -(-nbytes // 4) * 4)
        self._used.update((source.memory.serial, target.memory.serial))

    def flush_if_used(self, *buffers: WgpuBuffer) -> None:
        """Submit if pending work uses one of the buffers."""
        if not self._used.isdisjoint([buffer.memory.serial for buffer in buffers]):
            self.flush()

    def note_staged(self, nbytes: int) -> None:
        """The host has written `nbytes`: submit if the staging memory grows too large. Recorded work stays recorded."""
        self._staged += nbytes
        if self._staged >= _MAX_STAGED:
            self.flush()  # lets the driver free the staging memory of work that has ended

    def flush(self) -> None:
        """Submit pending work and writes; nothing is pending afterwards, even if this raises."""
        commands, first = self.commands, self._written_nbytes
        if commands.is_empty and not self._staged:
            return
        self._count = self._staged = 0
        self._used.clear()
        self._written_nbytes = self._packed_nbytes
        try:
            self._watch_marked()
            self._num_submits += 1
            if first != self._packed_nbytes:
                commands.write(self.scalars, first, self._pointer + first, self._packed_nbytes - first)
            commands.submit()
        except DRIVER_ERRORS as error:
            commands.drop()
            raise device_error("run what was dispatched", error) from error

    def discard(self) -> None:
        """Drop pending work and free what the recorder owns."""
        self.is_discarded = True
        self.commands.drop()
        self.reader.release()
        self.scalars.destroy()

    def _place(self, scalars: bytes) -> int:
        """A new place for the scalars of a dispatch."""
        if len(scalars) > _SCALARS_BYTES - self._packed_nbytes:
            self.flush()
            self._packed_nbytes = self._written_nbytes = 0
            self._offsets.clear()
        offset = self._packed_nbytes
        end = offset + len(scalars)
        self._packed[offset:end] = scalars
        self._packed_nbytes = min(-(-end // self._alignment) * self._alignment, _SCALARS_BYTES)
        self._offsets[scalars] = offset
        return offset

    # ---------------------------------------------------------------- waiting

    def mark(self) -> int:
        """Submit pending work and writes. The result is for `has_ended`."""
        self.flush()
        self._marked = self._num_submits
        return self._marked

    def has_ended(self, submit: int) -> bool:
        """Whether the work up to a submit has ended; does not wait."""
        if self._num_ended < submit and self.commands.poll():
            self._num_ended = self._num_submits
        if self._is_lost:
            raise DeviceLostError("the device was lost while work was queued; open it again")
        return self._num_ended >= submit

    def wait(self, mapping: Mapping) -> None:
        """Wait until a buffer is mapped. Raises DeviceLostError if it cannot be."""
        pause, polls = _MIN_PAUSE, 0
        while not mapping.has_arrived:
            if polls >= _POLLS:
                time.sleep(pause)
                pause = min(pause * 1.5, _MAX_PAUSE)
            polls += 1
            if self.commands.poll() and not mapping.has_arrived:
                break
        if not mapping.succeeded:
            raise DeviceLostError("the device was lost before its memory could be read; open it again")

    def arrive(self, submit: int, succeeded: bool) -> None:
        """The work up to a submit has ended, or failed."""
        del self._arrivals[submit]
        self._num_ended = max(self._num_ended, submit)
        self._is_lost = self._is_lost or not succeeded

    def _watch_marked(self) -> None:
        """Before the next submit: have the end of the last one reported, if there is a mark that may wait for it. As
        long as it is the last one, an idle queue tells the same for less."""
        last = self._num_submits
        if self._marked == last != self._num_ended and last not in self._arrivals:
            arrival = self._arrivals[last] = _Arrival(self, last)
            self.commands.notify(arrival)


class _Arrival:
    """Waits for the end of one submit."""

    def __init__(self, recorder: Recorder, submit: int) -> None:
        self._recorder, self._submit = recorder, submit

    def arrive(self, succeeded: bool) -> None:
        self._recorder.arrive(self._submit, succeeded)
