"""Workgroup and private arrays, barriers, atomics."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.i32, gp.u32, gp.f32)
A = TypeVar("A", gp.i32, gp.u32)
SIZE = 64
TILE = 8


@gp.kernel(workgroup_size=SIZE)
def reduce(x: gp.In[T], out: gp.Out[T]):
    """The sum of each workgroup's elements."""
    partial = gp.workgroup_array(T, SIZE)
    t = gp.local_id(0)
    i = gp.global_id(0)
    partial[t] = x[i] if i < x.size else T(0)
    gp.barrier()
    stride = SIZE // 2
    while stride > 0:
        if t < stride:
            partial[t] = partial[t] + partial[t + stride]
        gp.barrier()
        stride = stride // 2
    if t == 0:
        out[gp.workgroup_id(0)] = partial[0]


@gp.kernel(workgroup_size=(TILE, TILE))
def transpose(x: gp.In[gp.u32, 2], out: gp.Out[gp.u32, 2]):
    """Through a tile that is read along the other axis than it was written."""
    tile = gp.workgroup_array(gp.u32, (TILE, TILE + 1))
    row = gp.workgroup_id(1) * TILE
    column = gp.workgroup_id(0) * TILE
    y, x_ = gp.local_id(1), gp.local_id(0)
    if row + y < x.shape[0] and column + x_ < x.shape[1]:
        tile[y, x_] = x[row + y, column + x_]
    gp.barrier()
    if column + y < x.shape[1] and row + x_ < x.shape[0]:
        out[column + y, row + x_] = tile[x_, y]


