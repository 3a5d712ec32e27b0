"""Memory of the driver, divided.

A driver allows some thousands of allocations. Small ranges are therefore parts of large blocks, a large one is a block
of its own. A block has one VkBuffer over all of it, so that a range costs no call of the driver.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

import vulkan as vk

from gpucore.plugin import OutOfMemoryError
from gpucore_vulkan.driver import driver_errors, number_of

GRAIN = 256
"""Ranges begin at multiples of it, as each device's limits allow, and end there."""
BLOCK_NBYTES = 32 << 20
_LARGE = BLOCK_NBYTES // 8
_USAGE = (
    vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT
    | vk.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
)  # fmt: skip
_LOCAL, _VISIBLE = vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
_COHERENT, _CACHED = vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, vk.VK_MEMORY_PROPERTY_HOST_CACHED_BIT
_HOST = _VISIBLE | _COHERENT

OWN = ((_LOCAL, _VISIBLE), (_LOCAL, 0), (0, 0))
SHARED = ((_LOCAL | _HOST | _CACHED, 0), *OWN)
UPLOADS = ((_HOST, _LOCAL), (_HOST, 0))
DOWNLOADS = ((_HOST | _CACHED, _LOCAL), (_HOST | _CACHED, 0), (_HOST, 0))
"""Properties that memory must have, and must not have, in the order in which they are tried."""


class Block:
    """One allocation, mapped if the host sees it. `free` are the ranges that nobody has, in order: first byte, size."""

    def __init__(self, device: Any, nbytes: int, kind: int, is_visible: bool) -> None:
        """Raises OutOfMemoryError."""
        self._device, self.nbytes = device, nbytes
        self.free: list[tuple[int, int]] = [(0, nbytes)]
        with driver_errors(f"allocate {nbytes} bytes"):
            create = vk.VkBufferCreateInfo(size=nbytes, usage=_USAGE, sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE)
            self.handle: Any = vk.vkCreateBuffer(device, create, None)
            self.memory: Any = None
            try:
                needed = vk.vkGetBufferMemoryRequirements(device, self.handle)
                allocation = vk.VkMemoryAllocateInfo(allocationSize=needed.size, memoryTypeIndex=kind)
                self.memory = vk.vkAllocateMemory(device, allocation, None)
                vk.vkBindBufferMemory(device, self.handle, self.memory, 0)
            except BaseException:
                self.destroy()
                raise
        self.number = number_of(self.handle)
        self.bytes: memoryview | None = None
        if is_visible:
            self.bytes = memoryview(vk.vkMapMemory(device, self.memory, 0, nbytes, 0)).cast("B")

    def take(self, nbytes: int) -> int | None:
        """The first byte of a range that was free; None if there is none so large."""
        for at, (first, size) in enumerate(self.free):
            if size >= nbytes:
                self.free[at : at + 1] = [(first + nbytes, size - nbytes)] if size > nbytes else []
                return first
        return None

    def give(self, first: int, nbytes: int) -> None:
        """Free a range, and join it with its neighbours."""
        at = bisect.bisect(self.free, (first, 0))
        if at < len(self.free) and self.free[at][0] == first + nbytes:
            nbytes += self.free.pop(at)[1]
        if at and sum(self.free[at - 1]) == first:
            first, before = self.free.pop(at - 1)
            at, nbytes = at - 1, nbytes + before
        self.free.insert(at, (first, nbytes))

    @property
    def is_empty(self) -> bool:
        return self.free == [(0, self.nbytes)]

    def destroy(self) -> None:
        vk.vkDestroyBuffer(self._device, self.handle, None)
        if self.memory is not None:
            vk.vkFreeMemory(self._device, self.memory, None)


class Range:
    """Bytes of a block."""

    __slots__ = ("block", "first", "nbytes")

    def __init__(self, block: Block, first: int, nbytes: int) -> None:
        self.block, self.first, self.nbytes = block, first, nbytes

    @property
    def bytes(self) -> memoryview | None:
        """What the host sees of it."""
        return None if self.block.bytes is None else self.block.bytes[self.first : self.first + self.nbytes]


