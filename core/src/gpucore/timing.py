"""Points in the queue of a device, and the device time between two of them."""

from __future__ import annotations

from typing import Any

from gpucore.errors import ArgumentError


class Mark:
    """A point in the queue of a device, made by `device.mark()`."""

    def __init__(self, device: Any) -> None:
        self._device = device
        device.refuse_while_recording("a mark")
        with device.lock:
            self._mark = device.driver_device.mark()

    def __repr__(self) -> str:
        return f"<mark in the queue of {self._device.id}>"

    @property
    def device(self) -> Any:
        """The device."""
        return self._device

    def is_done(self) -> bool:
        """Whether all work queued before the mark has ended; does not wait. Raises DeviceError if it failed."""
        with self._device.lock:
            return bool(self._mark.is_done())

    def wait(self, timeout: float | None = None) -> None:
        """Wait until all work queued before the mark has ended. Ctrl-C interrupts the wait at once.

        Raises SynchronizeTimeoutError after `timeout` seconds (the work continues), ArgumentError for a timeout below
        0, DeviceError if the work failed.
        What debug kernels found is raised by `Device.synchronize` and by reading arrays.
        """
        self._device.wait(self._mark, timeout)

    def elapsed(self, since: Any) -> float:
        """Seconds of device time from an earlier mark of the same device to this one; waits for both. Raises
        ArgumentError for a mark of another device."""
        if not isinstance(since, Mark) or since.device is not self._device:
            other = since.device.id if isinstance(since, Mark) else type(since).__name__
            raise ArgumentError(f"elapsed takes a mark of {self._device.id}, not {other}")
        since.wait()
        self.wait()
        with self._device.lock:
            return float(self._device.driver_device.elapsed(since._mark, self._mark))


class Timer:
    """Device time between two points of a queue."""

    def __init__(self, start: Mark) -> None:
        self.start = start
        self.end: Mark | None = None

    @property
    def seconds(self) -> float:
        """Seconds of device time; waits for the work in between. ArgumentError before the end of the `with` block."""
        if self.end is None:
            raise ArgumentError("the seconds of a timer are available after the end of its `with` block")
        return self.end.elapsed(self.start)
