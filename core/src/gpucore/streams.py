"""Work in several queues of a device, in an order that the uses of arrays give.

The work of a queue is cut into segments: one ends where the program goes on in another queue, and a mark is put there.
Each buffer knows the segment that wrote it last and those that have read it since. Work that uses it in another queue
waits on the device for these: a read for the write, a write for all. So there are no races through arrays, and kernels
that only read the same arrays overlap.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.runtime.protocol import Buffer, Device, Mark

_NONE = -1  # no queue


class Segment:
    """Work queued in one queue without a change to another one. `mark` follows it, once it has ended."""

    __slots__ = ("mark", "number", "queue")

    def __init__(self, queue: int, number: int, mark: Mark | None = None) -> None:
        self.queue, self.number, self.mark = queue, number, mark


class Use:
    """The last uses of a buffer."""

    __slots__ = ("readers", "written")

    def __init__(self, written: Segment) -> None:
        self.written = written
        self.readers: dict[int, Segment] = {}  # since then, by queue


class Queues:
    """The order of a backend's queues, while several are in use. The caller holds the device's lock.

    Buffers that it has not met may be in use by the work before its beginning, which is in the first queue.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._thread = threading.local()  # `queue`: the one that this thread works in
        self._numbers = itertools.count(1)
        self._selected = 0
        self._open: Segment | None = None  # of the selected queue
        self._before = Segment(0, 0, device.fence())
        self._last = {0: self._before}  # the last segment of each queue
        self._barrier: Segment | None = None  # that all later work waits for
        self._waited: dict[tuple[int, int], int] = {}  # how far a queue has waited for another one
        self._uses: dict[Buffer | None, Use] = {}  # None: the memory that other libraries know
        self.operations = 0
        """What was queued."""

    @property
    def queue(self) -> int:
        """The queue that this thread works in."""
        return getattr(self._thread, "queue", 0)

    @contextmanager
    def within(self, queue: int) -> Iterator[None]:
        """Let this thread work in a queue."""
        before = self.queue
        self._thread.queue = queue
        try:
            yield
        finally:
            self._thread.queue = before

    def select(self) -> None:
        """Go on in this thread's queue."""
        if self.queue != self._selected:
            if self._open is not None:
                self._open.mark, self._open = self._device.fence(), None
            self._selected = _NONE  # should an exception come in between
            self._device.select(self.queue)
            self._selected = self.queue

    def use(self, read: Iterable[Buffer], written: Iterable[Buffer]) -> None:
        """Called before work that uses buffers is queued in this thread's queue."""
        self.select()
        if self._open is None:
            self._open = self._last[self._selected] = Segment(self._selected, next(self._numbers))
        self.operations += 1
        if self._barrier is not None:
            self._wait_for(self._barrier)
        for place in _places(read):
            use = self._use_of(place)
            self._wait_for(use.written)
            use.readers[self._selected] = self._open
        for place in _places(written):
            use = self._use_of(place)
            self._wait_for(use.written)
            for segment in use.readers.values():
                self._wait_for(segment)
            self._uses[place] = Use(self._open)

    def join(self) -> None:
        """Let later work in this thread's queue wait for all other queues."""
        self.select()
        for segment in self._last.values():
            self._wait_for(segment)

    def put_barrier(self) -> None:
        """Let later work in all queues wait for all that was queued by now."""
        self.join()
        mark = self._device.fence()
        if self._open is not None:  # what follows in this queue is not before the barrier
            self._open.mark, self._open = mark, None
        self._barrier = self._last[self._selected] = Segment(self._selected, next(self._numbers), mark)

    def end(self) -> None:
        """Go back to the first queue. All work is done."""
        self._device.select(0)

    def _use_of(self, place: Buffer | None) -> Use:
        found = self._uses.get(place)
        if found is None:
            found = self._uses[place] = Use(self._before)
        return found

    def _wait_for(self, segment: Segment) -> None:
        """Let the selected queue wait for a segment of another one, which has ended."""
        pair = self._selected, segment.queue
        if segment.queue != self._selected and self._waited.get(pair, -1) < segment.number:
            assert segment.mark is not None
            self._device.order(segment.mark)
            self._waited[pair] = segment.number


