"""Recording: dispatches and copies are collected and submitted together.

A submit costs ten times as much as a dispatch. The scalars of dispatches are in one uniform buffer, each distinct block
at its own dynamic offset: it stays there, so that only new blocks are written, just before the submit. Other writes
of the host are copies from staging memory.
"""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING, Any, NoReturn

import wgpu

from gpucore.plugin import Buffer, ClosedError, DeviceLostError, HeldBack, Pipeline
from gpucore_wgpu.driver_errors import DRIVER_ERRORS, device_error, driver_errors
from gpucore_wgpu.native import Commands, Listener, Mapping, new_bytes, pointer_to, view_of
from gpucore_wgpu.staging import LARGE, Downloads, Uploads

if TYPE_CHECKING:
    from gpucore_wgpu.buffers import WgpuBuffer
    from gpucore_wgpu.pipelines import BindGroup, WgpuPipeline

_FIRST_BATCH, _MAX_BATCH = 64, 128  # dispatches before a submit: fewer at first, so that the device starts soon
_MAX_DIRECT = 64 << 20  # bytes that are written to the queue at once, and before a submit
_SCALARS_BYTES = 1 << 16
_POLLS = 300  # how often a wait polls before its first pause
_IDLE_POLLS = 5  # of an idle queue, after which what has not arrived never will
_MIN_PAUSE, _MAX_PAUSE = 50e-6, 5e-3


class _Closed:
    """In the place of what a device had. When the interpreter ends, other threads may be in a call of it."""

    def __getattr__(self, name: str) -> NoReturn:
        raise ClosedError("the device was closed")


CLOSED: Any = _Closed()


