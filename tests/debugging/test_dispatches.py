"""When reports are read, in which order, by whom, and what becomes of the device."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import NoReturn

import debug_kernels as kernels
import numpy as np
import pytest

import gpucore as gp
from gpucore.runtime import Mark
from gpucore.testing.kernels.debugging import write_at

Capture = pytest.CaptureFixture[str]


def zeros(device: gp.Device, size: int = 8) -> gp.Array:
    return gp.zeros(size, gp.i32, device=device)


def test_reading_an_array_raises_what_went_wrong_before(compiled: gp.Device) -> None:
    out, other = zeros(compiled), gp.ones(4, device=compiled)
    kernels.assert_below(out, 4, invocations=8)
    with pytest.raises(gp.KernelAssertionError):
        other.numpy()
    np.testing.assert_array_equal(other.numpy(), np.ones(4))
    np.testing.assert_array_equal(out.numpy(), np.arange(8))


def test_the_earliest_dispatch_is_raised_and_the_others_counted(compiled: gp.Device) -> None:
    out = zeros(compiled)
    kernels.assert_below(out, 8, invocations=8)
    write_at(out, 7, invocations=8)
    kernels.assert_below(out, 6, invocations=8)
    kernels.assert_bare(out, 0, invocations=8)
    with pytest.raises(gp.OutOfRangeError) as caught:
        compiled.synchronize()
    assert "index 8 is out of range for 'out' of length 8, in invocation (1, 0, 0)" in str(caught.value)
    assert str(caught.value).splitlines()[-2:] == [
        "  and 6 more, in 7 invocations",
        "  and 6 more in later dispatches of assert_below, assert_bare",
    ]
    compiled.synchronize()


def test_a_repeated_call_reports_too(compiled: gp.Device) -> None:
    """The second call of a kind takes a shorter way."""
    out = zeros(compiled)
    for limit in (8, 8, 7, 8, 6):
        kernels.assert_below(out, limit, invocations=8)
        if limit == 8:
            compiled.synchronize()
        else:
            with pytest.raises(gp.KernelAssertionError, match=rf"in invocation \({limit}, 0, 0\)"):
                compiled.synchronize()


def test_prints_come_in_the_order_of_dispatches(compiled: gp.Device, capsys: Capture) -> None:
    few, many = zeros(compiled, 64), zeros(compiled, 256)
    kernels.print_many(many, invocations=256)
    kernels.print_many(few, invocations=64)
    assert capsys.readouterr().out == ""
    compiled.synchronize()
    numbers = list(map(int, capsys.readouterr().out.split()))
    assert sorted(numbers[:256]) == list(range(256)) and sorted(numbers[256:]) == list(range(64))


def test_more_dispatches_than_buffers_are_kept(compiled: gp.Device, capsys: Capture) -> None:
    """Of 200 launches with nobody waiting none is lost, and the first to fail is the one that is raised."""
    out = zeros(compiled, 64)
    for number in range(200):
        kernels.print_many(out, invocations=64)
        if number in (20, 190):
            write_at(out, 60, invocations=8)
    with pytest.raises(gp.OutOfRangeError) as caught:
        compiled.synchronize()
    assert str(caught.value).endswith("  and 3 more, in 4 invocations\n  and 4 more in later dispatches of write_at")
    assert len(capsys.readouterr().out.split()) == 200 * 64


def test_a_grid_beyond_the_limits_tells_the_ids_that_were_asked_for(device: gp.Device) -> None:
    count = 70_000
    out = zeros(device)
    with pytest.raises(gp.OutOfRangeError) as caught:
        launch_and_wait(device, out, count)
    where = f"in invocation ({count - 1}, 0, 0) (local_id (0, 0, 0) of workgroup ({count - 1}, 0, 0))"
    assert where in str(caught.value)


@gp.kernel(workgroup_size=1, debug=True)
def last_one(out: gp.InOut[gp.i32], unlucky: gp.i32):
    i = gp.global_id(0)
    if i == unlucky:
        out[i] = 1


def launch_and_wait(device: gp.Device, out: gp.Array, count: int) -> None:
    last_one(out, count - 1, workgroups=count)
    device.synchronize()


def run_in_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@pytest.mark.parametrize("waits_by_reading", [True, False])
def test_each_thread_hears_of_each_of_its_own_failures(device: gp.Device, waits_by_reading: bool) -> None:
    """Though another one has waited before it, and heard of them."""
    launches, heard, start = 10, [], threading.Barrier(4)

    def work() -> None:
        out = zeros(device)
        start.wait()
        for _ in range(launches):
            try:
                kernels.assert_below(out, 7, invocations=8)
                if waits_by_reading:
                    out.numpy()
                else:
                    device.synchronize()
            except gp.KernelAssertionError as error:
                heard.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(heard) == 4 * launches
    device.synchronize()


def fails_to_read(array: gp.Array) -> bool:
    try:
        array.numpy()
    except gp.KernelAssertionError:
        return True
    return False


def test_a_failure_is_kept_for_its_thread_and_for_readers_of_what_it_wrote(compiled: gp.Device) -> None:
    out, other = zeros(compiled), zeros(compiled)
    found: dict[str, list[bool]] = {}

    def reads(name: str, *arrays: gp.Array) -> None:
        run_in_thread(lambda: found.__setitem__(name, [fails_to_read(array) for array in arrays]))

    kernels.assert_below(out, 7, invocations=8)
    reads("first", other, out)
    reads("second", other, out)
    reads("third", out)
    assert found == {"first": [True, False], "second": [False, True], "third": [False]}
    assert fails_to_read(other) and not fails_to_read(out)  # this thread launched it


def test_a_failure_of_a_thread_that_has_ended_waits_for_readers(compiled: gp.Device) -> None:
    out, other = zeros(compiled), zeros(compiled)
    run_in_thread(lambda: kernels.assert_below(out, 7, invocations=8))
    heard: list[bool] = []
    run_in_thread(lambda: heard.append(fails_to_read(other)))
    assert heard == [True]
    assert [fails_to_read(array) for array in (other, out, out)] == [False, True, False]


def test_who_launched_it_and_has_heard_of_it_answers_for_the_array(compiled: gp.Device) -> None:
    out = zeros(compiled)
    kernels.assert_below(out, 7, invocations=8)
    assert fails_to_read(out)
    kernels.assert_below(out, 8, invocations=8)
    heard: list[bool] = []
    run_in_thread(lambda: heard.append(fails_to_read(out)))
    assert heard == [False]


def test_memory_of_a_dropped_array_is_no_longer_suspect(compiled: gp.Device) -> None:
    out, other = zeros(compiled, 5000), zeros(compiled)
    run_in_thread(lambda: kernels.assert_below(out, 7, invocations=8))
    run_in_thread(lambda: fails_to_read(other))
    before = out.storage.buffer
    out.close()
    again = zeros(compiled, 5000)
    assert again.storage.buffer is before
    assert not fails_to_read(again)


def test_what_a_thread_launched_itself_comes_first(compiled: gp.Device) -> None:
    out, mine = zeros(compiled), zeros(compiled)
    run_in_thread(lambda: kernels.assert_below(out, 7, invocations=8))
    write_at(mine, 7, invocations=8)
    with pytest.raises(gp.OutOfRangeError, match="'out' of length 8") as caught:
        compiled.synchronize()
    assert str(caught.value).endswith(
        "  and 6 more, in 7 invocations\n  and 1 more in other dispatches of assert_below"
    )


@gp.kernel(workgroup_size=(2, 2, 2), debug="ordered")
def report_backwards(out: gp.InOut[gp.i32], shift: gp.i32):
    """Barriers have the invocations of a workgroup print, and fail, from the last to the first."""
    for step in range(8):
        if gp.local_index() == 7 - step:
            print(gp.workgroup_id(1), gp.workgroup_id(0), gp.local_id(2), gp.local_id(1), gp.local_id(0))
            out[gp.local_index() + shift] = step
        gp.barrier()


def test_reports_are_sorted_by_workgroup_and_invocation(compiled: gp.Device, capsys: Capture) -> None:
    out = zeros(compiled)
    report_backwards(out, 0, workgroups=(2, 2))
    compiled.synchronize()
    lines = capsys.readouterr().out.splitlines()
    assert lines == [" ".join(f"{number:05b}") for number in range(32)]
    report_backwards(out, 3, workgroups=(2, 2))
    with pytest.raises(gp.OutOfRangeError, match=r"index 8 is out of range .* in invocation \(1, 0, 1\)"):
        compiled.synchronize()


def broken(*_: object) -> NoReturn:
    raise gp.DispatchError("the device is broken")


class BrokenMark(Mark):
    """A mark after work that failed."""

    def is_done(self) -> bool:
        broken()


@pytest.mark.parametrize("fault", ["", "fence", "dispatch"])
def test_report_buffers_are_used_again(compiled: gp.Device, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """After the reports were read, or lost, or where nothing was launched."""
    out, sizes = zeros(compiled), []
    driver = compiled.driver_device
    kernels.assert_below(out, 8, invocations=8)
    compiled.synchronize()
    allocate = driver.allocate
    monkeypatch.setattr(driver, "allocate", lambda nbytes: [sizes.append(nbytes), allocate(nbytes)][1])
    for _ in range(5):
        with monkeypatch.context() as patch, pytest.raises(gp.DispatchError) if fault else nullcontext():
            if fault:
                patch.setattr(driver, fault, BrokenMark if fault == "fence" else broken)
                patch.setattr(driver, "is_idle", broken)  # what some devices are asked before a fence
            kernels.assert_below(out, 8, invocations=8)
            compiled.synchronize()
    compiled.synchronize()
    assert sizes == []


def test_close_raises_what_nobody_has_seen(capsys: Capture) -> None:
    opened = gp.device("cpu")
    out = zeros(opened, 128)
    kernels.print_and_fail(out, invocations=128)
    with pytest.raises(gp.KernelAssertionError, match="one hundred"):
        opened.close()
    assert sorted(map(int, capsys.readouterr().out.split())) == list(range(128))
    again = gp.device("cpu")
    assert again is not opened
    again.synchronize()


def test_the_end_of_a_program_shows_what_nobody_has_waited_for(compiled: gp.Device) -> None:
    program = (
        "import debug_kernels, gpucore as gp\n"
        f"out = gp.zeros(128, gp.i32, device={compiled.id!r})\n"
        "debug_kernels.print_and_fail(out, invocations=128)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(kernels.__file__), *sys.path])}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120)
    assert sorted(map(int, run.stdout.split())) == list(range(128))
    assert "KernelAssertionError: " in run.stderr and "one hundred, in invocation (100, 0, 0)" in run.stderr


def test_a_mistake_in_the_environment_is_told_when_a_kernel_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG", "maybe")
    text = "GPUCORE_DEBUG='maybe' is not valid; set this environment variable to '1', '0' or 'ordered', or remove it"

    @gp.kernel(workgroup_size=8)
    def refused(out: gp.Out[gp.i32]):
        out[gp.global_id(0)] = 1

    with pytest.raises(gp.BackendError, match=f"^{re.escape(text)}$"):
        refused(gp.zeros(8, gp.i32, device="simulator"), invocations=8)


def test_debug_from_the_environment(compiled: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_DEBUG", "1")

    @gp.kernel(workgroup_size=8)
    def checked(out: gp.Out[gp.i32]):
        out[gp.global_id(0) + 4] = 1

    monkeypatch.setenv("GPUCORE_DEBUG", "0")

    @gp.kernel(workgroup_size=8)
    def plain(out: gp.Out[gp.i32]):
        assert gp.global_id(0) < 4
        if gp.global_id(0) < 4:
            out[gp.global_id(0)] = 1

    out = zeros(compiled, 4)
    plain(out, invocations=8)
    compiled.synchronize()
    checked(out, invocations=8)
    with pytest.raises(gp.OutOfRangeError, match="index 4 is out of range for 'out' of length 4"):
        compiled.synchronize()
