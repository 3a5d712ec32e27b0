"""Blocks of memory: how many there are, and that what is freed can be used again."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
import vulkan as vk

from gpucore.plugin import OutOfMemoryError
from gpucore_vulkan.device import VulkanDevice
from gpucore_vulkan.memory import BLOCK_NBYTES, DOWNLOADS, GRAIN, OWN, SHARED, UPLOADS, Memory

pytestmark = pytest.mark.xdist_group("vulkan")


@pytest.fixture
def device(backend: Any) -> Any:
    made = backend.open(0)
    yield made
    made.close()


def memory_of(device: VulkanDevice) -> Memory:
    return device.memories.arrays


def test_small_buffers_share_an_allocation(device: VulkanDevice) -> None:
    buffers = [device.allocate(1 + number % 5000) for number in range(3000)]
    assert memory_of(device).allocations == 1
    places = sorted((buffer.first_byte, buffer.nbytes) for buffer in buffers)
    assert all(first + nbytes <= after for (first, nbytes), (after, _) in itertools.pairwise(places))
    assert all(first % GRAIN == 0 for first, _ in places)


def test_what_is_freed_in_any_order_joins(device: VulkanDevice) -> None:
    order = random.Random(3)
    buffers = [device.allocate(order.randrange(1, 100_000)) for _ in range(300)]
    order.shuffle(buffers)
    for buffer in buffers:
        buffer.release()
        buffer.release()
    assert memory_of(device).allocations == 1
    whole = device.allocate(BLOCK_NBYTES // 8 - GRAIN)
    assert whole.first_byte == 0
    assert memory_of(device).allocations == 1


def test_a_large_buffer_is_an_allocation_that_goes_with_it(device: VulkanDevice) -> None:
    small = device.allocate(100)
    large = [device.allocate(BLOCK_NBYTES // 4) for _ in range(3)]
    assert memory_of(device).allocations == 4
    for buffer in large:
        buffer.release()
    assert memory_of(device).allocations == 1
    small.release()


def test_no_memory_is_an_error_after_which_the_device_works(
    device: VulkanDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*rest: object) -> object:
        raise vk.VkErrorOutOfDeviceMemory

    with monkeypatch.context() as patched:
        patched.setattr(vk, "vkAllocateMemory", refuse)
        with pytest.raises(OutOfMemoryError, match="no memory left to allocate"):
            device.allocate(1 << 20)
    buffer = device.allocate(1 << 20)
    buffer.write(memoryview(b"abcd"), 4)
    found = bytearray(4)
    device.fence()
    buffer.read(memoryview(found), 4)
    assert found == b"abcd"


def test_more_than_a_buffer_can_have(device: VulkanDevice) -> None:
    with pytest.raises(OutOfMemoryError, match="more than the"):
        device.allocate(device.info.limits.max_buffer_size + 1)


@pytest.mark.parametrize(
    ("kinds", "own", "shared", "uploads", "downloads"),
    [
        ([0, 1, 6, 14, 7], 1, 1, 2, 3),  # a GPU all of whose memory the host sees, uncached
        ([None, 0, None, 1, 6, 14], 3, 3, 4, 5),  # kinds for images before those for buffers
        ([1, 7, 15], 0, 2, 1, 2),  # an integrated GPU
        ([15], 0, 0, 0, 0),  # a software device
        ([0, 6], 0, 0, 1, 1),  # nothing is local, or cached
    ],
)
def test_which_kind_of_memory_is_taken(
    kinds: list[int | None], own: int, shared: int, uploads: int, downloads: int
) -> None:
    """1: local to the device, 2: the host sees it, 4: without flushes, 8: cached."""
    found = [Memory(None, kinds, wanted, is_mapped=True).kind for wanted in (OWN, SHARED, UPLOADS, DOWNLOADS)]
    assert found == [own, shared, uploads, downloads]
