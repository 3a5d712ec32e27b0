"""Kernels without a bug, of the kinds in which a careless checker would see one."""

from __future__ import annotations

import numpy as np
from gallery import Gallery

import gpucore as gp

GALLERY = Gallery()
RANDOM = np.random.default_rng(7)


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype("f4")


def integers(n: int, below: int = 100) -> np.ndarray:
    return RANDOM.integers(0, below, n).astype("i4")


def zeros(*shape: int, dtype: str = "f4") -> np.ndarray:
    return np.zeros(shape, dtype)


@GALLERY.case(lambda: (2.0, numbers(50), numbers(50)), invocations=50)
@gp.kernel(workgroup_size=16)
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@GALLERY.case(lambda: (numbers(60), zeros(4)), invocations=64)
@gp.kernel(workgroup_size=16)
def tree_reduction(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 16)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l] = x[i] if i < x.size else 0.0
    stride = 8
    while stride > 0:
        gp.barrier()
        if l < stride:
            tile[l] += tile[l + stride]
        stride //= 2
    if l == 0:
        total[gp.workgroup_id(0)] = tile[0]


@GALLERY.case(lambda: (numbers(100), zeros(1, dtype="i4")), invocations=32)
@gp.kernel(workgroup_size=16)
def grid_stride_count(x: gp.In[gp.f32], count: gp.InOut[gp.i32]):
    own = gp.i32(0)
    i = gp.global_id(0)
    while i < x.size:
        if x[i] > 0.0:
            own += 1
        i += gp.num_workgroups(0) * 16
    gp.atomic_add(count, 0, own)


