"""The kernels of a radix sort without subgroup operations: reduce, scan, then scatter; stable.

For each digit of 8 bits, `upsweep` counts the digits of each tile, `scan` and `bases` turn the counts into places, and
`downsweep` sorts each tile by the digit in workgroup memory and stores its keys, neighbours together. A tile is sorted
by two splits of four bits, in which keys are ranked as `gpucore.blocks.columns` says: without atomics and an order of
invocations.

Source: N. Satish, M. Harris and M. Garland, "Designing efficient sorting algorithms for manycore GPUs" (2009).
"""

from __future__ import annotations

import functools
from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.shapes import ColumnTile
from gpucore.blocks import reductions
from gpucore.blocks.columns import BITS as HALF_BITS
from gpucore.blocks.columns import count_words, pad, padded, place_by_columns
from gpucore.blocks.keys import load_key, store_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, i32, u32
from gpucore.immutable import Immutable
from gpucore.kernel import Kernel

S = TypeVar("S")
D = TypeVar("D")
V = TypeVar("V")

BITS = 8  # of a digit
BINS = 1 << BITS
WORDS = count_words(HALF_BITS)
FOUR = 4


def workgroup_memory(tile: ColumnTile, key_nbytes: int, pairs: bool) -> int:
    """Bytes of the workgroup arrays of `scatter`."""
    words = padded(WORDS * tile.invocations) + tile.invocations + BINS
    return padded(tile.size) * (key_nbytes + (4 if pairs else 0)) + 4 * words


class Kernels(Immutable):
    """The kernels for tiles of one shape. `scatter_pairs` moves values along."""

    upsweep: Kernel
    scatter: Kernel
    scatter_pairs: Kernel


def split(keys_there, values_there, counters, shift, tile):
    """Sort a tile in workgroup memory by four bits from `shift` on."""
    t = gp.local_id(0)
    keys = gp.private_array(keys_there.dtype, tile.own)
    ranks = gp.private_array(u32, tile.own)
    values = gp.private_array(u32, tile.own)
    for k in gp.unroll(range(tile.own)):
        keys[k] = keys_there[pad(t * tile.own + k)]
        if values_there is not None:
            values[k] = values_there[pad(t * tile.own + k)]
    place_by_columns(ranks, keys, counters, shift, WORDS, tile.invocations, tile.own)
    for k in gp.unroll(range(tile.own)):
        place = pad(i32(ranks[k]))
        keys_there[place] = keys[k]
        if values_there is not None:
            values_there[place] = values[k]
    gp.barrier()


def digit_of(key, shift):
    """The digit from bit `shift` on."""
    return i32((key >> shift) & (BINS - 1))


def find_starts(starts, keys_there, counts, bases, shift, tile):
    """For each digit of a sorted tile, its place in the target less that in the tile."""
    t, group = gp.local_id(0), gp.workgroup_id(0)
    for k in gp.unroll(range(tile.own)):
        i = k * tile.invocations + t
        digit = digit_of(keys_there[pad(i)], shift)
        is_first = True
        if i > 0:
            is_first = digit_of(keys_there[pad(i - 1)], shift) != digit
        if is_first:
            starts[digit] = bases[digit] + counts[digit * gp.num_workgroups(0) + group] - u32(i)
    gp.barrier()


def values_memory(moved, tile):
    """Workgroup memory for the values of a tile, if any are moved."""
    if moved is not None:
        return gp.workgroup_array(u32, gp.static(padded(tile.size)))
    return None


def scatter_tile(
    source, values, target, moved, counts, bases, shift, tile, key, index, encode, decode, descending
):  # fmt: skip
    """The kernel `scatter`."""
    keys_there = gp.workgroup_array(key, gp.static(padded(tile.size)))
    values_there = values_memory(moved, tile)
    counters = gp.workgroup_array(u32, gp.static(padded(WORDS * tile.invocations)))
    starts = gp.workgroup_array(u32, BINS)
    t, first, n = gp.local_id(0), gp.workgroup_id(0) * gp.static(tile.size), source.size
    for k in gp.unroll(range(tile.own)):
        at = k * tile.invocations + t
        mine = gp.max_value(key)
        if n - first > at:
            mine = load_key(source, first + at, encode, descending)
        keys_there[pad(at)] = mine
        if moved is not None:
            carried = u32(first + at)
            if not index and n - first > at:
                carried = values[first + at]
            values_there[pad(at)] = carried
    gp.barrier()
    split(keys_there, values_there, counters, shift, tile)
    split(keys_there, values_there, counters, shift + HALF_BITS, tile)
    find_starts(starts, keys_there, counts, bases, shift, tile)
    for k in gp.unroll(range(tile.own)):
        at = k * tile.invocations + t
        if n - first > at:
            mine = keys_there[pad(at)]
            place = i32(starts[digit_of(mine, shift)] + u32(at))
            store_key(target, place, mine, decode, descending)
            if moved is not None:
                moved[place] = values_there[pad(at)]


