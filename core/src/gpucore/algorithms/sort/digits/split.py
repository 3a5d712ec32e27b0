"""Reduce, then scan: for each digit, count the keys of each chunk, then move the keys.

No workgroup waits for another, so it works on every device with subgroups of one known size. A workgroup first sums the
counts of all chunks and of those before its own, then moves the tiles of its chunk one after the other, and keeps in
registers where the next key of each digit goes.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.digits.ranking import (
    BINS,
    RESIDENT,
    digit_of,
    load,
    load_keys,
    move_values,
    rank_keys,
    scatter_keys,
    store_keys,
    sum_before,
)
from gpucore.algorithms.sort.digits.shape import Step
from gpucore.blocks.matching import clear_counts, count_columns, place_columns, total
from gpucore.calls import Kernel, kernel
from gpucore.hints import Const, In, Out, i32, u32

S = TypeVar("S")
T = TypeVar("T")

_AT_ONCE = 32  # chunks of which an invocation loads the counts before it adds the first


class SplitKernels(NamedTuple):
    """The kernels that count and sort. `move` also moves a value for each key."""

    counting: Kernel
    sort: Kernel
    move: Kernel


def count_tile(counts, keys, source, start, shift, t, step):
    """Add the digits of a tile, or of what is left of it, to the counts."""
    tile, n = gp.static(step.tile), source.size
    if n - start >= tile.size:
        for u in gp.unroll(range(tile.per_invocation)):
            keys[u] = load(source, start + t + u * tile.invocations, step)
        for u in gp.unroll(range(tile.per_invocation)):
            gp.atomic_add(counts, digit_of(keys[u], shift, step), u32(1))
    else:
        for i in range(t, n - start, tile.invocations):
            gp.atomic_add(counts, digit_of(load(source, start + i, step), shift, step), u32(1))


def sum_chunks(own, before, counts, t, g, tile):
    """For each digit of this invocation: the keys of all chunks, and those of the chunks before g."""
    chunks = gp.num_workgroups(0)
    loaded = gp.private_array(u32, _AT_ONCE)
    for d in gp.unroll(range(tile.digits)):
        own[d] = 0
        before[d] = 0
        if t < tile.owners:
            for first in range(0, chunks, _AT_ONCE):
                for k in gp.unroll(range(_AT_ONCE)):
                    loaded[k] = counts[gp.min(first + k, chunks - 1) * BINS + t * tile.digits + d]
                for k in gp.unroll(range(_AT_ONCE)):
                    own[d] += gp.select(first + k < chunks, loaded[k], 0)
                    before[d] += gp.select(first + k < g, loaded[k], 0)


def split_chunk(source, target, values, moved, counts, shift, chunk, step):
    """Sort the tiles of a chunk by a digit, and store them."""
    tile = gp.static(step.tile)
    in_tile = gp.workgroup_array(step.key, tile.size)
    columns = gp.workgroup_array(u32, tile.subgroups * BINS)
    starts = gp.workgroup_array(u32, BINS)
    sums = gp.workgroup_array(u32, tile.subgroups)
    t, g, n = gp.local_id(0), gp.workgroup_id(0), source.size
    subgroup, lane = gp.subgroup_id(), gp.subgroup_invocation_id()
    keys = gp.private_array(step.key, tile.per_invocation)
    ranks = gp.private_array(u32, tile.per_invocation)
    places = gp.private_array(u32, tile.per_invocation)
    own = gp.private_array(u32, tile.digits)
    next_of = gp.private_array(u32, tile.digits)
    row = subgroup * BINS
    sum_chunks(own, next_of, counts, t, g, tile)
    before = sum_before(total(own, tile), sums, subgroup, lane, tile)
    for d in gp.unroll(range(tile.digits)):
        next_of[d] += before
        before += own[d]
    for start in range(g * chunk, g * chunk + gp.min(chunk, n - g * chunk), tile.size):
        base = start + subgroup * gp.static(tile.lanes * tile.per_invocation) + lane
        load_keys(keys, source, base, step)
        clear_counts(columns, t, tile)
        gp.barrier(buffers=False)
        rank_keys(ranks, keys, columns, shift, row, lane, step)
        gp.barrier(buffers=False)
        count_columns(own, columns, t, tile)
        first = sum_before(total(own, tile), sums, subgroup, lane, tile)
        if t < tile.owners:
            place_columns(columns, first, t, tile)
            for d in gp.unroll(range(tile.digits)):
                starts[t * tile.digits + d] = next_of[d] - first
                next_of[d] += own[d]
                first += own[d]
        gp.barrier(buffers=False)
        scatter_keys(in_tile, ranks, keys, columns, shift, row, step, moved is not None)
        gp.barrier(buffers=False)
        store_keys(target, in_tile, starts, places, shift, t, n - start, step, moved is not None)
        if moved is not None:
            move_values(moved, values, in_tile, ranks, places, base, t, n - start, n, step)
            gp.barrier(buffers=False)


@cache
def split_kernels(invocations: int) -> SplitKernels:
    """The kernels for tiles with this number of invocations: one workgroup for each chunk of the source."""

    @kernel(workgroup_size=invocations, unchecked=True)
    def count_chunks(source: In[S], counts: Out[u32], shift: i32, chunk: i32, step: Const[Step]):
        """Count a digit in each chunk, a multiple of a tile. A row of the counts has all digits in one chunk."""
        tile = gp.static(step.tile)
        bins = gp.workgroup_array(u32, BINS)
        keys = gp.private_array(step.key, tile.per_invocation)
        t, g, n = gp.local_id(0), gp.workgroup_id(0), source.size
        for digit in range(t, BINS, invocations):
            bins[digit] = 0
        gp.barrier(buffers=False)
        for start in range(g * chunk, g * chunk + gp.min(chunk, n - g * chunk), tile.size):
            count_tile(bins, keys, source, start, shift, t, step)
        gp.barrier(buffers=False)
        for digit in range(t, BINS, invocations):
            counts[g * BINS + digit] = bins[digit]

    @kernel(workgroup_size=invocations, min_workgroups=max(1, RESIDENT // invocations), unchecked=True)
    def split_keys(source: In[S], target: Out[T], counts: In[u32], shift: i32, chunk: i32, step: Const[Step]):
        split_chunk(source, target, None, None, counts, shift, chunk, step)

    @kernel(workgroup_size=invocations, min_workgroups=max(1, RESIDENT // invocations), unchecked=True)
    def split_values(
        source: In[S], target: Out[T], values: In[u32], moved: Out[u32], counts: In[u32], shift: i32, chunk: i32,
        step: Const[Step],
    ):  # fmt: skip
        split_chunk(source, target, values, moved, counts, shift, chunk, step)

    return SplitKernels(count_chunks, split_keys, split_values)
