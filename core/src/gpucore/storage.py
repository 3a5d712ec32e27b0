"""The memory of arrays."""

from __future__ import annotations

import math
from typing import Any

from gpucore.device import Device
from gpucore.runtime.protocol import Buffer

_MIN_BYTES = 16


class Storage:
    """Memory on a device, shared by an array, its slices and its reshaped views; freed with the last of them."""

    __slots__ = ("__weakref__", "_is_owner", "buffer", "device", "is_adopted", "is_closed", "nbytes")

    def __init__(self, device: Device, nbytes: int, element_nbytes: int = 0, buffer: Buffer | None = None) -> None:
        self._is_owner = False
        self.device, self.nbytes = device, nbytes
        if buffer is None:
            # An empty array has room for one element, as kernels with clamped indices access the first.
            buffer = device.allocate(nbytes if nbytes > _MIN_BYTES else max(_MIN_BYTES, element_nbytes, nbytes))
        self.buffer, self.is_adopted = buffer, buffer.is_adopted
        device.held[buffer] = nbytes
        self.is_closed, self._is_owner = False, True

    def __del__(self) -> None:
        if self._is_owner:
            self._is_owner = False
            self.device.discard(self.buffer)

    @classmethod
    def adopt(cls, device: Device, address: int, nbytes: int, owner: Any) -> Storage:
        """Memory of another library, from a multiple of 16 on. `owner` is kept until no queued work needs it."""
        return cls(device, nbytes, buffer=device.adopt(address, nbytes, owner))

    def shares_bytes(self, other: Storage) -> bool:
        """Whether some bytes are in both. Only memory of other libraries can be in two storages."""
        if not (self.is_adopted or other.is_adopted):
            return self is other
        first, second = self.buffer.address, other.buffer.address
        return first < second + other.nbytes and second < first + self.nbytes

    def bind(self, offset: int, nbytes: int, itemsize: int) -> tuple[Buffer, int]:
        """The buffer to dispatch for `nbytes` from an offset, and the elements in it before the first of them."""
        if nbytes == 0 or (offset == 0 and nbytes == self.nbytes):
            return self.buffer, 0
        alignment = self.device.limits.part_alignment
        if alignment == 0:
            return self.buffer, offset // itemsize
        # The elements before the first one are whole, also where three scalars are taken for a vector.
        common = math.lcm(alignment, itemsize)
        first = offset // common * common
        if first != offset:
            common = math.lcm(alignment, 3 * itemsize)
            first = offset // common * common
        with self.device.lock:
            part = self.buffer.part(first, offset + nbytes - first)
        part.whole, part.first = self.buffer, first
        return part, (offset - first) // itemsize

    def close(self) -> None:
        """Free the memory now; if other libraries have seen it, when the last of them has dropped it."""
        self.is_closed = True
        if not self.buffer.is_exported:
            self.__del__()
