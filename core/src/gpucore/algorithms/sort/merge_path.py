"""Kernels that merge two long sorted arrays, of equal elements those of the first array first.

The merge is a path through the grid of both arrays, a step along one of them for each element. All its points after
as many steps lie on a diagonal, on which binary search finds the path's. So the result is cut into parts of one size,
and each is merged for itself: `merge_tiles` has a workgroup for each, whose invocations have parts of it in turn, in
workgroup memory; `merge_runs` has an invocation for each.

Source: O. Green, R. McColl and D. Bader, "GPU merge path: a GPU merging algorithm" (2012).
"""

from __future__ import annotations

import functools
from typing import TypeVar

import gpucore.lang as gp
from gpucore.blocks.columns import pad, padded
from gpucore.blocks.keys import from_key, to_key
from gpucore.blocks.sorting import crossing_in_tile
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32

T = TypeVar("T")


def key_at(x, i):
    """The key of element i."""
    return to_key(x[i], x.dtype, False)


def crossing(a, b, diagonal):
    """How many of the first `diagonal` elements of the merge are of a."""
    low, high = gp.max(0, diagonal - b.size), gp.min(diagonal, a.size)
    while low < high:
        middle = low + ((high - low) >> 1)
        if key_at(a, middle) <= key_at(b, diagonal - 1 - middle):
            low = middle + 1
        else:
            high = middle
    return low


@functools.lru_cache(maxsize=16)
def make_tiles(key, invocations, run):
    """A kernel whose workgroups merge tiles of `run` elements for each invocation."""
    whole = invocations * run

    @kernel(workgroup_size=invocations, unchecked=True)
    def merge_tiles(a: In[T], b: In[T], target: Out[T]):
        tile = gp.workgroup_array(key, padded(whole))
        ends = gp.workgroup_array(i32, 2)
        keys = gp.private_array(key, run)
        t, first = gp.local_id(0), gp.workgroup_id(0) * whole
        size = gp.min(whole, target.size - first)
        if t < 2:
            ends[t] = crossing(a, b, first + t * size)
        gp.barrier(buffers=False)
        a_first = ends[0]
        count = gp.clamp(ends[1] - a_first, 0, size)  # the difference, if the arrays are in order
        for i in range(t, size, invocations):
            if i < count:
                tile[pad(i)] = key_at(a, a_first + i)
            else:
                tile[pad(i)] = key_at(b, first - a_first + i - count)
        gp.barrier(buffers=False)
        begin = gp.min(t * run, size)
        i = crossing_in_tile(tile, 0, count, size, begin)
        j = count + begin - i
        for k in gp.unroll(range(run)):
            if begin + k < size:
                is_of_a = i < count
                if is_of_a and j < size:
                    is_of_a = tile[pad(i)] <= tile[pad(j)]
                keys[k] = tile[pad(i if is_of_a else j)]
                if is_of_a:
                    i += 1
                else:
                    j += 1
        gp.barrier(buffers=False)
        for k in gp.unroll(range(run)):
            if begin + k < size:
                tile[pad(begin + k)] = keys[k]
        gp.barrier(buffers=False)
        for at in range(t, size, invocations):
            target[first + at] = from_key(tile[pad(at)], target.dtype, False)

    return merge_tiles


@kernel(workgroup_size=1, unchecked=True)
def merge_runs(a: In[T], b: In[T], target: Out[T], run: i32):
    """Each invocation merges a run of the result."""
    first = gp.global_id(0) * run
    stop = first + gp.min(run, target.size - first)
    i = crossing(a, b, first)
    j = first - i
    for k in range(first, stop):
        is_of_a = i < a.size
        if is_of_a and j < b.size:
            is_of_a = key_at(a, i) <= key_at(b, j)
        if is_of_a:
            target[k] = a[i]
            i += 1
        else:
            target[k] = b[j]
            j += 1
