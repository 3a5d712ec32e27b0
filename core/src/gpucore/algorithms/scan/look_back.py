"""The scan of sums in one pass, with decoupled look-back.

Each workgroup takes the next tile, adds it up, and publishes the sum; then its first subgroup looks back at the tiles
before, adding up their sums until it finds one that has published the sum of all up to it; it publishes its own. A
sum is published as two words of 16 bits, with two flag bits each, so that relaxed atomics of one word suffice: flags
only grow, and both words have the sum of the same kind if their flags are equal.

A workgroup waits for others only where workgroups make progress. Elsewhere, after some looks in vain, it computes the
sum of the missing tile itself.

Sources: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016); the fallback:
T. Smith, R. Levien and J. Owens, "Decoupled fallback" (2025).
"""

from __future__ import annotations

import functools
from typing import TypeVar

import gpucore.lang as gp
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, i32, i32x4, u32, u32x4

T = TypeVar("T", i32, u32)
V = TypeVar("V", i32x4, u32x4)

LOCAL, TOTAL = 1, 2  # flags: the sum of the tile, and that of all tiles up to it
_SHIFT = 30


@kernel(unchecked=True)
def clear(states: Out[u32]):
    """No tile has published anything."""
    i = gp.global_id(0)
    if i < states.size:
        states[i] = 0


def load_vectors(x, source, rest, base, step, count):
    """`count` vectors from `base` on. The last one may have some elements only; those past the end are 0."""
    if source.size - base > (count - 1) * step:
        for k in gp.unroll(range(count)):
            x[k] = source[base + k * step]
    else:
        for k in gp.unroll(range(count)):
            at = base + k * step
            x[k] = source.dtype(0)
            if at < source.size:
                x[k] = source[at]
            elif at == source.size:
                left = rest.size - 4 * at
                a = rest[4 * at] if left > 0 else rest.dtype(0)
                b = rest[4 * at + 1] if left > 1 else rest.dtype(0)
                x[k] = source.dtype(a, b, rest[4 * at + 2] if left > 2 else rest.dtype(0), rest.dtype(0))


def subgroup_size():
    """The size of a subgroup: a compile-time value where it is known."""
    if gp.target.subgroup_size > 0:
        return gp.target.subgroup_size
    return gp.subgroup_size()


def add_up(sums, group):
    """The sum of what the subgroups before one have, and that of all."""
    ahead, whole = u32(0), u32(0)
    if gp.target.subgroup_size > 0:
        for k in gp.unroll(range(sums.size)):
            here = sums[k]
            ahead += gp.select(k < group, here, 0)
            whole += here
    else:
        for k in range(gp.num_subgroups()):
            here = sums[k]
            ahead += gp.select(k < group, here, 0)
            whole += here
    return ahead, whole


def sum_of(x):
    """The sum of a vector's components."""
    return (x.x + x.y) + (x.z + x.w)


def publish(states, index, sum, flag):
    """Publish the sum of a tile; called by one subgroup."""
    lane, lanes = gp.subgroup_invocation_id(), subgroup_size()
    for word in gp.unroll(range(2)):
        if lane == gp.min(word, lanes - 1):
            half = (sum >> (16 * word)) & 0xFFFF
            gp.atomic_max(states, 2 * index + word, half | (u32(flag) << _SHIFT))


def sum_of_tile(source, index, size):
    """The sum of a tile of `size` vectors, by one subgroup."""
    first, total = index * size + gp.subgroup_invocation_id(), u32(0)
    for k in range(gp.div_trunc(size, subgroup_size())):
        total += gp.bitcast(u32, sum_of(source[first + k * subgroup_size()]))
    return gp.subgroup_add(total)


