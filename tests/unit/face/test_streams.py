"""Work in several queues has the results of one queue, whatever runs where; also marks, graphs, debug and close."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.streams import Queues
from gpucore.testing import require_device

SIZE = 5003
DEVICES = ["simulator", "cpu", "wgpu", "opencl", "cuda"]


@gp.kernel
def combine(x: gp.In[gp.i32], y: gp.In[gp.i32], z: gp.Out[gp.i32], a: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        z[i] = x[i] * 3 + y[i] + a


@gp.kernel
def slow(x: gp.InOut[gp.f32], turns: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        for _ in range(turns):
            value = value * 0.5 + 1.0
        x[i] = value


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> gp.Device:
    return require_device(request.param)


class Model:
    """Arrays on a device beside NumPy's, and random work on both."""

    def __init__(self, device: gp.Device, seed: int, size: int) -> None:
        self.device, self.random, self.size = device, random.Random(seed), size
        self.arrays = [gp.zeros(size, gp.i32, device=device) for _ in range(6)]
        self.expected = [np.zeros(size, np.int32) for _ in range(6)]
        self.copies: list[tuple[Any, Any, Any]] = []  # a mark, where to, and what

    def step(self) -> None:
        a, b, c = self.random.sample(range(6), 3)
        n = self.random.randrange(1000)
        match self.random.choice(["kernel"] * 6 + ["in", "out", "new", "copy", "read", "store", "finish"]):
            case "kernel":
                combine(self.arrays[a], self.arrays[b], self.arrays[c], n)
                self.expected[c] = self.expected[a] * 3 + self.expected[b] + np.int32(n)
            case "in":
                host = np.arange(n, n + self.size, dtype=np.int32)
                self.arrays[c].copy_from(host)
                self.expected[c] = host
            case "out":
                host = np.full(self.size, -1, np.int32)
                self.copies.append((self.arrays[c].copy_to(host), host, self.expected[c]))
            case "new":
                self.expected[c] = self.expected[c] + np.int32(n)
                self.arrays[c] = gp.asarray(self.expected[c], device=self.device)
            case "copy":
                self.arrays[c], self.expected[c] = self.arrays[a].copy(), self.expected[a]
            case "read":
                assert (self.arrays[c].numpy() == self.expected[c]).all()
            case "store":
                self.arrays[c][3:-2] = n
                self.expected[c] = self.expected[c].copy()
                self.expected[c][3:-2] = n
            case "finish":
                self.device.synchronize()
        while len(self.copies) > 8:
            self.check_copy()

    def check_copy(self) -> None:
        mark, host, expected = self.copies.pop(0)
        mark.wait()
        assert mark.is_done() and (host == expected).all()

    def check(self) -> None:
        while self.copies:
            self.check_copy()
        for array, expected in zip(self.arrays, self.expected, strict=True):
            assert (array.numpy() == expected).all()


@pytest.mark.parametrize("seed", range(4))
def test_random_work_in_streams_gives_what_one_queue_gives(device: gp.Device, seed: int) -> None:
    is_slow = device.info.backend == "simulator"
    model = Model(device, seed, 67 if is_slow else SIZE)
    streams = [None, *(device.stream() for _ in range(4))]
    for _ in range(60 if is_slow else 600):
        with model.random.choice(streams) or nullcontext():
            model.step()
    model.check()
    device.synchronize()
    assert device.driver_device.is_plain  # back to one queue


def test_work_in_a_stream_waits_for_what_it_reads(device: gp.Device) -> None:
    x = gp.zeros(70, device=device)
    turns = 200 if device.info.backend == "simulator" else 20_000
    with device.stream():
        slow(x, turns)
    with device.stream():
        y = x + 1.0
    assert (y.numpy() == 3.0).all()  # 2 after so many turns


def test_a_stream_is_entered_again_and_within_another(device: gp.Device) -> None:
    first, second = device.stream(), device.stream()
    x = gp.zeros(100, gp.i32, device=device)
    y = gp.ones(100, gp.i32, device=device)
    with first:
        combine(x, y, z := gp.empty(100, gp.i32, device=device), 1)
        with second, first:
            combine(z, y, x, 1)
        combine(x, z, y, 0)
    assert set(x.tolist()) == {8} and set(y.tolist()) == {26}
    assert device.id in repr(first)


def _queue_of(device: gp.Device) -> int:
    order = device.driver_device.order_of_queues
    return 0 if order is None else order.queue


@contextmanager
def thread_in(device: gp.Device, stream: Any) -> Iterator[list[int]]:
    """Another thread is in the stream until the end of the block. Its queues, in the stream and after it, come then."""
    is_inside, may_leave = threading.Event(), threading.Event()
    queues: list[int] = []

    def work() -> None:
        with stream:
            is_inside.set()
            may_leave.wait(30)
            queues.append(_queue_of(device))
        queues.append(_queue_of(device))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert is_inside.wait(30)
        yield queues
    finally:
        may_leave.set()
        thread.join()


@pytest.mark.parametrize("is_last", [True, False])
def test_two_threads_are_in_one_stream_and_leave_it_in_any_order(device: gp.Device, is_last: bool) -> None:
    shared, outer = device.stream(), device.stream()
    with ExitStack() as other:  # what the other thread leaves
        with outer:
            before = _queue_of(device)
            with shared:
                inside = _queue_of(device)
                queues = other.enter_context(thread_in(device, shared))
            assert _queue_of(device) == before
            if not is_last:
                other.close()
        assert _queue_of(device) == 0
    assert queues == [inside, 0] and len({inside, before, 0}) == min(3, device.driver_device.queues)
    device.synchronize()
    assert device.driver_device.is_plain


