"""Conditions that are used before and after barriers: ranks of invocations by ballots of eight bits."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp

SIZE = 16


@gp.kernel(workgroup_size=SIZE)
def by_select(keys: gp.In[gp.u32], same: gp.Out[gp.u32], bits: gp.Const[int]):
    """Which invocations of the subgroup have the same key."""
    i = gp.local_id(0)
    found, key = gp.subgroup_ballot(True).x, keys[i]
    for bit in gp.unroll(range(bits)):
        is_set = (key & (1 << bit)) != 0
        votes = gp.subgroup_ballot(is_set).x
        found &= gp.select(is_set, votes, ~votes)
    same[i] = found


@gp.kernel(workgroup_size=SIZE)
def by_branch(keys: gp.In[gp.u32], same: gp.Out[gp.u32], bits: gp.Const[int]):
    i = gp.local_id(0)
    found, key = gp.subgroup_ballot(True).x, keys[i]
    for bit in gp.unroll(range(bits)):
        is_set = (key & (1 << bit)) != 0
        votes = gp.subgroup_ballot(is_set).x
        if is_set:
            found &= votes
        else:
            found &= ~votes
    same[i] = found


@gp.kernel(workgroup_size=SIZE)
def by_repetition(keys: gp.In[gp.u32], same: gp.Out[gp.u32], bits: gp.Const[int]):
    """Each condition is written twice, and kept in no variable."""
    i = gp.local_id(0)
    found, key = gp.subgroup_ballot(True).x, keys[i]
    for bit in gp.unroll(range(bits)):
        votes = gp.subgroup_ballot((key & (1 << bit)) != 0).x
        found &= gp.select((key & (1 << bit)) != 0, votes, ~votes)
    same[i] = found


@gp.kernel(workgroup_size=SIZE)
def by_variable(keys: gp.In[gp.u32], same: gp.Out[gp.u32], bits: gp.i32):
    """A condition that a loop changes."""
    i = gp.local_id(0)
    found, key, was_set = gp.subgroup_ballot(True).x, keys[i], False
    for bit in range(bits):
        is_set = ((key >> gp.u32(bit)) & 1) != 0
        votes = gp.subgroup_ballot(is_set != was_set).x
        found &= gp.select(is_set != was_set, votes, ~votes)
        was_set = is_set
    same[i] = found


@gp.kernel(workgroup_size=SIZE)
def size_of_subgroups(out: gp.Out[gp.i32]):
    out[gp.local_id(0)] = gp.subgroup_size()


@pytest.mark.parametrize("bits", [1, 4, 8, 11])
@pytest.mark.parametrize("kernel", [by_select, by_branch, by_repetition, by_variable], ids=lambda kernel: kernel.name)
def test_ranks(device: gp.Device, kernel: gp.Kernel, bits: int) -> None:
    sizes = gp.zeros(SIZE, gp.i32, device=device)
    size_of_subgroups(sizes, workgroups=1)
    size = min(SIZE, int(sizes.numpy()[0]))
    for seed in range(4):
        keys = np.random.default_rng(seed).integers(0, 1 << bits, SIZE, dtype=np.uint32)
        keys[::3] = keys[0]
        x, y = gp.asarray(keys, device=device), gp.zeros(SIZE, gp.u32, device=device)
        kernel(x, y, bits, workgroups=1)
        expected = [
            sum(1 << lane for lane in range(size) if keys[i // size * size + lane] == keys[i]) for i in range(SIZE)
        ]
        np.testing.assert_array_equal(y.numpy(), np.array(expected, np.uint32))
