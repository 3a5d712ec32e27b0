"""The bitonic network, in passes of up to three levels: a pass reads keys into registers, and writes them at its end.

Merging two sorted halves of a block of k = 2**log_k keys takes log_k levels of compare-exchange. The first level is
mirrored: position i is compared with k - 1 - i, so that both halves may be ascending and every exchange puts the
smaller key at the lower position. Keys past the end count as greater than all others, so exchanges with them change
nothing, and an array of any length needs no padding in memory. Later levels have the distances k/4, k/8, ..., 1.
K. Batcher, "Sorting networks and their applications" (1968), in the form in which all exchanges have one direction.

In a pass of `levels` levels, keys are compared within sets of 2**levels keys; `member` is the number of a set.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.columns import pad, padded

INVOCATIONS = 256
PER_INVOCATION = 8
LOG_TILE = 11
TILE = 1 << LOG_TILE
PADDED_TILE = padded(TILE)


def halvings(top):
    """(top, top/2, ..., 1), and () for 0."""
    found = []
    while top:
        found.append(top)
        top //= 2
    return tuple(found)


def compare_exchange(keys, low, high):
    """Store the smaller of two keys at index `low`, and the greater at index `high`."""
    smaller = gp.min(keys[low], keys[high])
    keys[high] = gp.max(keys[low], keys[high])
    keys[low] = smaller


def merge_registers(keys, count):
    """All levels of keys[0:count], which are in ascending positions."""
    for h in gp.unroll(gp.static(halvings(count // 2))):
        for m in gp.unroll(range(count)):
            if (m & h) == 0:
                compare_exchange(keys, m, m + h)


def merge_mirrored_registers(keys, half):
    """The mirrored level of keys[:half] and keys[half:], which are in descending positions; then the levels in each."""
    for m in gp.unroll(range(half)):
        compare_exchange(keys, m, half + m)
    for h in gp.unroll(gp.static(halvings(half // 2))):
        for m in gp.unroll(range(half)):
            if (m & h) == 0:
                compare_exchange(keys, m, m + h)
                compare_exchange(keys, half + m + h, half + m)


def sort_registers(keys):
    """Sort eight keys."""
    for count in gp.unroll((2, 4, 8)):
        for start in gp.unroll(range(0, 8, count)):
            for m in gp.unroll(range(count // 2)):
                compare_exchange(keys, start + m, start + count - 1 - m)
            for h in gp.unroll(gp.static(halvings(count // 4))):
                for m in gp.unroll(range(count)):
                    if (m & h) == 0:
                        compare_exchange(keys, start + m, start + m + h)


def lower_position(member, levels, log_k, m):
    """The position of key m in the lower half of a set, in a mirrored pass over blocks of 2**log_k."""
    spacing = log_k - levels
    base = (member >> spacing) << log_k
    return base + (member & ((1 << spacing) - 1)) + (m << spacing)


def mirror_position(position, log_k):
    """The position that is compared with `position` in the mirrored level of a block of 2**log_k."""
    return position ^ ((1 << log_k) - 1)


def merge_position(member, levels, low, m):
    """The position of key m of a set, in a pass of the distances 2**(low + levels - 1), ..., 2**low."""
    base = (member >> low) << (low + levels)
    return base + (member & ((1 << low) - 1)) + (m << low)


def merge_tile_pass(tile, keys, t, low, levels):
    """One pass of `levels` levels over a tile, down to the distance 2**low; ends with a barrier."""
    for q in gp.unroll(range(PER_INVOCATION >> levels)):
        member = q * INVOCATIONS + t
        for m in gp.unroll(range(1 << levels)):
            keys[m] = tile[pad(merge_position(member, levels, low, m))]
        merge_registers(keys, 1 << levels)
        for m in gp.unroll(range(1 << levels)):
            tile[pad(merge_position(member, levels, low, m))] = keys[m]
    gp.barrier()


def mirror_tile_pass(tile, keys, t, log_k, levels):
    """One mirrored pass of `levels` levels over the blocks of 2**log_k keys of a tile; ends with a barrier."""
    half = 1 << (levels - 1)
    for q in gp.unroll(range(PER_INVOCATION >> levels)):
        member = q * INVOCATIONS + t
        for m in gp.unroll(range(half)):
            position = lower_position(member, levels, log_k, m)
            keys[m] = tile[pad(position)]
            keys[half + m] = tile[pad(mirror_position(position, log_k))]
        merge_mirrored_registers(keys, half)
        for m in gp.unroll(range(half)):
            position = lower_position(member, levels, log_k, m)
            tile[pad(position)] = keys[m]
            tile[pad(mirror_position(position, log_k))] = keys[half + m]
    gp.barrier()


def sort_tile(tile, keys, t, stages):
    """Sort a tile: eight keys in registers first, then blocks of 16, 32, ... up to 2**stages."""
    for m in gp.unroll(range(PER_INVOCATION)):
        keys[m] = tile[pad(PER_INVOCATION * t + m)]
    sort_registers(keys)
    for m in gp.unroll(range(PER_INVOCATION)):
        tile[pad(PER_INVOCATION * t + m)] = keys[m]
    gp.barrier()
    for log_k in range(4, stages + 1):
        first = (log_k - 4) % 3 + 1
        if first == 1:
            mirror_tile_pass(tile, keys, t, log_k, 1)
        elif first == 2:
            mirror_tile_pass(tile, keys, t, log_k, 2)
        else:
            mirror_tile_pass(tile, keys, t, log_k, 3)
        for low in range(log_k - first - 3, -1, -3):
            merge_tile_pass(tile, keys, t, low, 3)


def merge_tile(tile, keys, t):
    """The levels of a merge with distances below TILE, after those with greater distances."""
    merge_tile_pass(tile, keys, t, LOG_TILE - 2, 2)
    for low in range(LOG_TILE - 5, -1, -3):
        merge_tile_pass(tile, keys, t, low, 3)