def _places(buffers: Iterable[Buffer]) -> Iterator[Buffer | None]:
    """What the uses of buffers are kept for. Several buffers may be in the same memory of another library: all such
    memory is one place."""
    for buffer in buffers:
        whole = buffer.whole or buffer
        if not whole.is_adopted:
            yield whole
        if whole.is_adopted or whole.is_exported:
            yield None


class _Entered(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Any] = []


class Stream:
    """A queue of a device for a part of a program: `with stream:` sends what this thread queues on the device there."""

    def __init__(self, device: Any, queue: int) -> None:
        self._device, self._queue = device, queue
        self._entered = _Entered()  # by this thread

    def __repr__(self) -> str:
        return f"<stream {self._queue} of {self._device.id}>"

    def __enter__(self) -> Stream:
        entered = self._device._within(self._queue)
        entered.__enter__()
        self._entered.blocks.append(entered)
        return self

    def __exit__(self, *exception: Any) -> None:
        if not self._entered.blocks:
            raise ArgumentError(f"this thread has not entered {self!r}; use it as `with stream:`")
        self._entered.blocks.pop().__exit__(*exception)


class Streaming:
    """What a device has for streams."""

    _next_stream: int
    _in_streams: int

    def stream(self: Any) -> Stream:
        """A queue beside those of other streams, whose work may run at the same time. In a block `with stream:` it
        takes what this thread queues on the device.

        Arrays keep the order: what uses an array runs after the work, in whichever stream, that wrote it, and what
        writes it after all that uses it. The same stream can be entered again. CUDA and OpenCL have 5 queues for
        streams beside that of other work; more streams share them. A device with one queue runs all in it.

        Reading an array waits for the work that it depends on and for its thread's stream; `synchronize` for all.
        """
        with self.lock:
            self._next_stream += 1
            user = _user_queues(self.driver_device.queues)
            return Stream(self, user[self._next_stream % len(user)])

    @contextmanager
    def _within(self: Any, queue: int) -> Iterator[None]:
        """Let this thread work in a queue, if the device has several."""
        self.refuse_while_recording("a stream")
        if self.driver_device.queues == 1:
            yield
            return
        with self.lock:
            queues = self._begin_streams()
            self._in_streams += 1
        try:
            with queues.within(queue):
                yield
        finally:
            with self.lock:
                self._in_streams -= 1

    def _begin_streams(self: Any) -> Queues:
        queues: Queues = self.driver_device.begin_queues(Queues)
        return queues

    def _join_streams(self: Any) -> int | None:
        """Let later work wait for all queues; returns what `_end_streams` takes, None if one queue is in use. The
        caller holds the lock."""
        queues: Queues | None = self.driver_device.order_of_queues
        if queues is None:
            return None
        queues.join()
        return queues.operations

    def _end_streams(self: Any, operations: int) -> None:
        """Go back to one queue, if nobody is in a stream, and nothing was queued since `_join_streams`, which is done
        now."""
        with self.lock:
            queues: Queues | None = self.driver_device.order_of_queues
            is_idle = queues is not None and not self._in_streams and queues.operations == operations
            if is_idle and self.driver_device.is_usable:  # another thread may have closed it
                self.driver_device.end_queues()


def _user_queues(count: int) -> range:
    """The queues of streams: all but the first, and but two for copies if there are enough."""
    return range(1, count - 2) if count >= 4 else range(1, count) if count > 1 else range(1)


def copy_queue(count: int, inward: bool) -> int:
    """The queue for copies to the device, or from it."""
    return max(0, count - (1 if inward or count < 4 else 2))
