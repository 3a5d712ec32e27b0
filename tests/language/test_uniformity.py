"""Barriers where control flow is not uniform are refused, with the value that makes it so; and the promise."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=32)
def promised(limits: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The rounds are read from memory: the same for the whole workgroup, which only the author knows."""
    tile = gp.workgroup_array(gp.i32, 32)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l] = l
    rounds = gp.assume_uniform(limits[i // 32])
    for _ in range(rounds):
        gp.barrier()
        mine = tile[(l + 1) % 32]
        gp.barrier()
        tile[l] = mine
    y[i] = tile[l]


def test_a_promise_allows_a_barrier(device: gp.Device) -> None:
    limits = np.array([3, 0, 40], np.int32)
    y = gp.zeros(96, gp.i32, device=device)
    promised(gp.asarray(limits, device=device), y, invocations=96)
    expected = (np.arange(32)[None] + limits[:, None]) % 32
    np.testing.assert_array_equal(y.numpy(), expected.reshape(-1))


@gp.kernel(workgroup_size=32)
def unpromised(limits: gp.In[gp.i32], y: gp.Out[gp.i32]):
    rounds = limits[gp.global_id(0) // 32]
    for _ in range(rounds):
        gp.barrier()
    y[gp.global_id(0)] = rounds


def test_without_it_the_culprit_is_named() -> None:
    with pytest.raises(gp.UniformityError) as caught:
        unpromised.source("python")
    error = caught.value
    assert error.code == "GP301"
    assert "limits" in str(error)
    assert "assume_uniform" in error.fix
