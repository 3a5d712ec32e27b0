"""Staging: buffers in host memory through which writes and reads pass. They are kept, because making one costs more
than a small transfer, and large transfers go through several in turn, so that the host's copies overlap the device's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import wgpu

from gpucore.plugin import HeldBack
from gpucore_wgpu import native
from gpucore_wgpu.native import Commands, Mapping

if TYPE_CHECKING:
    from gpucore_wgpu.recorder import Recorder

SMALL, LARGE = 1 << 17, 4 << 20  # the sizes of staging buffers
_PART = LARGE - 4  # of a read: there is room for the bytes before an offset that is no multiple of 4
_MAX_UPLOADS = 4  # staging buffers of each size for writes
_MAX_DOWNLOADS = 3  # that are kept of each size for reads, and in flight during a large one
_MAX_STARTED = 64 << 20  # bytes of reads that were started and have not been delivered


class Slot:
    """A staging buffer."""

    __slots__ = ("buffer", "filled", "mapping", "nbytes", "view")

    def __init__(self, buffer: Any, nbytes: int) -> None:
        self.buffer, self.nbytes = buffer, nbytes
        self.filled = 0  # bytes that are used
        self.view: Any = None  # the bytes, while they are mapped for writing
        self.mapping: Mapping | None = None  # since the submit that uses it


class Uploads:
    """Staging buffers for writes. They are mapped while the host fills them, until the next submit."""

    def __init__(self, device: Any, commands: Commands) -> None:
        self._device, self._commands = device, commands
        self._filled: list[Slot] = []  # since the last submit
        self._current: Slot | None = None  # a small one that has room
        self._in_flight: dict[int, deque[Slot]] = {SMALL: deque(), LARGE: deque()}
        self._counts = {SMALL: 0, LARGE: 0}

    def place(self, data: memoryview) -> tuple[Any, int] | None:
        """Copy at most LARGE bytes to a staging buffer, with zeros up to whole words: the buffer, and where. None if
        unfinished work uses all of them."""
        count = len(data)
        slot = self._current
        if 2 * count > SMALL:
            slot = self._take(LARGE)
        elif slot is None or slot.filled + count > SMALL:
            slot = self._current = self._take(SMALL)
        if slot is None:
            return None
        begin = slot.filled
        end = begin + count
        slot.view[begin:end] = data
        if end % 4:
            slot.view[end : end + -end % 4] = bytes(-end % 4)
        slot.filled = end + -end % 4
        return slot.buffer, begin

    @property
    def have_filled(self) -> bool:
        """Whether a submit would hand buffers to the device."""
        return bool(self._filled)

    def before_submit(self) -> None:
        """Hand the filled buffers to the device."""
        self._current = None
        for slot in self._filled:
            slot.view = None
            native.unmap(slot.buffer)

    def after_submit(self) -> None:
        """Have the filled buffers back when the work has ended."""
        filled, self._filled = self._filled, []
        for slot in filled:
            slot.mapping = Mapping(slot.buffer, slot.nbytes, writes=True)
            self._in_flight[slot.nbytes].append(slot)

    def drop(self) -> None:
        """Free the filled buffers: their contents are not needed any more."""
        self._current = None
        filled, self._filled = self._filled, []
        for slot in filled:
            self._free(slot)

    def release(self) -> None:
        """Free all."""
        self.drop()
        for slots in self._in_flight.values():
            while slots:
                self._free(slots.popleft())

    def _take(self, nbytes: int) -> Slot | None:
        """A mapped buffer, counted as filled."""
        with HeldBack():  # a buffer in neither list would count for ever
            slot = self._take_mapped(nbytes)
            if slot is not None:
                self._filled.append(slot)
            return slot

    def _take_mapped(self, nbytes: int) -> Slot | None:
        slots = self._in_flight[nbytes]
        slot = None
        if slots:
            mapping = slots[0].mapping
            assert mapping is not None
            if not mapping.has_arrived:
                self._commands.poll()
            if mapping.has_arrived:
                slot = slots.popleft()
                if mapping.succeeded:
                    slot.view, slot.filled = mapping.view(), 0
                else:
                    self._free(slot)
                    slot = None
        if slot is None:
            if self._counts[nbytes] >= _MAX_UPLOADS:
                return None
            usage = wgpu.BufferUsage.MAP_WRITE | wgpu.BufferUsage.COPY_SRC
            buffer = self._device.create_buffer(size=nbytes, usage=usage, mapped_at_creation=True)
            slot = Slot(buffer, nbytes)
            slot.view = native.view_of_mapped(buffer, nbytes)
            self._counts[nbytes] += 1
        return slot

    def _free(self, slot: Slot) -> None:
        self._counts[slot.nbytes] -= 1
        slot.view = None
        slot.buffer.destroy()


class _Read:
    """A copy to the host that was recorded. `submit` is that which runs it."""

    __slots__ = ("begin", "mapping", "out", "place", "serial", "slot", "submit")

    def __init__(self, slot: Slot, place: tuple[Any, int, int], out: memoryview | None, recorder: Recorder) -> None:
        """The copy was just recorded. `place`: the buffer, the first byte, and the number of bytes."""
        self.slot, self.place = slot, place
        self.begin = place[1] % 4  # in the slot
        self.out = out  # None: nobody wants the bytes, or not yet
        self.submit, self.serial = recorder.next_submit, recorder.commands.serial
        self.mapping: Mapping | None = None


class Downloads:
    """Reads, in the order of the queue, and their staging buffers."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._free: dict[int, list[Slot]] = {SMALL: [], LARGE: []}
        self._recorded: list[_Read] = []  # since the last submit
        self._submitted: deque[_Read] = deque()
        self._expected: _Read | None = None
        self._started_nbytes = 0

    def start(self, handle: Any, offset: int, out: memoryview) -> bool:
        """Record a read from byte `offset` of a buffer. `out` is filled by the mark that finds it done. False, and
        nothing is recorded, if more would be in flight than is allowed."""
        if self._started_nbytes + len(out) > _MAX_STARTED:
            return False
        for start, part in _parts(offset, out):
            self._record((handle, start, len(part)), part)
        return True

    def expect(self, handle: Any, offset: int, nbytes: int) -> None:
        """Record a copy for a `read` of the same bytes, unless they are many."""
        self._forget_expected()
        if 0 < nbytes <= _PART:
            self._expected = self._record((handle, offset, nbytes), None)

    def read(self, handle: Any, offset: int, out: memoryview) -> None:
        """Fill `out` from byte `offset` of a buffer, after all work submitted or recorded so far."""
        expected, place = self._expected, (handle, offset, len(out))
        self._forget_expected()
        reads: list[_Read] = []
        try:
            if expected is not None and expected.place == place and expected.serial == self._recorder.commands.serial:
                expected.out = out
                reads.append(expected)
                self._recorder.flush()
            else:
                self._read_parts(handle, offset, out, reads)
            while self._submitted:
                self._finish_first()
        except BaseException:
            for read in reads:
                read.out = None
            raise

    def _read_parts(self, handle: Any, offset: int, out: memoryview, reads: list[_Read]) -> None:
        """Submit the reads of a large one, which are noted in `reads`, and finish all but the last few."""
        for start, part in _parts(offset, out):
            self._record((handle, start, len(part)), part, reads)
            self._recorder.flush()
            if len(self._submitted) >= _MAX_DOWNLOADS:
                self._finish_first()

    def after_submit(self) -> None:
        """Have the bytes of the recorded reads when they are there."""
        recorded, self._recorded = self._recorded, []
        for read in recorded:
            read.mapping = Mapping(read.slot.buffer, read.slot.filled)
            if read is not self._expected:
                self._submitted.append(read)

    def deliver(self, submit: int) -> None:
        """Fill what the reads up to a submit wait for: it has ended."""
        while self._submitted and self._submitted[0].submit <= submit:
            self._finish_first()

    def drop(self) -> None:
        """Forget the recorded reads, which are not submitted."""
        recorded, self._recorded = self._recorded, []
        for read in recorded:
            self._give_back(read.slot)
            if read is self._expected:
                self._expected = None

    def release(self) -> None:
        """Free all."""
        slots = [slot for free in self._free.values() for slot in free]
        self._forget_expected()
        slots += [read.slot for read in (*self._recorded, *self._submitted)]
        self._recorded.clear()
        self._submitted.clear()
        for slot in slots:
            slot.buffer.destroy()
        del self._recorder  # which has this

    def _record(self, place: tuple[Any, int, int], out: memoryview | None, reads: list[_Read] | None = None) -> _Read:
        """Copies are of whole words: the last one may extend into the padding of the buffer. The read is also added to
        `reads`, before a Ctrl-C is raised."""
        handle, offset, nbytes = place
        begin = offset % 4
        count = -(-(begin + nbytes) // 4) * 4
        recorder = self._recorder
        with HeldBack():  # a buffer that no read has would count for ever
            slot = self._take(SMALL if count <= SMALL else LARGE)
            slot.filled = count
            recorder.note_use(handle)
            recorder.commands.copy(handle, offset - begin, slot.buffer, 0, count)
            read = _Read(slot, place, out, recorder)
            self._recorded.append(read)
            self._started_nbytes += slot.nbytes
            if reads is not None:
                reads.append(read)
        return read

    def _forget_expected(self) -> None:
        """Treat an expected read like the others: it is finished in its turn."""
        expected, self._expected = self._expected, None
        if expected is not None and expected.mapping is not None:
            self._submitted.append(expected)

    def _finish_first(self) -> None:
        """Wait for the first submitted read, and fill its `out`."""
        read = self._submitted[0]
        assert read.mapping is not None
        if not read.mapping.succeeded:
            self._recorder.wait(read.mapping)
        with HeldBack():
            self._submitted.popleft()
            if read.out is not None:
                view = memoryview(read.mapping.view())
                read.out[:] = view[read.begin : read.begin + len(read.out)]
            native.unmap(read.slot.buffer)
            self._give_back(read.slot)

    def _take(self, nbytes: int) -> Slot:
        if self._free[nbytes]:
            return self._free[nbytes].pop()
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        return Slot(self._recorder.device.create_buffer(size=nbytes, usage=usage), nbytes)

    def _give_back(self, slot: Slot) -> None:
        self._started_nbytes -= slot.nbytes
        free = self._free[slot.nbytes]
        if len(free) < _MAX_DOWNLOADS:
            free.append(slot)
        else:
            slot.buffer.destroy()


def _parts(offset: int, out: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Pieces that fit in a staging buffer, and where each begins."""
    for start in range(0, len(out), _PART):
        yield offset + start, out[start : start + _PART]
