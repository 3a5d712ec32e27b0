"""Points in a device's queue, and the time between them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import wgpu

from gpucore.errors import ClosedError, DeviceError, DeviceLostError
from gpucore.runtime import Mark
from gpucore_wgpu import native
from gpucore_wgpu.recorder import Recorder

_QUERIES = 1024  # how many marks with a timestamp can exist at once
_RESOLVE_STEP = 256  # the alignment of offsets for query results


class WgpuMark(Mark):
    """A mark. `timestamp` is its query, or None; `ended` the host's time (seconds) when it was first found done."""

    def __init__(
        self, recorder: Recorder, timestamp: Timestamp | None, check: Callable[[], DeviceError | None] | None
    ) -> None:
        """`check` is called once the work has ended: it returns the error that the work ended with, or None."""
        self.timestamp = timestamp
        self.ended = 0.0
        self._recorder = recorder
        self._check = check
        self._arrived = False
        self._error: DeviceError | None = None

    def arrive(self, succeeded: bool) -> None:
        """Called by the driver: the work before the mark has ended."""
        self.ended = time.perf_counter()
        self._arrived = True
        if not succeeded:
            self._error = DeviceLostError("the device was lost while work was queued; open it again")

    def is_done(self) -> bool:
        if self._recorder.is_discarded:  # wgpu-native crashes if a mapped buffer of a closed device is read
            raise ClosedError("the device of this mark was closed")
        if not self._arrived:
            native.poll(self._recorder.device)
        if not self._arrived:
            return False
        if self._check is not None and self._error is None:
            check, self._check = self._check, None
            self._error = check()
        if self._error is not None:
            raise self._error
        return True


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

    def stamp(self, encoder: Any) -> Timestamp | None:
        """Write the time at which the preceding work ends."""
        if not self._free:
            return None
        timestamp = Timestamp(self._free.pop(), self._free)
        if self._inside_encoders:
            native.write_timestamp(encoder, self._queries, timestamp.index)
        else:
            writes = {"query_set": self._queries, "beginning_of_pass_write_index": timestamp.index}
            encoder.begin_compute_pass(timestamp_writes=writes).end()
        return timestamp

    def seconds(self, start: Timestamp, end: Timestamp, read: Callable[[Any, int, memoryview], None]) -> float:
        """Device time between two timestamps that were written. `read` copies a buffer to the host."""
        encoder = self._device.create_command_encoder()
        for place, timestamp in enumerate((start, end)):
            encoder.resolve_query_set(self._queries, timestamp.index, 1, self._results, place * _RESOLVE_STEP)
        self._device.queue.submit([encoder.finish()])
        packed = bytearray(2 * _RESOLVE_STEP)
        read(self._results, 0, memoryview(packed))
        first, last = (int.from_bytes(packed[at : at + 8], "little") for at in (0, _RESOLVE_STEP))
        return (last - first) * self._period
