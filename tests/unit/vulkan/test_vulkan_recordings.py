"""Runs of graphs: what they note of the arrays and of the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp

pytestmark = pytest.mark.xdist_group("vulkan")


@gp.kernel(workgroup_size=64)
def add(y: gp.InOut[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += n


@gp.kernel(workgroup_size=64)
def count(times: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        found = gp.i32(0)
        while found < times[0]:
            found += 1
        y[i] = found


@pytest.mark.parametrize("size", [1000, 3_000_000])  # of a block, and one of its own
def test_another_array_in_the_same_memory(opened: Any, size: int) -> None:
    y = gp.zeros(size, gp.i32, device=opened.gpu)
    with opened.gpu.record(y=y) as graph:
        add(y, 1)
    other = gp.zeros(size, gp.i32, device=opened.gpu)
    place = other.storage.buffer.range
    graph.replay(y=other)
    opened.gpu.synchronize()
    del other
    opened.gpu.free_memory()
    later = gp.zeros(size, gp.i32, device=opened.gpu)
    opened.gpu.synchronize()
    assert later.storage.buffer.range.first == place.first
    graph.replay(y=later)
    later.set(np.full(size, 100, np.int32))
    np.testing.assert_array_equal(later.numpy(), np.full(size, 100, np.int32))


def test_each_run_reports_a_loop_that_the_driver_ended(opened: Any) -> None:
    limit = opened.driver.info.limits.max_loop_iterations
    if limit is None:
        pytest.skip("the driver ends no loops")
    times, y = gp.asarray(np.array([3], np.int32), device=opened.gpu), gp.zeros(8, gp.i32, device=opened.gpu)
    with opened.gpu.record() as graph:
        count(times, y)
    graph.replay()
    opened.gpu.synchronize()
    np.testing.assert_array_equal(y.numpy(), np.full(8, 3, np.int32))
    times.set(np.array([limit + 1000], np.int32))
    for _ in range(2):
        graph.replay()
        with pytest.raises(gp.DispatchError, match="ended a loop"):
            opened.gpu.synchronize()


def test_a_run_of_more_than_a_batch_starts_at_once(opened: Any) -> None:
    y = gp.zeros(100, gp.i32, device=opened.gpu)
    with opened.gpu.record() as graph:
        for _ in range(100):
            add(y, 1)
    opened.gpu.synchronize()
    before = opened.driver.queue.submitted
    graph.replay()
    assert opened.driver.queue.submitted == before + 1
    np.testing.assert_array_equal(y.numpy(), np.full(100, 100, np.int32))


def test_staging_memory_is_kept_for_the_command_that_reads_it(opened: Any) -> None:
    """Also where the submit before that command is full."""
    size, queue = (4 << 20) // 4, opened.driver.queue
    first, second, y = (gp.zeros(n, gp.i32, device=opened.gpu) for n in (size, size, 64))
    opened.gpu.synchronize()
    add(first, 1)
    add(second, 1)
    while queue.serial < queue._limit:
        add(y, 1)
    submitted = queue.submitted
    first.set(np.full(size, 7, np.int32))
    assert queue.submitted == submitted + 1
    while not queue.has_ended(submitted + 1):
        pass
    for value in (9, 10, 11, 12):
        second.set(np.full(size, value, np.int32))
    np.testing.assert_array_equal(first.numpy(), np.full(size, 7, np.int32))
    np.testing.assert_array_equal(second.numpy(), np.full(size, 12, np.int32))
