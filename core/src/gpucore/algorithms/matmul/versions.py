"""Versions of the matrix product, from the slowest to the fastest. Each is correct for every shape.

All compute c = a @ b over the range [first, last) of the inner dimension; if first > 0, they add to the contents of c,
so that a long inner dimension can be split over several dispatches. f16 and bf16 are summed in f32 within a dispatch.
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.algorithms.matmul.finish import Finish, finished
from gpucore.blocks.matrices.products import sum_type
from gpucore.calls import kernel
from gpucore.hints import Const, In, InOut, Out, bf16, f16, f32, f64, i32, i64, u32, u64

T = TypeVar("T", f32, i32, u32, f16, bf16, f64, i64, u64)
S = TypeVar("S", f32, i32, u32, f64, i64, u64)
SIDE = 16
PER_INVOCATION = 4
ADDED, ADDERS, AHEAD = 32, 8, 4
"""Entries that a workgroup adds up, invocations for each, and parts that one loads at once."""


def range_of_part(part, length, inner):
    """The range of the inner dimension that a part of `length` has."""
    first = part * length
    return first, gp.min(first + length, inner)


def begin(c, i, j, first, total):
    """The initial value of the sum of an entry."""
    start = total(0)
    if first > 0:
        start = total(c[i, j])
    return start


def dot_row(a, b, c, i, j, first, last):
    """One entry of the product."""
    total = sum_type(c.dtype)
    value = begin(c, i, j, first, total)
    for k in range(first, last):
        value += total(a[i, k]) * total(b[k, j])
    return value


@kernel(workgroup_size=1)
def naive(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """A workgroup of a single invocation for each entry: most of a GPU is idle."""
    i, j = gp.workgroup_id(1), gp.workgroup_id(0)
    c[i, j] = T(dot_row(a, b, c, i, j, first, last))


@kernel(workgroup_size=256)
def workgroup_256(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """A workgroup computes 256 entries that are contiguous in memory."""
    entry = gp.global_id(0)
    if entry < c.size:
        i, j = entry // c.shape[1], entry % c.shape[1]
        c[i, j] = T(dot_row(a, b, c, i, j, first, last))


@kernel(workgroup_size=(SIDE, SIDE))
def workgroup_2d(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """Square workgroups: invocations share rows of a and columns of b in the cache."""
    i, j = gp.global_id(1), gp.global_id(0)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = T(dot_row(a, b, c, i, j, first, last))


def block(a, b, c, row, column, rows, columns, first, last):
    """rows x columns entries of the product in registers; entries beyond the edges are skipped."""
    total = sum_type(c.dtype)
    sums = gp.private_array(total, (rows, columns))
    for i in gp.unroll(range(rows)):
        for j in gp.unroll(range(columns)):
            if row + i < c.shape[0] and column + j < c.shape[1]:
                sums[i, j] = begin(c, row + i, column + j, first, total)
    for k in range(first, last):
        right = gp.private_array(total, columns)
        for j in gp.unroll(range(columns)):
            if column + j < c.shape[1]:
                right[j] = total(b[k, column + j])
        for i in gp.unroll(range(rows)):
            if row + i < c.shape[0]:
                left = total(a[row + i, k])
                for j in gp.unroll(range(columns)):
                    sums[i, j] += left * right[j]
    for i in gp.unroll(range(rows)):
        for j in gp.unroll(range(columns)):
            if row + i < c.shape[0] and column + j < c.shape[1]:
                c[row + i, column + j] = T(sums[i, j])


@kernel(workgroup_size=(SIDE, SIDE))
def tiling_1d(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """1 x 4 entries for each invocation: an element of a is loaded once for four products."""
    block(a, b, c, gp.global_id(1), gp.global_id(0) * PER_INVOCATION, 1, PER_INVOCATION, first, last)


@kernel(workgroup_size=(SIDE, SIDE))
def tiling_2d(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """4 x 4 entries for each invocation: elements of a and b are loaded once for four products each."""
    row, column = gp.global_id(1) * PER_INVOCATION, gp.global_id(0) * PER_INVOCATION
    block(a, b, c, row, column, PER_INVOCATION, PER_INVOCATION, first, last)


def finish_entry(value, c, i, j, finish, bias, alpha, beta):
    """What is stored at a row and a column."""
    total = value.dtype
    before, added = total(0), total(0)
    if finish.has_before:
        before = total(c[i, j])
    if finish.has_bias:
        added = total(bias[0, j])
    return finished(value, before, added, alpha, beta, finish)


def tile_by_tile(a, b, c, first, last, finish, bias, alpha, beta, adds):
    """One entry, by tiles of a and b in workgroup memory."""
    total = sum_type(c.dtype)
    left = gp.workgroup_array(a.dtype, (SIDE, SIDE))
    right = gp.workgroup_array(a.dtype, (SIDE, SIDE))
    x, y = gp.local_id(0), gp.local_id(1)
    i, j = gp.global_id(1), gp.global_id(0)
    inside = i < c.shape[0] and j < c.shape[1]
    value = total(0)
    if adds and inside:
        value = begin(c, i, j, first, total)
    for k in range(first, last, SIDE):
        left[y, x] = a[i, k + x] if i < c.shape[0] and k + x < last else a.dtype(0)
        right[y, x] = b[k + y, j] if k + y < last and j < c.shape[1] else a.dtype(0)
        gp.barrier()
        for step in gp.unroll(range(SIDE)):
            value += total(left[y, step]) * total(right[step, x])
        gp.barrier()
    if inside:
        if finish is not None:
            value = finish_entry(value, c, i, j, finish, bias, alpha, beta)
        c[i, j] = c.dtype(value)


@kernel(workgroup_size=(SIDE, SIDE), unchecked=True)  # all indices are in range: loads and stores are guarded
def shared_tile(a: In[T, 2], b: In[T, 2], c: InOut[T, 2], first: i32, last: i32):
    """Tiles of a and b in workgroup memory: a workgroup reads each element from the buffer once."""
    tile_by_tile(a, b, c, first, last, None, None, None, None, True)


@kernel(workgroup_size=(SIDE, SIDE), unchecked=True)
def shared_tile_finished(
    a: In[T, 2], b: In[T, 2], c: InOut[T, 2], bias: In[T, 2], alpha: S, beta: S, last: i32, finish: Const[Finish],
):  # fmt: skip
    """As `shared_tile`, with the finish of all sums."""
    tile_by_tile(a, b, c, 0, last, finish, bias, alpha, beta, False)


@kernel(workgroup_size=(SIDE, SIDE), unchecked=True)
def shared_tile_parts(a: In[T, 2], b: In[T, 2], sums: Out[S, 3], length: i32):
    """As `shared_tile`, for parts of the inner dimension, each of `length`: sums[p] is the product over part p."""
    part = gp.workgroup_id(2)
    first, last = range_of_part(part, length, a.shape[1])
    tile_by_tile(a, b, sums[part], first, last, None, None, None, None, False)


@kernel(workgroup_size=(ADDED, ADDERS), unchecked=True)
def add_parts(sums: In[S, 3], c: InOut[T, 2], bias: In[T, 2], alpha: S, beta: S, finish: Const[Finish]):
    """The sum of the products over parts of the inner dimension, and its finish.

    An invocation adds up every `ADDERS`-th part, `AHEAD` of which it loads at once, and one of each column the rest."""
    entry, adder = gp.global_id(0), gp.local_id(1)
    inside = gp.min(entry, c.size - 1)
    i, j = inside // c.shape[1], inside % c.shape[1]
    own = gp.workgroup_array(S, (ADDERS, ADDED))
    total = S(0)
    for first in range(adder, sums.shape[0], ADDERS * AHEAD):
        loaded = gp.private_array(S, AHEAD)
        for n in gp.unroll(range(AHEAD)):
            loaded[n] = sums[gp.min(first + n * ADDERS, sums.shape[0] - 1), i, j]
        for n in gp.unroll(range(AHEAD)):
            if first + n * ADDERS < sums.shape[0]:
                total += loaded[n]
    own[adder, gp.local_id(0)] = total
    gp.barrier(buffers=False)
    if adder == 0 and entry < c.size:
        for n in gp.unroll(range(1, ADDERS)):
            total += own[n, gp.local_id(0)]
        c[i, j] = c.dtype(finish_entry(total, c, i, j, finish, bias, alpha, beta))
