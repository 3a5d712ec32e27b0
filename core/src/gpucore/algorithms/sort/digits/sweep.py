"""One sweep for each digit: a workgroup learns from those of the tiles before where its keys go, while they run.

A first kernel counts the digits of all passes. In a pass each workgroup publishes how many keys of each digit its tile
has, then looks back: it adds what the tiles before have published, up to one that has published the sum over all tiles
up to it. Flag and count are one word, written and read by atomics of one word; no other memory is exchanged between
workgroups, so no order of memory is needed. Tiles are numbered in the order in which workgroups start, by an atomic.

A tile that others wait for must come to publish: workgroups that run must go on while others wait. Devices that do not
promise that get the fallback: after `patience` reads of a word, an invocation counts its digit in the missing tile.

Sources: A. Adinets and D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs" (2022); D. Merrill
and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016); T. Smith, R. Levien and J. Owens,
"Decoupled fallback: a portable single-pass GPU scan" (2025).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.digits.ranking import (
    BINS,
    BITS,
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
from gpucore.hints import Const, In, InOut, Out, i32, u32

S = TypeVar("S")
T = TypeVar("T")

LOCAL = 1 << 30  # the count of one tile
ALL = 2 << 30  # the place of the first key after those of all tiles up to this one
COUNT = (1 << 30) - 1
MAX_SIZE = COUNT
INVOCATIONS = 256  # of the kernels that do not rank
PER_INVOCATION = 8


class SweepKernels(NamedTuple):
    """The kernels that sort tiles. `move` also moves a value for each key."""

    sort: Kernel
    move: Kernel


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def clear_totals(totals: Out[u32], tickets: Out[u32]):
    """One workgroup."""
    t = gp.local_id(0)
    for i in range(t, totals.size, INVOCATIONS):
        totals[i] = 0
    if t < tickets.size:
        tickets[t] = 0


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def count_digits(
    source: In[S], totals: InOut[u32], states: Out[u32], chunk: i32, step: Const[Step], passes: Const[int],
):  # fmt: skip
    """Count the digits of each pass, in chunks of a multiple of a workgroup's keys; clear the states of all passes."""
    counts = gp.workgroup_array(u32, passes * BINS)
    t, g, n = gp.local_id(0), gp.workgroup_id(0), source.size
    for start in gp.unroll(range(0, passes * BINS, INVOCATIONS)):
        counts[start + t] = 0
    cleared = gp.global_id(0)
    while cleared < states.size:
        states[cleared] = 0
        cleared += gp.num_workgroups(0) * INVOCATIONS
    gp.barrier(buffers=False)
    keys = gp.private_array(step.key, PER_INVOCATION)
    for start in range(g * chunk, gp.min(g * chunk + chunk, n), PER_INVOCATION * INVOCATIONS):
        if start + PER_INVOCATION * INVOCATIONS <= n:
            for u in gp.unroll(range(PER_INVOCATION)):
                keys[u] = load(source, start + t + u * INVOCATIONS, step)
            for u in gp.unroll(range(PER_INVOCATION)):
                for p in gp.unroll(range(passes)):
                    gp.atomic_add(counts, p * BINS + digit_of(keys[u], p * BITS, step), u32(1))
        else:
            for i in range(start + t, n, INVOCATIONS):
                one = load(source, i, step)
                for p in gp.unroll(range(passes)):
                    gp.atomic_add(counts, p * BINS + digit_of(one, p * BITS, step), u32(1))
    gp.barrier(buffers=False)
    for start in gp.unroll(range(0, passes * BINS, INVOCATIONS)):
        count = counts[start + t]
        if count != 0:
            gp.atomic_add(totals, start + t, count)


def publish(states, place, value, index, step):
    """Publish a word for a digit of the tile `index`."""
    if step.silent == 0 or index % gp.max(step.silent, 1) != 0:
        gp.atomic_max(states, place, value)


def count_missing(source, totals, shift, number, digit, missing, step):
    """The word that a tile should have published for a digit."""
    word = u32(0)
    start = missing * gp.static(step.tile.size)
    for i in range(start, gp.min(start + gp.static(step.tile.size), source.size)):
        if digit_of(load(source, i, step), shift, step) == digit:
            word += 1
    if missing == 0:
        for lower in range(digit):
            word += totals[number * BINS + lower]
        word |= ALL
    else:
        word |= LOCAL
    return word


def look_back(source, totals, states, shift, number, index, digit, step):
    """The place of the first key of a digit of the tile `index` > 0, from the tiles before."""
    before = u32(0)
    previous = index - 1
    reads = 0
    while True:
        place = (number * gp.num_workgroups(0) + previous) * BINS + digit
        word = gp.atomic_load(states, place)
        if step.patience > 0 and word < LOCAL:
            reads += 1
            if reads >= step.patience:
                word = count_missing(source, totals, shift, number, digit, previous, step)
                gp.atomic_max(states, place, word)
        if word >= LOCAL:
            before += word & COUNT
            if word >= ALL:
                break
            previous -= 1
            reads = 0
    return before


