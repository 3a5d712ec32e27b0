"""gp.check reports races between workgroups that fences of the device do not order, and no others."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gpucore as gp

SIZE, GROUPS = 8, 5


@functools.cache
def exchange(*left_out: str) -> gp.Kernel:
    """The last workgroup adds up what all have stored; with a part left out, or done wrongly."""

    @gp.kernel(workgroup_size=SIZE)
    def last_adds_up(x: gp.In[gp.i32], parts: gp.InOut[gp.i32], count: gp.InOut[gp.u32], out: gp.Out[gp.i32]):
        group, t = gp.workgroup_id(0), gp.local_id(0)
        before = gp.workgroup_array(gp.u32, 1)
        parts[group * SIZE + t] = x[group * SIZE + t]
        if "fences of all" in left_out:
            gp.device_fence()
        gp.barrier(buffers=gp.static("barrier" not in left_out))
        if t == 0:
            if "release" not in left_out:
                gp.device_fence()
            if "in time" in left_out:
                parts[group * SIZE] = 1
            before[0] = gp.atomic_add(count, 0, gp.u32(1))
            if "acquire" not in left_out:
                gp.device_fence()
        gp.barrier(buffers=gp.static("second barrier" not in left_out))
        is_last = before[0] == gp.u32(gp.num_workgroups(0) - 1)
        if is_last or "wait" in left_out:
            total = 0
            for k in range(gp.num_workgroups(0)):
                total += parts[k * SIZE + t]
            out[t] = total

    return last_adds_up


def codes(kernel: gp.Kernel) -> set[str]:
    x, parts = np.arange(SIZE * GROUPS, dtype=np.int32), np.zeros(SIZE * GROUPS, np.int32)
    arguments = x, parts, np.zeros(1, np.uint32), np.zeros(SIZE, np.int32)
    return {finding.code for finding in gp.check(kernel, *arguments, workgroups=GROUPS).findings}


def test_fences_order_workgroups() -> None:
    assert codes(exchange()) == set()


@pytest.mark.parametrize("part", ["release", "acquire", "barrier", "second barrier", "in time", "wait"])
def test_a_part_of_the_exchange_is_needed(part: str) -> None:
    assert "GP701" in codes(exchange(part))


def test_the_invocation_that_counts_fences_itself() -> None:
    """A barrier does not pass on that others have fenced."""
    assert "GP701" in codes(exchange("release", "fences of all"))
    assert codes(exchange("fences of all")) == set()


@gp.kernel(workgroup_size=1)
def chain(x: gp.InOut[gp.i32], flags: gp.InOut[gp.u32], fences: gp.Const[bool]):
    """Each workgroup goes on with what the one before has stored, if that has run: there is no wait."""
    i = gp.workgroup_id(0)
    ready = u32_of(i == 0)
    if i > 0:
        ready = gp.atomic_load(flags, i - 1)
        gp.device_fence()
    if ready == gp.u32(1):
        x[0] += 1
        if fences:
            gp.device_fence()
        gp.atomic_store(flags, i, gp.u32(1))


def u32_of(condition: bool) -> gp.u32:
    return gp.select(condition, gp.u32(1), gp.u32(0))


@pytest.mark.parametrize("fences", [True, False])
def test_an_order_is_passed_on_from_workgroup_to_workgroup(fences: bool) -> None:
    """Only the first schedule runs them in the order of their numbers."""
    found = gp.check(chain, np.zeros(1, np.int32), np.zeros(4, np.uint32), fences, workgroups=4, schedules=1)
    assert {finding.code for finding in found.findings} == (set() if fences else {"GP701"})


@gp.kernel(workgroup_size=1)
def two_flags(x: gp.InOut[gp.i32], flags: gp.InOut[gp.u32], flag: gp.Const[int]):
    i = gp.workgroup_id(0)
    if i == 0:
        x[0] = 7
        gp.device_fence()
        gp.atomic_store(flags, 0, gp.u32(1))
    else:
        seen = gp.atomic_load(flags, flag)
        gp.device_fence()
        x[1] = x[0] + gp.i32(seen)


@pytest.mark.parametrize("flag", [0, 1])
def test_the_atomics_are_on_one_element(flag: int) -> None:
    found = gp.check(two_flags, np.zeros(2, np.int32), np.zeros(2, np.uint32), flag, workgroups=2, schedules=1)
    assert {finding.code for finding in found.findings} == ({"GP701"} if flag else set())


@gp.kernel(workgroup_size=1)
def last_clears(x: gp.InOut[gp.i32], count: gp.InOut[gp.u32], out: gp.Out[gp.i32], bad: gp.Const[int]):
    """All read an element, which the last workgroup changes; one may leave out its fence."""
    group = gp.workgroup_id(0)
    out[group] = x[0]
    if group != bad:
        gp.device_fence()
    before = gp.atomic_add(count, 0, gp.u32(1))
    gp.device_fence()
    if before == gp.u32(gp.num_workgroups(0) - 1):
        x[0] = 0


@pytest.mark.parametrize("bad", range(-1, 5))
def test_each_of_several_readers_needs_its_fence(bad: int) -> None:
    arrays = np.zeros(1, np.int32), np.zeros(1, np.uint32), np.zeros(5, np.int32)
    found = gp.check(last_clears, *arrays, bad, workgroups=5)
    assert {finding.code for finding in found.findings} == (set() if bad < 0 else {"GP701"})


@gp.kernel(workgroup_size=4)
def all_read(x: gp.InOut[gp.i32], count: gp.InOut[gp.u32], out: gp.Out[gp.i32], waits: gp.Const[bool]):
    t = gp.local_id(0)
    before = gp.workgroup_array(gp.u32, 1)
    out[gp.global_id(0)] = x[0]
    if waits:
        gp.barrier()
    if t == 0:
        gp.device_fence()
        before[0] = gp.atomic_add(count, 0, gp.u32(1))
        gp.device_fence()
    gp.barrier()
    if before[0] == gp.u32(gp.num_workgroups(0) - 1) and t == 0:
        x[0] = 0


@pytest.mark.parametrize("waits", [True, False])
def test_readers_of_one_workgroup_wait_before_its_fence(waits: bool) -> None:
    arrays = np.zeros(1, np.int32), np.zeros(1, np.uint32), np.zeros(16, np.int32)
    found = gp.check(all_read, *arrays, waits, workgroups=4, schedules=1)
    assert {finding.code for finding in found.findings} == (set() if waits else {"GP701"})


@gp.kernel(workgroup_size=2)
def within(x: gp.InOut[gp.i32], flags: gp.InOut[gp.u32], out: gp.InOut[gp.i32], in_memory: gp.Const[bool]):
    """One invocation passes a number to the other one of its workgroup, in a buffer or in workgroup memory."""
    own = gp.workgroup_array(gp.i32, 1)
    if gp.local_id(0) == 0:
        if in_memory:
            own[0] = 7
        else:
            x[0] = 7
        gp.device_fence()
        gp.atomic_store(flags, 0, gp.u32(1))
    else:
        seen = gp.atomic_load(flags, 0)
        gp.device_fence()
        if seen == gp.u32(1):
            out[0] = own[0] if in_memory else x[0]


@pytest.mark.parametrize("in_memory", [False, True])
def test_fences_order_buffers_in_a_workgroup_too(in_memory: bool) -> None:
    arrays = np.zeros(2, np.int32), np.zeros(2, np.uint32), np.zeros(1, np.int32)
    found = gp.check(within, *arrays, in_memory, workgroups=1, schedules=1)
    assert {finding.code for finding in found.findings} == ({"GP701"} if in_memory else set())


@gp.kernel(workgroup_size=32)
def by_subgroups(x: gp.InOut[gp.i32], flag: gp.InOut[gp.u32], out: gp.InOut[gp.i32], waits: gp.Const[bool]):
    """Barriers of a subgroup pass on what one lane releases and acquires."""
    group, t = gp.workgroup_id(0), gp.local_id(0)
    if group == 0:
        x[t] = 1
        if waits:
            gp.subgroup_barrier()
        if t == 0:
            gp.device_fence()
            gp.atomic_add(flag, 0, gp.u32(1))
    else:
        seen = gp.u32(0)
        if t == 0:
            seen = gp.atomic_load(flag, 0)
            gp.device_fence()
        gp.subgroup_barrier()
        if gp.subgroup_broadcast(seen, 0) == gp.u32(1):
            out[t] = x[31 - t]


@pytest.mark.parametrize("waits", [True, False])
def test_a_barrier_of_a_subgroup_passes_on_what_a_lane_knows(waits: bool) -> None:
    arrays = np.zeros(32, np.int32), np.zeros(1, np.uint32), np.zeros(32, np.int32)
    found = gp.check(by_subgroups, *arrays, waits, workgroups=2, schedules=1)
    assert {finding.code for finding in found.findings} == (set() if waits else {"GP701"})


@gp.kernel(workgroup_size=32)
def two_memories(x: gp.InOut[gp.i32], out: gp.Out[gp.i32], buffers: gp.Const[bool]):
    """The lanes of a subgroup exchange values through a workgroup array and through a buffer."""
    tile = gp.workgroup_array(gp.i32, 32)
    t = gp.local_id(0)
    tile[t] = 1
    x[t] = 2
    gp.subgroup_barrier(buffers=buffers)
    out[t] = tile[t ^ 1] + x[t ^ 1]


@pytest.mark.parametrize("buffers", [True, False])
def test_a_barrier_of_a_subgroup_orders_buffers_unless_told_otherwise(buffers: bool) -> None:
    found = gp.check(two_memories, np.zeros(32, np.int32), np.zeros(32, np.int32), buffers, workgroups=1)
    assert [finding.array for finding in found.findings] == ([] if buffers else ["x"])
    assert all("with no barrier between that orders buffers" in finding.message for finding in found.findings)