@kernel(workgroup_size=BINS, unchecked=True)
def scan(counts: InOut[u32], totals: Out[u32], groups: i32):
    """Turn the counts of a digit, a workgroup's, into sums of those before; `totals` gets the sum of all."""
    t, digit = gp.local_id(0), gp.workgroup_id(0)
    carry = u32(0)
    for start in range(0, groups, gp.static(FOUR * BINS)):
        own = gp.private_array(u32, FOUR)
        sum = u32(0)
        for c in gp.unroll(range(FOUR)):
            i = start + t * FOUR + c
            if i < groups:
                own[c] = counts[digit * groups + i]
            sum += own[c]
        before, whole = reductions.scan(reductions.add, sum, u32(0), True, None)
        before += carry
        for c in gp.unroll(range(FOUR)):
            i = start + t * FOUR + c
            if i < groups:
                counts[digit * groups + i] = before
            before += own[c]
        carry += whole
    if t == 0:
        totals[digit] = carry


@kernel(workgroup_size=BINS, unchecked=True)
def find_bases(totals: In[u32], bases: Out[u32]):
    """The place of the first key of each digit."""
    before, _ = reductions.scan(reductions.add, totals[gp.local_id(0)], u32(0), True, None)
    bases[gp.local_id(0)] = before


@functools.cache
def make_kernels(invocations: int) -> Kernels:
    """The kernels for tiles of a number of invocations."""

    @kernel(workgroup_size=invocations, unchecked=True)
    def upsweep(
        source: In[S], counts: Out[u32], shift: u32, tile: Const[ColumnTile], encode: Const[bool],
        descending: Const[bool],
    ):  # fmt: skip
        """Count the digits of each tile."""
        bins = gp.workgroup_array(u32, BINS)
        t, group = gp.local_id(0), gp.workgroup_id(0)
        first = group * gp.static(tile.size)
        for digit in range(t, BINS, gp.static(tile.invocations)):
            bins[digit] = u32(0)
        gp.barrier()
        for k in gp.unroll(range(tile.own)):
            at = k * tile.invocations + t
            if source.size - first > at:
                gp.atomic_add(bins, digit_of(load_key(source, first + at, encode, descending), shift), u32(1))
        gp.barrier()
        for digit in range(t, BINS, gp.static(tile.invocations)):
            counts[digit * gp.num_workgroups(0) + group] = bins[digit]

    @kernel(workgroup_size=invocations, unchecked=True)
    def scatter(
        source: In[S], target: Out[D], counts: In[u32], bases: In[u32], shift: u32,
        tile: Const[ColumnTile], key: Const[type], encode: Const[bool], decode: Const[bool], descending: Const[bool],
    ):  # fmt: skip
        """Sort by a digit."""
        scatter_tile(
            source, None, target, None, counts, bases, shift, tile, key, False, encode, decode, descending
        )  # fmt: skip

    @kernel(workgroup_size=invocations, unchecked=True)
    def scatter_pairs(
        source: In[S], values: In[V], target: Out[D], moved: Out[u32], counts: In[u32], bases: In[u32], shift: u32,
        tile: Const[ColumnTile], key: Const[type], index: Const[bool], encode: Const[bool], decode: Const[bool],
        descending: Const[bool],
    ):  # fmt: skip
        """Sort by a digit, and move the values along; with `index` instead of them the places in the source."""
        scatter_tile(
            source, values, target, moved, counts, bases, shift, tile, key, index, encode, decode, descending
        )  # fmt: skip

    return Kernels(upsweep, scatter, scatter_pairs)
