"""When a profile is on, for which devices, and what of errors."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from late_clocks import SECONDS, LateBackend, LateMark
from profiled_kernels import axpy, double

import gpucore as gp
from gpucore.testing import require_device

HERE = Path(__file__).parent


@pytest.fixture(params=["placed", "found", "true"])
def late(request: pytest.FixtureRequest) -> Iterator[gp.Device]:
    backend = LateBackend(request.param)
    gp.register_backend(backend)
    device = gp.device(backend.name)
    yield device
    device.close()
    gp.unregister_backend(backend.name)


@pytest.fixture(scope="module")
def many_turns() -> Any:
    @gp.kernel(workgroup_size=8)
    def many_turns(y: gp.Out[gp.i32], n: gp.i32):
        i = gp.global_id(0)
        total = 0
        for k in range(n):
            total = total * 3 + k
        y[i] = total

    return many_turns


def names(profile: Any) -> dict[tuple[str, str], int]:
    return {(row.name, row.device): row.calls for row in profile.kernels}


def pair(device: Any) -> tuple[gp.Array, gp.Array]:
    return gp.ones(40, device=device), gp.zeros(40, device=device)


def launch(x: gp.Array, y: gp.Array, error: Exception) -> None:
    axpy(1.0, x, y)
    raise error


def test_one_profile_at_a_time(device: gp.Device) -> None:
    x, y = pair(device)
    with gp.profile() as outer:
        inner = gp.profile()
        assert inner.seconds == 0.0 and inner.kernels == []
        with pytest.raises(gp.ArgumentError, match="a profile is on already, in this thread or another one"), inner:
            raise AssertionError
        axpy(1.0, x, y)
    assert names(outer)[("axpy", device.id)] == 1
    with pytest.raises(gp.ArgumentError, match="this profile has been used"), outer:
        raise AssertionError
    with gp.profile() as next_one:
        pass
    assert next_one.kernels == []


def test_an_exception_in_the_block_leaves_the_table(device: gp.Device) -> None:
    x, y = pair(device)
    profile = gp.profile(device)
    with pytest.raises(ZeroDivisionError) as caught, profile:
        launch(x, y, ZeroDivisionError())
    axpy(1.0, x, y)
    assert names(profile) == {("axpy", device.id): 1}
    assert "axpy" in str(profile)
    assert not hasattr(caught.value, "__notes__")
    assert y.numpy().tolist() == [2.0] * 40


def test_only_the_named_devices_are_measured() -> None:
    devices = [require_device(name) for name in ("cpu", "simulator", "opencl")]
    arrays = {each.id: pair(each) for each in devices}
    cases: list[tuple[Any, list[gp.Device]]] = [
        ("cpu", devices[:1]), (devices[1], devices[1:2]), (["cpu", devices[2]], [devices[0], devices[2]]),
        (devices[1].info, devices[1:2]), (None, devices),
    ]  # fmt: skip
    for which, measured in cases:
        with gp.profile(device=which) as profile:
            for x, y in arrays.values():
                axpy(1.0, x, y)
        assert names(profile) == {("axpy", each.id): 1 for each in measured}
    with pytest.raises(gp.ArgumentError, match="nonsense"), gp.profile("nonsense device"):
        raise AssertionError
    with gp.profile() as profile:
        pass


PROGRAM = """
import sys
import gpucore as gp
from profiled_kernels import axpy
with gp.profile() as profile:
    device = gp.device(sys.argv[1])
    for _ in range(2):
        x, y = gp.ones(40, device=device), gp.zeros(40, device=device)
        axpy(1.0, x, y)
        device.close()
        device = gp.device(sys.argv[1])
    x, y = gp.ones(40, device=device), gp.zeros(40, device=device)
    axpy(1.0, x, y)
    device.close()
