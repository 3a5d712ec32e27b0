"""The kernels of products of a matrix and a vector, and of two vectors.

In `matvec_rows` a group of invocations combines rows: a part of a subgroup for short rows, a workgroup for long ones.
It reads vectors of neighbouring elements, several at once, each vector of x for all of its rows. A long row is split
into chunks. In `matvec_columns` neighbouring invocations combine neighbouring columns, so that rows are read as they
lie in memory; the other invocations of the workgroup, and other workgroups, combine other rows. The chunks are added up
by a reduction. The order of all steps is fixed, so floats are bit-equal from run to run.
"""

from __future__ import annotations

import functools

import gpucore.lang as gp
from gpucore.algorithms.reduce.kernels import part_of_row, tree
from gpucore.blocks import reductions
from gpucore.calls import kernel
from gpucore.hints import In, Out, i32

_DISTANCES = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
"""Between invocations whose values are added, down to neighbours."""


def add_in_memory(value, lane, lanes):
    """The values of groups of `lanes` invocations, a power of two; the sum is in the first of each."""
    t = gp.local_id(0)
    values = gp.workgroup_array(value.dtype, gp.workgroup_size(0))
    values[t] = value
    gp.barrier()
    for distance in gp.unroll(_DISTANCES):
        if distance < lanes:
            if lane < distance:
                values[t] = values[t] + values[t + distance]
            gp.barrier()
    return values[t]


def add_in_subgroup(value, lanes):
    """As `add_in_memory`, of groups that are parts of subgroups."""
    total = value
    for distance in gp.unroll(_DISTANCES):
        if distance < lanes:
            total += gp.subgroup_shuffle_xor(total, distance)
    return total


def add_group(value, lane, lanes, is_shuffled):
    """The sum of a group of `lanes` invocations, in the first of them."""
    if lanes == 1:
        return value
    if is_shuffled:
        return add_in_subgroup(value, lanes)
    if lanes == gp.workgroup_size(0):
        return reductions.reduce(reductions.add, value, None)
    total = add_in_memory(value, lane, lanes)
    gp.barrier()
    return total


