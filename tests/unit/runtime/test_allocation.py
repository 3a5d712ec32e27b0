"""How a device allocates for arrays: sizes, buffers used again, and what is done when memory is short."""

from __future__ import annotations

import dataclasses
import weakref
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.bench.libraries import Gpucore
from gpucore.errors import OutOfMemoryError
from gpucore.runtime.host_memory import HostMark
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import SimulatorBuffer, SimulatorDevice
from gpucore.simulator.plugin import SimulatorBackend

MIB = 1 << 20


class Limited(SimulatorDevice):
    """Has so many bytes, and largest buffers and bindings of odd sizes."""

    def __init__(self, nbytes: int = 1 << 40) -> None:
        super().__init__()
        limits = dataclasses.replace(self.info.limits, max_buffer_size=9 * MIB + 4, max_binding_size=3 * MIB + 4)
        self.info = dataclasses.replace(self.info, limits=limits)
        self.left = nbytes
        self.sizes: list[int] = []
        self.forgotten = 0

    def allocate(self, nbytes: int) -> SimulatorBuffer:
        if nbytes > self.left:
            raise OutOfMemoryError(f"{nbytes} bytes are more than {self.left}")
        self.left -= nbytes
        self.sizes.append(nbytes)
        return LimitedBuffer(self, nbytes)


class LimitedBuffer(SimulatorBuffer):
    def __init__(self, device: Limited, nbytes: int) -> None:
        super().__init__(nbytes)
        self.device = device

    def forget(self) -> None:
        self.device.forgotten += 1
        super().forget()

    def release(self) -> None:
        self.device.left += self.nbytes
        super().release()


def opened(driver: Limited) -> gp.Device:
    return gp.Device(OpenDevice(driver, SimulatorBackend()))


def test_a_freed_buffer_is_used_again_with_its_contents_forgotten() -> None:
    driver = Limited()
    device = opened(driver)
    first = gp.zeros(1000, gp.u8, device=device)
    del first
    second = gp.empty(1001, gp.u8, device=device)
    assert driver.sizes == [1024]
    assert driver.forgotten == 1
    assert second.numpy().tolist() == [0xCD] * 1001


def test_memory_that_the_pool_keeps_is_given_back_when_it_is_short() -> None:
    driver = Limited(3 * MIB)
    device = opened(driver)
    kept = gp.empty(2 * MIB, gp.u8, device=device)
    del kept
    device.synchronize()
    assert driver.left == MIB
    gp.empty(3 * MIB // 2, gp.u8, device=device)  # of another size than what the pool has
    assert driver.sizes == [2 * MIB, 3 * MIB // 2]


def test_arrays_in_cycles_are_collected_when_memory_is_short() -> None:
    driver = Limited(3 * MIB)
    device = opened(driver)
    cycle: list[Any] = [gp.empty(2 * MIB, gp.u8, device=device)]
    cycle.append(cycle)
    del cycle
    gp.empty(2 * MIB, gp.u8, device=device)
    assert len(driver.sizes) <= 2


def test_memory_that_is_really_used_up_is_an_error() -> None:
    device = opened(Limited(3 * MIB))
    kept = gp.empty(2 * MIB, gp.u8, device=device)
    with pytest.raises(OutOfMemoryError):
        gp.empty(2 * MIB, gp.u8, device=device)
    assert kept.size == 2 * MIB


@pytest.mark.parametrize(
    ("nbytes", "size"),
    [
        (3 * MIB + 3, 3 * MIB + 4),  # rounded up it would be more than a kernel can see
        (3 * MIB + 4, 3 * MIB + 4),
        (3 * MIB + 5, 3 * MIB + MIB // 4),
        (9 * MIB + 3, 9 * MIB + 4),
        (9 * MIB + 4, 9 * MIB + 4),
    ],
)
def test_sizes_are_not_rounded_beyond_a_limit(nbytes: int, size: int) -> None:
    driver = Limited()
    gp.empty(nbytes, gp.u8, device=opened(driver))
    assert driver.sizes == [size]


def test_more_than_the_largest_buffer_is_refused() -> None:
    with pytest.raises(gp.ArgumentError, match="larger than the largest buffer"):
        gp.empty(9 * MIB + 5, gp.u8, device=opened(Limited()))


def test_benchmarks_free_what_the_pool_keeps() -> None:
    """Also what is in a cycle, and what no allocation has given to the pool yet."""
    driver = Limited(MIB)
    device = opened(driver)
    kept, freed = gp.zeros(1000, gp.u8, device=device), gp.zeros(3000, gp.u8, device=device)
    cycle: list[Any] = [gp.zeros(5000, gp.u8, device=device)]
    cycle.append(cycle)
    del freed, cycle
    Gpucore(device).free()
    assert driver.left == MIB - kept.storage.buffer.nbytes
    assert kept.numpy().tolist() == [0] * 1000


class TakesOneWrite(SimulatorDevice):
    """Accepts a write only while no other one is pending. A mark keeps the host memory of its write."""

    def __init__(self) -> None:
        super().__init__()
        self.mark_of_write: HostMark | None = None
        self.waited_for: list[weakref.ref[HostMark]] = []

    def allocate(self, nbytes: int) -> SimulatorBuffer:
        return WrittenBuffer(self, nbytes)

    def mark_before_write(self, nbytes: int) -> HostMark | None:
        mark, self.mark_of_write = self.mark_of_write, None
        if mark is not None:
            self.waited_for.append(weakref.ref(mark))
        elif nbytes > 16 * MIB:
            return HostMark()
        return mark


class WrittenBuffer(SimulatorBuffer):
    def __init__(self, device: TakesOneWrite, nbytes: int) -> None:
        super().__init__(nbytes)
        self.device = device

    def write(self, data: memoryview, offset: int = 0) -> None:
        assert not any(mark() for mark in self.device.waited_for)
        self.device.mark_of_write = HostMark()
        super().write(data, offset)


def test_a_mark_is_not_kept_after_the_wait_for_it() -> None:
    host = np.arange(10 * MIB, dtype=np.uint32)
    driver = TakesOneWrite()
    array = gp.asarray(host, device=gp.Device(OpenDevice(driver, SimulatorBackend())))
    assert np.array_equal(array.numpy(), host)
    assert driver.waited_for


class LostMark(HostMark):
    def is_done(self) -> bool:
        raise gp.DeviceLostError("the device is gone")


class Lost(SimulatorDevice):
    def fence(self) -> HostMark:
        return LostMark()


def test_a_lost_device_closes_with_memory_of_others_under_way() -> None:
    """Its owner is dropped: no work uses it any more."""
    host = np.zeros(16, np.float32)
    owner = weakref.ref(host)
    device = gp.Device(OpenDevice(Lost(), SimulatorBackend()))
    array = gp.from_dlpack(host, device=device)
    del array, host
    device.close()
    assert owner() is None
    assert not device.driver_device.is_usable