def look_back(states, source, index, size, patience):
    """The sum of all tiles before this one, by one subgroup."""
    lane, lanes = gp.subgroup_invocation_id(), subgroup_size()
    prefix = u32(0)
    at, looks = index - 1, 0
    while at >= 0:
        flag, value = u32(TOTAL), u32(0)  # before the first tile
        if at >= lane:
            low = gp.atomic_load(states, 2 * (at - lane))
            high = gp.atomic_load(states, 2 * (at - lane) + 1)
            flag = (low >> _SHIFT) if (low >> _SHIFT) == (high >> _SHIFT) else u32(0)
            value = (low & 0xFFFF) | (high << 16)
        missing = gp.subgroup_ballot(flag == 0)
        final = gp.subgroup_ballot(flag == TOTAL)
        ready, last = first_of(missing, lanes), first_of(final, lanes)
        taken = gp.min(ready, last + 1)
        prefix += gp.subgroup_add(value if lane < taken else u32(0))
        at = -1 if last < ready else at - taken
        if patience > 0:
            looks = looks + 1 if taken == 0 else 0
            if looks >= patience:
                publish(states, at, sum_of_tile(source, at, size), LOCAL)
                looks = 0
    return prefix


def first_of(mask, lanes):
    """The first lane whose bit is set, or `lanes`."""
    found = lanes
    if mask.x != 0:
        found = i32(gp.ctz(mask.x))
    elif lanes > 32 and mask.y != 0:
        found = 32 + i32(gp.ctz(mask.y))
    elif lanes > 64 and mask.z != 0:
        found = 64 + i32(gp.ctz(mask.z))
    elif lanes > 64 and mask.w != 0:
        found = 96 + i32(gp.ctz(mask.w))
    return found


@functools.cache
def make_scan(invocations, count, patience, lost=0):
    """A kernel whose tiles are `count` vectors for each invocation. `patience` 0: it waits for other workgroups.

    `lost`, for tests: every tile of which the number is a multiple publishes nothing; 0: all publish.
    """

    @kernel(workgroup_size=invocations, unchecked=True)
    def scan_once(source: In[V], rest: In[T], states: InOut[u32], target: Out[V], exclusive: Const[bool]):
        """`rest` is all of the array, `source` what is whole vectors of it. `states` has two words for each tile, and a
        ticket."""
        size = gp.target.subgroup_size
        sums = gp.workgroup_array(u32, (invocations + size - 1) // size if size > 0 else invocations)
        ticket = gp.workgroup_array(i32, 1)
        ahead_of_tile = gp.workgroup_array(u32, 1)
        lane, group, lanes = gp.subgroup_invocation_id(), gp.subgroup_id(), subgroup_size()
        x, edge = gp.private_array(V, count), gp.private_array(u32, count)  # the first or last sum of each vector
        tiles = gp.num_workgroups(0)
        if gp.local_id(0) == 0:
            ticket[0] = i32(gp.atomic_add(states, 2 * tiles, u32(1)))
        gp.barrier(buffers=False)
        index = gp.assume_uniform(ticket[0])
        base = index * (invocations * count) + group * (lanes * count) + lane
        load_vectors(x, source, rest, base, lanes, count)
        carry = u32(0)
        for k in gp.unroll(range(count)):
            own = gp.bitcast(u32, sum_of(x[k]))
            inclusive = gp.subgroup_inclusive_add(own)
            edge[k] = carry + inclusive - (own if exclusive else 0)
            carry += gp.subgroup_shuffle(inclusive, lanes - 1)
        if lane == 0:
            sums[group] = carry
        gp.barrier(buffers=False)
        ahead, whole = add_up(sums, group)
        if group == 0:
            is_lost = lost > 0 and index % gp.max(lost, 1) == 0
            if not is_lost:
                publish(states, index, whole, TOTAL if index == 0 else LOCAL)
            prefix = look_back(states, source, index, invocations * count, patience)
            if index > 0 and not is_lost:
                publish(states, index, prefix + whole, TOTAL)
            if lane == 0:
                ahead_of_tile[0] = prefix
        gp.barrier(buffers=False)
        ahead += ahead_of_tile[0]
        for k in gp.unroll(range(count)):
            if target.size - base > k * lanes:
                at = base + k * lanes
                edge_of_all = gp.bitcast(T, ahead + edge[k])
                if exclusive:
                    b = edge_of_all + x[k].x
                    c = b + x[k].y
                    target[at] = V(edge_of_all, b, c, c + x[k].z)
                else:  # from the last one, so that one component fewer is kept
                    c = edge_of_all - x[k].w
                    b = c - x[k].z
                    target[at] = V(b - x[k].y, b, c, edge_of_all)

    return scan_once
