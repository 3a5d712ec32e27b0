"""Buffers and parts of buffers."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from gpucore.plugin import Buffer
from gpucore_vulkan.memory import Range

if TYPE_CHECKING:
    from gpucore_vulkan.transfers import Transfers

_GRAIN = 16  # sizes are rounded up to this, so that an array of scalars may be bound as one of vectors
_MAX_PARTS = 64  # of a buffer that are kept


class History:
    """How memory was last used: between which barriers it was written and read (`commands`), and by which submit."""

    __slots__ = ("read", "used", "written")

    def __init__(self) -> None:
        self.read = self.written = self.used = 0


class VulkanBuffer(Buffer):
    """A range of memory. `described` is it as a VkDescriptorBufferInfo, `first_byte` is in its block."""

    def __init__(self, transfers: Transfers, nbytes: int, range: Range, most_bound: int) -> None:
        self.nbytes, self.range = nbytes, range
        self._transfers: Transfers | None = transfers
        self._most_bound = most_bound
        self.first_byte = range.first
        self.history = History()
        self.described = _described(range, range.first, min(_padded(nbytes), most_bound))
        self._parts: dict[tuple[int, int], VulkanPart] = {}

    def part(self, offset: int, nbytes: int) -> VulkanPart:
        key = (offset, min(_padded(nbytes), _padded(self.nbytes) - offset))
        found = self._parts.get(key)
        if found is None:
            while len(self._parts) >= _MAX_PARTS:
                self._parts.pop(next(iter(self._parts)))
            found = self._parts[key] = VulkanPart(self, *key, self._most_bound)
        return found

    def write(self, data: memoryview, offset: int = 0) -> None:
        if data.nbytes:
            self._open().write(self, data.cast("B"), offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        if out.nbytes:
            self._open().read(self, out.cast("B"), offset)

    def expect_read(self, nbytes: int, offset: int = 0) -> None:
        self._open().expect(self, nbytes, offset)

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        return self._open().start(self, out.cast("B"), offset)

    def release(self) -> None:
        transfers, self._transfers = self._transfers, None
        if transfers is not None:
            self._parts.clear()
            transfers.free(self)

    def _open(self) -> Transfers:
        assert self._transfers is not None, "this buffer was released"
        return self._transfers


class VulkanPart(Buffer):
    """A part of a buffer, for dispatches and copies."""

    def __init__(self, whole: VulkanBuffer, offset: int, nbytes: int, most_bound: int) -> None:
        self.nbytes, self.range = nbytes, whole.range
        self.first_byte = whole.first_byte + offset
        self.history = whole.history
        self.described = _described(whole.range, self.first_byte, min(_padded(nbytes), most_bound))

    def write(self, data: memoryview, offset: int = 0) -> None:
        raise NotImplementedError("parts are written through their buffer")

    def read(self, out: memoryview, offset: int = 0) -> None:
        raise NotImplementedError("parts are read through their buffer")

    def release(self) -> None:
        """Its memory is that of the whole."""


AnyBuffer = VulkanBuffer | VulkanPart


def _described(range: Range, first: int, nbytes: int) -> bytes:
    return struct.pack("=3Q", range.block.number, first, nbytes)


def _padded(nbytes: int) -> int:
    return -(-nbytes // _GRAIN) * _GRAIN
