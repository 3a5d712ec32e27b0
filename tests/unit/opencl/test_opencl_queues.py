"""Several queues of an OpenCL device: order, new memory, time, copies that end later, the end of the device."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from device_run import wait
from opencl_programs import LONG, Programs, buffer_of, open_device, stepped, words_of

from gpucore_opencl import queues
from gpucore_opencl.launching import launcher


@pytest.fixture(params=["events", "no events"])
def several(request: pytest.FixtureRequest, device: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The device, also as it is for drivers whose launches go without events; queue 0 is selected, all are empty."""
    launch = launcher(device.pyopencl)
    if request.param == "no events":
        assert launch is not None
    monkeypatch.setattr(device, "_launch", launch if request.param == "no events" else None)
    yield device
    for queue in reversed(range(device.queues)):
        device.select(queue)
        wait(device.mark())


def clock_of_pocl() -> float:
    """Seconds of the clock that PoCL reads, to which no time service gives another rate."""
    return time.clock_gettime(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))


def test_work_after_order_sees_the_work_before_the_mark(several: Any) -> None:
    programs, x, y = Programs(several), buffer_of(several, 3, 4, 5), buffer_of(several, 0, 0, 0)
    programs.run("advance", x, LONG, 3)
    mark = several.mark()
    several.select(2)
    several.order(mark)
    several.copy(x, y, 12)
    programs.run("add", y, 7, 2)
    second = several.mark()
    assert not mark.is_done() and not second.is_done()
    wanted = [stepped(value, LONG) for value in (3, 4, 5)]
    assert words_of(y, 3) == [(wanted[0] + 7) % 2**32, (wanted[1] + 7) % 2**32, wanted[2]]
    assert mark.is_done() and second.is_done()


def test_a_chain_through_all_queues(several: Any) -> None:
    programs, x = Programs(several), buffer_of(several, 1, 10)
    mark, wanted = several.mark(), [1, 10]
    for turn in range(60):
        several.select(turn % several.queues)
        several.order(mark)
        programs.run("add", x, turn, 1 + turn % 2)
        programs.run("advance", x, 1000, 2)
        mark = several.mark()
        wanted = [stepped(wanted[0] + turn, 1000), stepped(wanted[1] + turn * (turn % 2), 1000)]
    assert words_of(x, 2) == wanted


def test_other_queues_do_not_wait_without_an_order() -> None:
    device = open_device()
    if device._device.max_compute_units < 2:
        pytest.skip("the device has one compute unit, so one kernel keeps all others waiting")
    programs, x, y = Programs(device), buffer_of(device, 3), buffer_of(device, 5)
    programs.run("advance", x, 10 * LONG)
    mark = device.mark()
    device.select(1)
    programs.run("add", y, 9)
    assert words_of(y, 1) == [14]
    assert not mark.is_done()
    device.select(0)
    assert words_of(x, 1) == [stepped(3, 10 * LONG)]
    device.close()


@pytest.mark.parametrize("is_first", [True, False])
def test_new_memory_may_be_used_in_any_queue(is_first: bool) -> None:
    """The driver is made to allocate it by a write, which must not come after those of another queue."""
    device = open_device()
    programs, x = Programs(device), buffer_of(device, 3)
    if is_first:
        device.select(3)
        device.select(0)
    programs.run("advance", x, LONG)
    made = device.allocate(8)
    device.select(3)
    made.write(memoryview(b"abcdefgh"))
    device.select(1)
    device.select(0)
    wait(device.mark())
    device.select(3)
    out = bytearray(8)
    made.read(memoryview(out))
    assert bytes(out) == b"abcdefgh"
    assert words_of(x, 1) == [stepped(3, LONG)]
    device.close()


def test_time_between_marks_of_two_queues_and_of_idle_ones(several: Any) -> None:
    programs, x = Programs(several), buffer_of(several, 3)
    programs.run("advance", x, 1)
    wait(several.mark())
    begun = clock_of_pocl()
    idle = several.mark()
    programs.run("advance", x, LONG)
    end = several.mark()
    several.select(1)
    several.order(end)
    programs.run("advance", x, LONG)
    last = several.mark()
    wait(last)
    passed = clock_of_pocl() - begun
    after = several.mark()
    wait(after)
    first, second = several.elapsed(idle, end), several.elapsed(end, last)
    assert passed / 8 < first < passed and passed / 8 < second < passed  # other processes may delay each
    assert first + second < passed * 1.001  # of another driver the clock may be another one
    assert several.elapsed(idle, last) == pytest.approx(first + second, abs=1e-6)
    assert several.elapsed(idle, last) <= several.elapsed(idle, after) * 1.02 + 1e-3  # by the clocks of device and host
    assert several.elapsed(idle, last) == several.elapsed(idle, last)