def test_a_stream_that_was_not_entered_cannot_be_left(device: gp.Device) -> None:
    with pytest.raises(gp.ArgumentError, match="this thread has not entered <stream"):
        device.stream().__exit__(None, None, None)


def test_a_mark_in_a_stream_is_of_that_stream(device: gp.Device) -> None:
    x = gp.zeros(100, device=device)
    with device.stream():
        start = device.mark()
        slow(x, 10)
        end = device.mark()
        assert end.elapsed(start) >= 0
    end.wait(10)
    assert end.is_done()


def test_work_after_a_barrier_is_waited_for(device: gp.Device) -> None:
    turns = 200 if device.info.backend == "simulator" else 500_000
    for _ in range(3):
        x, y = gp.zeros(70, device=device), gp.zeros(70, device=device)
        with device.stream():
            slow(x, 1)
            device.wait_for(device.mark())
            slow(y, turns)
        with device.stream():
            z = y + 1.0
            device.wait_for(device.mark())
        with device.stream():
            total = z + y
        assert (total.numpy() == 5.0).all()


def test_a_stream_without_work_ends_too(device: gp.Device) -> None:
    with device.stream():
        pass
    device.synchronize()
    assert device.driver_device.is_plain


class Ordered:
    """A device that notes which queue waits for which mark."""

    def __init__(self) -> None:
        self.queue, self.failures = 0, 0
        self.waits: list[tuple[int, str]] = []

    def fence(self) -> str:
        return f"mark in {self.queue}"

    def select(self, queue: int) -> None:
        self.queue = queue
        if self.failures:
            self.failures -= 1
            raise KeyboardInterrupt

    def order(self, mark: Any) -> None:
        self.waits.append((self.queue, mark))


class StandIn:
    """A buffer."""

    whole, is_adopted, is_exported = None, False, False

    def __init__(self, **facts: Any) -> None:
        vars(self).update(facts)


def test_buffers_in_memory_of_other_libraries_are_in_order() -> None:
    """Several may be in the same memory, each adopted for itself, or exported before."""
    for adopted, exported in [(2, 0), (1, 1)]:
        device: Any = Ordered()
        queues = Queues(device)
        buffers: list[Any] = [StandIn(is_adopted=number < adopted) for number in range(2)]
        buffers[1].is_exported = bool(exported)
        with queues.within(1):
            queues.use([], buffers[:1])
        with queues.within(2):
            queues.use(buffers[1:], [])
        assert (2, "mark in 1") in device.waits


def test_a_change_of_queues_that_fails_is_made_again() -> None:
    device: Any = Ordered()
    queues = Queues(device)
    queues.use([], [StandIn()])
    device.failures = 1
    with queues.within(1), pytest.raises(KeyboardInterrupt):
        queues.use([], [StandIn()])
    queues.use([], [StandIn()])
    assert device.queue == 0


def test_the_streams_end_when_an_exception_leaves_them(device: gp.Device) -> None:
    x = gp.zeros(10, device=device)

    def fail() -> None:
        with device.stream():
            slow(x, 1)
            raise ValueError("of the test")

    with pytest.raises(ValueError, match="of the test"):
        fail()
    assert x.tolist() == [1.0] * 10
    device.synchronize()
    assert device.driver_device.is_plain


def test_a_graph_replays_in_streams(device: gp.Device) -> None:
    x, y, z = (gp.full(100, value, gp.i32, device=device) for value in (1, 2, 0))
    with device.record(x=x) as graph:
        combine(x, y, z, 0)
        combine(z, y, x, 1)
    other = gp.full(100, 5, gp.i32, device=device)
    with device.stream():
        graph.replay()
    with device.stream():
        graph.replay(x=other)
    graph.replay()
    assert set(x.tolist()) == {171} and set(other.tolist()) == {54}


def test_streams_are_not_recorded(device: gp.Device) -> None:
    x = gp.zeros(10, device=device)
    with pytest.raises(gp.ArgumentError, match="a stream cannot be recorded"), device.record(), device.stream():
        slow(x, 1)


def test_a_wait_for_a_mark_is_not_recorded(device: gp.Device) -> None:
    mark = device.mark()
    with pytest.raises(gp.ArgumentError, match="a wait for a mark cannot be recorded"), device.record():
        device.wait_for(mark)


def test_failures_of_kernels_in_streams_are_raised(device: gp.Device) -> None:
    @gp.kernel(debug=True)
    def wrong(x: gp.InOut[gp.i32], n: gp.i32):
        i = gp.global_id(0)
        if i < 3:
            x[i + n] = i

    arrays = [gp.zeros(10, gp.i32, device=device) for _ in range(3)]

    def run() -> None:  # the simulator raises in the call
        for number, x in enumerate(arrays):
            with device.stream():
                wrong(x, 100 if number == 2 else 0, invocations=3)
        device.synchronize()

    with pytest.raises(gp.OutOfRangeError, match="100"):
        run()
    assert arrays[1].tolist()[:4] == [0, 1, 2, 0]


def test_a_device_closes_in_a_stream() -> None:
    for name in ("cpu", "opencl", "cuda"):
        try:
            device = require_device(name)
        except pytest.skip.Exception:
            continue
        with device.stream():
            x = gp.zeros(100, device=device)
            slow(x, 10)
            mark = device.mark()
            device.close()
            with pytest.raises(gp.ClosedError):
                slow(x, 10)
            with pytest.raises(gp.ClosedError):
                device.wait_for(mark)
        with gp.device(name).stream():
            assert gp.ones(3, device=name).tolist() == [1.0, 1.0, 1.0]