print([(row.name, row.calls, row.seconds > 0) for row in profile.kernels])
profile.save("trace.json")
"""


def test_a_device_that_is_none_is_refused() -> None:
    with pytest.raises(gp.ArgumentError, match="not a int"), gp.profile(3):  # type: ignore[arg-type]
        raise AssertionError


def test_devices_are_opened_and_closed_in_the_block(device: gp.Device, tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(HERE)!r})\n{PROGRAM}", device.id]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[('axpy', 3, True)]\n"


def test_other_threads_work_at_the_begin_and_the_end(device: gp.Device) -> None:
    x, y = pair(device)
    stop, count = threading.Event(), 0

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            axpy(1.0, x, y)
            count += 1
            if count % 50 == 0:
                device.synchronize()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            with gp.profile(device) as profile:
                double(x, gp.empty(40, device=device))
            assert names(profile)[("double", device.id)] == 1
    finally:
        stop.set()
        thread.join()
    assert y.numpy().tolist() == [float(count)] * 40


def test_times_are_those_of_the_work_whatever_a_mark_knows(late: gp.Device) -> None:
    x, y = pair(late)
    with gp.profile(late) as profile:
        for _ in range(3):
            axpy(1.0, x, y)
    (row,) = profile.kernels
    assert (row.calls, row.timestamps) == (3, "device" if "true" in late.id else "host")
    assert row.min_seconds >= SECONDS - 1e-4 and 3 * (SECONDS - 1e-4) <= row.seconds <= profile.seconds
    assert y.numpy().tolist() == [3.0] * 40


def test_failed_work_is_told_to_the_program_once(late: gp.Device) -> None:
    x, y = pair(late)
    plugin: Any = late.driver_device._device
    with gp.profile(late) as profile:
        axpy(1.0, x, y)
        plugin.fail_at_launch("the kernel was stopped")
        axpy(1.0, x, y)
        with pytest.raises(gp.DispatchError, match="the kernel was stopped"):
            late.synchronize()
        late.synchronize()
        mark = late.mark()
        mark.wait()
    assert names(profile) == {("axpy", late.id): 2}


def test_failed_work_that_two_marks_find_is_told_once(late: gp.Device) -> None:
    x, y = pair(late)
    plugin: Any = late.driver_device._device
    plugin.fail_at_launch("the kernel was stopped", times=2 if "true" in late.id else 3)  # the last is the program's
    with gp.profile(late):
        axpy(1.0, x, y)
        with pytest.raises(gp.DispatchError, match="the kernel was stopped"):
            late.synchronize()
        late.synchronize()


def test_marks_are_bounded_and_the_host_does_not_wait_before(late: gp.Device) -> None:
    plugin: Any = late.driver_device._device
    x, y = pair(late)
    axpy(1.0, x, y)
    with gp.profile(late) as profile:
        began = time.perf_counter()
        for _ in range(20):
            axpy(1.0, x, y)
        if "true" in late.id:
            assert time.perf_counter() - began < 20 * SECONDS
        plugin.seconds = 1e-5
        for _ in range(700):
            axpy(1.0, x, y)
    assert names(profile) == {("axpy", late.id): 720}
    assert plugin.most_marks < 600


def test_failed_work_that_nobody_waited_for_is_told_at_the_end(late: gp.Device) -> None:
    x, y = pair(late)
    plugin: Any = late.driver_device._device
    profile = gp.profile(late)
    plugin.fail_at_launch("the kernel was stopped")
    with pytest.raises(gp.DispatchError, match="the kernel was stopped"), profile:
        axpy(1.0, x, y)
    assert names(profile) == {("axpy", late.id): 1}
    plugin.fail_at_launch("the kernel was stopped")
    with pytest.raises(ZeroDivisionError) as caught, gp.profile(late):
        launch(x, y, ZeroDivisionError())
    assert caught.value.__notes__ == ["work in the profiled block failed, too: the kernel was stopped"]
    late.synchronize()


@pytest.mark.parametrize("late", ["true"], indirect=True)
def test_ctrl_c_at_the_end_leaves_what_was_measured(late: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(mark: LateMark, seconds: float) -> None:
        raise KeyboardInterrupt

    def work() -> None:
        axpy(1.0, x, y)
        plugin.seconds = 3600.0
        double(x, y)
        time.sleep(2 * SECONDS)
        monkeypatch.setattr(LateMark, "pause", interrupted)

    plugin: Any = late.driver_device._device
    x, y = pair(late)
    double(x, y)  # compiled before
    profile = gp.profile(late)
    with pytest.raises(KeyboardInterrupt), profile:
        work()
    assert names(profile) == {("axpy", late.id): 1}
    seconds = profile.seconds
    assert seconds == profile.seconds


def test_a_kernel_that_a_driver_cuts_short_fails_as_without_a_profile(device: gp.Device, many_turns: Any) -> None:
    if device.limits.max_loop_iterations is None:
        pytest.skip(f"{device.id} has no limit on iterations")
    y = gp.zeros(8, gp.i32, device=device)
    with gp.profile(device) as profile:
        many_turns(y, 70000)
        with pytest.raises(gp.DispatchError, match="cut short"):
            y.numpy()
        many_turns(y, 7)
        assert len(set(y.numpy().tolist())) == 1
    assert names(profile) == {("many_turns", device.id): 2}
