"""A `continue` of some invocations only, in a loop with barriers, which runs outside of the loops over invocations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cpu_kernels import run_valid

import gpucore as gp
from gpucore import compiler
from gpucore.runtime import Device
from gpucore_cpu.exits import replace_exits


def exchanged(shared: Any, t: Any, total: Any) -> Any:
    """The total of the opposite invocation, and 1; with barriers."""
    shared[t] = total
    gp.barrier()
    other = shared[31 - t] + 1
    gp.barrier()
    return other


@gp.kernel(workgroup_size=32)
def of_lanes(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    t = gp.local_id(0)
    shared = gp.workgroup_array(gp.i32, 32)
    total = 0
    for turn in range(5):
        total += exchanged(shared, t, total)
        if x[t] > turn:
            continue
        total *= 2
    y[t] = total


@gp.kernel(workgroup_size=(16, 2))
def of_rows(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The condition is the same in all lanes of a gang."""
    t = gp.local_index()
    shared = gp.workgroup_array(gp.i32, 32)
    total = 0
    for _turn in range(5):
        total += exchanged(shared, t, total)
        if gp.local_id(1) == 1:
            continue
        total *= 2
    y[t] = total + 0 * x[t]


@gp.kernel(workgroup_size=32)
def of_all(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The one before the barriers is of all invocations; the one in the inner loop, without barriers, of some."""
    t, turn = gp.local_id(0), -1
    shared = gp.workgroup_array(gp.i32, 32)
    total = 0
    while turn < 4:
        turn += 1
        if turn == 3:
            continue
        total += exchanged(shared, t, total)
        for k in range(3):
            if x[t] > k:
                continue
            total += k
    y[t] = total


def expected(x: Any, kernel: gp.Kernel) -> Any:
    total = np.zeros(32, np.int64)
    for turn in range(5):
        if kernel is of_all and turn == 3:
            continue
        total = total + total[::-1] + 1
        if kernel is of_lanes:
            total = np.where(x > turn, total, 2 * total)
        elif kernel is of_rows:
            total = np.where(np.arange(32) >= 16, total, 2 * total)
        else:
            total = total + sum(np.where(x > k, 0, k) for k in range(3))
    return total


@pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])
@pytest.mark.parametrize("kernel", [of_lanes, of_rows, of_all], ids=lambda kernel: kernel.name)
def test_only_those_invocations_go_on(device: Device, num_lanes: int, kernel: gp.Kernel) -> None:
    x = np.random.default_rng(0).integers(0, 6, 32).astype(np.int32)
    valid = compiler.validate_for(compiler.Target.for_device(gp.device("cpu")), kernel.module())
    scalars = {param.name: 32 for param in valid.module.params}
    result = run_valid(device, valid, [x, np.zeros(32, np.int32)], [1], scalars, num_lanes=num_lanes)[1]
    np.testing.assert_array_equal(result, expected(x, kernel))


def test_other_kernels_stay_as_they_are() -> None:
    for kernel, is_replaced in ((of_lanes, True), (of_rows, True), (of_all, False)):
        valid = compiler.validate_for(compiler.Target.for_device(gp.device("cpu")), kernel.module())
        assert (replace_exits(valid.module, valid.uniform) is not valid.module) == is_replaced
