"""The kernels that count elements in bins, and those that choose elements."""

from __future__ import annotations

import functools
from typing import TypeVar

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.calls import kernel
from gpucore.hints import In, InOut, Out, f32, i32, u32, u64
from gpucore.types import i32 as i32_
from gpucore.types import i64

T = TypeVar("T")
LOADS = 4  # in flight, of an invocation that counts


@kernel
def clear(x: Out[i32]):
    """Zeros."""
    i = gp.global_id(0)
    if i < x.size:
        x[i] = 0


def distance(value, low):
    """How far a value is above `low`, as an f32 with a small relative error."""
    if value.dtype in (i32_, u32):
        return f32(gp.bitcast(u32, value) - gp.bitcast(u32, low))
    if value.dtype in (i64, u64):
        return f32(gp.bitcast(u64, value) - gp.bitcast(u64, low))
    return f32(value - low)


def bin_of(value, edges, bins, scale):
    """The bin of a value, -1 if it is in none. The distance from the first edge gives a guess, which edges correct."""
    found = -1
    if value >= edges[0] and value <= edges[bins]:
        found = gp.clamp(i32(distance(value, edges[0]) * scale), 0, bins - 1)
        while found > 0 and value < edges[found]:
            found -= 1
        while found < bins - 1 and value >= edges[found + 1]:
            found += 1
    return found


@functools.lru_cache(maxsize=128)
def make_count(element, room, invocations, has_edges):
    """A kernel that counts elements in bins: in workgroup memory with room for as many bins, or with 0 in `counts`.

    Without edges, an element is the number of its bin.
    """

    def count_one(value, edges, bins, scale, own, counts):
        place = bin_of(value, edges, bins, scale) if has_edges else i32(value)
        if place >= 0 and place < bins:
            if room == 0:
                gp.atomic_add(counts, place, 1)
            elif invocations == 1:
                own[place] += 1
            else:
                gp.atomic_add(own, place, 1)

    @kernel(workgroup_size=invocations)
    def count(x: In[element], edges: In[element], counts: InOut[i32], chunk: i32, bins: i32, scale: f32):
        own = gp.workgroup_array(i32, room if room > 0 else 1)
        t = gp.local_id(0)
        first = gp.workgroup_id(0) * chunk
        stop = first + gp.min(chunk, x.size - first)
        if room > 0:
            for k in range(t, bins, invocations):
                own[k] = 0
            gp.barrier()
        values = gp.private_array(element, LOADS)
        for base in range(first, stop, LOADS * invocations):
            if stop - base >= LOADS * invocations:
                for k in gp.unroll(range(LOADS)):
                    values[k] = x[base + t + k * invocations]
                for k in gp.unroll(range(LOADS)):
                    count_one(values[k], edges, bins, scale, own, counts)
            else:
                for k in range(t, stop - base, invocations):
                    count_one(x[base + k], edges, bins, scale, own, counts)
        if room > 0:
            gp.barrier()
            for k in range(t, bins, invocations):
                if own[k] != 0:
                    gp.atomic_add(counts, k, own[k])

    return count


@functools.lru_cache(maxsize=128)
def make_choose(element, mask, indices, invocations, run):
    """A kernel that stores the elements of a chunk whose mask is not 0, or their indices, in their order."""
    whole = invocations * run

    @kernel(workgroup_size=invocations, unchecked=True)
    def choose(x: In[element], chosen: In[mask], ends: In[i32], out: Out[i32 if indices else element], chunk: i32):
        """`ends` has the place behind the last element of each chunk."""
        flags = gp.private_array(u32, run)
        t, g = gp.local_id(0), gp.workgroup_id(0)
        first = g * chunk
        stop = first + gp.min(chunk, x.size - first)
        place = 0
        if g > 0:
            place = ends[g - 1]
        for base in range(first, stop, whole):
            begin = base + gp.min(t * run, stop - base)
            size = gp.min(run, stop - begin)
            own = 0
            for k in gp.unroll(range(run)):
                flags[k] = 0
                if k < size and chosen[begin + k] != mask(0):
                    flags[k] = 1
                    own += 1
            before, total = reductions.scan(reductions.add, own, 0, True, None)
            at = place + before
            for k in gp.unroll(range(run)):
                if flags[k] != 0:
                    out[at] = begin + k if indices else x[begin + k]
                    at += 1
            place += total

    return choose
