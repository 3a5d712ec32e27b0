"""Measures the work of one device by marks in its queue, in front of and behind each dispatch and copy."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from gpucore.device import Device
from gpucore.errors import GpucoreError
from gpucore.front.text.signature import BufferParameter
from gpucore.observer import origin_of
from gpucore.profile.results import KERNEL, timestamps_of
from gpucore.runtime.protocol import Buffer, Mark, Pipeline

_MAX_PENDING = 256  # each has two marks, and devices have a thousand
_MAX_DISTANCE = 1.0  # seconds from the mark that times are measured from: a driver's floats are exact for so long
_TRIES = 3
_HOST_MEMORY = 1, 0


class Work(NamedTuple):
    """What was queued."""

    kind: str  # as that of a row
    name: str
    bytes_read: int
    bytes_written: int
    facts: dict[str, Any]  # for the trace


class Report(Protocol):
    """Where a queue tells what it has measured. Times are those of `time.perf_counter`."""

    def queued(self, device: str, work: Work, began: float, ended: float) -> None:
        """This thread has queued work, which took the host that long."""

    def ran(self, device: str, work: Work, began: float, seconds: float | None) -> None:
        """The device has done it; `seconds` is None if it failed before it told the time."""

    def spent(self, what: str, name: str, device: str, began: float, ended: float) -> None:
        """This thread did something else."""


class Queue:
    """The profiler of one device: see `gpucore.runtime.registry.Profiler`.

    The caller of its methods holds the device's lock; that of the constructor, which waits, does not.
    """

    def __init__(self, device: Device, report: Report) -> None:
        self.device, self._report = device, report
        self._id, self._driver = device.id, device.driver_device
        # In the process's memory the device's own threads read the clock when they come to a mark. On other devices
        # without timestamps a mark has the time when it was placed, or when the host first saw that it was done.
        self._waits = timestamps_of(device.info) == "host" and device.driver_device.memory_space != _HOST_MEMORY
        self._pending: deque[tuple[Work, float, Mark, Mark]] = deque()
        self._num_done = 0  # of the first ones
        self._failure: GpucoreError | None = None
        self._place_clock()

    def _place_clock(self) -> None:
        """Find the host's time of a mark, from which the others are measured. Raises what earlier work ended with."""
        self.device.wait(self._mark())
        shortest = float("inf")
        for _ in range(_TRIES):
            before = time.perf_counter()
            mark = self._mark()
            self.device.wait(mark)
            after = time.perf_counter()
            if after - before < shortest:
                shortest = after - before
                self._origin, self._origin_time = mark, (before + after) / 2

    def _mark(self) -> Mark:
        with self.device.lock:
            return self._driver.mark()

    # ---------------------------------------------------------------- what is measured

    def dispatch(self, run: Callable[..., None], pipeline: Pipeline, buffers: Sequence[Buffer], *rest: Any) -> None:
        """Run and measure a dispatch: `run(pipeline, buffers, *rest)`."""
        origin = origin_of(pipeline)
        if origin is None:
            name, modes = pipeline.source.entry, ["inout" if writes else "in" for writes in pipeline.source.writes]
        else:
            name = origin.kernel
            modes = [each.mode for each in origin.signature.parameters if isinstance(each, BufferParameter)]
        sizes = list(zip(modes, map(self._nbytes, buffers), strict=False))  # debug kernels have one more, for reports
        bytes_read = sum(nbytes for mode, nbytes in sizes if mode != "out")
        bytes_written = sum(nbytes for mode, nbytes in sizes if mode != "in")
        facts = {"workgroups": list(rest[-1])}
        self._measure(Work(KERNEL, name, bytes_read, bytes_written, facts), partial(run, pipeline, buffers, *rest))

    def copy(self, run: Callable[..., None], source: Buffer, target: Buffer, nbytes: int) -> None:
        """Run and measure a copy on the device."""
        self._measure(Work("copy", "copy", nbytes, nbytes, {}), partial(run, source, target, nbytes))

    def write(self, run: Callable[..., object], data: memoryview, offset: int) -> None:
        """Run and measure a copy from the host."""
        self._measure(Work("upload", "upload", 0, data.nbytes, {}), partial(run, data, offset))

    def read(self, run: Callable[..., object], out: memoryview, offset: int) -> None:
        """Run and measure a copy to the host."""
        self._measure(Work("download", "download", out.nbytes, 0, {}), partial(run, out, offset))

    def _nbytes(self, buffer: Buffer) -> int:
        """The bytes of an array in a buffer, which may be larger; for a slice, those that the device binds."""
        return buffer.nbytes if buffer.whole is not None else self.device.held.get(buffer, buffer.nbytes)

    def _measure(self, work: Work, run: Callable[[], object]) -> None:
        self._look()
        placed = time.perf_counter()
        start = self._driver.mark()
        if self._waits:
            self._wait(start)
        began = time.perf_counter()
        if run() is False:  # a copy that the device does not do in this way
            return
        ended = time.perf_counter()
        if self._driver.order_of_queues is not None:
            work.facts["queue"] = self._driver.order_of_queues.queue
        if self._waits:
            self._wait(self._driver.mark())
        end = self._driver.mark()
        self._pending.append((work, placed, start, end))
        self._report.queued(self._id, work, began, ended)
        if self._waits:
            self._wait(end)

    # ---------------------------------------------------------------- reading times

    def is_done(self, mark: Mark) -> bool:
        """Whether a mark of core is done. Raises also what a mark of this queue was the first to find."""
        try:
            is_done = mark.is_done()
        except GpucoreError:
            self._look()
            self.take_failure()
            raise
        if is_done:
            self._look()
            failure = self.take_failure()
            if failure is not None:
                raise failure
        return is_done

    def end(self) -> None:
        """Wait for all work and read its times; measure no more."""
        self._driver.profiler = None
        try:
            for *_, mark in self._pending:  # of several queues, of which any may be the last to end
                self._wait(mark, 1e-3)
        finally:  # Ctrl-C leaves what has not ended
            self._look(is_end=True)

    def take_failure(self) -> GpucoreError | None:
        """What work ended with, if no one was told yet."""
        failure, self._failure = self._failure, None
        return failure

    def _look(self, is_end: bool = False) -> None:
        """Read the times of what has ended, if that keeps nobody waiting: with some drivers it waits for all work."""
        while self._num_done < len(self._pending) and self._has_ended(self._pending[self._num_done][-1]):
            self._num_done += 1
        if not self._pending or (self._num_done < len(self._pending) < _MAX_PENDING and not is_end):
            return
        began = time.perf_counter()
        if not self._num_done and not is_end:
            self._wait(self._pending[0][-1])
            self._num_done = 1
        while self._num_done:
            self._num_done -= 1
            self._read(*self._pending.popleft())
        self._report.spent("profile", "read times", self._id, began, time.perf_counter())

    def _read(self, work: Work, placed: float, start: Mark, end: Mark) -> None:
        try:
            seconds = max(0.0, self._driver.elapsed(start, end))
            distance = self._driver.elapsed(self._origin, start)
        except GpucoreError:
            self._report.ran(self._id, work, 0.0, None)
            return
        began = self._origin_time + distance
        # The two clocks may differ: it did not begin before the host had queued it, and has ended by now.
        shown = max(placed, min(began, time.perf_counter() - seconds))
        self._report.ran(self._id, work, shown, seconds)
        if distance > _MAX_DISTANCE:
            self._origin, self._origin_time = start, began

    def _wait(self, mark: Mark, pause: float = 50e-6) -> None:
        while not self._has_ended(mark):
            mark.pause(pause)

    def _has_ended(self, mark: Mark) -> bool:
        """Whether the work before a mark has ended. What it failed with is kept for `is_done`."""
        try:
            return mark.is_done()
        except GpucoreError as error:
            self._failure = self._failure or error
            return True
