"""Sorting few keys in one or two dispatches, without subgroups and atomics; stable.

`count` compares each key with every other of its row: the number of those before it is its place. A workgroup finds the
places of 32 keys, with the row in workgroup memory, of which its invocations take parts. A row is a block of a larger
array, or a row of a matrix. `merge` finds the places of keys among sorted blocks: the place in its own block, and in
each other block by binary search. `count_segments` counts in segments of any lengths, without workgroup memory.

Sources: counting is D. Knuth, "The Art of Computer Programming" 3, 5.2 (algorithm C); merging by ranks: N. Satish, M.
Harris and M. Garland, "Designing efficient sorting algorithms for manycore GPUs" (2009).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.gather import segment_of
from gpucore.algorithms.sort.network import halvings
from gpucore.blocks.keys import store_key, to_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, Out, i32, u32, u32x4, u64

T = TypeVar("T")
D = TypeVar("D")
V = TypeVar("V")
K = TypeVar("K", u32, u64)

INVOCATIONS = 256
LANES = 32  # keys of a workgroup
PARTS = INVOCATIONS // LANES


def carry(values, moved, place, i):
    """Move the value of element i to a place; without values, its index."""
    if moved is not None:
        moved[place] = u32(i) if values is None else values[i]


def fill_block(block, source, start, stop, key, descending):
    """Load the keys of a row. Four keys of 32 bits are a vector; those past its end are the largest."""
    t = gp.local_id(0)
    if key is u32:
        for q in range(t, (stop + 3) // 4, INVOCATIONS):
            four = gp.private_array(u32, 4)
            for c in gp.unroll(range(4)):
                four[c] = gp.max_value(u32)
                if q * 4 + c < stop:
                    four[c] = to_key(source[start + q * 4 + c], source.dtype, descending)
            block[q] = u32x4(four[0], four[1], four[2], four[3])
    else:
        for q in range(t, stop, INVOCATIONS):
            block[q] = to_key(source[start + q], source.dtype, descending)


def count_before(block, first, last, key, or_same):
    """How many keys of block[first:last] are less than a key, or the same."""
    count = u32(0)
    for j in range(first, last):
        other = block[j]
        if block.dtype is u32x4:
            for c in gp.unroll(range(4)):
                is_before = other[c] <= key if or_same else other[c] < key
                count += gp.select(is_before, u32(1), u32(0))
        else:
            is_before = other <= key if or_same else other < key
            count += gp.select(is_before, u32(1), u32(0))
    return count


def count_near(block, first, last, key, own):
    """The same among keys of which some come before the key with the number `own`, and some after it."""
    count = u32(0)
    for j in range(first, last):
        other = block[j]
        if block.dtype is u32x4:
            for c in gp.unroll(range(4)):
                is_before = other[c] < key or (other[c] == key and j * 4 + c < own)
                count += gp.select(is_before, u32(1), u32(0))
        else:
            is_before = other < key or (other == key and j < own)
            count += gp.select(is_before, u32(1), u32(0))
    return count


def sum_parts(ranks):
    """The sum of what the invocations for one key have found, for the first of them."""
    place = u32(0)
    for part in gp.unroll(range(PARTS)):
        place += ranks[part * LANES + gp.local_id(0)]
    return i32(place)


def count_row(source, values, target, moved, length, capacity, key, decode, descending):
    """The kernel `count`."""
    width = gp.static(4 if key is u32 else 1)
    block = gp.workgroup_array(gp.static(u32x4 if key is u32 else key), gp.static(capacity // width))
    ranks = gp.workgroup_array(u32, INVOCATIONS)
    t, groups = gp.local_id(0), (length + LANES - 1) // LANES
    row = gp.workgroup_id(0) // groups
    first, start = (gp.workgroup_id(0) - row * groups) * LANES, row * length
    stop = gp.min(length, source.size - start)
    fill_block(block, source, start, stop, key, descending)
    gp.barrier()
    own = first + (t & (LANES - 1))
    mine = key(0)
    if own < stop:
        mine = to_key(source[start + own], source.dtype, descending)
    items = (stop + width - 1) // width
    share = (items + PARTS - 1) // PARTS
    begin = gp.min(t // LANES * share, items)
    end = gp.min(begin + share, items)
    near, beyond = gp.clamp(first // width, begin, end), gp.clamp((first + LANES) // width, begin, end)
    rank = count_before(block, begin, near, mine, True) + count_before(block, beyond, end, mine, False)
    ranks[t] = rank + count_near(block, near, beyond, mine, own)
    gp.barrier()
    if t < LANES and own < stop:
        place = start + sum_parts(ranks)
        store_key(target, place, mine, decode, descending)
        carry(values, moved, place, start + own)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def count(
    source: In[T], target: Out[D], length: i32, capacity: Const[int], key: Const[type], decode: Const[bool],
    descending: Const[bool],
):  # fmt: skip
    """Sort each row of `length` keys, at most `capacity`. The last row may be shorter."""
    count_row(source, None, target, None, length, capacity, key, decode, descending)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def count_pairs(
    source: In[T], values: In[V], target: Out[D], moved: Out[u32], length: i32, capacity: Const[int], key: Const[type],
    decode: Const[bool], descending: Const[bool], index: Const[bool],
):  # fmt: skip
    """As `count`, and move the values along; with `index` instead of them the places in the source."""
    given = None if index else values
    count_row(source, given, target, moved, length, capacity, key, decode, descending)


def count_in_block(source, start, key, block, or_same):
    """How many keys of the sorted block from `start` on are less than a key, or the same."""
    found = 0
    for step in gp.unroll(gp.static((*halvings(block // 2), 1))):
        j = start + found + step - 1
        if j < source.size:
            other = source[j]
            if other < key or (other == key and or_same):
                found += step
    return found


def merge_blocks(source, values, target, moved, block, decode, descending):
    """The kernel `merge`."""
    ranks = gp.workgroup_array(u32, INVOCATIONS)
    t, n = gp.local_id(0), source.size
    i = gp.workgroup_id(0) * LANES + (t & (LANES - 1))
    own = i // block
    rank, mine = 0, source.dtype(0)
    if i < n:
        mine = source[i]
        for start in range(t // LANES * block, n, PARTS * block):
            if start // block != own:
                rank += count_in_block(source, start, mine, block, start < i)
    ranks[t] = u32(rank)
    gp.barrier()
    if t < LANES and i < n:
        place = i - own * block + sum_parts(ranks)
        store_key(target, place, mine, decode, descending)
        carry(values, moved, place, i)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def merge(source: In[K], target: Out[D], block: Const[int], decode: Const[bool], descending: Const[bool]):
    """Merge sorted blocks of a power of two keys."""
    merge_blocks(source, None, target, None, block, decode, descending)


@kernel(workgroup_size=INVOCATIONS, unchecked=True)
def merge_pairs(
    source: In[K], values: In[u32], target: Out[D], moved: Out[u32], block: Const[int], decode: Const[bool],
    descending: Const[bool],
):  # fmt: skip
    """As `merge`, and move the values along."""
    merge_blocks(source, values, target, moved, block, decode, descending)


def count_between(source, target, moved, i, begin, end, descending):
    """Store element i at its place among those from `begin` to `end`."""
    mine = to_key(source[i], source.dtype, descending)
    place = begin
    for j in range(begin, i):
        place += gp.select(to_key(source[j], source.dtype, descending) <= mine, 1, 0)
    for j in range(i + 1, end):
        place += gp.select(to_key(source[j], source.dtype, descending) < mine, 1, 0)
    target[place] = source[i]
    if moved is not None:
        moved[place] = u32(i - begin)


@kernel(unchecked=True)
def count_rows(source: In[T], target: Out[T], length: i32, descending: Const[bool]):
    """Sort rows of a few elements each."""
    i = gp.global_id(0)
    if i < source.size:
        begin = i - gp.rem(i, length)
        count_between(source, target, None, i, begin, begin + length, descending)


@kernel(unchecked=True)
def count_rows_indices(source: In[T], target: Out[T], moved: Out[u32], length: i32, descending: Const[bool]):
    """As `count_rows`, with the indices in the row."""
    i = gp.global_id(0)
    if i < source.size:
        begin = i - gp.rem(i, length)
        count_between(source, target, moved, i, begin, begin + length, descending)


@kernel(unchecked=True)
def count_segments(source: In[T], offsets: In[i32], target: Out[T], descending: Const[bool]):
    """Sort segments of a few elements each. The first offset is 0, and the last one the size."""
    i = gp.global_id(0)
    if i < source.size:
        segment = segment_of(offsets, i)
        count_between(source, target, None, i, offsets[segment - 1], offsets[segment], descending)
