"""Waiting for the work of a device, and raising what went wrong in it."""

from __future__ import annotations

import numbers
import time
from typing import Any

from gpucore import observer
from gpucore.errors import ArgumentError, DispatchError, SynchronizeTimeoutError
from gpucore.runtime.protocol import Buffer, Mark

_MIN_PAUSE, _MAX_PAUSE = 50e-6, 5e-3
WRITE_STEP = 16 << 20  # bytes of a partial write, if the device does not accept all at once


class Waiting:
    """What a device has for that."""

    def synchronize(self: Any, timeout: float | None = None) -> None:
        """Wait until all queued work has ended. Ctrl-C interrupts the wait at once.

        Raises SynchronizeTimeoutError after `timeout` seconds (the work continues), ArgumentError for a timeout below
        0, DeviceError if the work failed, and KernelError for the first failed check of a kernel in debug mode that has
        not been raised yet, or that this thread launched and only other threads have raised.
        """
        self._finish(timeout)
        self._raise_failure()

    def _raise_failure(self: Any, array: Buffer | None = None) -> None:
        """Raise the failure of a kernel in debug mode that is due in this thread, which is about to read `array`."""
        if not self._diagnostics.has_failures:
            return
        with self.lock:
            error = self._diagnostics.error(array)
        if error is not None:
            raise error

    def _finish(self: Any, timeout: float | None = None) -> None:
        """Wait until all queued work has ended, and read its reports."""
        if timeout is not None:
            _check_timeout(timeout)
        if self._graph is not None:
            self.refuse_while_recording("a wait for results")
        with self.lock:
            if any(self.waiting):
                self.collect_garbage()
            operations, newest = self._join_streams(), self._diagnostics.newest
            is_asked = operations is None and self.driver_device.idle_polls > 0
            mark = None if is_asked else self.driver_device.fence()
        try:
            if mark is None and not self._is_soon_idle():
                mark = self._fence()
            if mark is not None:
                self.wait(mark, timeout)
        except DispatchError:  # records are complete only when an invocation ends
            with self.lock:
                self._diagnostics.forget(newest)
            raise
        if operations is not None:
            self._end_streams(operations)
        if self._diagnostics or self._returning:
            with self.lock:
                self._diagnostics.read(newest)
                self.collect_garbage()

    def _is_soon_idle(self: Any) -> bool:
        """Whether the work in the only queue ends while the device is asked as often as it wants to be. False while
        somebody profiles."""
        device = self.driver_device
        if device.profiler is None and observer.current is None:
            for _ in range(device.idle_polls):
                with self.lock:
                    if device.is_idle():
                        return True
        return False

    def wait(self: Any, mark: Mark, timeout: float | None = None) -> None:
        """Poll a mark until it is done: quickly at first, then with pauses from 50 us to 5 ms, a tenth of the time that
        it takes. Raises ArgumentError for a timeout below 0."""
        if timeout is not None:
            _check_timeout(timeout)
        if not self._is_done(mark):
            with observer.span("wait", self.id, self.id):
                self._poll(mark, timeout)

    def _poll(self: Any, mark: Mark, timeout: float | None) -> None:
        for _ in range(mark.polls):
            if self._is_done(mark):
                return
        start = time.monotonic()
        while not self._is_done(mark):
            waited = time.monotonic() - start
            if timeout is not None and waited >= timeout:
                raise SynchronizeTimeoutError(
                    f"{self.id} is still busy after {timeout} seconds; the work continues in the background"
                )
            mark.pause(min(max(_MIN_PAUSE, waited / 10), _MAX_PAUSE))

    def wait_for_room(self: Any, nbytes: int) -> None:
        """Wait while the device has too many writes pending for another one of so many bytes."""
        while True:
            with self.lock:
                self.driver_device.check()
                mark = self.driver_device.mark_before_write(min(nbytes, WRITE_STEP))
            if mark is None:
                return
            self.wait(mark)

    def _is_done(self: Any, mark: Mark) -> bool:
        with self.lock:
            profiler = self.driver_device.profiler
            return mark.is_done() if profiler is None else profiler.is_done(mark)

    def _fence(self: Any) -> Mark:
        with self.lock:
            fence: Mark = self.driver_device.fence()
            return fence


def _check_timeout(timeout: float) -> None:
    is_number = isinstance(timeout, numbers.Real) and not isinstance(timeout, bool)
    if not is_number or not timeout >= 0:  # NaN is not 0 or more either
        raise ArgumentError(f"timeout must be a number of seconds from 0, or None, not {timeout!r}")
