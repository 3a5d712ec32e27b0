"""The kernels of reductions along the middle axis of an array of shape (outer, length, inner).

`rows` is for inner = 1: a workgroup combines a part of a row. Each invocation takes every W-th vector, with several
loads in flight, and combines those of a round in a tree; `gpucore.blocks` combines the invocations. In `columns` each
invocation combines a chunk of a column. Both write a value for each chunk, in the order (outer, chunk, inner), so that
a further pass combines the chunks of a long axis. The order of all steps is fixed, so floats are bit-equal from run to
run. `columns` and `runs` keep the order of the elements, for operators that do not commute.

`sums` is what `rows` is for CPUs. A core reads several places at once faster than one, as each is a stream to the
prefetcher of its cache; and an invocation has several sums side by side, so that no addition waits for the one before.
These are combined in a tree after some elements, so that few numbers are added one after the other.
"""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.blocks import reductions
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32

COLUMNS = 256  # invocations of a workgroup of `columns`


def tree(op, values, count):
    """The first `count` of an invocation's values, at most 32, combined in a tree, which uses them up."""
    for step in gp.unroll((1, 2, 4, 8, 16)):
        for k in gp.unroll(range(0, count - step, 2 * step)):
            values[k] = op(values[k], values[k + step])
    return values[0]


def part_of_row(number, chunk, chunks, length, step, strided):
    """Where the workgroup `number` of a row begins, how far it goes on each time, and its end.

    A chunk follows the other, or, `strided`, the workgroups take turns, with `step` vectors each: then those that run
    at the same time read neighbouring memory.
    """
    if strided:
        return number * step, chunks * step, length
    return number * chunk, step, number * chunk + gp.min(chunk, length - number * chunk)


@functools.lru_cache(maxsize=256)
def make_rows(steps, element, vector, result, width, invocations, loads, strided):
    """A kernel for arrays of `vector`, made of `width` elements; a value in workgroup memory is one of `steps.type`."""
    load, op, finish, start, value = steps.load, steps.op, steps.finish, steps.start, steps.type
    step = invocations * loads

    def joined(x):
        """The components of a vector, combined."""
        if width == 1:
            return load(x)
        return op(op(load(x.x), load(x.y)), op(load(x.z), load(x.w)))

    @kernel(workgroup_size=invocations, unchecked=True)
    def rows(
        x: In[vector], rest: In[element], out: Out[result], length: i32, chunk: i32, chunks: i32, left: i32, count: i32
    ):
        """Combine a chunk of a row of `length` vectors; `left` elements of `rest` are behind the last of them."""
        t, g = gp.local_id(0), gp.workgroup_id(0)
        row = g // chunks
        begin, further, end = part_of_row(g - row * chunks, chunk, chunks, length, step, strided)
        stop = row * length + end
        loaded, values = gp.private_array(vector, loads), gp.private_array(value, loads)
        own = value(start)
        for base in range(row * length + begin, stop, further):
            if stop - base >= step:
                for k in gp.unroll(range(loads)):
                    loaded[k] = x[base + t + k * invocations]
                for k in gp.unroll(range(loads)):
                    values[k] = joined(loaded[k])
                own = op(own, tree(op, values, loads))
            else:
                for k in range(t, stop - base, invocations):
                    own = op(own, joined(x[base + k]))
        if left > 0 and g - row * chunks == chunks - 1:
            for k in range(t, left, invocations):
                own = op(own, load(rest[rest.size - left + k]))
        total = reductions.reduce(op, own, None)
        if t == 0:
            out[g] = finish(total, count)

    return rows


@functools.lru_cache(maxsize=256)
def make_sums(steps, element, result, invocations, streams, loads, rounds):
    """A kernel of which each workgroup combines a chunk of a row, which it reads at `streams` places at once: an
    invocation has `loads` sums at each place, which are combined after `rounds` elements."""
    load, op, finish, start, value = steps.load, steps.op, steps.finish, steps.start, steps.type
    step, count_of_sums = invocations * loads, streams * loads

    @kernel(workgroup_size=invocations, unchecked=True)
    def sums(x: In[element], out: Out[result], length: i32, chunk: i32, chunks: i32, count: i32):
        t, g = gp.local_id(0), gp.workgroup_id(0)
        row = g // chunks
        begin, _, end = part_of_row(g - row * chunks, chunk, chunks, length, step, False)
        first, stop = row * length + begin, row * length + end
        part = gp.div_trunc(end - begin, streams * step) * step
        values = gp.private_array(value, count_of_sums)
        own = value(start)
        for block in range(first, first + part, step * rounds):
            for k in gp.unroll(range(count_of_sums)):
                values[k] = value(start)
            for base in range(block, block + gp.min(step * rounds, first + part - block), step):
                for k in gp.unroll(range(count_of_sums)):
                    at = base + k // loads * part + t + k % loads * invocations
                    values[k] = op(values[k], load(x[at]))
            own = op(own, tree(op, values, count_of_sums))
        rest = first + streams * part
        for k in range(t, stop - rest, invocations):
            own = op(own, load(x[rest + k]))
        total = reductions.reduce(op, own, None)
        if t == 0:
            out[g] = finish(total, count)

    return sums


@functools.lru_cache(maxsize=256)
def make_columns(steps, element, result):
    """A kernel of which each invocation combines a chunk of a column, in order."""
    load, op, finish = steps.load, steps.op, steps.finish

    @kernel(workgroup_size=COLUMNS, unchecked=True)
    def columns(x: In[element], out: Out[result], length: i32, inner: i32, chunk: i32, chunks: i32, count: i32):
        i = gp.global_id(0)
        if i < out.size:
            rest = gp.div_trunc(i, inner)
            row = gp.div_trunc(rest, chunks)
            first = (rest - row * chunks) * chunk
            stop = row * length + first + gp.min(chunk, length - first)
            begin, column = row * length + first, i - rest * inner
            total = load(x[begin * inner + column])
            for k in range(begin + 1, stop):
                total = op(total, load(x[k * inner + column]))
            out[i] = finish(total, count)

    return columns


@functools.lru_cache(maxsize=256)
def make_range(steps, invocations, run):
    """A helper with which a workgroup combines a range of elements, at least one, in order: each invocation combines a
    run of the elements of a tile."""
    load, op = steps.load, steps.op
    tile = invocations * run

    def combine_range(x, first, stop):
        t = gp.local_id(0)
        total = load(x[first])
        for base in range(first, stop, tile):
            size = gp.min(tile, stop - base)
            begin = base + gp.min(t * run, size - 1)
            own = load(x[begin])
            for k in range(begin + 1, begin + gp.min(run, base + size - begin)):
                own = op(own, load(x[k]))
            of_tile = reductions.reduce(op, own, gp.div_trunc(size + run - 1, run))
            total = of_tile if base == first else op(total, of_tile)
        return total

    return combine_range


@functools.lru_cache(maxsize=256)
def make_runs(steps, element, result, invocations, run):
    """A kernel that combines a chunk in order."""
    finish, combine_range = steps.finish, make_range(steps, invocations, run)

    @kernel(workgroup_size=invocations, unchecked=True)
    def runs(x: In[element], out: Out[result], chunk: i32, count: i32):
        first = gp.workgroup_id(0) * chunk
        total = combine_range(x, first, first + gp.min(chunk, x.size - first))
        if gp.local_id(0) == 0:
            out[gp.workgroup_id(0)] = finish(total, count)

    return runs
