"""Kernels that need subgroups or atomics on f32, on every device here, whether it has them or core makes them."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp

NAMES = [info.id for info in gp.devices()]


@gp.kernel(workgroup_size=(5, 4))
def sums(x: gp.In[gp.f32], total: gp.Out[gp.f32], below: gp.Out[gp.f32], place: gp.Out[gp.i32], size: gp.Out[gp.i32]):
    i = gp.workgroup_id(0) * 20 + gp.local_id(1) * 5 + gp.local_id(0)
    total[i] = gp.subgroup_add(x[i])
    below[i] = gp.subgroup_exclusive_add(x[i])
    place[i] = gp.subgroup_invocation_id()
    size[i] = gp.subgroup_size()


@gp.kernel(workgroup_size=64)
def add_all(x: gp.In[gp.f32], totals: gp.InOut[gp.f32]):
    part = gp.workgroup_array(gp.f32, 1)
    if gp.local_id(0) == 0:
        part[0] = 0.0
    gp.barrier()
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(part, 0, x[i])
        gp.atomic_sub(totals, 1, x[i])
    gp.barrier()
    if gp.local_id(0) == 0:
        gp.atomic_add(totals, 0, part[0])


@pytest.mark.parametrize("name", NAMES)
def test_subgroups(name: str) -> None:
    """Lengths of subgroups differ from device to device: each is a run of places that count up from 0."""
    values = np.random.default_rng(2).integers(0, 9, 200).astype(np.float32)
    total, below = (gp.zeros(200, gp.f32, device=name) for _ in range(2))
    place, size = (gp.zeros(200, gp.i32, device=name) for _ in range(2))
    sums(gp.asarray(values, device=name), total, below, place, size, workgroups=10)
    starts = np.flatnonzero(place.numpy() == 0)
    assert set(range(0, 200, 20)) <= set(starts)
    for group in np.split(np.arange(200), starts[1:]):
        np.testing.assert_array_equal(place.numpy()[group], np.arange(group.size))
        np.testing.assert_array_equal(total.numpy()[group], values[group].sum())
        np.testing.assert_array_equal(below.numpy()[group], np.cumsum(values[group]) - values[group])
        assert group.size <= size.numpy()[group].min()


@pytest.mark.parametrize("name", NAMES)
def test_additions_of_floats(name: str) -> None:
    """Whole numbers, so that the order does not matter."""
    values = np.random.default_rng(3).integers(0, 50, 3000).astype(np.float32)
    totals = gp.zeros(2, gp.f32, device=name)
    add_all(gp.asarray(values, device=name), totals, invocations=values.size)
    np.testing.assert_array_equal(totals.numpy(), [values.sum(), -values.sum()])
