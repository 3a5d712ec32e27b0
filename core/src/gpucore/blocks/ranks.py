"""Stable ranks of the digits that the invocations of a workgroup hold, in a blocked arrangement.

On devices with native subgroups of one known size, from 16 invocations on, digits are ranked as in `matching`; the K
digits of an invocation go through workgroup memory, so that neighbouring invocations have neighbours. On other devices
they are ranked as in `columns`, in one step or two.
"""

from __future__ import annotations

from typing import Any

import gpucore.lang as gp
from gpucore.blocks.columns import BITS, count_words, gather, load, pad, padded, place_by_columns, scatter, store
from gpucore.blocks.matching import RankTile, part_of, place_in_tile
from gpucore.blocks.reductions import count_invocations
from gpucore.ir import Capability
from gpucore.lang.outside import in_kernels_only
from gpucore.types import bool_, i8, i16, i32, u8, u16, u32

MOST_BITS = 8
LANES = 16  # the smallest subgroups that match: of smaller ones there are too many, each with its counts
_SUBGROUPS_OF = 64  # the largest: two words of a mask
_MOST_DIGITS = 1 << 16  # counts have 16 bits
_DIGITS = (bool_, i8, u8, i16, u16, i32, u32)


def matches():
    """Whether subgroups of the device rank by matching."""
    return gp.target.has(Capability.SUBGROUP) and LANES <= gp.target.subgroup_size <= _SUBGROUPS_OF


def _place_by_matching(places, digits, bits, starts, per_invocation):
    invocations, lanes = count_invocations(), gp.target.subgroup_size
    tile = gp.static(RankTile(invocations, per_invocation, lanes, bits))
    counts = gp.workgroup_array(u32, gp.static(tile.subgroups * tile.bins))
    mine = gp.private_array(i32, per_invocation)
    if per_invocation == 1:
        mine[0] = i32(digits[0])
        place_in_tile(places, mine, counts, starts, tile)
    else:
        there = gp.workgroup_array(u32, gp.static(padded(tile.size)))
        first, (base, width) = gp.local_index() * per_invocation, part_of(tile)
        store(there, digits, first, 1)
        gp.barrier(buffers=False)
        for k in gp.unroll(range(per_invocation)):
            mine[k] = i32(there[pad(base + k * width)])
        place_in_tile(places, mine, counts, starts, tile)
        store(there, places, base, width)
        gp.barrier(buffers=False)
        load(places, there, first, 1)


def _find_starts(starts, there, bits, size):
    """For each value the number of lower digits, of which `there` has `size` in order."""
    for d in range(gp.local_index(), gp.static((1 << bits) + 1), count_invocations()):
        low, high = 0, size
        while low < high:
            middle = (low + high) >> 1
            if there[pad(middle)] < u32(d):
                low = middle + 1
            else:
                high = middle
        starts[d] = low


def _place_by_columns(places, digits, bits, starts, per_invocation):
    invocations = count_invocations()
    first, size = gp.local_index() * per_invocation, invocations * per_invocation
    words = gp.static(count_words(min(bits, BITS)))
    counters = gp.workgroup_array(u32, gp.static(padded(words * invocations)))
    place_by_columns(places, digits, counters, 0, words, invocations, per_invocation)
    if bits > BITS or starts is not None:
        there = gp.workgroup_array(u32, gp.static(padded(size)))
        if bits > BITS:
            mine = gp.private_array(u32, per_invocation)
            then = gp.private_array(u32, per_invocation)
            upper = gp.static(count_words(bits - BITS))
            scatter(there, digits, places)
            gp.barrier(buffers=False)
            load(mine, there, first, 1)
            place_by_columns(then, mine, counters, BITS, upper, invocations, per_invocation)
            store(there, then, first, 1)
            gp.barrier(buffers=False)
            gather(places, there, places)
            gp.barrier(buffers=False)
        if starts is not None:
            scatter(there, digits, places)
            gp.barrier(buffers=False)
            _find_starts(starts, there, bits, size)


@in_kernels_only
def workgroup_radix_rank(digits: Any, bits: int, with_starts: bool = False) -> Any:
    """The place of each digit of the workgroup, i32, when all are sorted stably: by the lowest `bits` bits alone.

    Each invocation gives an i32, u32, bool or small integer, and gets its place; or a private array of K of them, and
    gets a private array. In the order of the workgroup the K digits of an invocation follow each other, those of
    `gp.local_index()` 0 first (a blocked arrangement). Equal digits keep this order. `bits` is from 1 to 8.

    With `with_starts`, the result is a tuple of the places and of a workgroup array of 2**bits + 1 i32: element d is
    the number of digits below d, the last one that of all. `bits` and `with_starts` are known at compile time. All
    invocations of the workgroup must reach it.

    Sources: D. Merrill and A. Grimshaw, "High performance and scalable radix sorting" (2011); A. Adinets and D.
    Merrill, "Onesweep: a faster least significant digit radix sort for GPUs" (2022); N. Satish, M. Harris and M.
    Garland, "Designing efficient sorting algorithms for manycore GPUs" (2009).
    """
    assert digits.dtype in _DIGITS, "digits are i32, u32, bool or integers of 8 or 16 bits"
    assert 1 <= bits <= MOST_BITS, "bits, the number of bits of a digit, is from 1 to 8"
    assert gp.static(with_starts in (False, True)), "with_starts is True or False"
    length = gp.private_length(digits)
    per_invocation = gp.static(max(length, 1))
    assert count_invocations() * per_invocation < _MOST_DIGITS, "a workgroup ranks fewer than 65536 digits"
    own = gp.private_array(u32, per_invocation)
    places = gp.private_array(u32, per_invocation)
    ranks = gp.private_array(i32, per_invocation)
    starts = gp.workgroup_array(i32, gp.static((1 << bits) + 1)) if with_starts else None
    for k in gp.unroll(range(per_invocation)):
        own[k] = u32(digits[k] if length > 0 else digits) & gp.static((1 << bits) - 1)
    if matches():
        _place_by_matching(places, own, bits, starts, per_invocation)
    else:
        _place_by_columns(places, own, bits, starts, per_invocation)
    for k in gp.unroll(range(per_invocation)):
        ranks[k] = i32(places[k])
    gp.barrier()
    result = ranks if length > 0 else ranks[0]
    return (result, starts) if with_starts else result
