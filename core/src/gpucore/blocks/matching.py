"""Ranks of digits in a workgroup, by matching invocations of subgroups, whose one size is known.

Each subgroup has a contiguous part of the digits, of which neighbouring invocations have neighbours. For each subgroup
there is a row of counts in workgroup memory, one for each value of a digit. The rank of a digit among the equal ones of
its subgroup is what the row has counted so far, plus the number of lower invocations of the subgroup with that digit.
The columns of the counts are then summed, so that each count becomes the place in the tile of the first digit of that
value in that subgroup.

Ranks depend on the order of the digits alone. Source: D. Merrill and A. Grimshaw, "High performance and scalable radix
sorting" (2011), with the ranking by matching invocations of A. Adinets and D. Merrill, "Onesweep: a faster least
significant digit radix sort for GPUs" (2022).
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.reductions import add, scan
from gpucore.immutable import Immutable
from gpucore.types import i32, u32


class RankTile(Immutable):
    """What a workgroup ranks: `invocations` x `per_invocation` digits of `bits` bits, in subgroups of `lanes`."""

    invocations: int
    per_invocation: int
    lanes: int
    bits: int = 8

    @property
    def size(self) -> int:
        """Digits of the tile."""
        return self.invocations * self.per_invocation

    @property
    def bins(self) -> int:
        """The values of a digit."""
        return 1 << self.bits

    @property
    def subgroups(self) -> int:
        """Subgroups of the workgroup. The last one may have fewer invocations."""
        return -(-self.invocations // self.lanes)

    @property
    def digits(self) -> int:
        """Values of which one invocation sums the counts: a power of two."""
        return max(1, self.bins >> (self.invocations.bit_length() - 1))

    @property
    def owners(self) -> int:
        """Invocations that do so: the first ones."""
        return self.bins // self.digits


def masks_of(lane, lanes):
    """The invocations of a subgroup up to this one, and those above it: of the first 32, and of the others."""
    above = u32(0xFFFFFFFE) << u32(lane & 31)
    if lanes <= 32:
        return ~above, above, u32(0), u32(0)
    is_low = lane < 32
    return (
        gp.select(is_low, ~above, 0xFFFFFFFF),
        gp.select(is_low, above, 0),
        gp.select(is_low, 0, ~above),
        gp.select(is_low, 0xFFFFFFFF, above),
    )


def rank_digit(ranks, u, digit, counts, row, masks, tile):
    """One more than the rank of a digit among those of its subgroup up to now; `counts` counts it."""
    up_to_low, above_low, up_to_high, above_high = masks
    same = gp.subgroup_match(u32(digit), tile.bits)
    number = gp.popcount(same.x & up_to_low)
    is_last = (same.x & above_low) == 0
    if tile.lanes > 32:
        number += gp.popcount(same.y & up_to_high)
        is_last = is_last and (same.y & above_high) == 0
    before = counts[row + digit]
    gp.subgroup_barrier(buffers=False)
    ranks[u] = before + number
    if is_last:
        counts[row + digit] = before + number
    gp.subgroup_barrier(buffers=False)


def clear_counts(counts, t, tile):
    """Set the counts of all subgroups to zero."""
    for start in gp.unroll(range(0, gp.static(tile.subgroups * tile.bins), tile.invocations)):
        if start + t < gp.static(tile.subgroups * tile.bins):
            counts[start + t] = 0


def count_columns(own, counts, t, tile):
    """How many digits of the tile have each of this invocation's values."""
    for d in gp.unroll(range(tile.digits)):
        own[d] = 0
        if t < tile.owners:
            for s in gp.unroll(range(tile.subgroups)):
                own[d] += counts[s * tile.bins + t * tile.digits + d]


def total(own, tile):
    """The sum over the values of this invocation."""
    all_digits = u32(0)
    for d in gp.unroll(range(tile.digits)):
        all_digits += own[d]
    return all_digits


def place_columns(counts, first, t, tile):
    """Replace each count of this invocation's values by the place in the tile before the first of these digits."""
    place = first - 1
    for d in gp.unroll(range(tile.digits)):
        for s in gp.unroll(range(tile.subgroups)):
            i = s * tile.bins + t * tile.digits + d
            count = counts[i]
            counts[i] = place
            place += count


def place_in_tile(places, digits, counts, starts, tile):
    """The place in the tile of each digit, an i32 below `bins`: in the order of subgroups, of u, and of invocations.

    `starts`, if it is not None, gets the place of the first digit of each value, and the number of digits.
    """
    t, row = gp.local_index(), gp.subgroup_id() * tile.bins
    masks = masks_of(gp.subgroup_invocation_id(), tile.lanes)
    own = gp.private_array(u32, tile.digits)
    clear_counts(counts, t, tile)
    gp.barrier(buffers=False)
    for u in gp.unroll(range(tile.per_invocation)):
        rank_digit(places, u, digits[u], counts, row, masks, tile)
    gp.barrier(buffers=False)
    count_columns(own, counts, t, tile)
    first, _ = scan(add, total(own, tile), u32(0), True, None)
    if t < tile.owners:
        place_columns(counts, first, t, tile)
        if starts is not None:
            for d in gp.unroll(range(tile.digits)):
                starts[t * tile.digits + d] = i32(first)
                first += own[d]
            if t == 0:
                starts[tile.bins] = tile.size
    gp.barrier(buffers=False)
    for u in gp.unroll(range(tile.per_invocation)):
        places[u] += counts[row + digits[u]]


def part_of(tile):
    """The place of an invocation's first digit, and from each of its digits to its next one."""
    start = gp.subgroup_id() * tile.lanes
    width = gp.min(tile.invocations - start, tile.lanes)
    return start * tile.per_invocation + gp.subgroup_invocation_id(), width