@pytest.mark.parametrize(("offset", "nbytes"), [(0, 41), (8, 33), (4, 4), (36, 5)])
def test_copies_that_end_later(several: Any, offset: int, nbytes: int) -> None:
    programs, busy, buffer = Programs(several), buffer_of(several, 3), several.allocate(41)
    buffer.write(memoryview(bytes(range(41))))
    programs.run("advance", busy, LONG // 4)
    data = bytearray(range(100, 100 + nbytes))
    wanted = bytearray(range(41))
    wanted[offset : offset + nbytes] = data
    out, part = bytearray(41), bytearray(nbytes)
    assert buffer.start_write(memoryview(data), offset)
    assert buffer.start_read(memoryview(out)) and buffer.start_read(memoryview(part), offset)
    mark = several.mark()
    assert not mark.is_done()
    del data
    gc.collect()  # what the driver reads later is kept
    wait(mark)
    assert out == wanted and part == wanted[offset : offset + nbytes]


def test_small_writes_are_in_order_with_launches(several: Any) -> None:
    programs, x = Programs(several), several.allocate(12)
    found = []
    for number in range(40):
        x.write(memoryview(np.array([number, 0, 1], np.uint32)).cast("B"))
        programs.run("add", x, number, 2)
        x.write(memoryview(np.array([5], np.uint32)).cast("B"), 4)
        programs.run("add", x, 1, 3)
        if number % 10 == 9:
            found.append(words_of(x, 3))
    assert found == [[2 * number + 1, 6, 2] for number in (9, 19, 29, 39)]


def test_grids_and_numbers_of_one_kernel_change(several: Any) -> None:
    programs, x = Programs(several), buffer_of(several, 0, 0, 0)
    for n, count in ((1, 1), (1, 3), (2, 3), (2, 1), (2, 1), (3, 2)):
        programs.run("add", x, n, count)
    assert words_of(x, 3) == [11, 6, 3]


def test_memory_that_is_made_after_a_release_is_not_taken_for_the_old(several: Any) -> None:
    programs = Programs(several)
    for number in range(20):  # drivers give the address of what was freed again
        x = buffer_of(several, number)
        programs.run("add", x, 100)
        assert words_of(x, 1) == [100 + number]
        x.release()


def test_close_ends_the_work_of_all_queues() -> None:
    device = open_device()
    programs, x, y = Programs(device), buffer_of(device, 3), buffer_of(device, 4)
    outs = [bytearray(4), bytearray(4)]
    programs.run("advance", x, LONG)
    x.start_read(memoryview(outs[0]))
    mark = device.mark()
    device.select(1)
    device.order(mark)
    programs.run("advance", y, LONG)
    y.start_read(memoryview(outs[1]))
    device.close()
    assert [int.from_bytes(out, "little") for out in outs] == [stepped(3, LONG), stepped(4, LONG)]
    assert mark.is_done()
    device.close()


def test_an_interrupt_does_not_hide_a_launch(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    programs, x = Programs(device), buffer_of(device, 3)
    enqueue = device._enqueue

    def interrupted(*arguments: Any) -> None:
        enqueue(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(device, "_enqueue", interrupted)
    monkeypatch.setattr(device, "_launch", None)
    with pytest.raises(KeyboardInterrupt):
        programs.run("advance", x, LONG)
    mark = device.mark()
    assert not mark.is_done()
    wait(mark)
    assert words_of(x, 1) == [stepped(3, LONG)]


def test_clocks_of_host_and_device_are_compared_while_the_thread_is_kept_waiting() -> None:
    class Event:
        command_execution_status = 0
        profile: Any

    class Handle:
        @staticmethod
        def flush() -> None:
            pass

    class PyOpenCL:
        def __init__(self, *delays: float) -> None:
            self.delays = list(delays)  # after each command was given, before its call returns

        def enqueue_marker(self, handle: Any) -> Any:
            event = Event()
            event.profile = type("Profile", (), {"queued": round((time.perf_counter() + 1000) * 1e9)})
            time.sleep(self.delays.pop())
            return event

    for delays in ((0.25, 0.125, 0.0), (0.0, 0.125, 0.25)):
        driver = PyOpenCL(*delays)
        host_time = time.perf_counter()
        assert queues.clock_at(driver, Handle, host_time) == pytest.approx((host_time + 1000) * 1e9, abs=0.05e9)
        assert not driver.delays


class FakeEvent:
    command_execution_status = 1  # running


def test_a_wait_sleeps_after_200_us_and_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 0.0, []

    class Clock:
        @staticmethod
        def perf_counter() -> float:
            nonlocal now
            now += 1e-6
            return now

        @staticmethod
        def sleep(seconds: float) -> None:
            nonlocal now
            slept.append((now, seconds))
            now += seconds

    monkeypatch.setattr(queues, "time", Clock)
    patience = queues.Patience()
    while now < 0.1:
        before = now
        patience.pause(FakeEvent(), 5e-3)
        assert now - before < 5.01e-3
    assert 200e-6 <= slept[0][0] < 210e-6
    assert all(seconds <= max(20e-6, 0.11 * when) and seconds <= 5e-3 for when, seconds in slept)
    assert slept[-1][1] == 5e-3
