"""The kernels of a radix sort for the cores of CPUs, by chunks: one invocation in a workgroup; stable.

For each digit, from the least significant (LSD), each workgroup counts the digits of a chunk, then all the keys are
moved: a workgroup finds the places of its own from the counts of all chunks. The order of the loop over a chunk makes
the sort stable. Source: D. Knuth, "The Art of Computer Programming" 3, 5.2.5.
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.radix import digit_of
from gpucore.blocks.keys import load_key, store_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, Out, i32, u32

S = TypeVar("S")
D = TypeVar("D")
V = TypeVar("V")

LINE = 16  # u32 in a line of the cache


@kernel(workgroup_size=1, unchecked=True)
def count_chunk(
    source: In[S], counts: Out[i32], chunk: i32, shift: u32, bits: Const[int], encode: Const[bool],
    descending: Const[bool],
):  # fmt: skip
    """Count the digits of a chunk."""
    bins = gp.workgroup_array(i32, 1 << bits)
    group = gp.workgroup_id(0)
    for digit in range(gp.static(1 << bits)):
        bins[digit] = 0
    for i in range(group * chunk, gp.min(group * chunk + chunk, source.size)):
        bins[digit_of(load_key(source, i, encode, descending), shift, bits)] += 1
    for digit in range(gp.static(1 << bits)):
        counts[(group << bits) + digit] = bins[digit]


def find_places(places, before, counts, bits):
    """Set places[d] to the place of the first key with the digit d in this workgroup's chunk. The greatest number of
    keys with one digit."""
    size, group = gp.static(1 << bits), gp.workgroup_id(0)
    for digit in range(size):
        places[digit] = 0
        before[digit] = 0
    for other in range(gp.num_workgroups(0)):
        if other < group:
            for digit in range(size):
                before[digit] += counts[other * size + digit]
        for digit in range(size):
            places[digit] += counts[other * size + digit]
    place, most = 0, 0
    for digit in range(size):
        count = places[digit]
        places[digit] = place + before[digit]
        place += count
        most = gp.max(most, count)
    return most


def move_by_digit(
    source, values, target, moved, counts, chunk, shift, bits, ahead, encode, decode, descending
):  # fmt: skip
    """The kernel `move_chunk`."""
    places = gp.workgroup_array(i32, 1 << bits)
    before = gp.workgroup_array(i32, 1 << bits)
    group = gp.workgroup_id(0)
    most = find_places(places, before, counts, bits)
    first, stop = group * chunk, gp.min(group * chunk + chunk, source.size)
    if most == source.size:  # all keys have one digit
        for i in range(first, stop):
            store_key(target, i, load_key(source, i, encode, descending), decode, descending)
            if moved is not None:
                moved[i] = u32(i) if values is None else values[i]
        first = stop
    for i in range(first, stop):
        key = load_key(source, i, encode, descending)
        digit = digit_of(key, shift, bits)
        place = places[digit]
        store_key(target, place, key, decode, descending)
        if ahead:
            gp.prefetch(target, place + LINE)
        if moved is not None:
            moved[place] = u32(i) if values is None else values[i]
            if ahead:
                gp.prefetch(moved, place + LINE)
        places[digit] = place + 1


@kernel(workgroup_size=1, unchecked=True)
def move_chunk(
    source: In[S], target: Out[D], counts: In[i32], chunk: i32, shift: u32, bits: Const[int], ahead: Const[bool],
    encode: Const[bool], decode: Const[bool], descending: Const[bool],
):  # fmt: skip
    """Move the keys of a chunk by a digit. `ahead`: ask for the next line of each digit, as the cache is small."""
    move_by_digit(source, None, target, None, counts, chunk, shift, bits, ahead, encode, decode, descending)


@kernel(workgroup_size=1, unchecked=True)
def move_pairs(
    source: In[S], values: In[V], target: Out[D], moved: Out[u32], counts: In[i32], chunk: i32, shift: u32,
    bits: Const[int], ahead: Const[bool], index: Const[bool], encode: Const[bool], decode: Const[bool],
    descending: Const[bool],
):  # fmt: skip
    """As `move_chunk`, and move the values along; with `index` instead of them the places in the source."""
    given = None if index else values
    move_by_digit(source, given, target, moved, counts, chunk, shift, bits, ahead, encode, decode, descending)