class Recorder:
    """The pending work of one device, and how far the submitted work is. Not thread-safe."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.commands = Commands(device)
        self.uploads = Uploads(device, self.commands)
        self.downloads = Downloads(self)
        self.is_discarded = False
        self.owned: weakref.WeakSet[Buffer | Pipeline] = weakref.WeakSet()
        """What the driver's device lives as long as: it goes with the recorder."""
        self.scalars: Any = device.create_buffer(
            size=_SCALARS_BYTES, usage=wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        )
        self._alignment = max(16, device.limits["min-uniform-buffer-offset-alignment"])
        self._pointer = new_bytes(_SCALARS_BYTES)  # what is in `scalars`, or will be at the next submit
        self._packed = view_of(self._pointer, _SCALARS_BYTES)
        self._packed_nbytes = self._written_nbytes = 0
        self._offsets: dict[bytes, int] = {}  # the offset of each distinct block in it
        self._count, self._batch = 0, _FIRST_BATCH
        self._direct_nbytes = 0  # written to the queue since the last submit
        self._used: set[Any] = set()  # the buffers of wgpu that pending work uses, see `note_use`
        self._num_submits = self._num_ended = 0
        self._marked = 0  # the last submit with a mark
        self._first: list[Listener] = []  # marks at the beginning of the next submit
        self._first_serial = 0  # of the commands, after the last of them
        self._arrivals: dict[int, _Arrival] = {}
        self._is_lost = False

    # ---------------------------------------------------------------- recording

    def dispatch(
        self, pipeline: WgpuPipeline, group: BindGroup, scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        """Record one dispatch. The pipeline is not released."""
        if self._count >= self._batch:
            self.flush()
            self._batch = min(2 * self._batch, _MAX_BATCH)
        offset = None
        if scalars:
            offset = self._offsets.get(scalars)
            if offset is None:
                offset = self._place(scalars)
        if self.commands.group is not group.handle:
            self._used.update(group.buffers)
        try:
            self.commands.dispatch(pipeline.handle, group.handle, offset, workgroups)
        except DRIVER_ERRORS as error:
            raise device_error("record a dispatch", error) from error
        self._count += 1

    def copy(self, source: WgpuBuffer, target: WgpuBuffer, nbytes: int) -> None:
        """Record a copy of the first `nbytes`, and what follows up to whole words."""
        self._used.update((source.handle, target.handle))
        with driver_errors(f"copy {nbytes} bytes"):
            self.commands.copy(source.handle, source.offset, target.handle, target.offset, -(-nbytes // 4) * 4)

    def write(self, buffer: WgpuBuffer, offset: int, data: memoryview) -> None:
        """Record a write of bytes, through staging memory. If unfinished work uses all of that, they are written to the
        queue: the driver keeps as many as it takes."""
        handle = buffer.handle
        for start in range(0, len(data), LARGE):
            part = data[start : start + LARGE]
            placed = self.uploads.place(part)
            if placed is None and self.uploads.have_filled:
                self.flush()
                placed = self.uploads.place(part)
            if placed is None:
                self._write_directly(handle, offset + start, data[start:])
                return
            self.note_use(handle)
            self.commands.copy(*placed, handle, offset + start, -(-len(part) // 4) * 4)
            if len(data) > LARGE:
                self.flush()  # the device copies this part while the host copies the next

    def note_use(self, handle: Any) -> None:
        """The work that is recorded next uses a buffer of wgpu. It is noted before: a Ctrl-C may come between, and the
        driver ends the process if it gets work whose buffer was destroyed."""
        self._used.add(handle)

    def flush_if_used(self, handle: Any) -> None:
        """Submit if pending work uses a buffer of wgpu."""
        if handle in self._used:
            self.flush()

    def _write_directly(self, handle: Any, offset: int, data: memoryview) -> None:
        """Write bytes to the queue, hence before everything pending: pending work on the buffer is submitted first."""
        self.flush_if_used(handle)
        if self._first:
            self.flush()  # these marks come before the write
        self.commands.serial += 1
        whole = len(data) & ~3
        with pointer_to(data) as pointer:
            for start in range(0, whole, _MAX_DIRECT):
                size = min(_MAX_DIRECT, whole - start)
                self.commands.write(handle, offset + start, pointer + start, size)
                self._direct_nbytes += size
                if self._direct_nbytes >= _MAX_DIRECT:
                    self.flush()  # lets the driver free the memory of writes that have ended
        if whole != len(data):
            self.commands.write(handle, offset + whole, bytes(data[whole:]).ljust(4, b"\0"), 4)
            self._direct_nbytes += 4

    def flush(self) -> None:
        """Submit pending work and writes; nothing is pending afterwards, even if this raises. Ctrl-C is raised when the
        work is submitted: it is that of calls which have returned."""
        if self.is_pending:
            with HeldBack():
                self._flush()

    def _flush(self) -> None:
        commands, first = self.commands, self._written_nbytes
        self._count = self._direct_nbytes = 0
        self._used.clear()
        self._written_nbytes = self._packed_nbytes
        submit = self.next_submit
        try:
            self._watch_marked()
            self._begin_marks()
            self._num_submits = submit
            if first != self._packed_nbytes:
                commands.write(self.scalars, first, self._pointer + first, self._packed_nbytes - first)
            self.uploads.before_submit()
            commands.submit()
            self.uploads.after_submit()
            self.downloads.after_submit()
        except BaseException as error:
            commands.drop()
            self.uploads.drop()
            self.downloads.drop()
            self._forget_scalars()
            if isinstance(error, DRIVER_ERRORS):
                raise device_error("run what was dispatched", error) from error
            raise
        finally:
            self._num_submits = submit
            self._first.clear()

    @property
    def is_pending(self) -> bool:
        """Whether something was recorded or written since the last submit."""
        return not self.commands.is_empty or self._direct_nbytes > 0

    @property
    def has_work(self) -> bool:
        """Whether that is more than marks at the beginning."""
        only_marks = bool(self._first) and self.commands.serial == self._first_serial and not self._direct_nbytes
        return self.is_pending and not only_marks

    def _begin_marks(self) -> None:
        """Tell the marks before the next submit when the work that was submitted before has ended."""
        is_idle = bool(self._first) and self.commands.poll()
        for mark in self._first:
            if is_idle:
                mark.arrive(True)
            else:
                self.commands.notify(mark)

    @property
    def next_submit(self) -> int:
        """The number of the submit that will run what is recorded now."""
        return self._num_submits + 1

    def discard(self) -> None:
        """Drop pending work, and free what the recorder owns and all that was made of the device."""
        self.is_discarded = True
        self.commands.drop()
        self._used.clear()
        for each in [*self.owned]:
            each.release()
        self.uploads.release()
        self.downloads.release()
        self.scalars.destroy()
        # marks and arrays that are kept have the recorder, and must not keep the driver's device
        self.device = self.commands = self.uploads = self.downloads = self.scalars = CLOSED
        self._packed = self._pointer = CLOSED

    def _place(self, scalars: bytes) -> int:
        """A new place for the scalars of a dispatch."""
        if len(scalars) > _SCALARS_BYTES - self._packed_nbytes:
            self.flush()
            self._forget_scalars()
        offset = self._packed_nbytes
        end = offset + len(scalars)
        self._packed[offset:end] = scalars
        self._packed_nbytes = min(-(-end // self._alignment) * self._alignment, _SCALARS_BYTES)
        self._offsets[scalars] = offset
        return offset

    def _forget_scalars(self) -> None:
        """Begin anew in the buffer of scalars: nothing pending uses it."""
        self._packed_nbytes = self._written_nbytes = 0
        self._offsets.clear()

    # ---------------------------------------------------------------- waiting

    def mark(self) -> int:
        """Submit pending work and writes. The result is for `has_ended`."""
        self.flush()
        self._batch = _FIRST_BATCH
        self._marked = self._num_submits
        return self._marked

    def mark_next(self, mark: Listener) -> int:
        """A mark at the beginning of the next submit, which `has_ended` makes if nothing else does; its number. `mark`
        is told when the work before it has ended."""
        if not self._first:
            self._watch_marked()
        self._marked, self._first_serial = self.next_submit, self.commands.serial
        self._first.append(mark)
        return self._marked

    def has_ended(self, submit: int) -> bool:
        """Whether the work up to a submit has ended; does not wait."""
        if submit > self._num_submits:
            self.flush()
        if self._num_ended < submit and self.commands.poll():
            self._num_ended = self._num_submits
        if self._is_lost:
            raise DeviceLostError("the device was lost while work was queued; open it again")
        if self._num_ended < submit:
            return False
        self.downloads.deliver(submit)
        return True

    def wait(self, mapping: Mapping) -> None:
        """Wait until a buffer is mapped. Raises DeviceLostError if it cannot be."""
        pause, polls, idle = _MIN_PAUSE, 0, 0
        while not mapping.has_arrived and idle < _IDLE_POLLS:
            if polls >= _POLLS:
                time.sleep(pause)
                pause = min(pause * 1.5, _MAX_PAUSE)
            polls += 1
            idle += self.commands.poll()
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
