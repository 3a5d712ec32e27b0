"""Ranks of digits of up to four bits in a workgroup, without subgroups and atomics.

Each invocation counts its own consecutive digits in a column of workgroup memory, two counts of 16 bits in a word. The
sums of the counts before each one, value by value, are the places of the first digit of each invocation and value.

Source: N. Satish, M. Harris and M. Garland, "Designing efficient sorting algorithms for manycore GPUs" (2009).
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.reductions import add, scan
from gpucore.types import i32, u32

BITS = 4


def pad(i):
    """An index into a tile in workgroup memory: an unused element after every 32 avoids bank conflicts."""
    return i + (i >> 5)


def padded(size: int) -> int:
    """The elements of a tile with these."""
    return size + size // 32


def load(own, there, first, step):
    """Elements of a tile for this invocation: from `first` on, `step` apart."""
    for k in gp.unroll(range(own.size)):
        own[k] = there[pad(first + k * step)]


def store(there, own, first, step):
    """The inverse of `load`."""
    for k in gp.unroll(range(own.size)):
        there[pad(first + k * step)] = own[k]


def gather(own, there, places):
    """Elements of a tile for this invocation: from its places."""
    for k in gp.unroll(range(own.size)):
        own[k] = there[pad(i32(places[k]))]


def scatter(there, own, places):
    """The inverse of `gather`."""
    for k in gp.unroll(range(own.size)):
        there[pad(i32(places[k]))] = own[k]


def count_words(bits: int) -> int:
    """The words of a column for digits of `bits` bits."""
    return max(1, 1 << (bits - 1))


def count_in_columns(counters, keys, ranks, shift, words, invocations, per_invocation):
    """Count the invocation's digits in its column; `ranks` gets the count before each key."""
    t = gp.local_index()
    for w in gp.unroll(range(words)):
        counters[pad(w * invocations + t)] = u32(0)
    for k in gp.unroll(range(per_invocation)):
        digit = i32((keys[k] >> shift) & (2 * words - 1))
        i, half = pad((digit & (words - 1)) * invocations + t), u32(digit // words) * 16
        word = counters[i]
        ranks[k] = (word >> half) & 0xFFFF
        counters[i] = word + (u32(1) << half)
    gp.barrier()


def scan_columns(counters, words):
    """Turn the counts of all columns, digit by digit, into the places of the first key of each."""
    t = gp.local_index()
    own = gp.private_array(u32, words)
    sum = u32(0)
    for w in gp.unroll(range(words)):
        own[w] = counters[pad(t * words + w)]
        sum += own[w]
    before, whole = scan(add, sum, u32(0), True, None)
    before += whole << 16  # the upper half of the digits comes after the lower
    for w in gp.unroll(range(words)):
        counters[pad(t * words + w)] = before
        before += own[w]
    gp.barrier()


def place_by_columns(places, keys, counters, shift, words, invocations, per_invocation):
    """The place in the tile of each key, sorted by the digit of `count_words` from bit `shift` on."""
    t = gp.local_index()
    count_in_columns(counters, keys, places, shift, words, invocations, per_invocation)
    scan_columns(counters, words)
    for k in gp.unroll(range(per_invocation)):
        digit = i32((keys[k] >> shift) & (2 * words - 1))
        i, half = pad((digit & (words - 1)) * invocations + t), u32(digit // words) * 16
        places[k] += (counters[i] >> half) & 0xFFFF
