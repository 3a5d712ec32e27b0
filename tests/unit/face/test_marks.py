"""Points in the queue of a device: `device.mark()`."""

from __future__ import annotations

import time

import pytest

import gpucore as gp
from gpucore.testing import require_device


@gp.kernel(workgroup_size=64)
def slow(x: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        for _ in range(n):
            value = value * 0.5 + 1.0
        x[i] = value


@pytest.fixture(params=["simulator", "cpu", "wgpu", "opencl", "cuda"])
def device(request: pytest.FixtureRequest) -> gp.Device:
    return require_device(request.param)


def test_a_mark_is_done_when_the_work_before_it_is(device: gp.Device) -> None:
    x = gp.zeros(64, device=device)
    start = device.mark()
    slow(x, 100)
    end = device.mark()
    end.wait()
    assert start.is_done() and end.is_done()
    assert x.numpy().tolist() == pytest.approx([2.0] * 64)
    assert 0.0 <= end.elapsed(start) < 60.0
    assert end.device is device and repr(end) == f"<mark in the queue of {device.id}>"


def test_a_wait_ends_after_its_timeout() -> None:
    device = require_device("cpu")
    x = gp.zeros(1 << 16, device=device)
    slow(x, 1)
    device.synchronize()
    refused = ""
    for launches in (40, 400, 4000):  # until there is more than was done before the wait began
        for _ in range(launches):
            slow(x, 20_000)
        busy = device.mark()
        try:
            busy.wait(timeout=0.0005)
        except gp.SynchronizeTimeoutError as error:
            refused = str(error)
            break
    assert "the work continues" in refused
    before = time.perf_counter()
    busy.wait()
    assert busy.is_done() and time.perf_counter() > before


def test_work_of_another_device_runs_after_a_mark() -> None:
    first, second = require_device("cpu"), require_device("simulator")
    x = gp.zeros(1 << 14, device=first)
    slow(x, 3000)
    mark = first.mark()
    second.wait_for(mark)
    assert mark.is_done()
    second.wait_for(second.mark())


def test_refusals() -> None:
    first, second = require_device("cpu"), require_device("simulator")
    with pytest.raises(gp.ArgumentError, match=r"elapsed takes a mark of cpu:0, not simulator:0"):
        first.mark().elapsed(second.mark())
    with pytest.raises(gp.ArgumentError, match=r"wait_for takes what device.mark\(\) returned, not int"):
        first.wait_for(3)  # type: ignore[arg-type]
    for wrong in (-1, float("nan"), "1", True):
        with pytest.raises(gp.ArgumentError, match="timeout must be a number of seconds from 0, or None, not"):
            first.mark().wait(wrong)  # type: ignore[arg-type]
