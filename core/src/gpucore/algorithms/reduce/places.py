"""The first places of the smallest or largest elements: argmin and argmax.

Elements are compared by keys, unsigned integers of which the smallest is wanted, so that the order is total: 0 is that
of every NaN, and -0.0 has the key of 0.0. A pass writes the smallest key of each chunk and its place; a second one
compares chunks.
"""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.algorithms.plans import Plan
from gpucore.algorithms.reduce.kernels import COLUMNS, part_of_row
from gpucore.algorithms.reduce.launches import Extent, Launch, Planner, make_plan
from gpucore.algorithms.reduce.steps import steps_of
from gpucore.blocks import reductions
from gpucore.blocks.keys import ascending_key
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32
from gpucore.types import DType, f16, f32, f64, i64, u32, u64
from gpucore.types import i32 as i32_

_LAST = (1 << 31) - 1  # above every place
_MERGED = 128  # invocations of a workgroup that compares chunks


def float_key(bits, sign, infinity):
    """The key of a float by its bits, unsigned, of which `sign` is that of the sign."""
    magnitude = bits & ~sign
    if magnitude > infinity:
        return bits.dtype(0)
    if magnitude == 0:
        return sign
    return ~bits if (bits & sign) != 0 else bits | sign


@functools.lru_cache(maxsize=64)
def place_key(dtype, is_min):
    """A function from an element to its key."""
    wide = reductions.accumulator(dtype)

    def of_float(x):
        key = float_key(gp.bitcast(u32, f32(x)), u32(0x80000000), u32(0x7F800000))
        return key if is_min or key == 0 else ~key

    def of_double(x):
        key = float_key(gp.bitcast(u64, x), u64(0x8000000000000000), u64(0x7FF0000000000000))
        return key if is_min or key == 0 else ~key

    def of_integer(x):
        key = ascending_key(wide(x), wide)
        return key if is_min else ~key

    return of_double if dtype is f64 else of_float if dtype in (f16, f32) else of_integer


def store_first(key, place, keys, out, at):
    """Store the smallest key of the workgroup's invocations, and the least of its places."""
    least = reductions.reduce(gp.min, key, None)
    first = reductions.reduce(gp.min, place if key == least else _LAST, None)
    if gp.local_id(0) == 0:
        keys[at] = least
        out[at] = first


@functools.lru_cache(maxsize=128)
def make_rows(load, element, vector, key, width, invocations, loads, strided):
    """A kernel for arrays of `vector`, made of `width` elements."""
    step = invocations * loads

    def improved(x, at, least, place):
        """The smaller of a vector's keys and the least key before, and its place."""
        for c in gp.unroll(range(width)):
            own = load(x if width == 1 else x[c])
            if own < least:
                least = own
                place = at * width + c
        return least, place

    @kernel(workgroup_size=invocations, unchecked=True)
    def first_of_rows(
        x: In[vector], rest: In[element], keys: Out[key], out: Out[i32], length: i32, chunk: i32, chunks: i32, left: i32
    ):
        t, g = gp.local_id(0), gp.workgroup_id(0)
        row = g // chunks
        first, further, stop = part_of_row(g - row * chunks, chunk, chunks, length, step, strided)
        begin = row * length
        loaded = gp.private_array(vector, loads)
        own_first = first + gp.clamp(stop - first - 1, 0, t)  # of an invocation without elements, that of another one
        least, place = gp.max_value(key), own_first * width
        for base in range(first, stop, further):
            if stop - base >= step:
                for k in gp.unroll(range(loads)):
                    loaded[k] = x[begin + base + t + k * invocations]
                for k in gp.unroll(range(loads)):
                    least, place = improved(loaded[k], base + t + k * invocations, least, place)
            else:
                for k in range(t, stop - base, invocations):
                    least, place = improved(x[begin + base + k], base + k, least, place)
        if left > 0 and g - row * chunks == chunks - 1:
            for k in range(t, left, invocations):
                own = load(rest[rest.size - left + k])
                if own < least:
                    least = own
                    place = rest.size - left + k
        store_first(least, place, keys, out, g)

    return first_of_rows


@functools.lru_cache(maxsize=128)
def make_columns(load, element, key):
    """A kernel of which each invocation searches a chunk of a column."""

    @kernel(workgroup_size=COLUMNS, unchecked=True)
    def first_of_columns(
        x: In[element], keys: Out[key], out: Out[i32], length: i32, inner: i32, chunk: i32, chunks: i32
    ):
        i = gp.global_id(0)
        if i < out.size:
            rest = gp.div_trunc(i, inner)
            row = gp.div_trunc(rest, chunks)
            first = (rest - row * chunks) * chunk
            begin, column = row * length, i - rest * inner
            least, place = load(x[(begin + first) * inner + column]), first
            for k in range(first + 1, first + gp.min(chunk, length - first)):
                own = load(x[(begin + k) * inner + column])
                if own < least:
                    least = own
                    place = k
            keys[i] = least
            out[i] = place

    return first_of_columns


@functools.lru_cache(maxsize=16)
def make_merge(key, invocations):
    """A kernel of which each workgroup compares the chunks of one row or column."""

    @kernel(workgroup_size=invocations, unchecked=True)
    def first_of_chunks(keys: In[key], places: In[i32], least_keys: Out[key], out: Out[i32], chunks: i32, inner: i32):
        t, g = gp.local_id(0), gp.workgroup_id(0)
        row = gp.div_trunc(g, inner)
        begin = row * chunks * inner + g - row * inner
        least, place = gp.max_value(key), i32(_LAST)
        for k in range(t, chunks, invocations):
            own, there = keys[begin + k * inner], places[begin + k * inner]
            if own < least or (own == least and there < place):
                least = own
                place = there
        store_first(least, place, least_keys, out, g)

    return first_of_chunks


def plan_places(planner: Planner, extent: Extent, element: DType, is_min: bool, shape: tuple[int, ...]) -> Plan:
    """The passes for an array that is not empty; the result has the shape `shape`."""
    key: DType = u64 if element in (f64, i64, u64) else u32
    load, length, chunk = place_key(element, is_min), extent.length, planner.chunk_of(extent, _STEPS)
    chunks = -(-length // chunk)
    size = extent.outer * chunks * extent.inner
    if planner.is_rows(extent, _STEPS):
        vector, left = planner.vector_of(extent, chunk, element)
        strided = chunks > 1 and planner.takes_turns(chunk)
        rows = make_rows(load, element, vector, key, vector.width, planner.invocations, planner.shape.loads, strided)
        sizes = length // vector.width, -(-chunk // vector.width), chunks, left
        launches = [Launch(rows, sizes, {"workgroups": size}, size, (key, i32_), vector, left)]
    else:
        columns = make_columns(load, element, key)
        launches = [Launch(columns, (length, extent.inner, chunk, chunks), {"invocations": size}, size, (key, i32_))]
    if chunks > 1:
        merge = make_merge(key, min(_MERGED, planner.invocations))
        count = extent.outer * extent.inner
        launches.append(Launch(merge, (chunks, extent.inner), {"workgroups": count}, count, (key, i32_)))
    return make_plan(launches, shape, i32_, element)


_STEPS = steps_of("max", u32, u32)
"""Steps of which passes have the same chunks."""

__all__ = ["plan_places"]