@GALLERY.case(lambda: (numbers(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def scan_with_two_barriers(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 16)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    for step in range(4):
        gp.barrier()
        before = tile[l - (1 << step)] if l >= (1 << step) else 0.0
        gp.barrier()
        tile[l] += before
    y[gp.global_id(0)] = tile[l]


@GALLERY.case(lambda: (numbers(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def scan_with_double_buffer(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The halves of one array take turns."""
    tile = gp.workgroup_array(gp.f32, 32)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    here = 0
    for step in range(4):
        gp.barrier()
        there = 16 - here
        value = tile[here + l]
        if l >= (1 << step):
            value += tile[here + l - (1 << step)]
        tile[there + l] = value
        here = there
    y[gp.global_id(0)] = tile[here + l]


@GALLERY.case(lambda: (numbers(16, 24), numbers(24, 8), zeros(16, 8)), invocations=(8, 16))
@gp.kernel(workgroup_size=(8, 8))
def tiled_matmul(a: gp.In[gp.f32, 2], b: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2]):
    left = gp.workgroup_array(gp.f32, (8, 8))
    right = gp.workgroup_array(gp.f32, (8, 8))
    column, row = gp.local_id(0), gp.local_id(1)
    total = gp.f32(0)
    for step in range(a.shape[1] // 8):
        left[row, column] = a[gp.global_id(1), step * 8 + column]
        right[row, column] = b[step * 8 + row, gp.global_id(0)]
        gp.barrier()
        for k in range(8):
            total += left[row, k] * right[k, column]
        gp.barrier()
    c[gp.global_id(1), gp.global_id(0)] = total


@GALLERY.case(lambda: (integers(100, 8), zeros(8, dtype="i4")), invocations=100)
@gp.kernel(workgroup_size=16)
def histogram_in_two_levels(x: gp.In[gp.i32], bins: gp.InOut[gp.i32]):
    counts = gp.workgroup_array(gp.i32, 8)
    i, l = gp.global_id(0), gp.local_id(0)
    if l < 8:
        counts[l] = 0
    gp.barrier()
    if i < x.size:
        gp.atomic_add(counts, x[i], 1)
    gp.barrier()
    if l < 8:
        gp.atomic_add(bins, l, counts[l])


@GALLERY.case(lambda: (numbers(12, 20), zeros(20, 12)), invocations=(20, 12))
@gp.kernel(workgroup_size=(8, 8))
def transpose_through_tile(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    tile = gp.workgroup_array(gp.f32, (8, 9))
    column, row = gp.global_id(0), gp.global_id(1)
    if row < x.shape[0] and column < x.shape[1]:
        tile[gp.local_id(1), gp.local_id(0)] = x[row, column]
    gp.barrier()
    to_column = gp.workgroup_id(1) * 8 + gp.local_id(0)
    to_row = gp.workgroup_id(0) * 8 + gp.local_id(1)
    if to_row < y.shape[0] and to_column < y.shape[1]:
        y[to_row, to_column] = tile[gp.local_id(0), gp.local_id(1)]


@GALLERY.case(lambda: (numbers(30), zeros(30)), invocations=30)
@gp.kernel(workgroup_size=8)
def stencil_with_halo(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 10)
    i, l = gp.global_id(0), gp.local_id(0)
    last = x.size - 1
    tile[l + 1] = x[gp.min(i, last)]
    if l == 0:
        tile[0] = x[gp.max(i - 1, 0)]
    if l == 7:
        tile[9] = x[gp.min(i + 1, last)]
    gp.barrier()
    if i < x.size:
        y[i] = 0.25 * tile[l] + 0.5 * tile[l + 1] + 0.25 * tile[l + 2]


@GALLERY.case(lambda: (numbers(16),), workgroups=1)
@gp.kernel(workgroup_size=16)
def exchange_through_a_buffer(x: gp.InOut[gp.f32]):
    """A barrier orders storage within a workgroup, too."""
    l = gp.local_id(0)
    for _ in range(3):
        mine = x[l]
        other = x[(l + 1) % 16]
        gp.barrier()
        x[l] = 0.5 * (mine + other)
        gp.barrier()


@GALLERY.case(lambda: (integers(32),), invocations=16)
@gp.kernel(workgroup_size=16)
def bitonic_sort(x: gp.InOut[gp.i32]):
    tile = gp.workgroup_array(gp.i32, 32)
    l = gp.local_id(0)
    tile[l] = x[l]
    tile[l + 16] = x[l + 16]
    size = 2
    while size <= 32:
        stride = size // 2
        while stride > 0:
            gp.barrier()
            low = 2 * l - (l % stride)
            high = low + stride
            a, b = tile[low], tile[high]
            rising = low % (2 * size) < size
            if (a > b) == rising:
                tile[low] = b
                tile[high] = a
            stride //= 2
        size *= 2
    gp.barrier()
    x[l] = tile[l]
    x[l + 16] = tile[l + 16]


@GALLERY.case(lambda: (numbers(12, 12), zeros(12, 12)), invocations=(12, 12))
@gp.kernel(workgroup_size=(4, 4))
def five_point_stencil(x: gp.In[gp.f32, 2], y: gp.InOut[gp.f32, 2]):
    """The border keeps its values, so y is an InOut."""
    column, row = gp.global_id(0), gp.global_id(1)
    if 0 < row < x.shape[0] - 1 and 0 < column < x.shape[1] - 1:
        around = x[row - 1, column] + x[row + 1, column] + x[row, column - 1] + x[row, column + 1]
        y[row, column] = 0.25 * around


@GALLERY.case(lambda: (integers(40), zeros(1, dtype="i4"), zeros(1, dtype="i4")), invocations=40)
@gp.kernel(workgroup_size=8)
def extremes_by_atomics(x: gp.In[gp.i32], least: gp.InOut[gp.i32], greatest: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_min(least, 0, x[i])
        gp.atomic_max(greatest, 0, x[i])


@GALLERY.case(lambda: (numbers(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=8)
def broadcast_with_barrier(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    mean = gp.workgroup_array(gp.f32, 1)
    if gp.local_id(0) == 0:
        sum = gp.f32(0)
        for k in range(8):
            sum += x[gp.workgroup_id(0) * 8 + k]
        mean[0] = sum / 8.0
    gp.barrier()
    y[gp.global_id(0)] = x[gp.global_id(0)] - mean[0]


@GALLERY.case(lambda: (integers(64), zeros(1, dtype="i4")), invocations=64)
@gp.kernel(workgroup_size=16)
def flag_set_by_atomic(x: gp.In[gp.i32], found: gp.InOut[gp.i32]):
    if x[gp.global_id(0)] > 50:
        gp.atomic_store(found, 0, 1)


@GALLERY.case(
    lambda: (np.array([0, 2, 2, 5, 6], "i4"), integers(6, 5), numbers(6), numbers(5), zeros(4)), invocations=4
)
@gp.kernel(workgroup_size=4)
def sparse_rows(first: gp.In[gp.i32], column: gp.In[gp.i32], value: gp.In[gp.f32], x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    row = gp.global_id(0)
    if row < y.size:
        sum = gp.f32(0)
        for k in range(first[row], first[row + 1]):
            sum += value[k] * x[column[k]]
        y[row] = sum


@GALLERY.case(lambda: (zeros(8, 10, dtype="i4"),), invocations=(10, 8), nan=True, overflow=True)
@gp.kernel(workgroup_size=(4, 4))
def mandelbrot(steps: gp.Out[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < steps.shape[0] and column < steps.shape[1]:
        cx = gp.f32(column) * 0.3 - 2.0
        cy = gp.f32(row) * 0.3 - 1.2
        x, y = gp.f32(0), gp.f32(0)
        count = 0
        while count < 20 and x * x + y * y < 4.0:
            x, y = x * x - y * y + cx, 2.0 * x * y + cy
            count += 1
        steps[row, column] = count


@GALLERY.case(lambda: (integers(64), zeros(4, dtype="i4")), invocations=64, overflow=True)
@gp.kernel(workgroup_size=16)
def hash_wraps_on_purpose(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    """Unsigned arithmetic wraps, and is meant to."""
    value = gp.u32(x[gp.global_id(0)])
    value = (value ^ (value >> 16)) * 0x85EBCA6B
    value = (value ^ (value >> 13)) * 0xC2B2AE35
    gp.atomic_xor(y, gp.i32(value & 3), gp.i32(value >> 8))


@GALLERY.case(lambda: (gp.asarray(numbers(16), device="simulator"), gp.empty(16, device="simulator")), invocations=16)
@gp.kernel(workgroup_size=8)
def writes_before_it_reads(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """The array comes from gp.empty, and every element is written before it is read."""
    i = gp.global_id(0)
    y[i] = x[i]
    y[i] = y[i] * y[i]


@GALLERY.case(lambda: (numbers(8), zeros(8)), invocations=8, nan=True)
@gp.kernel(workgroup_size=8)
def guarded_root(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The root of a negative number is never chosen."""
    value = x[gp.global_id(0)]
    y[gp.global_id(0)] = gp.sqrt(value) if value > 0.0 else 0.0


@GALLERY.case(lambda: (np.array([1.0, np.nan, 3.0, 4.0], "f4"), zeros(4)), invocations=4, nan=True)
@gp.kernel(workgroup_size=4)
def passes_nan_on(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """NaN comes in; none is born."""
    y[gp.global_id(0)] = 2.0 * x[gp.global_id(0)] + 1.0


@GALLERY.case(lambda: (numbers(40, 4), zeros(40)), invocations=40)
@gp.kernel(workgroup_size=8)
def lengths_of_vectors(x: gp.In[gp.f32x4], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    v = x[i]
    y[i] = gp.sqrt(gp.dot(v, v))


@GALLERY.case(lambda: (numbers(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def each_owns_a_slot(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Two invocations that share no element need no barrier."""
    scratch = gp.workgroup_array(gp.f32, 32)
    l = gp.local_id(0)
    for k in range(2):
        scratch[2 * l + k] = x[gp.global_id(0)] * gp.f32(k + 1)
    y[gp.global_id(0)] = scratch[2 * l] + scratch[2 * l + 1]


@GALLERY.case(lambda: (integers(64, 4), np.array([0, 16, 32, 48], "i4"), zeros(64, dtype="i4")), invocations=64)
@gp.kernel(workgroup_size=16)
def ranks_by_counting(x: gp.In[gp.i32], start: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    """A stable rank without atomics: the result does not depend on the order."""
    i = gp.global_id(0)
    before = 0
    for k in range(i):
        if x[k] == x[i]:
            before += 1
    if before < 16:
        y[start[x[i]] + before] = i


@GALLERY.case(lambda: (numbers(100), zeros(4)), invocations=128)
@gp.kernel(workgroup_size=32)
def sum_by_subgroups(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    """For any size of a subgroup: as many sums as there are subgroups."""
    sums = gp.workgroup_array(gp.f32, 32)
    i = gp.global_id(0)
    sum = gp.subgroup_add(x[i] if i < x.size else 0.0)
    if gp.subgroup_elect():
        sums[gp.subgroup_id()] = sum
    gp.barrier()
    if gp.local_id(0) == 0:
        all = gp.f32(0)
        for k in range(gp.num_subgroups()):
            all += sums[k]
        total[gp.workgroup_id(0)] = all


@GALLERY.case(lambda: (integers(64), np.zeros((64, 2), "u4")), invocations=64)
@gp.kernel(workgroup_size=64)
def counts_between_barriers_of_subgroups(x: gp.In[gp.i32], y: gp.Out[gp.u32, 2]):
    """Each subgroup has a row: one of those with a digit stores the count that all of them have loaded."""
    counts = gp.workgroup_array(gp.u32, (64, 4))
    i, row = gp.global_id(0), gp.subgroup_id()
    for column in range(4):
        counts[gp.local_id(0), column] = 0
    gp.barrier()
    for step in range(2):
        digit = x[i] >> (2 * step) & 3
        same = gp.subgroup_match(digit, 2).x
        before = counts[row, digit]
        gp.subgroup_barrier()
        if gp.i32(gp.ctz(same)) == gp.subgroup_invocation_id():
            counts[row, digit] = before + gp.popcount(same)
        gp.subgroup_barrier()
        y[i, step] = counts[row, digit]


@GALLERY.case(lambda: (integers(32), zeros(32, dtype="i4")), invocations=32)
@gp.kernel(workgroup_size=32)
def reduction_by_shuffle_down(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    """Lanes at the edge get what is not defined, and leave it out; the last subgroup may have fewer lanes."""
    value = x[gp.global_id(0)]
    lanes = gp.min(gp.subgroup_size(), 32 - gp.subgroup_id() * gp.subgroup_size())
    distance = 32
    while distance > 0:
        other = gp.subgroup_shuffle_down(value, gp.u32(distance))
        if gp.subgroup_invocation_id() + distance < lanes:
            value += other
        distance //= 2
    if gp.subgroup_invocation_id() == 0:
        y[gp.subgroup_id()] = value


@GALLERY.case(lambda: (np.array([3], "i4"), numbers(16), zeros(16)), invocations=16)
@gp.kernel(workgroup_size=8)
def loop_with_a_kept_promise(steps: gp.In[gp.i32], x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 8)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    gp.barrier()
    for _ in range(gp.assume_uniform(steps[0])):
        other = tile[(l + 1) % 8]
        gp.barrier()
        tile[l] = 0.5 * (tile[l] + other)
        gp.barrier()
    y[gp.global_id(0)] = tile[l]


@GALLERY.case(lambda: (zeros(10, 100),), invocations=(10, 100))
@gp.kernel(workgroup_size=(8, 8))
def rows_along_x(y: gp.Out[gp.f32, 2]):
    """invocations=y.shape is right where x is the row."""
    row, column = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = 1.0


@GALLERY.case(lambda: (zeros(32, 32),), invocations=(32, 32))
@gp.kernel(workgroup_size=(8, 8))
def lower_triangle(y: gp.InOut[gp.f32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if column <= row:
        y[row, column] = 1.0


@GALLERY.case(lambda: (zeros(32, 32), 9), invocations=(32, 32))
@gp.kernel(workgroup_size=(8, 8))
def first_rows(y: gp.InOut[gp.f32, 2], rows: gp.i32):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < rows:
        y[row, column] += 1.0


@GALLERY.case(lambda: (zeros(32, 32), 9), invocations=(32, 32))
@gp.kernel(workgroup_size=(8, 8))
def remaining_block(y: gp.InOut[gp.f32, 2], k: gp.i32):
    """As in a step of an LU decomposition."""
    column, row = gp.global_id(0), gp.global_id(1)
    if row > k and column > k:
        y[row, column] += 1.0


@GALLERY.case(lambda: (numbers(16, 32), zeros(40)), invocations=(32, 24))
@gp.kernel(workgroup_size=(8, 8))
def one_store_for_each_row(x: gp.In[gp.f32, 2], sums: gp.InOut[gp.f32]):
    """The result has room for more rows, and the grid has workgroups without a row."""
    row = gp.global_id(1)
    if row < x.shape[0] and gp.global_id(0) == 0:
        total = gp.f32(0)
        for column in range(x.shape[1]):
            total += x[row, column]
        sums[row] = total


@GALLERY.case(lambda: (zeros(12, 20),), invocations=(16, 16))
@gp.kernel(workgroup_size=(8, 8))
def a_part_of_the_columns(y: gp.InOut[gp.f32, 2]):
    """The grid is meant for a part: no invocation is idle but those that fill the last workgroups."""
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0]:
        y[row, column] = 1.0


@gp.struct
class Pair:
    first: gp.f32
    second: gp.i32x2


@GALLERY.case(lambda: (gp.zeros(20, Pair, device="simulator"),), invocations=20)
@gp.kernel(workgroup_size=8)
def fields_by_different_invocations(y: gp.Out[Pair]):
    """Each field of each element is written, by some invocation."""
    i = gp.global_id(0)
    if i < y.size:
        y[i].first = 1.0
        y[y.size - 1 - i].second = gp.i32x2(i)


@GALLERY.case(lambda: (zeros(4, 12),), invocations=(3, 4))
@gp.kernel(workgroup_size=(2, 2))
def vectors_in_an_array_of_numbers(y: gp.Out[gp.f32x4, 2]):
    """The array has 12 numbers in a row, the kernel 3 vectors."""
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = gp.f32x4(1.0)


@GALLERY.case(lambda: (zeros(20, dtype="i4"),), invocations=20)
@gp.kernel(workgroup_size=8)
def zeros_by_atomics(y: gp.Out[gp.i32]):
    """An atomic writes, and what it writes is what was there before."""
    i = gp.global_id(0)
    if i < y.size:
        gp.atomic_store(y, i, 0)
