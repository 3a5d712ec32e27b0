"""The kernels of the radix sort: one invocation in a workgroup, which suits the cores of a CPU.

A large array is first split into buckets: ranges of keys in ascending order, each with about as many keys. Each
workgroup counts one chunk of the array in bins, which are equal intervals of keys. Neighbouring bins are joined to
buckets, and each workgroup moves the keys of its chunk to the buckets, where their places follow from the counts.
A bucket, or a small array, is sorted by one workgroup in its core's cache: the keys are moved by one digit after the
other, from the least significant (LSD). A digit begins at a bit that is not the same in all keys of the bucket, so the
number of passes depends on the keys and not on their type.

Sources: D. Knuth, "The Art of Computer Programming" 3, 5.2.5; the splitting by a sample: P. Sanders and S. Winkel,
"Super scalar sample sort" (2004).
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.sort.keys import from_key, to_key
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, i32, u32, u64

T = TypeVar("T")
K = TypeVar("K", u32, u64)

BINS = 2048
SAMPLES = 256
TRIMMED = 2  # the least and the greatest keys of the sample that do not widen the bins


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


def sample_interval(source, sample, descending):
    """The least and the greatest key of a sample, without outliers."""
    step = source.size // SAMPLES
    low = to_key(source[0], source.dtype, descending)
    high = low
    for i in range(SAMPLES):
        key = to_key(source[i * step], source.dtype, descending)
        sample[i] = key
        low = gp.min(low, key)
        high = gp.max(high, key)
    for _ in range(TRIMMED):
        next_low, next_high = high, low
        for i in range(SAMPLES):
            key = sample[i]
            next_low = gp.min(next_low, key) if key > low else next_low
            next_high = gp.max(next_high, key) if key < high else next_high
        if next_low < next_high:
            low = next_low
            high = next_high
    return low, high


def bin_of(key, low, shift):
    """The number of the bin of a key. Keys outside the sampled interval are in the first and the last bin."""
    return i32(gp.min((gp.max(key, low) - low) >> shift, BINS - 1))


@kernel(workgroup_size=1, unchecked=True)
def count_bins(source: In[T], counts: Out[i32], interval: Out[K], chunk: i32, descending: Const[bool]):
    """Count the keys of a chunk in each bin. `interval` gets the least key of the second bin, and the bits of a bin."""
    sample = gp.workgroup_array(K, SAMPLES)
    bins = gp.workgroup_array(i32, BINS)
    g, n = gp.workgroup_id(0), source.size
    low, high = sample_interval(source, sample, descending)
    shift = K(0)
    while (high - low) >> shift >= BINS:
        shift += 1
    if g == 0:
        interval[0] = low
        interval[1] = shift
    for b in range(BINS):
        bins[b] = 0
    for i in range(g * chunk, gp.min(g * chunk + chunk, n)):
        bins[bin_of(to_key(source[i], source.dtype, descending), low, shift)] += 1
    for b in range(BINS):
        counts[g * BINS + b] = bins[b]


def join_bins(counts, starts, n, buckets, bucket_of, places):
    """Join bins to buckets, and set the places of this workgroup's keys in each. Returns nothing."""
    totals = gp.workgroup_array(i32, BINS)
    before = gp.workgroup_array(i32, BINS)  # in the chunks of lower workgroups
    g = gp.workgroup_id(0)
    for b in range(BINS):
        totals[b] = 0
        before[b] = 0
    for other in range(gp.num_workgroups(0)):
        for b in range(BINS):
            totals[b] += counts[other * BINS + b]
        if other < g:
            for b in range(BINS):
                before[b] += counts[other * BINS + b]
    quota = (n + buckets - 1) // buckets
    at, edge, bucket = 0, 0, -1
    for b in range(BINS):
        while at >= edge and bucket < buckets - 1:
            bucket += 1
            edge += quota
            places[bucket] = at
            if g == 0:
                starts[bucket] = at
        bucket_of[b] = bucket
        places[bucket] += before[b]
        at += totals[b]
    if g == 0:
        for rest in range(bucket + 1, buckets + 1):
            starts[rest] = n


@kernel(workgroup_size=1, unchecked=True)
def split(
    source: In[T], counts: In[i32], interval: In[K], keys: InOut[K], starts: Out[i32], chunk: i32, buckets: Const[int],
    descending: Const[bool],
):  # fmt: skip
    """Move the keys of a chunk to their buckets, in the first half of `keys`. `starts` gets the first place of each
    bucket, and the end."""
    bucket_of = gp.workgroup_array(i32, BINS)
    places = gp.workgroup_array(i32, buckets)
    g, n = gp.workgroup_id(0), source.size
    join_bins(counts, starts, n, buckets, bucket_of, places)
    low, shift = interval[0], interval[1]
    for i in range(g * chunk, gp.min(g * chunk + chunk, n)):
        key = to_key(source[i], source.dtype, descending)
        bucket = bucket_of[bin_of(key, low, shift)]
        place = places[bucket]
        keys[place] = key
        places[bucket] = place + 1


@kernel(workgroup_size=1, unchecked=True)
def sort_buckets(keys: InOut[K], starts: In[i32], target: Out[T], descending: Const[bool], bits: Const[int]):
    """Sort a bucket into the target. `keys` has the keys in its first half."""
    places = gp.workgroup_array(i32, 2 << bits)
    bucket = gp.workgroup_id(0)
    start, stop = starts[bucket], starts[bucket + 1]
    if start < stop:
        every, some = keys[start], keys[start]
        for i in range(start, stop):
            every &= keys[i]
            some |= keys[i]
        sort_range(keys, target, start, stop, every ^ some, places, bits, descending)
