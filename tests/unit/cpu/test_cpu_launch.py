"""Which thread runs a dispatch, under a clock that the test sets."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from cpu_kernels import Draft, const, finish, op, pack, two_threads

from gpucore import ir
from gpucore.ir import I32
from gpucore.runtime import Buffer, Device, Pipeline
from gpucore_cpu import queue
from gpucore_cpu.plugin import CpuBackend


class Clock:
    """Every reading is `step` ns after the one before; waking a thread takes 300 us. `readers`: threads."""

    def __init__(self) -> None:
        self.now, self.step = 0, 1_000
        self.readers: set[int] = set()

    def read(self) -> int:
        self.now += self.step
        self.readers.add(threading.get_ident())
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock, start = Clock(), queue._Helper.start

    def start_late(helper: queue._Helper, task: Callable[[int], None]) -> None:
        clock.now += 300_000
        start(helper, task)

    monkeypatch.setattr(time, "perf_counter_ns", clock.read)
    monkeypatch.setattr(queue._Helper, "start", start_late)
    return clock


@pytest.fixture
def own() -> Iterator[Device]:
    """A device of this test alone."""
    with two_threads() as device:
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


def test_a_slow_first_launch_does_not_decide_for_ever(clock: Clock, own: Device) -> None:
    """Neither a first run of 5 ms a part, nor the time that waking a helper takes, is what a workgroup takes."""
    adding = Adding(own)
    clock.step = 5_000_000
    adding.launch()
    clock.step = 1_000
    for _ in range(4):
        adding.launch()
    clock.readers.clear()
    adding.device.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (4, 1, 1))
    assert clock.readers == {threading.get_ident()}
    finish(own)
    assert adding.first_element() == adding.launches + 1


def test_one_disturbed_launch_does_not_decide(clock: Clock, own: Device) -> None:
    adding = Adding(own)
    for step in (1_000, 1_000, 1_000, 40_000_000):
        clock.step = step
        adding.launch()
    clock.step = 1_000
    clock.readers.clear()
    adding.device.dispatch(adding.pipeline, [adding.buffer], pack(adding.valid, {}), (4, 1, 1))
    assert clock.readers == {threading.get_ident()}
    finish(own)


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
