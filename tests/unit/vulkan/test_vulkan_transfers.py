"""Copies between the host and arrays, through staging memory and without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.plugin import Mark
from gpucore_vulkan.transfers import CHUNK

pytestmark = pytest.mark.xdist_group("vulkan")


def wait(mark: Mark) -> None:
    while not mark.is_done():
        mark.pause(1e-3)


@pytest.mark.parametrize("nbytes", [1, 7, 4096, CHUNK - 1, CHUNK, CHUNK + 5, 2 * CHUNK + 4])
def test_all_bytes_and_no_others(backend: Any, nbytes: int) -> None:
    device = backend.open(0)
    data = np.random.default_rng(nbytes).integers(0, 256, nbytes + 32, dtype=np.uint8)
    buffer = device.allocate(nbytes + 32)
    buffer.write(memoryview(data))
    part = np.random.default_rng(1).integers(0, 256, nbytes, dtype=np.uint8)
    buffer.write(memoryview(part), 16)
    wait(device.fence())
    found = np.zeros(nbytes + 32, np.uint8)
    buffer.read(memoryview(found))
    np.testing.assert_array_equal(found, np.concatenate([data[:16], part, data[-16:]]))
    inner = np.zeros(nbytes, np.uint8)
    buffer.read(memoryview(inner), 16)
    np.testing.assert_array_equal(inner, part)
    device.close()


def test_writes_keep_a_bounded_number_of_chunks(backend: Any) -> None:
    device = backend.open(0)
    data = np.arange(40 * CHUNK // 4, dtype=np.uint32)
    buffer = device.allocate(data.nbytes)
    buffer.write(memoryview(data))  # more than staging memory has: the device copies meanwhile
    buffer.write(memoryview(data[::-1].copy()))
    wait(device.fence())
    found = np.zeros_like(data)
    buffer.read(memoryview(found))
    np.testing.assert_array_equal(found, data[::-1])
    assert device.memories.uploads.allocations <= 17
    device.close()


def test_core_is_told_to_wait_before_it_writes_too_much(opened: Any) -> None:
    driver = opened.driver
    if driver.memories.arrays.is_visible:
        pytest.skip("writes go to the memory itself")
    buffer = driver.allocate(CHUNK)
    data = memoryview(bytes(CHUNK))
    while (mark := driver.mark_before_write(CHUNK)) is None:
        buffer.write(data)
        if driver.queue.submitted > 500:
            pytest.fail("the device keeps up with all writes")
        driver.queue.ended = 0  # as far as the host knows
    wait(mark)
    assert driver.mark_before_write(CHUNK) is None


def test_reads_that_end_later(opened: Any) -> None:
    """Those that nobody has come for do not stand in the way."""
    driver = opened.driver
    if driver.memories.arrays.is_visible:
        pytest.skip("the host reads the memory itself")
    data = np.random.default_rng(5).integers(0, 256, 2 * CHUNK + 12, dtype=np.uint8)
    buffer = driver.allocate(data.nbytes)
    buffer.write(memoryview(data))
    buffer.expect_read(100, 8)  # not read
    found, second = np.zeros_like(data), np.zeros(40, np.uint8)
    assert buffer.start_read(memoryview(found))
    assert buffer.start_read(memoryview(second), 4)
    wait(driver.fence())
    np.testing.assert_array_equal(found, data)
    np.testing.assert_array_equal(second, data[4:44])
    large = driver.allocate(65 << 20)
    assert not large.start_read(memoryview(bytearray(65 << 20))), "more than is kept in flight"


def test_an_expected_read_is_not_that_of_older_bytes(opened: Any) -> None:
    driver = opened.driver
    buffer = driver.allocate(64)
    buffer.write(memoryview(b"a" * 64))
    buffer.expect_read(64)
    found = bytearray(64)
    wait(driver.fence())
    buffer.read(memoryview(found))
    assert found == b"a" * 64
    buffer.expect_read(64)
    buffer.write(memoryview(b"b" * 64))
    wait(driver.fence())
    buffer.read(memoryview(found))
    assert found == b"b" * 64


def test_a_library_function_with_memory_of_its_own(opened: Any) -> None:
    keys = np.random.default_rng(2).integers(0, 1 << 32, 5001, dtype=np.uint32)
    x = gp.asarray(keys, device=opened.gpu)
    np.testing.assert_array_equal(gp.sort(x).numpy(), np.sort(keys))
    np.testing.assert_array_equal(x.numpy(), keys)