def publish_own(states, place, totals, number, own, first_of, sums, t, g, step):
    """Publish how many keys of each digit the tile has; the first tile publishes where those of the next ones go."""
    tile = gp.static(step.tile)
    subgroup, lane = gp.subgroup_id(), gp.subgroup_invocation_id()
    if g == 0:
        for d in gp.unroll(range(tile.digits)):
            first_of[d] = 0
            if t < tile.owners:
                first_of[d] = totals[number * BINS + t * tile.digits + d]
        before = sum_before(total(first_of, tile), sums, subgroup, lane, tile)
        for d in gp.unroll(range(tile.digits)):
            count = first_of[d]
            first_of[d] = before
            before += count
            if t < tile.owners:
                publish(states, place + d, ALL | (first_of[d] + own[d]), g, step)
        gp.barrier(buffers=False)
    else:
        for d in gp.unroll(range(tile.digits)):
            if t < tile.owners:
                publish(states, place + d, LOCAL | own[d], g, step)


def sweep_tile(source, target, values, moved, totals, states, tickets, shift, number, step):
    """Sort a tile by a digit, and store it."""
    tile = gp.static(step.tile)
    in_tile = gp.workgroup_array(step.key, tile.size)
    counts = gp.workgroup_array(u32, tile.subgroups * BINS)
    starts = gp.workgroup_array(u32, BINS)
    sums = gp.workgroup_array(u32, tile.subgroups)
    ticket = gp.workgroup_array(u32, 1)
    t, n = gp.local_id(0), source.size
    subgroup, lane = gp.subgroup_id(), gp.subgroup_invocation_id()
    keys = gp.private_array(step.key, tile.per_invocation)
    ranks = gp.private_array(u32, tile.per_invocation)
    places = gp.private_array(u32, tile.per_invocation)
    own = gp.private_array(u32, tile.digits)
    first_of = gp.private_array(u32, tile.digits)
    row = subgroup * BINS
    clear_counts(counts, t, tile)
    if t == 0:
        ticket[0] = gp.atomic_add(tickets, number, u32(1))
    gp.barrier(buffers=False)
    g = gp.assume_uniform(i32(ticket[0]))
    base = g * tile.size + subgroup * gp.static(tile.lanes * tile.per_invocation) + lane
    load_keys(keys, source, base, step)
    rank_keys(ranks, keys, counts, shift, row, lane, step)
    gp.barrier(buffers=False)
    count_columns(own, counts, t, tile)
    published = (number * gp.num_workgroups(0) + g) * BINS + t * tile.digits
    publish_own(states, published, totals, number, own, first_of, sums, t, g, step)
    first = sum_before(total(own, tile), sums, subgroup, lane, tile)
    if t < tile.owners:
        place_columns(counts, first, t, tile)
    gp.barrier(buffers=False)
    scatter_keys(in_tile, ranks, keys, counts, shift, row, step, moved is not None)
    if t < tile.owners:
        for d in gp.unroll(range(tile.digits)):
            if g > 0:
                digit = t * tile.digits + d
                first_of[d] = look_back(source, totals, states, shift, number, g, digit, step)
                publish(states, published + d, ALL | (first_of[d] + own[d]), g, step)
            starts[t * tile.digits + d] = first_of[d] - first
            first += own[d]
    gp.barrier(buffers=False)
    left = n - g * tile.size
    store_keys(target, in_tile, starts, places, shift, t, left, step, moved is not None)
    if moved is not None:
        move_values(moved, values, in_tile, ranks, places, base, t, left, n, step)


@cache
def sweep_kernels(invocations: int) -> SweepKernels:
    """The kernels for tiles with this number of invocations: one workgroup for each tile of the source."""

    @kernel(workgroup_size=invocations, min_workgroups=max(1, RESIDENT // invocations), unchecked=True)
    def sweep_keys(
        source: In[S], target: Out[T], totals: In[u32], states: InOut[u32], tickets: InOut[u32], shift: i32,
        number: i32, step: Const[Step],
    ):  # fmt: skip
        sweep_tile(source, target, None, None, totals, states, tickets, shift, number, step)

    @kernel(workgroup_size=invocations, min_workgroups=max(1, RESIDENT // invocations), unchecked=True)
    def sweep_values(
        source: In[S], target: Out[T], values: In[u32], moved: Out[u32], totals: In[u32], states: InOut[u32],
        tickets: InOut[u32], shift: i32, number: i32, step: Const[Step],
    ):  # fmt: skip
        sweep_tile(source, target, values, moved, totals, states, tickets, shift, number, step)

    return SweepKernels(sweep_keys, sweep_values)