@gp.kernel(workgroup_size=SIZE)
def scan(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
    """Inclusive prefix sums within each workgroup: a loop with two barriers in each iteration."""
    sums = gp.workgroup_array(gp.i32, SIZE)
    t = gp.local_id(0)
    i = gp.global_id(0)
    sums[t] = x[i]
    gp.barrier()
    for step in gp.unroll((1, 2, 4)):
        added = 0
        if t >= step:
            added = sums[t - step]
        gp.barrier()
        sums[t] = sums[t] + added
        gp.barrier()
    distance = 8
    while distance < SIZE:
        added = sums[t - distance] if t >= distance else 0
        gp.barrier()
        sums[t] += added
        gp.barrier()
        distance *= 2
    out[i] = sums[t]


@gp.kernel(workgroup_size=SIZE)
def rotate(rounds: gp.i32, out: gp.Out[gp.i32, 2]):
    """Two arrays that swap their part each round; the number of rounds is known at run time."""
    left = gp.workgroup_array(gp.i32, SIZE)
    right = gp.workgroup_array(gp.f32x2, SIZE)
    t = gp.local_id(0)
    w = gp.workgroup_id(0)
    left[t] = t * 10 + w
    for k in range(rounds):
        gp.barrier()
        right[t] = gp.f32x2(gp.f32(left[(t + 1) % SIZE]), 1.0)
        gp.barrier()
        pair = right[t]
        left[t] = gp.i32(pair.x + pair.y)
        if k == 100:
            break
    gp.barrier()
    out[w, t] = left[(t + 5) % SIZE]


@gp.kernel(workgroup_size=SIZE)
def through_buffer(data: gp.InOut[gp.i32], out: gp.Out[gp.i32]):
    """A store to a buffer is visible to the workgroup after a barrier."""
    t = gp.local_id(0)
    i = gp.global_id(0)
    start = gp.workgroup_id(0) * SIZE
    data[i] = data[i] * 2 + t
    gp.barrier()
    out[i] = data[start + (t + 1) % SIZE] + data[start + SIZE - 1 - t]


@gp.kernel(workgroup_size=SIZE)
def through_both(data: gp.InOut[gp.i32], out: gp.Out[gp.i32]):
    """Barriers of workgroup memory alone, then one that orders the buffer, too."""
    tile = gp.workgroup_array(gp.i32, SIZE)
    t = gp.local_id(0)
    i = gp.global_id(0)
    start = gp.workgroup_id(0) * SIZE
    tile[t] = data[i]
    gp.barrier(buffers=False)
    data[i] = tile[SIZE - 1 - t] * 2
    before = tile[(t + SIZE - 3) % SIZE]
    gp.barrier(buffers=False)
    tile[t] = before
    gp.barrier()
    out[i] = data[start + (t + 1) % SIZE] + tile[t]


@gp.kernel(workgroup_size=SIZE)
def stages(x: gp.In[gp.f32], n: gp.i32, out: gp.Out[gp.f32]):
    """Arrays of several types and lengths, of which each is in use for a while."""
    floats, bits = gp.workgroup_array(gp.f32, SIZE), gp.workgroup_array(gp.u32, SIZE // 2)
    pairs, counts = gp.workgroup_array(gp.f32x2, SIZE), gp.workgroup_array(gp.i32, 4)
    wide, last = gp.workgroup_array(gp.f32, (2, SIZE)), gp.workgroup_array(gp.f32x2, SIZE)
    t = gp.local_id(0)
    floats[t] = x[gp.global_id(0)]
    gp.barrier(buffers=False)
    value = floats[SIZE - 1 - t]
    gp.barrier(buffers=False)
    if t < SIZE // 2:
        bits[t] = 0xFFFFFFF0 + gp.u32(t) % 16  # as floats these are NaN
    gp.barrier(buffers=False)
    for k in range(n):
        value += gp.f32(bits[(t + k) % (SIZE // 2)] & 15)
        pairs[t] = gp.f32x2(value, 0.5)
        gp.barrier(buffers=False)
        value = pairs[(t + 1) % SIZE].x + pairs[t].y
        gp.barrier(buffers=False)
    if t < 4:
        counts[t] = 0
    gp.barrier(buffers=False)
    gp.atomic_add(counts, t % 4, t)
    gp.barrier(buffers=False)
    value += gp.f32(gp.atomic_load(counts, 3 - t % 4))
    gp.barrier(buffers=False)
    wide[0, t], wide[1, t] = value, -value
    gp.barrier(buffers=False)
    last[t] = gp.f32x2(wide[1, SIZE - 1 - t], wide[0, t])
    gp.barrier(buffers=False)
    out[gp.global_id(0)] = last[t ^ 1].x * 2.0 + last[t].y


@gp.kernel(workgroup_size=SIZE)
def vectors_of_neighbours(
    x: gp.In[T], shift: gp.i32, rows: gp.In[T, 2], out: gp.Out[T], thirds: gp.InOut[T, 2], pairs: gp.Out[T]
):
    """Vectors of two, three and four elements, from any of them on, of buffers, rows and workgroup arrays."""
    tile = gp.workgroup_array(T, 4 * SIZE)
    t, i = gp.local_id(0), gp.global_id(0)
    gp.vstore(tile, 4 * t, gp.vload(x, 4 * i + shift, 4))
    gp.barrier(buffers=False)
    v = gp.vload(tile, 4 * (SIZE - 1 - t), 2)
    w = gp.vload(tile, 4 * t + 1, 3)
    gp.vstore(out, 4 * i, gp.vload(x, 4 * i, 4))
    gp.vstore(pairs, 2 * i, v + w.yz)
    if i < rows.shape[0]:
        gp.vstore(thirds[i], gp.u32(2), gp.vload(rows[i], i % 3, 3) + T(1))


@gp.kernel(workgroup_size=SIZE)
def uniform_barriers(flags: gp.In[gp.i32], n: gp.i32, out: gp.Out[gp.i32]):
    """Barriers under conditions that are the same for the whole workgroup."""
    shared = gp.workgroup_array(gp.i32, SIZE)
    t = gp.local_id(0)
    w = gp.workgroup_id(0)
    shared[t] = t + w
    if n > 2:
        gp.barrier()
        value = shared[SIZE - 1 - t]
        gp.barrier()
        shared[t] = value * 2
    if w % 2 == 0:
        gp.barrier()
    for _ in range(w):
        gp.barrier()
    gp.barrier()
    if flags[t] > 0:
        out[gp.global_id(0)] = shared[(t + 3) % SIZE]
    else:
        out[gp.global_id(0)] = -shared[t]


@gp.kernel(workgroup_size=SIZE)
def all_of_workgroup_memory(out: gp.Out[gp.u32]):
    """16 KiB, the minimum that a device has."""
    memory = gp.workgroup_array(gp.u32, 4096)
    t = gp.local_id(0)
    w = gp.u32(gp.workgroup_id(0))
    for k in range(t, 4096, SIZE):
        memory[k] = gp.u32(k) * 7 + w
    gp.barrier()
    for k in range(t, 4096, SIZE):
        out[gp.workgroup_id(0) * 4096 + k] = memory[4095 - k]


@gp.kernel(workgroup_size=32)
def registers(a: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    """A private array at indices known at compile time."""
    i = gp.global_id(0)
    if i < a.size:
        cells = gp.private_array(gp.i32, 6)
        for k in gp.unroll(range(5)):
            cells[k] = a[i] * (k + 1)
        for k in gp.unroll(range(4)):
            if cells[k] % 2 == 0:
                cells[k], cells[k + 1] = cells[k + 1], cells[k]
        for k in gp.unroll(range(6)):
            out[k, i] = cells[k]


@gp.kernel(workgroup_size=32)
def dynamic(a: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    """A private array at run-time indices; zeroed in each iteration that declares it."""
    i = gp.global_id(0)
    if i < a.size:
        counts = gp.private_array(gp.u32, 8)
        for k in range(a[i]):
            counts[(k * k + i) % 8] += 1
        for k in range(8):
            out[k, i] = gp.i32(counts[k])
        total = 0
        for k in range(3):
            fresh = gp.private_array(gp.i32, (2, 3))
            total = total * 10 + fresh[k % 2, (i + k) % 3]
            fresh[k % 2, (i + k) % 3] = 9
            total = total + fresh[k % 2, (i + k) % 3] - fresh[(k + 1) % 2, 0]
        out[8, i] = total


@gp.kernel(workgroup_size=32)
def insertion_sort(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    """Sorts five elements in a private array of run-time indices."""
    i = gp.global_id(0)
    if i < x.size // 5:
        values = gp.private_array(gp.f32, 5)
        for k in range(5):
            values[k] = x[i * 5 + k]
        for k in range(1, 5):
            value = values[k]
            j = k
            while j > 0 and values[j - 1] > value:
                values[j] = values[j - 1]
                j = j - 1
            values[j] = value
        for k in range(5):
            out[i * 5 + k] = values[k]


@gp.kernel(workgroup_size=32)
def prefetch(x: gp.In[gp.i32], table: gp.In[gp.i32, 2], out: gp.InOut[gp.i32], ahead: gp.i32):
    """Asks for other elements than it loads, in and out of range, also in a divergent branch and between stores."""
    i = gp.global_id(0)
    gp.prefetch(x, i + ahead)
    gp.prefetch(table, (ahead, 2))
    if i < x.size:
        value = x[i]
        if value % 3 == 0:
            gp.prefetch(x, i - ahead)
            gp.prefetch(table, (i - ahead, value))
            value += x[x.size - 1 - i] * table[i % table.shape[0], 1]
        gp.prefetch(out, i)
        out[i] = out[i] + value
        gp.prefetch(out, i + ahead)
        out[i] = out[i] * 2


@gp.kernel(workgroup_size=32)
def histogram(keys: gp.In[gp.u32], counts: gp.InOut[A], total: gp.InOut[A]):
    i = gp.global_id(0)
    if i < keys.size:
        gp.atomic_add(counts, keys[i] % 16, A(1))
        gp.atomic_add(total, 0, A(3))


@gp.kernel(workgroup_size=32)
def tickets(n: gp.i32, counter: gp.InOut[gp.u32], drawn: gp.InOut[gp.u32]):
    """Each invocation takes a number from a counter, and counts how often that number was drawn.

    Which invocation gets which number is the schedule's, so it is not stored.
    """
    if gp.global_id(0) < n:
        ticket = gp.atomic_add(counter, 0, gp.u32(1))
        gp.atomic_add(drawn, ticket, gp.u32(1))


@gp.kernel(workgroup_size=32)
def extremes(x: gp.In[A], found: gp.InOut[A]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_min(found, 0, x[i])
        gp.atomic_max(found, 1, x[i])
        gp.atomic_sub(found, 2, x[i])


@gp.kernel(workgroup_size=32)
def bits(x: gp.In[A], found: gp.InOut[A]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_and(found, 0, x[i])
        gp.atomic_or(found, 1, x[i])
        gp.atomic_xor(found, 2, x[i])


@gp.kernel(workgroup_size=32)
def exchange(n: gp.i32, cell: gp.InOut[A], out: gp.Out[A]):
    """A chain: each invocation takes out what another one put in."""
    i = gp.global_id(0)
    if i < n:
        out[i] = gp.atomic_exchange(cell, 0, A(i + 1))


@gp.kernel(workgroup_size=32)
def compare_exchange(n: gp.i32, cells: gp.InOut[A], won: gp.Out[gp.u32], seen: gp.Out[A]):
    """One invocation wins each cell; the others see who did."""
    i = gp.global_id(0)
    if i < n:
        before = gp.atomic_compare_exchange(cells, i % 10, A(0), A(i + 1))
        won[i] = gp.u32(before == A(0))
        seen[i] = before


@gp.kernel(workgroup_size=32)
def load_store(x: gp.In[A], cells: gp.InOut[A], out: gp.Out[A]):
    i = gp.global_id(0)
    if i < x.size:
        out[i] = gp.atomic_load(cells, i)
        gp.atomic_store(cells, i, x[i])


@gp.kernel(workgroup_size=SIZE)
def workgroup_atomics(keys: gp.In[A], counts: gp.Out[A, 2], ends: gp.Out[A, 2]):
    """A histogram of each workgroup in its own memory; the least and the greatest key."""
    bins = gp.workgroup_array(A, 8)
    limits = gp.workgroup_array(A, 2)
    t = gp.local_id(0)
    w = gp.workgroup_id(0)
    if t < 8:
        bins[t] = A(0)
    if t == 0:
        limits[0] = gp.max_value(A)
        limits[1] = gp.min_value(A)
    gp.barrier()
    key = keys[gp.global_id(0)]
    gp.atomic_add(bins, gp.i32(key & A(7)), A(1))
    gp.atomic_min(limits, 0, key)
    gp.atomic_max(limits, 1, key)
    gp.barrier()
    if t < 8:
        counts[w, t] = bins[t]
    if t < 2:
        ends[w, t] = limits[t]


@gp.kernel(workgroup_size=SIZE)
def divergent(out: gp.Out[gp.i32]):
    if gp.local_id(0) < 7:
        gp.barrier()
    out[gp.global_id(0)] = 1


@gp.kernel(workgroup_size=64)
def last_workgroup(x: gp.In[gp.i32], parts: gp.InOut[gp.i32, 2], count: gp.InOut[gp.u32], out: gp.Out[gp.i32]):
    """The workgroup that comes last adds up what all have stored, and sets the count back to 0."""
    i, t, group = gp.global_id(0), gp.local_id(0), gp.workgroup_id(0)
    before = gp.workgroup_array(gp.u32, 1)
    parts[group, t] = x[i] * 3
    gp.barrier()
    if t == 0:
        gp.device_fence()
        before[0] = gp.atomic_add(count, 0, gp.u32(1))
        gp.device_fence()
    gp.barrier()
    if before[0] == gp.u32(gp.num_workgroups(0) - 1):
        total = 0
        for k in range(gp.num_workgroups(0)):
            total += parts[k, t]
        out[t] = total
        if t == 0:
            gp.atomic_store(count, 0, gp.u32(0))
