"""Subgroup operations, native or made of workgroup memory, for whatever size the device has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.ir import MathOp
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend

SIZE = 64
COLUMNS = 24


@gp.kernel(workgroup_size=SIZE)
def everything(x: gp.In[gp.i32], y: gp.Out[gp.i32, 2], ballots: gp.Out[gp.u32x4]):
    """A column for each operation; the first four say which invocation of which subgroup this is."""
    i = gp.global_id(0)
    mine = x[i]
    lane = gp.subgroup_invocation_id()
    y[i, 0], y[i, 1] = gp.subgroup_size(), gp.subgroup_id()
    y[i, 2], y[i, 3] = lane, gp.num_subgroups()
    y[i, 4] = gp.subgroup_add(mine)
    y[i, 5] = gp.subgroup_min(mine)
    y[i, 6] = gp.subgroup_max(mine)
    y[i, 7] = gp.subgroup_inclusive_add(mine)
    y[i, 8] = gp.subgroup_exclusive_add(mine)
    y[i, 9] = gp.subgroup_broadcast(mine, 1)
    y[i, 10] = gp.subgroup_shuffle(mine, 1 - lane % 2)
    y[i, 11] = gp.subgroup_shuffle_xor(mine, 1)
    up, down = gp.subgroup_shuffle_up(mine, 1), gp.subgroup_shuffle_down(mine, 1)
    y[i, 12] = up if lane > 0 else 0
    y[i, 13] = down if lane + 1 < gp.subgroup_size() else 0
    y[i, 14] = gp.i32(gp.subgroup_any(mine > 95))
    y[i, 15] = gp.i32(gp.subgroup_all(mine > 2))
    y[i, 16] = gp.i32(gp.subgroup_elect())
    y[i, 17] = gp.i32(gp.subgroup_add(gp.f32(mine)))
    y[i, 18] = gp.i32(gp.subgroup_max(gp.u32(mine)))
    y[i, 19] = gp.i32(gp.subgroup_inclusive_add(gp.f32(mine)))
    for k in range(20, COLUMNS):
        y[i, k] = gp.subgroup_add(mine * k)
    ballots[i] = gp.subgroup_ballot(mine % 2 == 1)


def expected_of(x: Any, lanes: Any) -> Any:
    """The columns from the fourth on, for one subgroup whose lanes are in order."""
    ordered, ones = x[np.argsort(lanes)], np.ones_like(x)
    up, down = np.concatenate([[0], ordered[:-1]]), np.concatenate([ordered[1:], [0]])
    even = np.arange(x.size) % 2
    columns = [
        ones * x.sum(), ones * x.min(), ones * x.max(), ordered.cumsum(), ordered.cumsum() - ordered,
        ones * ordered[1], ordered[1 - even], ordered[np.arange(x.size) ^ 1], up, down, ones * (x > 95).any(),
        ones * (x > 2).all(), ones * (np.arange(x.size) == 0), ones * x.sum(), ones * x.max(), ordered.cumsum(),
        *(ones * x.sum() * k for k in range(20, COLUMNS)),
    ]  # fmt: skip
    return np.stack(columns, axis=1)[lanes]


def test_every_operation(device: gp.Device) -> None:
    x = np.random.default_rng(5).integers(0, 100, 3 * SIZE).astype(np.int32)
    y = gp.zeros((x.size, COLUMNS), gp.i32, device=device)
    ballots = gp.zeros(x.size, gp.u32x4, device=device)
    everything(gp.asarray(x, device=device), y, ballots, invocations=x.size)
    got, bits = y.numpy(), ballots.numpy()
    (size,) = set(got[:, 0])
    (number,) = set(got[:, 3])
    # Subgroups of 64 or fewer that divide the workgroup: whole ones, each lane once.
    assert SIZE % size == 0
    assert number == SIZE // size
    if device.limits.min_subgroup_size:
        assert device.limits.min_subgroup_size <= size <= device.limits.max_subgroup_size
    for workgroup in range(3):
        for subgroup in range(number):
            members = np.flatnonzero((np.arange(x.size) // SIZE == workgroup) & (got[:, 1] == subgroup))
            lanes = got[members, 2]
            assert sorted(lanes) == list(range(size))
            np.testing.assert_array_equal(got[members, 4:], expected_of(x[members], lanes))
            words = np.packbits(x[members][np.argsort(lanes)] % 2 == 1, bitorder="little")
            ballot = np.zeros(16, np.uint8)
            ballot[: words.size] = words
            np.testing.assert_array_equal(bits[members], np.tile(ballot.view(np.uint32), (size, 1)))


@pytest.fixture(params=[1, 4, 8, 16, 32, 40, 64])
def simulator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """The simulator with subgroups of each size."""
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(request.param))
    with gp.device("simulator") as opened:
        yield opened


def test_matches_made_of_ballots(simulator: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a backend gets that does not write them itself; the last subgroup is smaller."""
    monkeypatch.setattr(SimulatorBackend, "operations", frozenset(MathOp))
    size = simulator.limits.max_subgroup_size
    x = np.random.default_rng(size).integers(-9, 9, 70).astype(np.int32)

    @gp.kernel(workgroup_size=x.size)
    def matches(x: gp.In[gp.i32], y: gp.Out[gp.u32x4, 2]):
        i = gp.local_id(0)
        y[i, 0] = gp.subgroup_match(x[i], 2)
        y[i, 1] = gp.subgroup_match(gp.u32(x[i]), 32)

    y = gp.zeros((x.size, 2), gp.u32x4, device=simulator)
    matches(gp.asarray(x, device=simulator), y, workgroups=1)
    found = y.numpy()
    for i in range(x.size):
        first = i // size * size
        part = x[first : first + size]
        for column, mask in enumerate((3, 0xFFFFFFFF)):
            same = sum(1 << lane for lane, other in enumerate(part) if (int(other) ^ int(x[i])) & mask == 0)
            assert found[i, column].tolist() == [same >> 32 * word & 0xFFFFFFFF for word in range(4)]


@gp.kernel(workgroup_size=SIZE)
def under_a_condition(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if x[i] > 0:
        y[i] = gp.subgroup_add(x[i])


def test_an_operation_that_not_all_reach_is_refused() -> None:
    with pytest.raises(gp.UniformityError, match=r"x\[i\]") as caught:
        under_a_condition.source("python")
    assert caught.value.code == "GP301"


@gp.kernel(workgroup_size=(10, 3, 2))
def places(y: gp.Out[gp.i32, 2]):
    i = gp.local_index()
    if gp.workgroup_id(0) == 1:
        y[i, 0], y[i, 1], y[i, 2] = gp.subgroup_id(), gp.subgroup_invocation_id(), gp.subgroup_size()


def test_subgroups_are_consecutive_invocations(device: gp.Device) -> None:
    """Where gpucore forms them; Vulkan and OpenCL leave native ones to the driver."""
    if device.backend.name not in ("simulator", "cpu", "cuda") and device.supports("subgroup"):
        pytest.skip(f"the driver of {device.id} forms subgroups")
    y = gp.zeros((60, 3), gp.i32, device=device)
    places(y, workgroups=3)
    ids, lanes, sizes = y.numpy().T
    size = sizes[0]
    np.testing.assert_array_equal(ids, np.arange(60) // size)
    np.testing.assert_array_equal(lanes, np.arange(60) % size)
