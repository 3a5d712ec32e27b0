"""Names that are the same in a whole workgroup: in loops that differ between lanes, in indices, and behind
gp.assume_uniform.

With gp.assume_uniform the value of the first invocation counts, whatever the others have, so that no index is wrong.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from cpu_kernels import run_valid

import gpucore as gp
from gpucore import compiler
from gpucore.runtime import Device


@gp.kernel(workgroup_size=64)
def load_behind_a_promise(factor: gp.i32, x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    j = gp.assume_uniform(7 + factor * gp.local_id(0))
    if j >= 0 and j < x.size:
        gp.barrier()
        y[gp.local_id(0)] = x[j]


@gp.kernel(workgroup_size=64)
def store_behind_a_promise(places: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    shared = gp.workgroup_array(gp.i32, 64)
    shared[gp.local_id(0)] = places[gp.local_id(0)]
    gp.barrier()
    for turn in range(3):
        if places[0] % 3 == turn:
            j = gp.assume_uniform(shared[gp.local_id(0)])
            if j >= 0 and j < y.size:
                y[j] = 99


@gp.kernel(workgroup_size=64)
def count_turns(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    turns = 0
    kept = 0
    for i in range(7):
        turns += 1
        if x[gp.local_id(0)] > i:
            continue
        kept += turns
    y[gp.local_id(0)] = kept * 100 + turns


@pytest.fixture
def cpu() -> gp.Device:
    return gp.device("cpu")


@pytest.mark.parametrize("factor", [0, 1, 10**7])
def test_a_load(cpu: gp.Device, factor: int) -> None:
    x = np.arange(10, dtype=np.int32) + 5
    y = gp.zeros(64, gp.i32, device=cpu)
    load_behind_a_promise(factor, gp.asarray(x, device=cpu), y, workgroups=1)
    np.testing.assert_array_equal(y.numpy(), np.full(64, x[7]))


def test_a_store(cpu: gp.Device) -> None:
    places = np.full(64, 10**8, np.int32)
    places[0] = 2
    y = gp.zeros(10, gp.i32, device=cpu)
    store_behind_a_promise(gp.asarray(places, device=cpu), y, workgroups=1)
    np.testing.assert_array_equal(y.numpy(), np.where(np.arange(10) == 2, 99, 0))


def test_a_variable_that_every_turn_changes_before_some_lanes_continue(cpu: gp.Device) -> None:
    x = np.arange(64, dtype=np.int32) % 11 - 2
    y = gp.zeros(64, gp.i32, device=cpu)
    count_turns(gp.asarray(x, device=cpu), y, workgroups=1)
    kept = [sum(i + 1 for i in range(7) if value <= i) for value in x]
    np.testing.assert_array_equal(y.numpy(), np.array(kept) * 100 + 7)


@gp.kernel(workgroup_size=64)
def rows_of_a_workgroup(table: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The number of a row of 16 invocations is a quotient; what it selects is the same in a row."""
    t = gp.local_id(0)
    row, place = t // 16, t % 16
    again = (t + 64) // 16 % 4
    total = table[row]
    if row % 2 == 1:
        total += table[again + 4]
    y[gp.global_id(0)] = total * 16 + place


@pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])
def test_rows_of_a_workgroup(device: Device, num_lanes: int) -> None:
    table = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32)
    valid = compiler.validate_for(compiler.Target.for_device(gp.device("cpu")), rows_of_a_workgroup.module())
    arrays = [table, np.empty(192, np.int32)]
    scalars = {param.name: {"table": 8, "y": 192}[param.name.split("_")[0]] for param in valid.module.params}
    result = run_valid(device, valid, arrays, [3], scalars, num_lanes=num_lanes)[1]
    row = np.arange(192) % 64 // 16
    total = table[row] + np.where(row % 2 == 1, table[row + 4], 0)
    np.testing.assert_array_equal(result, total * 16 + np.arange(192) % 16)


def test_what_a_row_selects_is_loaded_once() -> None:
    assert "gather" not in rows_of_a_workgroup.source("llvm")


@gp.kernel(workgroup_size=64)
def scaled_by_constants(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = gp.select(x[i] > 0.0, x[i] / math.inf, x[i] / math.nan)


def test_quotients_of_floats_are_no_blocks() -> None:
    assert "fdiv" in scaled_by_constants.source("llvm")


@gp.kernel(workgroup_size=64)
def stores_far_away(x: gp.In[gp.i32], y: gp.InOut[gp.i32], a: gp.i32, b: gp.i32, c: gp.i32):
    t = gp.local_id(0)
    y[a * b * c - (0 - t)] = t + 1
    if x[t] > 0:
        y[a * b * c - (0 - t)] = -y[a * b * c - (0 - t)]


def test_an_index_that_wraps_in_64_bits_stays_in_its_array(cpu: gp.Device) -> None:
    """The product of the parameters is 2**63 - 1, which is -1 as an i32: out of range in the first lane only."""
    x = np.arange(96, dtype=np.int32) % 2
    y = gp.zeros(96, gp.i32, device=cpu)
    stores_far_away(gp.asarray(x, device=cpu), y, 153092023, 92737, 649657, workgroups=1)
    expected = np.zeros(96, np.int32)
    expected[:63] = np.arange(2, 65) * np.where(x[1:64] > 0, -1, 1)
    expected[95] = 1  # the first lane's index is clamped
    np.testing.assert_array_equal(y.numpy(), expected)
