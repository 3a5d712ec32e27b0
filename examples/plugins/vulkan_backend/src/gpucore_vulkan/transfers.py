"""Copies between the host and arrays: directly where the host sees the memory, else through staging memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpucore.plugin import OutOfMemoryError
from gpucore_vulkan.memory import GRAIN, Memories, Range
from gpucore_vulkan.queue import Queue

if TYPE_CHECKING:
    from gpucore_vulkan.buffers import VulkanBuffer

CHUNK = 4 << 20
_MOST_CHUNKS = 16  # for writes
_MOST_SLOTS = 4  # for reads, that are kept
_MOST_STARTED = 64 << 20  # bytes of reads
_POLLS = 100  # before the host sleeps


class _Chunk:
    """Memory for writes. `submit`: the last one that reads it."""

    def __init__(self, range: Range) -> None:
        self.range, self.filled, self.submit = range, 0, 0
        assert range.bytes is not None
        self.bytes = range.bytes


class _Read:
    """A copy to the host. `out`: None where nobody wants the bytes yet."""

    def __init__(self, range: Range, out: memoryview | None, submit: int) -> None:
        self.range, self.out, self.submit = range, out, submit


class Transfers:
    """The copies of one device."""

    def __init__(self, queue: Queue, memories: Memories) -> None:
        self._queue, self._memories = queue, memories
        self._is_direct = memories.arrays.is_visible
        self._chunks: deque[_Chunk] = deque()  # in the order in which they are used; the last is filled
        self._reads: deque[_Read] = deque()
        self._slots: list[Range] = []
        self._started = 0
        self._expected: tuple[VulkanBuffer, int, int, int, _Read] | None = None
        self.is_closed = False

    def free(self, buffer: VulkanBuffer) -> None:
        """Free the memory of an array after the work that uses it."""
        if self.is_closed:
            return
        if self._expected is not None and self._expected[0] is buffer:
            self._expected = None  # it is finished in its turn, without a copy
        memory, range = self._memories.arrays, buffer.range
        self._queue.after(buffer.history.used, lambda: memory.give(range))

    def close(self) -> None:
        """Forget everything; the memories free it."""
        self.is_closed = True
        self._chunks.clear()
        self._reads.clear()
        self._expected = None

    # ---------------------------------------------------------------- writes

    def write(self, buffer: VulkanBuffer, data: memoryview, offset: int) -> None:
        """Copy bytes into an array, in the order of the queue."""
        queue, used, nbytes = self._queue, buffer.history.used, data.nbytes
        if self._is_direct and used <= queue.submitted and queue.has_ended(used):
            seen = buffer.range.bytes
            assert seen is not None
            seen[offset : offset + nbytes] = data
            return
        for first in range(0, nbytes, CHUNK):
            part = data[first : first + CHUNK]
            placed = self.place(part)
            queue.record().upload(placed, buffer, offset + first, part.nbytes)
            if nbytes > CHUNK:
                queue.flush()  # the device copies this part while the host copies the next

    def place(self, data: memoryview | bytes) -> Range:
        """Bytes, at most `CHUNK`, where the next command can read them."""
        self._queue.flush_if_full()  # not between this and the command
        nbytes = len(data)
        size = -(-nbytes // GRAIN) * GRAIN
        if not self._chunks or self._chunks[-1].filled + size > CHUNK:
            self._chunks.append(self._next_chunk())
        chunk = self._chunks[-1]
        first = chunk.filled
        chunk.bytes[first : first + nbytes] = data
        chunk.filled, chunk.submit = first + size, self._queue.next
        return Range(chunk.range.block, chunk.range.first + first, nbytes)

    def submit_before_write(self, nbytes: int) -> int:
        """The submit that must have ended before so many bytes are written, so that writes keep at most
        `_MOST_CHUNKS`; 0: none."""
        chunks, queue = self._chunks, self._queue
        needed = nbytes // CHUNK + 1
        busy = [chunk for chunk in chunks if chunk.submit > queue.ended]
        if len(busy) + needed <= _MOST_CHUNKS or not busy:
            return 0
        queue.has_ended(queue.submitted)
        busy = [chunk for chunk in chunks if chunk.submit > queue.ended]
        excess = len(busy) + needed - _MOST_CHUNKS
        return 0 if excess <= 0 or not busy else busy[min(excess, len(busy)) - 1].submit

    def _next_chunk(self) -> _Chunk:
        """An empty chunk: a new one only while all others are in use."""
        queue, chunks = self._queue, self._chunks
        if chunks and (len(chunks) >= _MOST_CHUNKS or chunks[0].submit <= queue.submitted):
            if not queue.has_ended(chunks[0].submit) and len(chunks) >= _MOST_CHUNKS:
                self._wait(chunks[0].submit)
            if chunks[0].submit <= queue.ended:
                chunk = chunks.popleft()
                chunk.filled = 0
                return chunk
        return _Chunk(self._memories.uploads.take(CHUNK))

    # ---------------------------------------------------------------- reads

    def read(self, buffer: VulkanBuffer, out: memoryview, offset: int) -> None:
        """Fill `out`, after all work that was queued before."""
        queue, nbytes = self._queue, out.nbytes
        if self._is_direct:
            self._wait(buffer.history.used)
            seen = buffer.range.bytes
            assert seen is not None
            out[:] = seen[offset : offset + nbytes]
            return
        expected, self._expected = self._expected, None
        if expected is not None and expected[:4] == (buffer, offset, nbytes, queue.serial):
            expected[4].out = out
            self._finish_up_to(expected[4])
            return
        last = None
        for first, part in _parts(out):
            last = self._copy(buffer, offset + first, part.nbytes, part)
            queue.flush()
            if len(self._reads) > _MOST_SLOTS // 2:
                self._finish_first()
        if last is not None:
            self._finish_up_to(last)

    def expect(self, buffer: VulkanBuffer, nbytes: int, offset: int) -> None:
        """Record the copy of a read that follows."""
        if self._is_direct or not 0 < nbytes <= CHUNK:
            return
        read = self._copy(buffer, offset, nbytes, None)
        self._expected = (buffer, offset, nbytes, self._queue.serial, read)

    def start(self, buffer: VulkanBuffer, out: memoryview, offset: int) -> bool:
        """Record a read, which `deliver` ends. False: it would be too much."""
        if self._is_direct or self._started + out.nbytes > _MOST_STARTED:
            return False
        try:
            for first, part in _parts(out):
                self._copy(buffer, offset + first, part.nbytes, part)
        except OutOfMemoryError:
            return False
        return True

    def deliver(self) -> None:
        """Fill what the reads that have ended are to fill."""
        while self._reads and self._reads[0].submit <= self._queue.ended:
            if self._expected is not None and self._expected[4] is self._reads[0]:
                if len(self._reads) == 1:
                    return
                self._expected = None  # nobody has read it, and others follow
            self._finish_first()

    def _copy(self, buffer: VulkanBuffer, offset: int, nbytes: int, out: memoryview | None) -> _Read:
        target = self._slots.pop() if nbytes == CHUNK and self._slots else self._memories.downloads.take(nbytes)
        self._queue.record().download(buffer, offset, target, nbytes)
        read = _Read(target, out, self._queue.next)
        self._reads.append(read)
        self._started += target.nbytes
        return read

    def _finish_up_to(self, last: _Read) -> None:
        while True:
            is_last = self._reads[0] is last
            self._finish_first()
            if is_last:
                return

    def _finish_first(self) -> None:
        """Wait for the first read, and fill its `out`."""
        read = self._reads[0]
        self._wait(read.submit)
        self._reads.popleft()
        if read.out is not None:
            seen = read.range.bytes
            assert seen is not None
            read.out[:] = seen[: read.out.nbytes]
        self._started -= read.range.nbytes
        if read.range.nbytes == CHUNK and len(self._slots) < _MOST_SLOTS:
            self._slots.append(read.range)
        else:
            self._memories.downloads.give(read.range)

    def _wait(self, submit: int) -> None:
        queue = self._queue
        for _ in range(_POLLS):
            if queue.has_ended(submit):
                return
        queue.wait(submit)
        queue.has_ended(submit)


def _parts(out: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Pieces that fit in a chunk, and where each begins."""
    for first in range(0, out.nbytes, CHUNK):
        yield first, out[first : first + CHUNK]
