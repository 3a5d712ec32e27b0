"""A stable sort of the keys that the invocations of a workgroup hold, in a blocked arrangement.

Keys become unsigned integers in the order of the values (`keys`). On devices whose subgroups rank by matching, many
keys are sorted by digits of 8 bits, the least one first. Elsewhere, and where there are fewer keys than counts of
digits, an invocation sorts its own keys by exchanging neighbours, and runs of keys are merged, two at a time: each
invocation finds by binary search the K keys of its places in the merged run. Values are moved once, at the end.

Sources: those of `matching`; O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging algorithm" (2012); N.
Haberman, "Parallel neighbor-sort" (1972).
"""

from __future__ import annotations

from typing import Any

import gpucore.lang as gp
from gpucore.blocks.columns import gather, load, pad, padded, scatter, store
from gpucore.blocks.keys import KEY_TYPES, from_key, to_key
from gpucore.blocks.matching import RankTile, part_of, place_in_tile
from gpucore.blocks.ranks import MOST_BITS, matches
from gpucore.blocks.reductions import count_invocations
from gpucore.lang.outside import in_kernels_only
from gpucore.types import i32, u32


def _is_by_digits(size, bits):
    """Whether `size` keys of `bits` bits are sorted by digits: if they are more than the counts of all passes."""
    return matches() and size >= gp.static(bits // MOST_BITS << MOST_BITS)


def _as_array(x):
    """A private array of one number, or None."""
    if x is None:
        return None
    held = gp.private_array(x.dtype, 1)
    held[0] = x
    return held


def _sort_by_digits(keys, order, bits):
    """Sort by digits. The numbers of `order`, if it is not None, move along."""
    invocations, per_invocation, lanes = count_invocations(), keys.size, gp.target.subgroup_size
    tile = gp.static(RankTile(invocations, per_invocation, lanes))
    first, (base, width) = gp.local_index() * per_invocation, part_of(tile)
    keys_there = gp.workgroup_array(keys.dtype, gp.static(padded(tile.size)))
    order_there = None if order is None else gp.workgroup_array(u32, gp.static(padded(tile.size)))
    counts = gp.workgroup_array(u32, gp.static(tile.subgroups * tile.bins))
    digits = gp.private_array(i32, per_invocation)
    places = gp.private_array(u32, per_invocation)
    store(keys_there, keys, first, 1)
    if order is not None:
        store(order_there, order, first, 1)
    gp.barrier(buffers=False)
    for shift in range(0, bits, MOST_BITS):
        load(keys, keys_there, base, width)
        if order is not None:
            load(order, order_there, base, width)
        for k in gp.unroll(range(per_invocation)):
            digits[k] = i32((keys[k] >> shift) & gp.static(tile.bins - 1))
        place_in_tile(places, digits, counts, None, tile)
        scatter(keys_there, keys, places)
        if order is not None:
            scatter(order_there, order, places)
        gp.barrier(buffers=False)
    load(keys, keys_there, first, 1)
    if order is not None:
        load(order, order_there, first, 1)


def _sort_own(keys, order):
    """Sort the keys of an invocation: neighbours that are out of order change places."""
    for number in gp.unroll(range(keys.size)):
        for k in gp.unroll(range(number % 2, keys.size - 1, 2)):
            low, high = keys[k], keys[k + 1]
            is_swapped = high < low
            keys[k], keys[k + 1] = gp.select(is_swapped, high, low), gp.select(is_swapped, low, high)
            if order is not None:
                one, other = order[k], order[k + 1]
                order[k], order[k + 1] = gp.select(is_swapped, other, one), gp.select(is_swapped, one, other)


def crossing_in_tile(tile, first, split, last, diagonal):
    """How many of the first `diagonal` keys of two merged runs, from `first` and `split` on, are of the left run."""
    low, high = gp.max(0, diagonal - (last - split)), gp.min(diagonal, split - first)
    while low < high:
        middle = (low + high) >> 1
        if tile[pad(first + middle)] <= tile[pad(split + diagonal - 1 - middle)]:
            low = middle + 1
        else:
            high = middle
    return low


def _merge_own(keys, order, keys_there, order_there, first, middle, last):
    """The invocation's keys of two merged runs, from `first` and `middle` on. Of equal ones the left come first."""
    diagonal = gp.local_index() * keys.size - first
    from_left = crossing_in_tile(keys_there, first, middle, last, diagonal)
    i, j = first + from_left, middle + diagonal - from_left
    left, right = keys_there[pad(gp.min(i, middle - 1))], keys_there[pad(gp.min(j, last - 1))]
    for k in gp.unroll(range(keys.size)):
        is_left = j >= last or (i < middle and left <= right)
        keys[k] = gp.select(is_left, left, right)
        if order is not None:
            order[k] = order_there[pad(gp.select(is_left, i, j))]
        if k < keys.size - 1:
            if is_left:
                i += 1
                left = keys_there[pad(gp.min(i, middle - 1))]
            else:
                j += 1
                right = keys_there[pad(gp.min(j, last - 1))]


def _sort_by_merging(keys, order):
    """Sort by merging. The numbers of `order`, if it is not None, move along."""
    invocations, per_invocation = count_invocations(), keys.size
    t, size = gp.local_index(), gp.static(padded(invocations * per_invocation))
    keys_there = gp.workgroup_array(keys.dtype, size)
    order_there = None if order is None else gp.workgroup_array(u32, size)
    _sort_own(keys, order)
    for level in range(gp.static((invocations - 1).bit_length())):
        store(keys_there, keys, t * per_invocation, 1)
        if order is not None:
            store(order_there, order, t * per_invocation, 1)
        gp.barrier(buffers=False)
        begin = t >> (level + 1) << (level + 1)
        middle = gp.min(begin + (1 << level), invocations)
        end = gp.min(begin + (2 << level), invocations)
        _merge_own(
            keys, order, keys_there, order_there, begin * per_invocation, middle * per_invocation, end * per_invocation
        )
        gp.barrier(buffers=False)


def _sort(keys, order, descending, count):
    """Sort a private array of keys. The numbers of `order`, if it is not None, become the places before."""
    dtype = keys.dtype
    key, bits = gp.static(KEY_TYPES[dtype]), gp.static(8 * dtype.dtype.itemsize)
    first = gp.local_index() * keys.size
    own = gp.private_array(key, keys.size)
    for k in gp.unroll(range(keys.size)):
        own[k] = to_key(keys[k], dtype, descending)
        if count is not None and first + k >= count:
            own[k] = gp.max_value(key)
        if order is not None:
            order[k] = u32(first + k)
    if _is_by_digits(count_invocations() * keys.size, bits):
        _sort_by_digits(own, order, bits)
    else:
        _sort_by_merging(own, order)
    for k in gp.unroll(range(keys.size)):
        keys[k] = from_key(own[k], dtype, descending)


def _move(values, order):
    """Move the values of the workgroup: each invocation gets those from the places of `order`."""
    size = count_invocations() * values.size
    there = gp.workgroup_array(values.dtype, gp.static(padded(size)))
    store(there, values, gp.local_index() * values.size, 1)
    gp.barrier(buffers=False)
    gather(values, there, order)


def _sort_arrays(keys, values, descending, count):
    order = None if values is None else gp.private_array(u32, keys.size)
    _sort(keys, order, descending, count)
    if values is not None:
        gp.barrier(buffers=False)  # so that the values take the memory of the keys
        _move(values, order)
    gp.barrier()


@in_kernels_only
def workgroup_sort(keys: Any, values: Any = None, descending: bool = False, count: int | None = None) -> Any:
    """Sort what the invocations of a workgroup hold, stably, in the order of `gp.sort`.

    Each invocation gives one key, and gets the key whose place is its `gp.local_index()`. With a value, the result is
    a tuple of the key and of its value. Or it gives a private array of K keys, which are sorted in place, and the
    private array `values` with them: nothing is returned. Key k of an invocation has the place
    `gp.local_index() * K + k`, before and after (a blocked arrangement).

    Keys are of any dtype that `gp.sort` takes; floats are sorted totally, NaN last. Values are numbers, vectors or
    structs. `descending`, known at compile time, gives the reverse order, in which equal keys keep theirs, too. With
    `count`, the same in all invocations, only the keys of the first `count` places are sorted; what the others hold
    afterwards is undefined. All invocations of the workgroup must reach it.

    Sources: those of `gp.workgroup_radix_rank`; O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging
    algorithm" (2012).
    """
    length, dtype = gp.private_length(keys), keys.dtype
    assert gp.static(dtype in KEY_TYPES), "keys are integers or floats, of a dtype that gp.sort takes"
    assert values is None or gp.private_length(values) == length, "there are as many values as keys"
    if length > 0:
        _sort_arrays(keys, values, descending, count)
        return None
    key, value = _as_array(keys), _as_array(values)
    _sort_arrays(key, value, descending, count)
    return key[0] if values is None else (key[0], value[0])
