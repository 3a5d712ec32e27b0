"""Points in a device's queue, and the time between them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import wgpu

from gpucore.plugin import ClosedError, DeviceError, Mark
from gpucore_wgpu import native
from gpucore_wgpu.native import Commands
from gpucore_wgpu.recorder import Recorder

_QUERIES = 1024  # how many marks with a timestamp can exist at once
_RESOLVE_STEP = 256  # the alignment of offsets for query results


class WgpuFence(Mark):
    """A mark that is waited for, and not measured."""

    polls = 300  # of less than 1 us each

    def __init__(self, recorder: Recorder, check: Callable[[], DeviceError | None] | None) -> None:
        """A mark after all that was recorded or submitted. `check` is called once the work has ended: it returns the
        error that the work ended with, or None."""
        self._recorder = recorder
        self._submit = self._mark(recorder)
        self._check = check
        self._error: DeviceError | None = None

    def _mark(self, recorder: Recorder) -> int:
        """Submit what is pending; returns the number of the last submit."""
        return recorder.mark()

    def is_done(self) -> bool:
        if self._recorder.is_discarded:  # wgpu-native crashes if a mapped buffer of a closed device is read
            raise ClosedError("the device of this mark was closed")
        if not self._recorder.has_ended(self._submit):
            return False
        if self._check is not None:
            check, self._check = self._check, None
            self._error = check()
        if self._error is not None:
            raise self._error
        return True


class WgpuMark(WgpuFence):
    """A mark that can be measured. `timestamp` is its query, or None; `ended` the host's time (seconds) when it was
    first found done.

    A timestamp before which nothing is pending, but for others, is submitted with the work after it: the time until
    then is not device time."""

    def __init__(
        self, recorder: Recorder, clock: Clock, check: Callable[[], Callable[[], DeviceError | None] | None]
    ) -> None:
        """`check` records what the parameter of WgpuFence looks at."""
        self._is_first = not recorder.has_work
        self.timestamp = clock.stamp(recorder.commands)
        self.ended = 0.0
        checked = check()
        self._is_first &= self.timestamp is not None and checked is None
        super().__init__(recorder, checked)

    def is_done(self) -> bool:
        is_done = super().is_done()
        if is_done and not self.ended:  # nothing was submitted after the work before, so the driver did not tell
            self.ended = time.perf_counter()
        return is_done

    def _mark(self, recorder: Recorder) -> int:
        if self._is_first:
            return recorder.mark_next(self)
        submit = recorder.mark()
        recorder.commands.notify(self)
        return submit

    def arrive(self, succeeded: bool) -> None:
        """Called by the driver: the work before the mark has ended."""
        self.ended = time.perf_counter()


class Timestamp:
    """One query of a Clock, returned when the mark that owns it is gone."""

    def __init__(self, index: int, free: list[int]) -> None:
        self.index = index
        self._free = free

    def __del__(self) -> None:
        self._free.append(self.index)


class Clock:
    """Timestamps of a device, or none if it lacks the feature."""

    def __init__(self, device: Any) -> None:
        features = device.features
        self._device = device
        self._inside_encoders = "timestamp-query-inside-encoders" in features
        self.exists = "timestamp-query" in features
        self._free: list[int] = []
        if self.exists:
            self._queries = device.create_query_set(type=wgpu.QueryType.timestamp, count=_QUERIES)
            self._free = list(range(_QUERIES - 1, -1, -1))
            usage = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC
            self._results = device.create_buffer(size=2 * _RESOLVE_STEP, usage=usage)
            self._period = native.timestamp_period(device.queue)

    def stamp(self, commands: Commands) -> Timestamp | None:
        """Write the time at which the preceding work ends."""
        if not self._free:
            return None
        timestamp = Timestamp(self._free.pop(), self._free)
        if self._inside_encoders:
            commands.write_timestamp(self._queries, timestamp.index)
        else:
            commands.pass_with_timestamp(self._queries, timestamp.index)
        return timestamp

    def seconds(self, start: Timestamp, end: Timestamp, recorder: Recorder) -> float:
        """Device time between two timestamps that were written."""
        for place, timestamp in enumerate((start, end)):
            recorder.commands.resolve(self._queries, timestamp.index, self._results, place * _RESOLVE_STEP)
        packed = bytearray(2 * _RESOLVE_STEP)
        recorder.downloads.read(self._results, 0, memoryview(packed))
        first, last = (int.from_bytes(packed[at : at + 8], "little") for at in (0, _RESOLVE_STEP))
        return (last - first) * self._period
