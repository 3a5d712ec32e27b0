"""Which thread runs a dispatch, under a clock that the test sets."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from cpu_kernels import Draft, const, finish, op, opened_with, pack

from gpucore import ir
from gpucore.ir import I32
from gpucore.runtime import Buffer, Device, Pipeline
from gpucore_cpu import launch
from gpucore_cpu.launch import Launch
from gpucore_cpu.plugin import CpuBackend
from gpucore_cpu.pool import Pool


class Clock:
    """Every reading is `step` ns after the one before. `readers`: threads."""

    def __init__(self) -> None:
        self.now, self.step = 0, 1_000
        self.readers: set[int] = set()

    def read(self) -> int:
        self.now += self.step
        self.readers.add(threading.get_ident())
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter_ns", clock.read)
    return clock


@pytest.fixture
def own() -> Iterator[Device]:
    """A device of this test alone."""
    with opened_with(threads=2) as device:
        yield device


class Adding:
    """A kernel that adds 1 to 64 elements a workgroup."""

    def __init__(self, device: Device) -> None:
        draft = Draft(64)
        x = draft.buffer("x", I32)
        i = draft.global_id()
        draft.store(x, i, op(draft.load(x, i), "+", const(1)))
        self.valid: ir.ValidModule = draft.valid()
        self.device = device
        self.pipeline: Pipeline = device.compile(CpuBackend().emit(self.valid))
        self.buffer: Buffer = device.allocate(64 * 64 * 4)
        self.buffer.write(memoryview(bytes(64 * 64 * 4)))
        self.launches = 0

    def launch(self, workgroups: int = 4) -> None:
        self.device.dispatch(self.pipeline, [self.buffer], pack(self.valid, {}), (workgroups, 1, 1))
        finish(self.device)
        self.launches += 1

    def first_element(self) -> int:
        out = memoryview(bytearray(4))
        self.buffer.read(out)
        return int.from_bytes(out, "little")


def assert_runs_in_the_call(adding: Adding, clock: Clock) -> None:
    """The next launch runs on the thread that makes it."""
    clock.readers.clear()
    adding.device.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (4, 1, 1))
    assert clock.readers == {threading.get_ident()}
    finish(adding.device)
    assert adding.first_element() == adding.launches + 1


def test_a_slow_first_launch_does_not_decide_for_ever(clock: Clock, own: Device) -> None:
    """A first run of 5 ms a part is not what a workgroup takes."""
    adding = Adding(own)
    clock.step = 5_000_000
    adding.launch()
    clock.step = 1_000
    for _ in range(4):
        adding.launch()
    assert_runs_in_the_call(adding, clock)


def test_launches_that_only_helpers_ran_are_measured(
    clock: Clock, own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """A thread that others keep from running shares a launch and gets no workgroup of it."""
    prepare = Pool.prepare

    def prepared(*arguments: Any) -> Callable[[], int]:
        share = prepare(*arguments)
        return lambda: share() * 0

    monkeypatch.setattr(Pool, "prepare", prepared)
    adding = Adding(own)
    clock.step = 5_000_000
    adding.launch()
    clock.step = 1_000
    for _ in range(3):
        adding.launch()
    assert_runs_in_the_call(adding, clock)


def test_one_disturbed_launch_does_not_decide(clock: Clock, own: Device) -> None:
    adding = Adding(own)
    for step in (1_000, 1_000, 1_000, 40_000_000):
        clock.step = step
        adding.launch()
    clock.step = 1_000
    assert_runs_in_the_call(adding, clock)


def test_a_launch_that_turns_out_long_is_handed_to_the_queue(clock: Clock, own: Device) -> None:
    """An estimate of 15 us for 64 workgroups is checked after 8 of them; the others run once, elsewhere."""
    adding = Adding(own)
    clock.step = 15_000
    for _ in range(3):
        adding.launch(64)
    clock.step = 20_000_000
    clock.readers.clear()
    adding.launch(64)
    assert clock.readers - {threading.get_ident()}
    assert adding.first_element() == adding.launches
    for _ in range(2):
        adding.launch(64)
    clock.readers.clear()
    adding.device.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (64, 1, 1))
    finish(own)
    assert clock.readers - {threading.get_ident()}


def test_brief_launches_run_in_the_call(clock: Clock, own: Device) -> None:
    """Those that are expected to take less than 3 ms; others are left to the queue, or to a thread that waits."""
    adding, queue = Adding(own), own._queue  # type: ignore[attr-defined]
    for step, is_in_call in ((60_000, True), (1_000, True), (30_000_000, False)):
        clock.step = step
        for _ in range(4):
            adding.launch()
        before = queue.submitted
        own.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (4, 1, 1))
        assert queue.submitted == before + (not is_in_call)
        finish(own)
        adding.launches += 1
        assert adding.first_element() == adding.launches


def test_few_workgroups_do_not_end_sooner_on_many_threads() -> None:
    """Two of 20 ms on 16 threads take 20 ms, and not 2.5."""
    with opened_with(threads=16) as device:
        adding, queue = Adding(device), device._queue  # type: ignore[attr-defined]
        adding.launch(2)
        for estimate, is_in_call in ((20e6, False), (1e6, True)):
            for _ in range(3):
                adding.pipeline.workgroup_time.add(estimate)  # type: ignore[attr-defined]
            before = queue.submitted
            device.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (2, 1, 1))
            assert queue.submitted == before + (not is_in_call)
            finish(device)


def test_a_launch_that_ctrl_c_interrupts_is_completed(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    adding, run_next = Adding(own), Launch._run_next
    for _ in range(4):
        adding.launch(64)
    adding.pipeline.workgroup_time.add(1_000)  # type: ignore[attr-defined]

    def interrupt(launch: Launch, count: int) -> None:
        run_next(launch, count)
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt

    monkeypatch.setattr(Launch, "_run_next", interrupt)
    monkeypatch.setattr(launch, "_UNCHECKED", 0)
    with pytest.raises(KeyboardInterrupt):
        own.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (64, 1, 1))
    monkeypatch.undo()
    finish(own)
    out = np.empty(64 * 64, np.int32)
    adding.buffer.read(memoryview(out).cast("B"))
    np.testing.assert_array_equal(out, adding.launches + 1)


def test_a_pause_ends_with_the_work(device: Device) -> None:
    """A pause of an hour would not be noticed as a failure, but as a test that hangs."""
    started = threading.Event()

    def work() -> None:
        assert started.wait(30)

    queue = device._queue  # type: ignore[attr-defined]
    queue.put(work)
    mark = device.mark()
    assert not mark.is_done()
    mark.pause(1e-6)
    assert not mark.is_done()
    started.set()
    mark.pause(3600)
    assert mark.is_done()
