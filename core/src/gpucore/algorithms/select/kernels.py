"""The kernels that select elements by rank, digit by digit from the most significant, and those that split an array.

Each rank has a state in memory of the device: the digits found so far of the key of that rank, and the rank among the
keys that begin with them. `count_digit` counts the next digit of these keys, a workgroup a chunk; `find_digit` finds
the one in which the rank is. So no pass waits for the host, and the grid does not depend on the keys.

The selected keys, the pivots, divide an array into classes: below the first one, equal to it, between it and the second
one, and so on. `count_classes` counts those of each chunk; after a scan, `split` moves elements to their classes, in
their order.

Source: T. Alabi, J. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for graphics processing units"
(2012).
"""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.blocks.keys import from_key, to_key
from gpucore.calls import kernel
from gpucore.hints import In, InOut, Out, i32, u32

LOADS = 4  # in flight, of an invocation that counts


@functools.cache
def make_begin(key):
    """A kernel that sets the state of a rank: no digit is found, and nothing is counted."""

    @kernel(unchecked=True)
    def begin(
        counts: InOut[i32], keys: InOut[key], left: InOut[i32], number: i32, length: i32, rank: i32,
        start: key,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        """`counts` has `length` elements for each rank."""
        i = gp.global_id(0)
        if i < length:
            counts[number * length + i] = 0
        if i == 0:
            keys[number] = start
            left[number] = rank

    return begin


@functools.lru_cache(maxsize=128)
def make_count(element, key, bits, descending, invocations):
    """A kernel that counts digits: those that begin at bit `shift`, of the keys that have the bits of `mask` as the
    state has them."""
    bins = 1 << bits

    def count_one(own, value, prefix, mask, shift):
        mine = to_key(value, element, descending)
        if ((mine ^ prefix) & mask) == key(0):
            digit = i32((mine >> key(shift)) & key(bins - 1))
            if invocations == 1:
                own[digit] += 1
            else:
                gp.atomic_add(own, digit, 1)

    @kernel(workgroup_size=invocations, unchecked=True)
    def count_digit(
        x: In[element], keys: In[key], counts: InOut[i32], chunk: i32, groups: i32, at: i32, length: i32, shift: u32,
        mask: key,  # type: ignore[valid-type]  # a type of the kernel
    ):  # fmt: skip
        """`groups` workgroups for each rank; its counts are in `counts` from `at` on."""
        own = gp.workgroup_array(i32, bins)
        values = gp.private_array(element, LOADS)
        t = gp.local_id(0)
        number = gp.div_trunc(gp.workgroup_id(0), groups)
        first = (gp.workgroup_id(0) - number * groups) * chunk
        stop = first + gp.min(chunk, x.size - first)
        prefix = keys[number]
        for digit in range(t, bins, invocations):
            own[digit] = 0
        gp.barrier()
        for base in range(first, stop, LOADS * invocations):
            if stop - base >= LOADS * invocations:
                for k in gp.unroll(range(LOADS)):
                    values[k] = x[base + t + k * invocations]
                for k in gp.unroll(range(LOADS)):
                    count_one(own, values[k], prefix, mask, shift)
            else:
                for i in range(t, stop - base, invocations):
                    count_one(own, x[base + i], prefix, mask, shift)
        gp.barrier()
        for digit in range(t, bins, invocations):
            if own[digit] != 0:
                gp.atomic_add(counts, number * length + at + digit, own[digit])

    return count_digit


@functools.lru_cache(maxsize=32)
def make_find(key, bits, invocations):
    """A kernel of which each workgroup, a power of two of invocations, finds the next digit of a rank."""
    run = (1 << bits) // invocations

    @kernel(workgroup_size=invocations, unchecked=True)
    def find_digit(counts: In[i32], keys: InOut[key], left: InOut[i32], at: i32, length: i32, shift: u32):
        t, number = gp.local_id(0), gp.workgroup_id(0)
        wanted, begin = left[number], number * length + at
        own = 0
        for k in range(run):
            own += counts[begin + t * run + k]
        before, _ = reductions.scan(reductions.add, own, 0, True, None)
        if before <= wanted and wanted < before + own:
            digit = t * run
            here = counts[begin + digit]
            while before + here <= wanted:
                before += here
                digit += 1
                here = counts[begin + digit]
            keys[number] |= key(digit) << key(shift)
            left[number] = wanted - before

    return find_digit


@functools.cache
def make_decode(element, key):
    """A kernel that stores the values of keys in ascending order."""

    @kernel(unchecked=True)
    def decode(keys: In[key], values: Out[element]):
        i = gp.global_id(0)
        if i < values.size:
            values[i] = from_key(keys[i], element, False)

    return decode


# ---------------------------------------------------------------- classes


def load_pivots(pivots, keys):
    """The selected keys, in ascending order."""
    for r in gp.unroll(range(pivots.size)):
        pivots[r] = keys[r]


def class_of(mine, pivots):
    """The class of a key: twice the number of pivots below it, and one more for each that is equal."""
    found = 0
    for r in gp.unroll(range(pivots.size)):
        found += gp.select(pivots[r] < mine, 1, 0) + gp.select(pivots[r] <= mine, 1, 0)
    return found


@functools.lru_cache(maxsize=128)
def make_count_classes(element, key, pivots, classes, descending, invocations):
    """A kernel that counts the elements of the first classes in each chunk, class by class."""

    def count_one(own, value, selected):
        found = class_of(to_key(value, element, descending), selected)
        for c in gp.unroll(range(classes)):
            own[c] += gp.select(found == c, 1, 0)

    @kernel(workgroup_size=invocations, unchecked=True)
    def count_classes(x: In[element], keys: In[key], counts: Out[i32], chunk: i32):
        selected, own = gp.private_array(key, pivots), gp.private_array(i32, classes)
        values = gp.private_array(element, LOADS)
        load_pivots(selected, keys)
        t, first = gp.local_id(0), gp.workgroup_id(0) * chunk
        stop = first + gp.min(chunk, x.size - first)
        for base in range(first, stop, LOADS * invocations):
            if stop - base >= LOADS * invocations:
                for k in gp.unroll(range(LOADS)):
                    values[k] = x[base + t + k * invocations]
                for k in gp.unroll(range(LOADS)):
                    count_one(own, values[k], selected)
            else:
                for i in range(t, stop - base, invocations):
                    count_one(own, x[base + i], selected)
        for c in gp.unroll(range(classes)):
            total = reductions.reduce(reductions.add, own[c], None)
            if t == 0:
                counts[c * gp.num_workgroups(0) + gp.workgroup_id(0)] = total

    return count_classes


@functools.lru_cache(maxsize=64)
def make_split_chunk(element, key, pivots, classes, descending, invocations, run):
    """A helper with which a workgroup moves the elements of a chunk to their classes, as far as the target goes."""
    whole = invocations * run

    def store(target, moved, at, value, i):
        if at < target.size:
            target[at] = value
            if moved is not None:
                moved[at] = u32(i)

    def split_chunk(x, keys, ends, target, moved, chunk):
        selected, next = gp.private_array(key, pivots), gp.private_array(i32, classes + 1)
        values, kinds = gp.private_array(element, run), gp.private_array(i32, run)
        load_pivots(selected, keys)
        t, g, groups = gp.local_id(0), gp.workgroup_id(0), gp.num_workgroups(0)
        first = g * chunk
        stop, left = first + gp.min(chunk, x.size - first), 0
        for c in gp.unroll(range(classes)):
            if c * groups + g > 0:
                next[c] = ends[c * groups + g - 1]
            left += gp.min(ends[c * groups + g], target.size) - gp.min(next[c], target.size)
        if gp.assume_uniform(left) == 0:  # nothing of the chunk is moved
            stop = first
        for base in range(first, stop, whole):
            begin = base + gp.min(t * run, stop - base)
            size = gp.min(run, stop - begin)
            for k in gp.unroll(range(run)):
                kinds[k] = classes
                if k < size:
                    values[k] = x[begin + k]
                    kinds[k] = class_of(to_key(values[k], element, descending), selected)
            for c in gp.unroll(range(0, classes, 2)):  # the counts of two classes in a word
                own = u32(0)
                for k in gp.unroll(range(run)):
                    own += gp.select(kinds[k] == c, u32(1), u32(0)) + gp.select(kinds[k] == c + 1, u32(65536), u32(0))
                before, total = reductions.scan(reductions.add, own, u32(0), True, None)
                at, above = next[c] + i32(before & 0xFFFF), next[c + 1] + i32(before >> 16)
                for k in gp.unroll(range(run)):
                    if kinds[k] == c:
                        store(target, moved, at, values[k], begin + k)
                        at += 1
                    elif c + 1 < classes and kinds[k] == c + 1:
                        store(target, moved, above, values[k], begin + k)
                        above += 1
                next[c] += i32(total & 0xFFFF)
                next[c + 1] += i32(total >> 16)

    return split_chunk


@functools.lru_cache(maxsize=64)
def make_split(element, key, pivots, classes, descending, invocations, run):
    """A kernel that moves elements to their classes; `ends` has the place behind the last of each class and chunk."""
    split_chunk = make_split_chunk(element, key, pivots, classes, descending, invocations, run)

    @kernel(workgroup_size=invocations, unchecked=True)
    def split(x: In[element], keys: In[key], ends: In[i32], target: Out[element], chunk: i32):
        split_chunk(x, keys, ends, target, None, chunk)

    return split


@functools.lru_cache(maxsize=64)
def make_split_pairs(element, key, pivots, classes, descending, invocations, run):
    """As `make_split`; the kernel stores the indices of the elements, too."""
    split_chunk = make_split_chunk(element, key, pivots, classes, descending, invocations, run)

    @kernel(workgroup_size=invocations, unchecked=True)
    def split_pairs(
        x: In[element], keys: In[key], ends: In[i32], target: Out[element], moved: Out[u32], chunk: i32
    ):  # fmt: skip
        split_chunk(x, keys, ends, target, moved, chunk)

    return split_pairs
