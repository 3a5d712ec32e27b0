"""The parts of a pass over one digit that a workgroup does: load a tile of keys, rank them by digit, and store them.

A tile is `invocations` x `per_invocation` keys. Each subgroup has a contiguous part of it, read with neighbouring
invocations at neighbouring keys, and ranks it as `gpucore.blocks.matching` says. Keys go to their places in workgroup
memory, and from there to the array: neighbouring invocations then store neighbouring keys of one digit.

Ranks depend on the order of keys alone, so the sort is stable. Sources: those of `gpucore.blocks.matching`.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.keys import load_key, store_key
from gpucore.blocks.matching import masks_of, rank_digit
from gpucore.types import i32, u32

BITS = 8
BINS = 1 << BITS
"""The values of a digit."""
RESIDENT = 1024
"""Invocations that a multiprocessor should run at a time: so many hide the latency of the ranking."""


def digit_of(key, shift, step):
    """The digit that begins at a bit."""
    return i32((key >> step.key(shift)) & (BINS - 1))


def load(source, i, step):
    """The key of an element."""
    return load_key(source, i, step.encodes, step.descending)


def load_keys(keys, source, base, step):
    """The keys of an invocation, `lanes` apart. Past the end they are the greatest."""
    tile, left = gp.static(step.tile), source.size - base  # base may wrap: then the difference does, too
    if left > gp.static((tile.per_invocation - 1) * tile.lanes):
        for u in gp.unroll(range(tile.per_invocation)):
            keys[u] = load(source, base + u * tile.lanes, step)
    else:
        for u in gp.unroll(range(tile.per_invocation)):
            keys[u] = gp.max_value(step.key)
            if left > u * tile.lanes:
                keys[u] = load(source, base + u * tile.lanes, step)


def rank_keys(ranks, keys, counts, shift, row, lane, step):
    """One more than the rank of each key among those of its subgroup with its digit; `counts` counts them."""
    tile = gp.static(step.tile)
    up_to_low, above_low, up_to_high, above_high = masks_of(lane, gp.static(tile.lanes))
    masks = (up_to_low, above_low, up_to_high, above_high)
    for u in gp.unroll(range(tile.per_invocation)):
        digit = digit_of(keys[u], shift, step)
        rank_digit(ranks, u, digit, counts, row, masks, tile)


def sum_before(value, sums, subgroup, lane, tile):
    """The sum of `value` over the lower invocations. Only invocations that own digits count. One barrier."""
    inclusive = gp.subgroup_inclusive_add(value)
    if lane == tile.lanes - 1:
        sums[subgroup] = inclusive
    gp.barrier(buffers=False)
    before = u32(0)
    for s in gp.unroll(range(tile.owning_subgroups - 1)):
        here = sums[s]
        if s < subgroup:
            before += here
    return before + inclusive - value


def scatter_keys(in_tile, ranks, keys, counts, shift, row, step, is_kept):
    """Move the keys to their places in the tile; `is_kept`: the ranks become these places."""
    tile = gp.static(step.tile)
    for u in gp.unroll(range(tile.per_invocation)):
        place = ranks[u] + counts[row + digit_of(keys[u], shift, step)]
        if is_kept:
            ranks[u] = place
        in_tile[i32(place)] = keys[u]


def store(target, in_tile, starts, i, shift, step):
    """Store the key at a place of the tile; returns where."""
    key = in_tile[i]
    place = starts[digit_of(key, shift, step)] + u32(i)
    store_key(target, i32(place), key, step.decodes, step.descending)
    return place


def store_keys(target, in_tile, starts, places, shift, t, left, step, is_kept):
    """Store the first `left` keys of the tile; `is_kept`: `places` gets where."""
    tile = gp.static(step.tile)
    if left >= gp.static(tile.size):
        for u in gp.unroll(range(tile.per_invocation)):
            place = store(target, in_tile, starts, u * tile.invocations + t, shift, step)
            if is_kept:
                places[u] = place
    else:
        for u in gp.unroll(range(tile.per_invocation)):
            if u * tile.invocations + t < left:
                place = store(target, in_tile, starts, u * tile.invocations + t, shift, step)
                if is_kept:
                    places[u] = place


def move_values(moved, values, in_tile, ranks, places, base, t, left, n, step):
    """Move the values of the tile as its keys were moved."""
    tile = gp.static(step.tile)
    gp.barrier(buffers=False)
    for u in gp.unroll(range(tile.per_invocation)):
        if n - base > u * tile.lanes:
            i = base + u * tile.lanes
            in_tile[i32(ranks[u])] = step.key(i if step.indexes else values[i])
    gp.barrier(buffers=False)
    for u in gp.unroll(range(tile.per_invocation)):
        i = u * tile.invocations + t
        if i < left:
            moved[i32(places[u])] = u32(in_tile[i])
