"""What PoCL took for the same in all invocations, as small as it became."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import agree
from differential import reference

import gpucore as gp


@gp.kernel(workgroup_size=4)
def either_condition(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    kept = 3
    if n > 3 or x[i] > 2:
        y[i] += 5
        kept = 7
    gp.barrier()
    y[i] += kept * 3
    if n > 3 or x[i] > 4:
        for j in range(m):
            y[i] = (y[i] + j) * 3
    gp.barrier()
    y[i] += kept


@gp.kernel(workgroup_size=4)
def condition_known_on_one_way(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    gp.barrier()
    chosen = 3
    if n > 3:
        y[i] += 5
        chosen = 1
    elif x[i] > 2:
        y[i] *= 3
        chosen = 1
    if chosen == 1:
        for j in range(m):
            y[i] = (y[i] + j) * 3


@gp.kernel(workgroup_size=4)
def return_before_a_loop(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    gp.barrier()
    if n > 3:
        y[i] += 7
        if x[i] > 3:
            return
        y[i] *= 5
    for j in range(m):
        y[i] = (y[i] + j) * 3


@gp.kernel(workgroup_size=4)
def counters_after_their_loops(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    ones, threes, last, wide = 0, n, 0, gp.i64(0)
    while x[(ones * 7 + i) % 12] > 2:
        ones += 1
    while x[(threes * 5 + i) % 12] > 2:
        threes += 3
    for last in range(m):
        if x[(last * 7 + i) % 12] <= 4:
            break
    while x[(gp.i32(wide) * 5 + i) % 12] > 2:
        wide += 1
    gp.barrier()
    y[i] += ones + threes * 100 + last * 10000
    for j in range(ones):
        y[i] = (y[i] + j) * 3
    gp.barrier()
    y[i] ^= ones + threes + last + gp.i32(wide)


@gp.kernel(workgroup_size=(1, 4))
def loop_in_a_column(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.workgroup_id(0) * 4 + gp.local_id(1)
    y[i] += 100
    for c in range(n):
        gp.barrier()
        y[i] += c * x[i]
    y[i] *= 3


@gp.kernel(workgroup_size=(2, 3), debug=True)
def iterations_without_the_inner_loop(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.workgroup_id(0) * 6 + gp.local_index()
    i %= 12
    total, q = 0, 1
    for a in range(m):
        if a % 2 == 0:
            continue
        for _ in range(m):
            gp.barrier()
        if x[i] % 2 == 0:
            pass
        elif x[i] > 2:
            q = total - 3
            total += q
    gp.atomic_add(y, i, total + q)


@gp.kernel(workgroup_size=4, debug=True)
def iterations_that_end_the_outer_loop(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    counts = gp.private_array(gp.i32, 4)
    total, factor, q = 0, 0, 1
    for a in range(n):
        if n > 3:
            break
        b = 0
        while b < 4:
            b += 1
            gp.barrier()
            total += factor * 7
            counts[total & 3] += 1
            if x[i] % 2 == 0:
                y[i] += total + 1
                continue
            factor = x[i] & 1
        if a % 2 == 0:
            break
        total += q
        if counts[1] % 2 == 0:
            y[i] += total + 1
        else:
            continue


@gp.kernel(workgroup_size=16)
def break_before_a_barrier(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0) % 12
    total, odd, k = 0, 0, 0
    while k < 4:
        k += 1
        if k % 2 == 0:
            break
        gp.barrier()
        odd = x[i] & 1
        for j in range(n):
            odd = x[i] & 1
            total ^= j & x[i]
            if odd == 1:
                break
    gp.atomic_add(y, i, total + odd * 100)


@gp.kernel(workgroup_size=(2, 1, 3))
def continue_of_some_in_two_loops(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = (gp.workgroup_id(0) * 6 + gp.local_index()) % 12
    counts = gp.private_array(gp.i32, 4)
    total, odd, a = 0, 0, 0
    while a < n:
        a += 1
        b = 0
        while b < n:
            b += 1
            before = total + b
            gp.barrier()
            if n > 2:
                break
            if (x[i] + m) % 3 == 0:
                total += odd * 7 + before
                odd = x[i] & 1
                continue
            counts[total & 3] += 1
    gp.atomic_add(y, i, total + odd * 100 + counts[0] + counts[1] * 3 + counts[2] * 5)


@gp.kernel(workgroup_size=4)
def loops_with_as_many_iterations(n: gp.i32, m: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t, i = gp.local_index(), gp.global_id(0)
    a, b = 0, t
    for _ in range(n):
        for _ in range(t):
            for _ in range(1, t + 1):
                b = b * 3 + n
            y[i] = y[i] * 3 + a
        if b & 1 == 1:
            a = a * 3 + n
    gp.barrier()


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize(
    "kernel",
    [
        either_condition, condition_known_on_one_way, return_before_a_loop, counters_after_their_loops,
        loop_in_a_column, iterations_without_the_inner_loop, iterations_that_end_the_outer_loop,
        break_before_a_barrier, continue_of_some_in_two_loops, loops_with_as_many_iterations,
    ],
    ids=lambda kernel: kernel.name,
)  # fmt: skip
def test_what_only_seems_the_same_for_all(kernel: gp.Kernel, n: int) -> None:
    """PoCL took code for reached by all invocations, variables for the same in all, and ran code twice."""
    x = np.array([7, 0, 3, 8, 1, 6, 0, 5, 2, 9, 4, 3], np.int32)
    whole = gp.asarray(np.arange(12, dtype=np.int32), device=reference())
    kernel(n, 37, gp.asarray(x, device=reference()), whole, workgroups=3)
    needs = [gp.Capability.INT64] if kernel is counters_after_their_loops else []
    agree(kernel, whole.numpy(), lambda: (n, 37, x, np.arange(12, dtype=np.int32)), *needs, workgroups=3)
