"""Ctrl-C at many lines of calls: what is called before and after is right, and nothing is waited for without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interrupting import interrupted

import gpucore as gp

pytestmark = pytest.mark.xdist_group("vulkan")

SIZE = 300


@gp.kernel(workgroup_size=64)
def add(y: gp.InOut[gp.i32], n: gp.i32):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += n


@gp.kernel(workgroup_size=64)
def double(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] *= 2


@pytest.mark.parametrize("call", ["launch", "another kernel", "run", "run with others", "wait", "write", "read"])
def test_calls_before_and_after_it_are_right(opened: Any, call: str) -> None:
    x, y, z = (gp.zeros(SIZE, gp.i32, device=opened.gpu) for _ in range(3))
    with opened.gpu.record(y=y) as graph:
        add(y, 1)
        double(y)
    graph.replay()
    calls: dict[str, Callable[[], Any]] = {
        "launch": lambda: add(y, 9),
        "another kernel": lambda: double(y),
        "run": graph.replay,
        "run with others": lambda: graph.replay(y=z),
        "wait": opened.gpu.synchronize,
        "write": lambda: y.set(np.full(SIZE, 3, np.int32)),
        "read": y.numpy,
    }
    line = 1
    while True:
        x.set(np.zeros(SIZE, np.int32))
        y.set(np.ones(SIZE, np.int32))
        z.set(np.zeros(SIZE, np.int32))
        graph.replay()  # y is 4
        add(x, 5)
        add(z, 1)
        was = interrupted(calls[call], line)
        add(z, 1)  # the same as before the call: it is bound anew
        add(x, 5)
        found = [array.numpy() for array in (x, y, z)]
        for array in found:
            np.testing.assert_array_equal(array, np.full(SIZE, array[0], np.int32))
        values = tuple(int(array[0]) for array in found)
        without, with_it = results(call)
        assert values in ((without, with_it) if was else (with_it,)), line
        graph.replay()  # with y again
        y.set(np.zeros(SIZE, np.int32))
        np.testing.assert_array_equal(y.numpy(), np.zeros(SIZE, np.int32))
        if was is None:
            break
        line += 1
    assert line > 20


def results(call: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The elements of x, y, z without the interrupted call, and with it."""
    with_it = {
        "launch": (10, 13, 2), "another kernel": (10, 8, 2), "run": (10, 10, 2), "run with others": (10, 4, 5),
        "write": (10, 3, 2),
    }  # fmt: skip
    return (10, 4, 2), with_it.get(call, (10, 4, 2))
