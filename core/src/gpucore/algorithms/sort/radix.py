"""The kernel that sorts few keys on CPUs: one invocation, which moves them in its core's cache.

The keys are moved by one digit after the other, from the least significant (LSD). A digit begins at a bit that is not
the same in all keys, so the number of passes depends on the keys and not on their type. Source: D. Knuth, "The Art of
Computer Programming" 3, 5.2.5.
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.blocks.keys import from_key, to_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, i32, u32, u64

T = TypeVar("T")
K = TypeVar("K", u32, u64)


def digit_of(key, shift, bits):
    """The digit of `bits` bits from bit `shift` on."""
    return i32((key >> shift) & gp.static((1 << bits) - 1))


def count_digits(keys, start, stop, places, shift, bits):
    """Set places[d] to the number of keys in a range with digits below d."""
    size = gp.static(1 << bits)
    for d in range(2 * size):
        places[d] = 0
    for i in range(start, stop - 1, 2):  # in two tables: equal digits often follow each other
        places[digit_of(keys[i], shift, bits)] += 1
        places[size + digit_of(keys[i + 1], shift, bits)] += 1
    if ((stop - start) & 1) != 0:
        places[digit_of(keys[stop - 1], shift, bits)] += 1
    place = 0
    for d in range(size):
        count = places[d] + places[size + d]
        places[d] = place
        place += count


def sort_range(keys, target, start, stop, varying, places, bits, descending):
    """Sort a range of keys, which differ in the bits `varying`, into the same range of the target.

    `keys` is twice as long as the target: in each pass but the last, the keys move to its other half.
    """
    key = keys.dtype
    last_shift = gp.static(8 * key.dtype.itemsize - bits)
    here, there, count = start, start + target.size, stop - start
    more = varying != 0
    if not more:
        for i in range(start, stop):
            target[i] = from_key(keys[i], target.dtype, descending)
    while more:
        shift = key(gp.min(gp.ctz(varying), last_shift))
        varying &= ~(key(gp.static((1 << bits) - 1)) << shift)
        more = varying != 0
        count_digits(keys, here, here + count, places, shift, bits)
        if more:
            for i in range(here, here + count):
                d = digit_of(keys[i], shift, bits)
                place = places[d]
                keys[there + place] = keys[i]
                places[d] = place + 1
        else:
            for i in range(here, here + count):
                d = digit_of(keys[i], shift, bits)
                place = places[d]
                target[start + place] = from_key(keys[i], target.dtype, descending)
                places[d] = place + 1
        here, there = there, here


@kernel(workgroup_size=1, unchecked=True)
def sort_whole(source: In[T], keys: InOut[K], target: Out[T], descending: Const[bool], bits: Const[int]):
    """Sort an array that is not empty. `keys` is memory for two keys for each element."""
    places = gp.workgroup_array(i32, 2 << bits)
    every = to_key(source[0], source.dtype, descending)
    some = every
    for i in range(source.size):
        key = to_key(source[i], source.dtype, descending)
        every &= key
        some |= key
        keys[i] = key
    sort_range(keys, target, 0, source.size, every ^ some, places, bits, descending)