class Memory:
    """The blocks of one kind of memory."""

    def __init__(
        self, device: Any, kinds: Sequence[int | None], wanted: Sequence[tuple[int, int]], *, is_mapped: bool
    ) -> None:
        """`kinds`: the properties of the kinds of memory that a device has; None: not for buffers. `wanted`: properties
        that the kind must have, and those that it must not have; the first that there is. `is_mapped`: the host
        accesses it, if it can."""
        self._device = device
        self.kind, properties = next(
            (number, properties)
            for has, lacks in wanted
            for number, properties in enumerate(kinds)
            if properties is not None and properties & has == has and not properties & lacks
        )
        self.is_visible = is_mapped and properties & _HOST == _HOST
        self._blocks: list[Block] = []
        self._own: set[Block] = set()

    def take(self, nbytes: int) -> Range:
        """A range of at least so many bytes. Raises OutOfMemoryError."""
        size = -(-nbytes // GRAIN) * GRAIN
        if size >= _LARGE:
            block = self._new(size)
            self._own.add(block)
            block.free.clear()
            return Range(block, 0, size)
        for block in reversed(self._blocks):
            if (first := block.take(size)) is not None:
                return Range(block, first, size)
        try:
            self._blocks.append(self._new(BLOCK_NBYTES))
        except OutOfMemoryError:
            self._blocks.append(self._new(_LARGE))
        first = self._blocks[-1].take(size)
        assert first is not None
        return Range(self._blocks[-1], first, size)

    def give(self, range: Range) -> None:
        """Free a range that no work uses."""
        block = range.block
        if block in self._own:
            self._own.remove(block)
            block.destroy()
            return
        block.give(range.first, range.nbytes)
        if block.is_empty and any(other.is_empty for other in self._blocks if other is not block):
            self._blocks.remove(block)
            block.destroy()

    @property
    def allocations(self) -> int:
        """How many the driver has made for it."""
        return len(self._blocks) + len(self._own)

    def destroy(self) -> None:
        """Free all."""
        for block in (*self._blocks, *self._own):
            block.destroy()
        self._blocks.clear()
        self._own.clear()

    def _new(self, nbytes: int) -> Block:
        return Block(self._device, nbytes, self.kind, self.is_visible)


def _kinds_of_buffers(device: Any) -> int:
    """The kinds of memory that a buffer may have, as bits: the same for all of one usage."""
    buffer = vk.vkCreateBuffer(device, vk.VkBufferCreateInfo(size=GRAIN, usage=_USAGE), None)
    needed = vk.vkGetBufferMemoryRequirements(device, buffer)
    vk.vkDestroyBuffer(device, buffer, None)
    return int(needed.memoryTypeBits)


class Memories:
    """The memory of a device. `arrays` is its own; `uploads` and `downloads` are the host's, for copies. On a device
    that shares the host's memory the host accesses arrays directly: `arrays.is_visible`."""

    def __init__(self, device: Any, physical: Any, *, is_shared: bool) -> None:
        memory = vk.vkGetPhysicalDeviceMemoryProperties(physical)
        usable = _kinds_of_buffers(device)
        kinds = [
            int(memory.memoryTypes[number].propertyFlags) if usable >> number & 1 else None
            for number in range(memory.memoryTypeCount)
        ]
        self.arrays = Memory(device, kinds, SHARED if is_shared else OWN, is_mapped=is_shared)
        self.uploads = Memory(device, kinds, UPLOADS, is_mapped=True)
        self.downloads = Memory(device, kinds, DOWNLOADS, is_mapped=True)

    def destroy(self) -> None:
        for each in (self.arrays, self.uploads, self.downloads):
            each.destroy()


__all__ = ["GRAIN", "Block", "Memories", "Memory", "Range"]
