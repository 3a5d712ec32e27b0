"""Kernels with a bug each. The comments say which finding `gp.check` must report, at which lines, and nothing else."""

from __future__ import annotations

import numpy as np
from gallery import Gallery

import gpucore as gp

GALLERY = Gallery()


def ramp(n: int, dtype: str = "f4") -> np.ndarray:
    return np.arange(1, n + 1, dtype=dtype)


def zeros(*shape: int, dtype: str = "f4") -> np.ndarray:
    return np.zeros(shape, dtype)


@GALLERY.case(lambda: (ramp(64), zeros(4)), invocations=64)
@gp.kernel(workgroup_size=16)
def reduction_without_barrier(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    """The first load is not separated from the first step."""
    tile = gp.workgroup_array(gp.f32, 16)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]  # GP701a
    stride = 8
    while stride > 0:
        if l < stride:
            tile[l] += tile[l + stride]  # GP701a
        gp.barrier()
        stride //= 2
    if l == 0:
        total[gp.workgroup_id(0)] = tile[0]  # GP706


@GALLERY.case(lambda: (ramp(256).reshape(16, 16), ramp(256).reshape(16, 16), zeros(16, 16)), invocations=(16, 16))
@gp.kernel(workgroup_size=(8, 8))
def tiles_overwritten_too_early(a: gp.In[gp.f32, 2], b: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2]):
    """The second barrier of the loop is missing: the next tile comes while others still read this one."""
    left = gp.workgroup_array(gp.f32, (8, 8))
    right = gp.workgroup_array(gp.f32, (8, 8))
    column, row = gp.local_id(0), gp.local_id(1)
    total = gp.f32(0)
    for step in range(2):
        left[row, column] = a[gp.global_id(1), step * 8 + column]  # GP701a
        right[row, column] = b[step * 8 + row, gp.global_id(0)]  # GP701b
        gp.barrier()
        for k in range(8):
            total += left[row, k] * right[k, column]  # GP701a GP701b
    c[gp.global_id(1), gp.global_id(0)] = total  # GP706


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def halo_one_too_narrow(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The right neighbour of the last invocation is never loaded."""
    tile = gp.workgroup_array(gp.f32, 18)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l + 1] = x[i]
    if l == 0:
        tile[0] = x[gp.max(i - 1, 0)]
    gp.barrier()
    y[i] = tile[l] + tile[l + 1] + tile[l + 2]  # GP704


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def barrier_that_orders_no_buffers(x: gp.InOut[gp.f32], y: gp.InOut[gp.f32]):
    """It orders the tile, but neither a read of a buffer after a write nor two writes of one element."""
    tile, i, l = gp.workgroup_array(gp.f32, 16), gp.global_id(0), gp.local_id(0)
    tile[l] = x[i]
    x[i] = 2.0 * tile[l]  # GP701a
    y[i] = 1.0  # GP701b
    gp.barrier(buffers=False)
    other = gp.workgroup_id(0) * 16 + 15 - l
    y[other] = tile[15 - l] + x[other]  # GP701a GP701b


@GALLERY.case(lambda: (ramp(30), zeros(32)), invocations=8)
@gp.kernel(workgroup_size=8)
def vectors_beyond_the_end(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The last vector has two elements too many."""
    i = gp.global_id(0)
    gp.vstore(y, 4 * i, gp.vload(x, 4 * i, 4))  # GP703


@GALLERY.case(lambda: (zeros(10, 40),), invocations=(10, 40))
@gp.kernel(workgroup_size=(8, 8))
def rows_and_columns_exchanged(y: gp.Out[gp.f32, 2]):  # GP712a
    """The column is x, and the grid is given as (rows, columns)."""
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = 1.0  # GP712a


@GALLERY.case(lambda: (zeros(400), 10, 40), invocations=(10, 40))
@gp.kernel(workgroup_size=(8, 8))
def rows_and_columns_exchanged_in_a_flat_array(y: gp.Out[gp.f32], rows: gp.i32, columns: gp.i32):  # GP712a
    """The same with indices of one's own."""
    column, row = gp.global_id(0), gp.global_id(1)
    if row < rows and column < columns:
        y[row * columns + column] = 1.0  # GP712a


@GALLERY.case(lambda: (ramp(30), zeros(30)), invocations=20)
@gp.kernel(workgroup_size=8)
def grid_smaller_than_the_array(x: gp.In[gp.f32], y: gp.Out[gp.f32]):  # GP712
    """24 invocations for 30 elements."""
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@gp.struct
class Reading:
    value: gp.f32
    count: gp.i32


@GALLERY.case(lambda: (ramp(20), gp.zeros(20, Reading, device="simulator")), invocations=20)
@gp.kernel(workgroup_size=8)
def field_forgotten(x: gp.In[gp.f32], y: gp.Out[Reading]):  # GP712
    """One branch leaves out a field."""
    i = gp.global_id(0)
    if i < y.size:
        y[i].value = x[i]
        if x[i] > 5.0:
            y[i].count = 1


@GALLERY.case(lambda: (ramp(64), zeros(16)), invocations=64)
@gp.kernel(workgroup_size=16)
def workgroups_write_one_place(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Each workgroup stores by local id, so all store to the same elements."""
    y[gp.local_id(0)] = x[gp.global_id(0)]  # GP701 GP706


@GALLERY.case(lambda: (ramp(64) ** 2,), invocations=64)
@gp.kernel(workgroup_size=16)
def smoothing_in_place(x: gp.InOut[gp.f32]):
    """Neighbours are read while they are replaced."""
    i = gp.global_id(0)
    if i > 0 and i < x.size - 1:
        before = x[i - 1]  # GP701a
        after = x[i + 1]  # GP701b
        x[i] = 0.5 * (before + after)  # GP701a GP701b GP706


@GALLERY.case(lambda: (np.arange(64, dtype="i4") % 5, zeros(5, dtype="i4")), invocations=64)
@gp.kernel(workgroup_size=16)
def histogram_without_atomics(x: gp.In[gp.i32], bins: gp.InOut[gp.i32]):
    """Read, add and write of one bin are three steps."""
    bins[x[gp.global_id(0)]] += 1  # GP701


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=16)
def scan_without_double_buffer(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Within a step some read what others have already replaced."""
    tile = gp.workgroup_array(gp.f32, 16)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    gp.barrier()
    for step in range(4):
        distance = 1 << step
        if l >= distance:
            tile[l] = tile[l] + tile[l - distance]  # GP701
        gp.barrier()
    y[gp.global_id(0)] = tile[l]  # GP706


@GALLERY.case(lambda: (ramp(20), zeros(2)), invocations=20)
@gp.kernel(workgroup_size=16)
def tail_of_tile_never_written(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    """The last workgroup fills only part of its array, and one invocation sums all of it."""
    tile = gp.workgroup_array(gp.f32, 16)
    i = gp.global_id(0)
    if i < x.size:
        tile[gp.local_id(0)] = x[i]
    gp.barrier()
    if gp.local_id(0) == 0:
        sum = gp.f32(0)
        for k in range(16):
            sum += tile[k]  # GP704
        total[gp.workgroup_id(0)] = sum


@GALLERY.case(lambda: (gp.asarray(ramp(16), device="simulator"), gp.empty(16, device="simulator")), invocations=16)
@gp.kernel(workgroup_size=16)
def accumulates_into_nothing(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """Adds to an array from gp.empty."""
    i = gp.global_id(0)
    y[i] += x[i]  # GP704


@GALLERY.case(lambda: (ramp(20), zeros(20)), invocations=20)
@gp.kernel(workgroup_size=16)
def guard_with_less_or_equal(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """One invocation too many passes the guard."""
    i = gp.global_id(0)
    if i <= x.size:
        y[i] = 2.0 * x[i]  # GP703 GP703x


@GALLERY.case(lambda: (np.array([1, 70_000, 3, 50_000], "i4"), zeros(4, dtype="i4")), invocations=4, overflow=True)
@gp.kernel(workgroup_size=4)
def square_overflows(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """70,000 squared is beyond i32."""
    i = gp.global_id(0)
    y[i] = x[i] * x[i]  # GP707


@GALLERY.case(lambda: (zeros(8), zeros(8)), invocations=8, nan=True)
@gp.kernel(workgroup_size=8)
def zero_over_zero(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Scales by the largest value, which may be zero."""
    i = gp.global_id(0)
    largest = gp.f32(0)
    for k in range(x.size):
        largest = gp.max(largest, gp.abs(x[k]))
    y[i] = x[i] / largest  # GP708


@GALLERY.case(lambda: (np.full(4, 0.1, "f4"), zeros(1)), invocations=1, nan=True)
@gp.kernel(workgroup_size=1)
def root_of_negative_variance(x: gp.In[gp.f32], deviation: gp.Out[gp.f32]):
    """The variance as the mean of squares less a margin comes out below zero."""
    mean, squares = gp.f32(0), gp.f32(0)
    for k in range(4):
        mean += 0.25 * x[k]
        squares += 0.25 * x[k] * x[k]
    deviation[0] = gp.sqrt(squares - mean * mean - 1e-6)  # GP708


@GALLERY.case(lambda: (np.arange(32, dtype="i4"), zeros(1, dtype="i4"), zeros(32, dtype="i4")), invocations=32)
@gp.kernel(workgroup_size=8)
def compaction_in_any_order(x: gp.In[gp.i32], count: gp.InOut[gp.i32], kept: gp.InOut[gp.i32]):
    """Places are given out first come, first served, though the caller wants the order kept."""
    value = x[gp.global_id(0)]
    if value % 3 == 0:
        kept[gp.atomic_add(count, 0, 1)] = value  # GP706


@GALLERY.case(lambda: (np.arange(32, dtype="i4"), zeros(4, dtype="i4")), invocations=32)
@gp.kernel(workgroup_size=8)
def counter_read_without_atomic(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """Atomics order nothing against a plain read."""
    counter = gp.workgroup_array(gp.i32, 1)
    if gp.local_id(0) == 0:
        counter[0] = 0
    gp.barrier()
    gp.atomic_add(counter, 0, x[gp.global_id(0)])  # GP701a
    if gp.local_id(0) == 7:
        y[gp.workgroup_id(0)] = counter[0]  # GP701a GP706


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=8)
def stale_value_after_loop(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The loop has its barrier before the write, so the last write is not seen."""
    tile = gp.workgroup_array(gp.f32, 8)
    l = gp.local_id(0)
    for step in range(2):
        gp.barrier()
        tile[l] = x[gp.global_id(0)] * gp.f32(step)  # GP701a
    y[gp.global_id(0)] = tile[7 - l]  # GP701a GP706


@GALLERY.case(lambda: (ramp(32), zeros(4), zeros(1, dtype="i4"), zeros(1)), invocations=32)
@gp.kernel(workgroup_size=8)
def last_workgroup_reads_partial_sums(
    x: gp.In[gp.f32], partial: gp.InOut[gp.f32], done: gp.InOut[gp.i32], total: gp.InOut[gp.f32]
):
    """A counter tells who is last, but orders nothing: the other workgroups' stores need not be seen."""
    if gp.local_id(0) == 0:
        sum = gp.f32(0)
        for k in range(8):
            sum += x[gp.workgroup_id(0) * 8 + k]
        partial[gp.workgroup_id(0)] = sum  # GP701a
        if gp.atomic_add(done, 0, 1) == 3:
            all = gp.f32(0)
            for k in range(4):
                all += partial[k]  # GP701a
            total[0] = all


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=8)
def broadcast_without_barrier(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """One invocation writes what all read at once."""
    first = gp.workgroup_array(gp.f32, 1)
    if gp.local_id(0) == 0:
        first[0] = x[gp.global_id(0)]  # GP701a
    y[gp.global_id(0)] = x[gp.global_id(0)] - first[0]  # GP701a GP706


@GALLERY.case(lambda: (np.arange(16, dtype="i4"), zeros(1, dtype="i4")), invocations=16)
@gp.kernel(workgroup_size=8)
def all_set_one_flag(x: gp.In[gp.i32], found: gp.InOut[gp.i32]):
    """Many write the same value: still a race in every model of memory."""
    if x[gp.global_id(0)] > 3:
        found[0] = 1  # GP701


@GALLERY.case(lambda: (ramp(16), zeros(16)), invocations=16)
@gp.kernel(workgroup_size=8)
def left_neighbour_of_the_first(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The index is -1 there."""
    i = gp.global_id(0)
    y[i] = x[i] - x[i - 1]  # GP703


@GALLERY.case(lambda: (zeros(2, dtype="i4"), zeros(2, dtype="i4")), invocations=2)
@gp.kernel(workgroup_size=1)
def waits_for_another_workgroup(flag: gp.InOut[gp.i32], y: gp.Out[gp.i32]):
    """Nothing says that both workgroups run at once."""
    group = gp.workgroup_id(0)
    if group == 1:
        gp.atomic_store(flag, 0, 1)
    while gp.atomic_load(flag, 0) == 0:  # GP711
        pass
    y[group] = 1


@GALLERY.case(lambda: (ramp(32), zeros(32)), invocations=32)
@gp.kernel(workgroup_size=8)
def barrier_taken_for_one_of_the_grid(x: gp.InOut[gp.f32], y: gp.Out[gp.f32]):
    """A barrier holds the invocations of one workgroup, not the neighbours in the next."""
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]  # GP701a
    gp.barrier()
    y[i] = x[(i + 1) % x.size]  # GP701a GP706


@GALLERY.case(lambda: (np.arange(16, dtype="i4"), zeros(4, dtype="i4")), invocations=16)
@gp.kernel(workgroup_size=16)
def workgroup_histogram_without_atomics(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """As the histogram above, in workgroup memory."""
    counts = gp.workgroup_array(gp.i32, 4)
    l = gp.local_id(0)
    if l < 4:
        counts[l] = 0
    gp.barrier()
    counts[x[l] % 4] += 1  # GP701
    gp.barrier()
    if l < 4:
        y[l] = counts[l]


@GALLERY.case(lambda: (np.arange(16, dtype="i4"), zeros(16, dtype="i4")), invocations=16)
@gp.kernel(workgroup_size=16)
def private_array_too_short(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """A digit of 9 has no place among nine."""
    seen = gp.private_array(gp.i32, 9)
    seen[x[gp.global_id(0)] % 10] = 1  # GP703
    y[gp.global_id(0)] = seen[0]


@GALLERY.case(lambda: (ramp(16), zeros(16)), invocations=16)
@gp.kernel(workgroup_size=16)
def array_shorter_than_workgroup(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The workgroup was made larger, its array was not."""
    tile = gp.workgroup_array(gp.f32, 8)
    tile[gp.local_id(0)] = x[gp.global_id(0)]  # GP703
    gp.barrier()
    y[gp.global_id(0)] = tile[gp.local_id(0) // 2]


@GALLERY.case(lambda: (np.array([5, -(2**31)], "i4"), zeros(2, dtype="i4")), invocations=2, overflow=True)
@gp.kernel(workgroup_size=2)
def absolute_value_of_the_least(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The least i32 has no positive counterpart."""
    y[gp.global_id(0)] = gp.abs(x[gp.global_id(0)])  # GP707


@GALLERY.case(lambda: (ramp(32), zeros(1, dtype="i4")), invocations=32)
@gp.kernel(workgroup_size=8)
def maximum_by_test_then_store(x: gp.In[gp.f32], best: gp.InOut[gp.i32]):
    """The test and the store are not one step: use gp.atomic_max."""
    value = gp.i32(x[gp.global_id(0)])
    if value > gp.atomic_load(best, 0):  # GP701a
        best[0] = value  # GP701a GP701


@GALLERY.case(lambda: (ramp(24).reshape(4, 6), zeros(6, 4)), invocations=(6, 4))
@gp.kernel(workgroup_size=(2, 2))
def transpose_with_swapped_index(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    """Row and column are mixed up; the flat index stays inside the array."""
    column, row = gp.global_id(0), gp.global_id(1)
    y[row, column] = x[row, column]  # GP703


@GALLERY.case(lambda: (ramp(16), zeros(16)), invocations=16)
@gp.kernel(workgroup_size=8)
def barrier_behind_a_false_promise(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The condition differs within a workgroup, and a promise hides it from the compiler."""
    tile = gp.workgroup_array(gp.f32, 8)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    if gp.assume_uniform(l < 4):  # GP709
        gp.barrier()  # GP702
        y[gp.global_id(0)] = tile[7 - l]


@GALLERY.case(lambda: (np.array([3, 3, 3, 3, 2, 2, 1, 2], "i4"), zeros(8)), invocations=8)
@gp.kernel(workgroup_size=4)
def loop_as_long_as_the_data_says(steps: gp.In[gp.i32], y: gp.InOut[gp.f32]):
    """Every invocation reads its own count; they agree in the first workgroup only."""
    for _ in range(gp.assume_uniform(steps[gp.global_id(0)])):  # GP709
        y[gp.global_id(0)] += 1.0
        gp.barrier()  # GP702


@GALLERY.case(lambda: (ramp(64), zeros(2)), invocations=64, subgroup_size=16)
@gp.kernel(workgroup_size=32)
def butterfly_for_32_lanes(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    """The first step reads from lane ^ 16, which subgroups of 16 do not have."""
    value = x[gp.global_id(0)]
    for step in gp.unroll(range(5)):
        value += gp.subgroup_shuffle_xor(value, 16 >> step)  # GP705
    if gp.local_id(0) == 0:
        total[gp.workgroup_id(0)] = value


@GALLERY.case(lambda: (ramp(128), zeros(2)), invocations=128, subgroup_size=8)
@gp.kernel(workgroup_size=64)
def two_subgroups_presumed(x: gp.In[gp.f32], total: gp.Out[gp.f32]):
    """A workgroup of 64 has two subgroups only where these have 32 invocations."""
    sums = gp.workgroup_array(gp.f32, 2)
    sum = gp.subgroup_add(x[gp.global_id(0)])
    if gp.subgroup_elect():
        sums[gp.subgroup_id()] = sum  # GP703
    gp.barrier()
    if gp.local_id(0) == 0:
        total[gp.workgroup_id(0)] = sums[0] + sums[1]


@GALLERY.case(lambda: (ramp(40), zeros(40)), invocations=40)
@gp.kernel(workgroup_size=40)
def shuffle_down_past_the_edge(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """The last lane of each subgroup has no neighbour, and its difference is stored."""
    value = x[gp.global_id(0)]
    y[gp.global_id(0)] = gp.subgroup_shuffle_down(value, 1) - value  # GP705


@GALLERY.case(lambda: (ramp(64), zeros(64)), invocations=64)
@gp.kernel(workgroup_size=64)
def lockstep_of_a_subgroup_presumed(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Invocations of a subgroup need not go step by step: their stores and loads want a barrier, too."""
    tile = gp.workgroup_array(gp.f32, 64)
    l = gp.local_id(0)
    tile[l] = x[l]  # GP701a
    y[l] = tile[l ^ 1]  # GP701a GP706


@GALLERY.case(lambda: (np.arange(64, dtype="i4"), zeros(64, dtype="u4")), invocations=64)
@gp.kernel(workgroup_size=64)
def one_barrier_of_two_forgotten(x: gp.In[gp.i32], y: gp.Out[gp.u32]):
    """Nothing orders the store of a step with the loads of the next one in the subgroup."""
    counts = gp.workgroup_array(gp.u32, (64, 2))
    i, row = gp.global_id(0), gp.subgroup_id()
    counts[gp.local_id(0), 0], counts[gp.local_id(0), 1] = 0, 0
    gp.barrier()
    for step in range(2):
        digit, same = x[i] >> step & 1, gp.subgroup_match(x[i] >> step, 1).x
        before = counts[row, digit]  # GP701a
        gp.subgroup_barrier()
        if gp.i32(gp.ctz(same)) == gp.subgroup_invocation_id():
            counts[row, digit] = before + gp.popcount(same)  # GP701a
        y[i] = before


@GALLERY.case(lambda: (ramp(64), zeros(64)), invocations=64)
@gp.kernel(workgroup_size=64)
def barrier_of_a_subgroup_for_the_workgroup(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """It orders the accesses within a subgroup; the other half of the workgroup is another subgroup."""
    tile = gp.workgroup_array(gp.f32, 64)
    l = gp.local_id(0)
    tile[l] = x[l]  # GP701a
    gp.subgroup_barrier()
    y[l] = tile[l ^ 1] + tile[63 - l]  # GP701a GP706


@GALLERY.case(lambda: (np.array([3, -1, 4], "i4"), zeros(3, dtype="i4")), invocations=3)
@gp.kernel(workgroup_size=1)
def asserts_what_the_data_breaks(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    """The caller promised counts."""
    i = gp.global_id(0)
    assert x[i] >= 0, "a count"  # GP710
    y[i] = x[i]


@GALLERY.case(lambda: (np.array([1e8, 1, -1e8, 1, 3e7, 7, -3e7, 9], "f4"), zeros(1)), invocations=8, schedules=4)
@gp.kernel(workgroup_size=4)
def float_sum_in_any_order(x: gp.In[gp.f32], total: gp.InOut[gp.f32]):
    """Atomic additions of floats round in the order in which they come."""
    gp.atomic_add(total, 0, x[gp.global_id(0)])  # GP706
