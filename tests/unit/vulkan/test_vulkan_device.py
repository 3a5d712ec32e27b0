"""The queue: order, barriers, marks, errors, and closing."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
import vulkan as vk

import gpucore as gp
from gpucore.plugin import ClosedError, DeviceLostError

pytestmark = pytest.mark.xdist_group("vulkan")


@gp.kernel(workgroup_size=64)
def add(x: gp.In[gp.u32], y: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = y[i] + x[i]


@gp.kernel(workgroup_size=64)
def spin(y: gp.InOut[gp.u32], n: gp.u32):
    i = gp.global_id(0)
    if i < y.size:
        value = y[i]
        for _ in range(n):
            value = value * gp.u32(1664525) + gp.u32(1013904223)
        y[i] = value


def barriers_of(driver: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows with each barrier between commands."""
    functions, found = driver.queue.functions, list[int]()
    written = functions.barrier

    def barrier(*rest: Any) -> None:
        if rest[2] != vk.VK_PIPELINE_STAGE_HOST_BIT:
            found.append(1)
        written(*rest)

    monkeypatch.setattr(functions, "barrier", barrier)
    return found


def test_barriers_stand_between_dependent_commands_alone(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = gp.asarray(np.arange(1000, dtype=np.uint32), device=opened.gpu)
    ys = [gp.zeros(1000, gp.u32, device=opened.gpu) for _ in range(20)]
    for y in ys:
        add(x, y, invocations=1000)
    opened.gpu.synchronize()
    found = barriers_of(opened.driver, monkeypatch)
    for y in ys:
        add(x, y, invocations=1000)  # all read x, each writes an array of its own
    assert len(found) == 1, "one for what ran before"
    for _ in range(20):
        add(ys[0], ys[1], invocations=1000)
    assert len(found) == 21
    add(ys[1], x, invocations=1000)  # writes what others read
    assert len(found) == 22
    opened.gpu.synchronize()
    base = np.arange(1000, dtype=np.uint32)
    for at, y in enumerate(ys):
        np.testing.assert_array_equal(y.numpy(), base * 42 if at == 1 else base * 2)
    np.testing.assert_array_equal(x.numpy(), base * 43)


def test_many_dependent_dispatches_over_several_submits(opened: Any) -> None:
    one = gp.asarray(np.ones(257, np.uint32), device=opened.gpu)
    y = gp.zeros(257, gp.u32, device=opened.gpu)
    for _ in range(1000):
        add(one, y, invocations=257)
    np.testing.assert_array_equal(y.numpy(), np.full(257, 1000, np.uint32))


def test_a_write_comes_after_work_that_is_queued(opened: Any) -> None:
    y = gp.asarray(np.arange(5000, dtype=np.uint32), device=opened.gpu)
    z = gp.zeros(5000, gp.u32, device=opened.gpu)
    add(y, z, invocations=5000)
    y.set(np.zeros(5000, np.uint32))
    add(y, z, invocations=5000)
    np.testing.assert_array_equal(z.numpy(), np.arange(5000, dtype=np.uint32))
    np.testing.assert_array_equal(y.numpy(), np.zeros(5000, np.uint32))


def test_timestamps_measure_the_work_between_marks(opened: Any) -> None:
    y = gp.asarray(np.arange(64, dtype=np.uint32), device=opened.gpu)
    spin(y, 10, invocations=64)
    opened.gpu.synchronize()
    begin = time.perf_counter()
    start = opened.driver.mark()
    time.sleep(0.05)  # nothing runs: no time of the device
    submitted = time.perf_counter()
    spin(y, 60000, invocations=64)
    end = opened.driver.mark()
    while not end.is_done():
        end.pause(1e-3)
    whole = time.perf_counter() - begin
    assert start.is_done()
    measured = opened.driver.elapsed(start, end)
    assert 0 < measured <= whole
    assert measured < time.perf_counter() - submitted
    assert opened.driver.elapsed(start, start) == 0


def test_two_devices_at_once(backend: Any) -> None:
    first, second = backend.open(0), backend.open(0)
    buffers = [device.allocate(1000) for device in (first, second)]
    for byte, buffer in zip(b"ab", buffers, strict=True):
        buffer.write(memoryview(bytes([byte]) * 1000))
    first.close()
    found = bytearray(1000)
    mark = second.fence()
    while not mark.is_done():
        mark.pause(1e-3)
    buffers[1].read(memoryview(found))
    assert found == b"b" * 1000
    buffers[0].release()
    second.close()


def test_close_with_queued_work(opened: Any) -> None:
    y = gp.asarray(np.arange(1000, dtype=np.uint32), device=opened.gpu)
    spin(y, 10000, invocations=1000)
    fence = opened.driver.fence()
    spin(y, 10000, invocations=1000)  # recorded, not submitted
    opened.driver.close()
    opened.driver.close()
    with pytest.raises(ClosedError):
        opened.driver.allocate(16)
    with pytest.raises(ClosedError):
        opened.driver.fence()
    fence.pause(1e-3)


def test_close_while_a_thread_waits(backend: Any) -> None:
    device = backend.open(0)
    buffer = device.allocate(1 << 20)
    buffer.write(memoryview(bytes(1 << 20)))
    fence, is_closed = device.fence(), threading.Event()

    def wait() -> None:
        while not is_closed.is_set():
            fence.pause(1e-3)

    threads = [threading.Thread(target=wait) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.01)
    device.close()
    time.sleep(0.01)
    is_closed.set()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    with pytest.raises(ClosedError):
        device.fence()


@pytest.mark.parametrize("function", ["_submit", "_counter"])
def test_a_lost_device_is_an_error_of_its_own(opened: Any, monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    y = gp.asarray(np.arange(1000, dtype=np.uint32), device=opened.gpu)
    opened.gpu.synchronize()
    with monkeypatch.context() as patched:
        patched.setattr(opened.driver.queue, function, lambda *rest: vk.VK_ERROR_DEVICE_LOST)
        spin(y, 10, invocations=1000)
        with pytest.raises(DeviceLostError, match="open it again"):
            opened.gpu.synchronize()


def test_recordings_are_submitted_with_other_work_and_take_other_buffers(opened: Any) -> None:
    a, b, c = (gp.asarray(np.full(300, n, np.uint32), device=opened.gpu) for n in (1, 10, 100))
    add(a, b, invocations=300)
    opened.gpu.synchronize()
    with opened.gpu.record(b=b) as graph:
        for _ in range(50):
            add(a, b, invocations=300)
        a.set(np.full(300, 2, np.uint32))
        add(a, b, invocations=300)
        a.set(np.ones(300, np.uint32))
    before = opened.driver.queue.submitted
    graph.replay()
    assert opened.driver.queue.submitted == before
    graph.replay()  # more than a batch: it starts now
    opened.gpu.synchronize()
    assert opened.driver.queue.submitted == before + 1
    graph.replay(b=c)
    add(a, b, invocations=300)
    np.testing.assert_array_equal(b.numpy(), np.full(300, 11 + 2 * 52 + 1, np.uint32))
    np.testing.assert_array_equal(c.numpy(), np.full(300, 100 + 52, np.uint32))
    np.testing.assert_array_equal(a.numpy(), np.ones(300, np.uint32))
