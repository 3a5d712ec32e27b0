"""Detects that a driver has cut a loop short.

lavapipe silently exits every loop of a kernel once 65535 iterations of all its loops together have been run. Kernels
whose loops may reach that limit end with a check that sets a flag (`emit`). Here the host reads the flags.
"""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import wgpu

from gpucore.plugin import DeviceError, DispatchError
from gpucore_wgpu import native
from gpucore_wgpu.driver_errors import driver_errors
from gpucore_wgpu.native import Mapping
from gpucore_wgpu.recorder import Recorder

_SLOTS = 255
_NBYTES = 4 * (1 + _SLOTS)
_ITERATIONS = 2  # of the loop at the end of such a kernel: if the limit was reached, only one is run


class LoopLimitCheck:
    """The flag buffer of a device: word 0 is read by the kernels, the others are flags that they set."""

    def __init__(self, recorder: Recorder, limit: int) -> None:
        self._recorder, self._limit = recorder, limit
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
        self.buffer: Any = recorder.device.create_buffer(size=_NBYTES, usage=usage)
        recorder.device.queue.write_buffer(self.buffer, 0, array.array("I", [_ITERATIONS] + [0] * _SLOTS))
        self._kernels: list[dict[str, None]] = [{} for _ in range(_SLOTS)]  # names of the kernels that share a flag
        self._count = 0
        self._spare: list[Any] = []  # staging buffers not in use
        self.is_due = False  # whether a kernel with a flag was dispatched since the last check

    def add_kernel(self, kernel: str) -> int:
        """The index of the flag for a new pipeline of the named kernel."""
        slot, self._count = self._count % _SLOTS, self._count + 1
        self._kernels[slot][kernel] = None
        return 1 + slot

    def start(self) -> Callable[[], DeviceError | None]:
        """Submit what is pending, and a copy of the flags, which are cleared. The result is called once the work has
        ended, and returns the error, if any."""
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        recorder = self._recorder
        staging = self._spare.pop() if self._spare else recorder.device.create_buffer(size=_NBYTES, usage=usage)
        recorder.commands.copy(self.buffer, 0, staging, 0, _NBYTES)
        recorder.commands.clear(self.buffer, 4, 4 * _SLOTS)
        self.is_due = False
        recorder.flush()
        mapping = Mapping(staging, _NBYTES)

        def error() -> DeviceError | None:
            try:
                with driver_errors("check that its kernels were completed"):
                    # raises if the device is lost; wgpu-native crashes if a buffer of such a device is read
                    recorder.device.create_buffer(size=4, usage=wgpu.BufferUsage.COPY_DST).destroy()
                    recorder.wait(mapping)  # the copy is part of work that has ended
            except DeviceError as lost:
                return lost
            flags = memoryview(mapping.view()).cast("I").tolist()
            native.unmap(staging)
            self._spare.append(staging)
            slot = next((slot for slot in range(_SLOTS) if flags[1 + slot]), None)
            return None if slot is None else self._error(slot)

        return error

    def release(self) -> None:
        """Free the buffers."""
        for buffer in (self.buffer, *self._spare):
            buffer.destroy()
        self._spare.clear()

    def _error(self, slot: int) -> DispatchError:
        names = " or ".join(map(repr, self._kernels[slot]))
        return DispatchError(
            f"kernel {names} was cut short: this driver exits all loops of an invocation after {self._limit} "
            "iterations in total, also counting those of invocations that it runs in lockstep.\n"
            "What the kernel wrote is invalid. Split the loop over several dispatches or over more invocations, "
            "or run the kernel on another device."
        )