@functools.lru_cache(maxsize=256)
def make_rows(kinds, lanes, groups, own, loads, is_strided, is_shuffled):
    """A kernel of which each workgroup has `groups` groups of `lanes` invocations, with `own` rows each.

    `kinds` are the types of an element, of a vector of them, of the sum of an element and of that of a vector, and of
    what is stored.
    """
    element, vector, total, wide, result = kinds
    width, step = vector.width, lanes * loads

    def joined(x):
        """The components of a vector, added."""
        return x if width == 1 else (x.x + x.y) + (x.z + x.w)

    @kernel(workgroup_size=lanes * groups, unchecked=True)
    def matvec_rows(
        a: In[vector], x: In[vector], rest_a: In[element], rest_x: In[element], out: Out[result], rows: i32,
        length: i32, chunk: i32, chunks: i32, left: i32,
    ):  # fmt: skip
        """The products of x and chunks of rows of `length` vectors; behind the last vector of an only row, for which
        `own` is 1, are `left` elements of `rest_a` and `rest_x`."""
        t, g = gp.local_id(0), gp.workgroup_id(0)
        tile = g // chunks
        part, lane = g - tile * chunks, t % lanes
        row = tile * (groups * own) + t // lanes
        begin, further, end = part_of_row(part, chunk, chunks, length, step, is_strided)
        starts, sums = gp.private_array(i32, own), gp.private_array(wide, own)
        factors, loaded = gp.private_array(vector, loads), gp.private_array(vector, own * loads)
        products = gp.private_array(wide, loads)
        for r in gp.unroll(range(own)):
            starts[r] = gp.min(row + r * groups, rows - 1) * length + lane  # beyond the last row that one is read
            sums[r] = wide(0)
        for base in range(begin, end, further):
            if end - base >= step:
                for k in gp.unroll(range(loads)):
                    factors[k] = x[base + lane + k * lanes]
                for k in gp.unroll(range(own * loads)):
                    loaded[k] = a[starts[k // loads] + base + k % loads * lanes]
                for r in gp.unroll(range(own)):
                    for k in gp.unroll(range(loads)):
                        products[k] = wide(loaded[r * loads + k]) * wide(factors[k])
                    sums[r] += tree(reductions.add, products, loads)
            else:
                for k in range(base, end - lane, lanes):
                    factor = wide(x[k + lane])
                    for r in gp.unroll(range(own)):
                        sums[r] += wide(a[starts[r] + k]) * factor
        for r in gp.unroll(range(own)):
            value = joined(sums[r])
            if own == 1 and left > 0 and part == chunks - 1 and lane == 0:
                for k in range(left):
                    value += total(rest_a[rest_a.size - left + k]) * total(rest_x[rest_x.size - left + k])
            value = add_group(value, lane, lanes, is_shuffled)
            if lane == 0 and row + r * groups < rows:
                out[(row + r * groups) * chunks + part] = result(value)

    return matvec_rows


@functools.lru_cache(maxsize=256)
def make_columns(kinds, across, down, own, loads):
    """A kernel whose workgroups have `across` invocations side by side, with `own` vectors of columns each, for every
    `down`-th row.

    `kinds` are the types of an element, of a vector of them, of the sums of both, and of the vector that is stored.
    """
    element, vector, total, wide, result = kinds
    step = down * loads

    @kernel(workgroup_size=across * down, unchecked=True)
    def matvec_columns(
        a: In[vector], x: In[element], out: Out[result], rows: i32, columns: i32, chunk: i32, strips: i32
    ):
        """The products of chunks of rows and of x, for rows of `columns` vectors."""
        t, g = gp.local_id(0), gp.workgroup_id(0)
        part = g // strips
        first, d = (g - part * strips) * (across * own) + t % across, t // across
        begin = part * chunk
        end = begin + gp.min(chunk, rows - begin)
        places, sums = gp.private_array(i32, own), gp.private_array(wide, own)
        factors, loaded = gp.private_array(element, loads), gp.private_array(vector, own * loads)
        products = gp.private_array(wide, loads)
        for c in gp.unroll(range(own)):
            places[c] = gp.min(first + c * across, columns - 1)  # beyond the last column that one is read
            sums[c] = wide(0)
        for base in range(begin, end, step):
            if end - base >= step:
                for k in gp.unroll(range(loads)):
                    factors[k] = x[base + d + k * down]
                for k in gp.unroll(range(own * loads)):
                    loaded[k] = a[(base + d + k % loads * down) * columns + places[k // loads]]
                for c in gp.unroll(range(own)):
                    for k in gp.unroll(range(loads)):
                        products[k] = wide(loaded[c * loads + k]) * wide(total(factors[k]))
                    sums[c] += tree(reductions.add, products, loads)
            else:
                for row in range(base + d, end, down):
                    factor = wide(total(x[row]))
                    for c in gp.unroll(range(own)):
                        sums[c] += wide(a[row * columns + places[c]]) * factor
        for c in gp.unroll(range(own)):
            value = sums[c]
            if down > 1:
                value = add_down(value, t, across, down)
            if d == 0 and first + c * across < columns:
                out[part * columns + first + c * across] = result(value)

    return matvec_columns


def add_down(value, t, across, down):
    """The values of invocations `across` apart, added; the sum is in the first `across` ones."""
    values = gp.workgroup_array(value.dtype, across * down)
    values[t] = value
    gp.barrier()
    for distance in gp.unroll(_DISTANCES):
        if distance < down:
            if t < distance * across:
                values[t] = values[t] + values[t + distance * across]
            gp.barrier()
    total = values[t]
    gp.barrier()
    return total


@functools.lru_cache(maxsize=64)
def make_outer(element, vector, across, down):
    """A kernel that multiplies each element of x and each vector of y, in workgroups of rows of `across` vectors."""

    @kernel(workgroup_size=(across, down))
    def outer(x: In[element], y: In[vector], out: Out[vector, 2]):
        i, j = gp.global_id(1), gp.global_id(0)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = vector(x[i]) * y[j]

    return outer
