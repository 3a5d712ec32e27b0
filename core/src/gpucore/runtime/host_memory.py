"""A device whose buffers are memory of this process, and whose dispatches have ended when `dispatch` returns.

A backend on it implements `compile`, `dispatch` and `close`. Its `DeviceInfo.details` have `HOST_TIMESTAMPS`, its
`DeviceInfo.memory` is `HOST_MEMORY`, and its
`DeviceInfo.kernels_share_memory` is True if generated code accesses the memory without a check of its own.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.errors import ClosedError, OutOfMemoryError
from gpucore.runtime.protocol import Buffer, Device, Mark


def _host_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # on Windows, and on systems without these names
        return 0


HOST_TIMESTAMPS = ("timestamps", "host")
"""The entry of `DeviceInfo.details` of devices whose `elapsed` is the host's time."""

HOST_MEMORY = _host_memory()
"""`DeviceInfo.memory` of such a device: bytes of memory that the host has; 0 where the system does not say."""

_ALIGNMENT = 64  # bytes; the interface demands 16


class HostMemoryBuffer(Buffer):
    """Bytes in a NumPy array. `content` is memory that exists, of uint8, shape (nbytes,); by default new memory, with
    undefined contents. Raises OutOfMemoryError."""

    def __init__(self, nbytes: int, content: npt.NDArray[np.uint8] | None = None) -> None:
        self.nbytes = nbytes
        self._bytes: npt.NDArray[np.uint8] | None = _allocate(nbytes) if content is None else content
        self.address = self._bytes.ctypes.data

    @property
    def bytes(self) -> npt.NDArray[np.uint8]:
        """The contents as uint8, shape (nbytes,). Raises ClosedError after release."""
        if self._bytes is None:
            raise ClosedError("the buffer was released")
        return self._bytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        self.bytes[offset : offset + data.nbytes] = np.frombuffer(data, np.uint8)

    def read(self, out: memoryview, offset: int = 0) -> None:
        np.frombuffer(out, np.uint8)[:] = self.bytes[offset : offset + out.nbytes]

    def part(self, offset: int, nbytes: int) -> Buffer:
        return type(self)(nbytes, self.bytes[offset : offset + nbytes])

    def release(self) -> None:
        self._bytes, self.address = None, 0


class HostMark(Mark):
    """The host's time. All earlier work is done."""

    def __init__(self) -> None:
        self.seconds = time.perf_counter()

    def is_done(self) -> bool:
        return True


class HostMemoryDevice(Device):
    """All but `info`, `compile`, `dispatch` and `close`. Set `part_alignment=1` in the limits if kernels may be given
    buffers at any address, and `buffer` to a class derived from HostMemoryBuffer to change what is allocated."""

    memory_space = 1, 0
    buffer: type[HostMemoryBuffer] = HostMemoryBuffer

    def allocate(self, nbytes: int) -> Buffer:
        return self.buffer(nbytes)

    def adopt(self, address: int, nbytes: int) -> Buffer:
        memory: Any = (ctypes.c_uint8 * nbytes).from_address(address)
        return self.buffer(nbytes, np.frombuffer(memoryview(memory), np.uint8))

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, HostMemoryBuffer) and isinstance(target, HostMemoryBuffer)
        target.bytes[:nbytes] = source.bytes[:nbytes]

    def mark(self) -> Mark:
        return HostMark()

    def elapsed(self, start: Mark, end: Mark) -> float:
        if not (isinstance(start, HostMark) and isinstance(end, HostMark)):
            raise NotImplementedError(f"{type(self).__name__} has marks of its own, and must override elapsed()")
        return end.seconds - start.seconds


def _allocate(nbytes: int) -> npt.NDArray[np.uint8]:
    try:
        memory = np.empty(nbytes + _ALIGNMENT, np.uint8)
    except (MemoryError, ValueError) as error:
        raise OutOfMemoryError(f"the host has no memory for a buffer of {nbytes} bytes") from error
    start = -memory.ctypes.data % _ALIGNMENT
    return memory[start : start + nbytes]
