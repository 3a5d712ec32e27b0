"""Ctrl-C at many lines of calls: no work that was queued before is lost, and the device stays usable."""

from __future__ import annotations

import functools
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interrupting import interrupted

import gpucore as gp
from gpucore.testing import require_device

SIZE = 1000


@gp.kernel
def add(x: gp.InOut[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < x.size:
        x[i] += n


@pytest.mark.parametrize("call", ["read", "write", "launch", "allocate"])
def test_no_queued_work_is_lost(call: str) -> None:
    device = require_device("wgpu")
    x, other = gp.zeros(SIZE, gp.i32, device=device), gp.zeros(SIZE, gp.i32, device=device)
    host, seen = np.ones(SIZE, np.int32), list[bool | None]()
    calls: dict[str, Callable[[], Any]] = {
        "read": x.numpy, "write": lambda: other.set(host), "launch": lambda: add(other, 1),
        "allocate": lambda: gp.zeros(4 * SIZE + len(seen), gp.i32, device=device),
    }  # fmt: skip
    calls[call]()
    while not seen or seen[-1] is not None:
        add(x, 1)  # queued, and returned
        seen.append(interrupted(calls[call], 1 + 5 * len(seen)))
        assert x.numpy().tolist() == [len(seen)] * SIZE, f"at line {5 * len(seen) - 4}"
    assert sum(map(bool, seen)) > 3
    other.set(host)
    add(other, 2)
    assert other.numpy().tolist() == [3] * SIZE


def test_a_launch_after_it_has_its_own_arguments() -> None:
    """Of one kernel, without a wait between: what the interrupted call has bound is bound anew."""
    device, seen = require_device("wgpu"), list[bool | None]()
    while not seen or seen[-1] is not None:
        x, y = gp.zeros(SIZE, gp.i32, device=device), gp.zeros(SIZE, gp.i32, device=device)
        add(y, 1)
        add(x, 1)
        seen.append(interrupted(functools.partial(add, y, 10), 1 + 2 * len(seen)))
        add(x, 1)
        add(x, 5)
        assert x.numpy().tolist() == [7] * SIZE, f"at line {2 * len(seen) - 1}"
        assert set(y.numpy().tolist()) in ({1}, {11}), f"at line {2 * len(seen) - 1}"
    assert sum(map(bool, seen)) > 3


@pytest.mark.parametrize("part", [1, 2, 3])
def test_no_read_fills_memory_after_it(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """A read of four parts, with Ctrl-C while one of them is recorded."""
    device = require_device("wgpu")
    x, out = gp.zeros(3 << 20, gp.i32, device=device), np.empty(3 << 20, np.int32)
    recorder: Any = device.driver_device.plugin_device._recorder  # type: ignore[attr-defined]
    note_use, noted = recorder.note_use, list[Any]()

    def note(handle: Any) -> None:
        note_use(handle)
        noted.append(handle)
        if len(noted) == part:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(recorder, "note_use", note)
    with pytest.raises(KeyboardInterrupt):
        x.numpy(out=out)
    assert len(noted) == part
    monkeypatch.undo()
    out[:] = 7
    device.synchronize()
    assert x.numpy().tolist() == [0] * x.size
    assert np.flatnonzero(out != 7).tolist() == []


@pytest.mark.parametrize("call", ["launch", "copy", "write", "read"])
def test_no_queued_work_uses_memory_that_was_freed(call: str) -> None:
    """The driver ends the process if it gets such work. Closing the device frees what the interrupted call used, and
    then what is used by work that was queued before, which is submitted first."""
    name, lines, seen = require_device("wgpu").id, 1, list[bool | None]()
    host = np.ones(SIZE, np.int32)
    while not seen or seen[-1] is not None:
        with gp.device(name) as device:
            x, other = gp.zeros(SIZE, gp.i32, device=device), gp.zeros(2 * SIZE, gp.i32, device=device)
            add(x, 1)
            device.synchronize()
            add(other, 1)
            calls: dict[str, Callable[[], Any]] = {
                "launch": functools.partial(add, x, 1), "copy": x.copy, "write": functools.partial(x.set, host),
                "read": x.numpy,
            }  # fmt: skip
            seen.append(interrupted(calls.pop(call), lines))
            calls.clear()
            del x, other
        lines += 7
    assert sum(map(bool, seen)) > 3


def test_a_device_that_is_opened_and_closed_meanwhile() -> None:
    """Also in the call in which the driver hands the device out."""
    name = require_device("wgpu").id
    lines = 1
    while True:
        with gp.device(name):
            pass
        if interrupted(lambda: gp.device(name), lines) is None:
            break
        gp.device(name).close()
        lines += 150
    assert lines > 100
    x = gp.ones(SIZE, gp.i32, device=name)
    add(x, 1)
    assert x.numpy().tolist() == [2] * SIZE
