"""Helpers of the algorithms near the greatest index, 2**31 - 1, on an array of the host of which few pages are read.

Whole calls of that size are in test_hundred_million.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.reduce.kernels import make_range
from gpucore.algorithms.reduce.steps import steps_of_helper
from gpucore.algorithms.sort.digits.ranking import BINS, load_keys, move_values
from gpucore.algorithms.sort.digits.shape import DigitTile, Step
from gpucore.algorithms.sort.digits.split import count_tile
from gpucore.algorithms.sort.gather import segment_of
from gpucore.algorithms.sort.merge_path import crossing
from gpucore.testing import require_device

SIZE = 2**31 - 1
ONES = 1000  # at the end; zeros before
LANES, OWN = 16, 3
INVOCATIONS = 2 * LANES
TILE = INVOCATIONS * OWN
STEP = Step(DigitTile(INVOCATIONS, OWN, LANES), gp.u32)
LAST = SIZE - SIZE % TILE  # where the last tile begins


@pytest.fixture(scope="module")
def long() -> gp.Array:
    """Memory of zeros, which the system gives out when it is first touched."""
    require_device("cpu")
    x = gp.from_dlpack(np.zeros(SIZE, np.uint8))
    x[SIZE - ONES :].fill(1)
    return x


def array(values: Any, dtype: Any = gp.u8) -> gp.Array:
    return gp.asarray(values, dtype, device="cpu")


def test_searchsorted(long: gp.Array) -> None:
    assert gp.searchsorted(long, array([0, 1, 2])).tolist() == [0, SIZE - ONES, SIZE]
    assert gp.searchsorted(long, array([0, 1, 2]), "right").tolist() == [SIZE - ONES, SIZE, SIZE]


@gp.kernel
def find_crossing(a: gp.In[gp.u8], b: gp.In[gp.u8], diagonals: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = crossing(a, b, diagonals[i])


def test_the_path_of_a_merge(long: gp.Array) -> None:
    diagonals, found = [SIZE - 4, SIZE - ONES - 1, SIZE - ONES + 1, 2**30 + 7], gp.empty(4, gp.i32, device="cpu")
    find_crossing(long, array([0, 0, 1]), array(diagonals, gp.i32), found)
    assert found.tolist() == [SIZE - 6, SIZE - ONES - 1, SIZE - ONES, 2**30 + 7]


@gp.kernel
def find_segment(offsets: gp.In[gp.u8], values: gp.In[gp.u8], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = segment_of(offsets, values[i])


def test_the_number_of_a_segment(long: gp.Array) -> None:
    found = gp.empty(2, gp.i32, device="cpu")
    find_segment(long, array([0, 1]), found)
    assert found.tolist() == [SIZE - ONES, SIZE]


@gp.kernel(workgroup_size=INVOCATIONS)
def count_one_tile(source: gp.In[gp.u8], counts: gp.Out[gp.u32], start: gp.i32, step: gp.Const[Step]):
    bins = gp.workgroup_array(gp.u32, BINS)
    keys = gp.private_array(step.key, OWN)
    t = gp.local_id(0)
    for digit in range(t, BINS, INVOCATIONS):
        bins[digit] = 0
    gp.barrier()
    count_tile(bins, keys, source, start, 0, t, step)
    gp.barrier()
    for digit in range(t, BINS, INVOCATIONS):
        counts[digit] = bins[digit]


def test_the_last_tile_is_counted(long: gp.Array) -> None:
    counts = gp.empty(BINS, gp.u32, device="cpu")
    count_one_tile(long, counts, LAST, STEP, workgroups=1)
    assert counts.tolist() == [0, SIZE - LAST, *[0] * (BINS - 2)]


@gp.kernel(workgroup_size=INVOCATIONS)
def load_one_tile(
    source: gp.In[gp.u8], out: gp.Out[gp.u32], moved: gp.InOut[gp.u32], start: gp.i32, step: gp.Const[Step]
):
    """The keys of a tile, and where `move_values` moves their values: each to its own place."""
    tile = gp.workgroup_array(step.key, TILE)
    keys, ranks = gp.private_array(step.key, OWN), gp.private_array(gp.u32, OWN)
    places = gp.private_array(gp.u32, OWN)
    t = gp.local_id(0)
    own = t // LANES * (LANES * OWN) + t % LANES
    load_keys(keys, source, start + own, step)
    for u in gp.unroll(range(OWN)):
        out[own + u * LANES] = keys[u]
        ranks[u] = gp.u32(own + u * LANES)
        places[u] = gp.u32(t + u * INVOCATIONS)
    left = source.size - start
    move_values(moved, source, tile, ranks, places, start + own, t, left, source.size, step)


def test_the_last_tile_is_loaded(long: gp.Array) -> None:
    left = SIZE - LAST
    keys, moved = (gp.full(TILE, 7, gp.u32, device="cpu") for _ in range(2))
    load_one_tile(long, keys, moved, LAST, STEP, workgroups=1)
    assert keys.tolist() == [1] * left + [2**32 - 1] * (TILE - left)
    assert moved.tolist() == [1] * left + [7] * (TILE - left)


COMBINE = make_range(steps_of_helper(gp.max, gp.u8), LANES, OWN)


@gp.kernel(workgroup_size=LANES)
def combine_last(x: gp.In[gp.u8], out: gp.Out[gp.u32], first: gp.i32):
    total = COMBINE(x, first, x.size)
    if gp.local_id(0) == 0:
        out[0] = total


def test_the_last_elements_are_combined(long: gp.Array) -> None:
    out = gp.empty(1, gp.u32, device="cpu")
    for place in (SIZE - 1, SIZE - 2, SIZE - 30):
        long[place] = 9
        combine_last(long, out, SIZE - 200, workgroups=1)
        long[place] = 1
        assert out.item() == 9
