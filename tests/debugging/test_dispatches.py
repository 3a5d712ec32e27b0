"""When reports are read, in which order, by whom, and what becomes of the device."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading

import debug_kernels as kernels
import numpy as np
import pytest

import gpucore as gp

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
    kernels.write_at(out, 7, invocations=8)
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
            kernels.write_at(out, 60, invocations=8)
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


def test_two_threads_lose_and_double_nothing(compiled: gp.Device) -> None:
    """Each launch fails once; whoever waits first hears of it."""
    launches, heard = 40, []
    lock = threading.Lock()

    def work() -> None:
        out = zeros(compiled)
        for number in range(launches):
            kernels.assert_below(out, 7, invocations=8)
            if number % 3 == 2:
                try:
                    compiled.synchronize()
                except gp.KernelAssertionError as error:
                    with lock:
                        heard.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        compiled.synchronize()
    except gp.KernelAssertionError as error:
        heard.append(str(error))
    later = [int(found[1]) for text in heard if (found := re.search(r"and (\d+) more in later dispatches", text))]
    assert len(heard) + sum(later) == 2 * launches


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
