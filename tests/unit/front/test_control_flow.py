"""Loops, branches and exits mean what they mean in Python."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp

X = np.array([3, -1, 4, 1, -5, 9, 2, 6], np.int32)
OUT = np.zeros(8, np.int32)


def first_even(x: gp.In[gp.i32], start, count):
    """The first even element from `start` on, with returns inside a loop inside an unrolled loop."""
    for part in gp.unroll(range(2)):
        for i in range(start, start + count):
            if i >= x.size:
                return -100 - part
            if part == 1 and x[i] % 2 == 0:
                return x[i]
            if x[i] == 4:
                break
    return -1


@gp.kernel(workgroup_size=4)
def early_return_in_helper(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = first_even(x, i, 3) * 10 + first_even(x, 0, i)


@gp.kernel(workgroup_size=4)
def return_from_nested_loops(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i >= y.size:
        return
    for a in range(3):
        y[i] += 1
        for b in gp.unroll(range(3)):
            k = 0
            while True:
                k += 1
                if k > a + b:
                    break
                if x[i] == k:
                    return
                y[i] += 100
            y[i] += 10
    y[i] += 5000


@gp.kernel(workgroup_size=4)
def break_in_unrolled(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    last = -1
    for rounds in range(i):
        for u in gp.unroll(range(4)):
            if (x[rounds] + u) % 3 == 0:
                continue
            total += u
            if total % 5 == 4:
                break
            last = u
        total += 100
        if total > 450:
            break
    y[i] = total * 10 + last


@gp.kernel(workgroup_size=4)
def unrolled_variable_after_break(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    for u in gp.unroll(range(5)):
        k = u * 2
        if u >= x[i]:
            break
    y[i] = u * 100 + k


@gp.kernel(workgroup_size=4)
def unrolled_name_carried_to_the_next_copy(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    for u in gp.unroll(range(4)):
        if u > 0:
            total += previous * u  # noqa: F821 (assigned by the copy before)
        previous = x[(i + u) % 8]
        if previous > 5:
            continue
        total += 1000
    y[i] = total


@gp.kernel(workgroup_size=4)
def real_loop_between_unrolled_copies(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    k = 7
    total = 0
    for u in gp.unroll(range(3)):
        n = 0
        while n < 3:
            total += k
            k = u + n
            n += 1
    y[i] = total * 10 + k


@gp.kernel(workgroup_size=4)
def assigned_in_every_way_out(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    n = 0
    while True:
        n += 1
        if n > 5:
            found = -n
            break
        if x[i] == n:
            found = 10 * n
            break
        if n == 3:
            continue
    y[i] = found


@gp.kernel(workgroup_size=4)
def both_branches_assign(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if x[i] > 3:
        value = x[i]
        name = 1
    elif x[i] > 0:
        value = -x[i]
        name = 2
    else:
        value, name = 0, 3
    y[i] = value * 10 + name


@gp.kernel(workgroup_size=4)
def one_branch_leaves(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i >= y.size:
        return
    if x[i] < 0:
        y[i] = -7
        return
    else:
        value = x[i]
    y[i] = value


@gp.kernel(workgroup_size=4)
def swaps_with_loop_variables(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    a, b = 0, 1
    for j in range(i):
        a, b = b, a + b + j
        j, a = a, j
        a, b = j + 1, a
    y[i] = a * 1000 + b


@gp.kernel(workgroup_size=4)
def loop_variable_after_the_loop(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    j = -1
    for j in range(i):
        if x[j] > 3:
            break
    y[i] = j


@gp.kernel(workgroup_size=4)
def loop_variable_reassigned(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    count = 0
    for j in range(i):
        j *= 2
        j = j + 1
        count += j
    y[i] = count


@gp.kernel(workgroup_size=4)
def same_name_in_two_loops(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    for k in gp.unroll(range(3)):
        pair = gp.private_array(gp.i32, 3)
        pair[k] = x[i] + k
        total += pair[k]
    for k in range(i):
        total += k * x[k]
    for k in gp.unroll((5, 7)):
        total += gp.static(k * 2)
    y[i] = total


@gp.kernel(workgroup_size=4)
def complex_while(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    j = i
    steps = 0
    while j < x.size and (x[j] > 0 or steps < 2) and not (x[j] == 9 and steps > 0):
        j += 1
        steps += 1
    y[i] = j * 10 + steps


@gp.kernel(workgroup_size=4)
def guards_loads(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    j = i - 4
    ok = 0 <= j < x.size and x[j] > 0
    other = j < 0 or x[j] > 2 or x[7 - j] == 6
    value = x[j] if j >= 0 else (x[i] * 2 if ok or i == 1 else -3)
    y[i] = value * 100 + gp.i32(ok) * 10 + gp.i32(other)


@gp.kernel(workgroup_size=4)
def chained_with_loads(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.i32(0 < i < x[i] < x[7 - i] != 5) + gp.i32(i == i <= 3 > 1) * 10


@gp.kernel(workgroup_size=4)
def ranges(x: gp.In[gp.i32], n: gp.i32, m: gp.u32, y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    for a in range(n, -1, -2):
        total = total * 3 + a
    for b in range(gp.u32(i), m, 3):
        total += gp.i32(b)
    for c in range(m, gp.u32(i), -2):
        total = total * 2 + gp.i32(c)
    for d in range(5, 5):
        total += 1000 + d
    for e in range(i, 2):
        total -= e
    for _ in range(-3, 3):
        total += 1
    y[i] = total


@gp.kernel(workgroup_size=4)
def range_near_the_ends(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    count = 0
    last = 0
    for a in range(2147483000, 2147483647, 300):
        count += 1
        last = a
    for b in range(-2147483648, 2147483647, 1000000000):
        count += 10
        last = last ^ b
    y[i] = last ^ count


@gp.kernel(workgroup_size=4)
def unreachable_code(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    while True:
        y[i] = 1
        break
        y[i] = 2
    for u in gp.unroll(range(3)):
        y[i] += u
        continue
        y[i] = 100
    return
    y[i] = 3


@gp.kernel(workgroup_size=4)
def while_false(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    while False:
        y[i] = 5
    while i > 100:
        pass
    for _ in gp.unroll(range(0)):
        y[i] = 6
    y[i] += 1


@gp.kernel(workgroup_size=4)
def returns_in_every_branch(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    for j in range(4):
        if x[i] > 3:
            y[i] = 1
            return
        elif x[i] > 0:
            y[i] += 2
            if j == 2:
                return
            else:
                continue
        else:
            break
        y[i] = 99
    y[i] += 10


@gp.kernel(workgroup_size=4)
def fresh_arrays_in_loops(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    for j in range(3):
        scratch = gp.private_array(gp.i32, 4)
        total = total * 3 + scratch[j]
        scratch[j] = x[j]
        scratch[j + 1] += x[i]
        total += scratch[j] + scratch[j + 1] + scratch[(i + j) % 4]
    y[i] = total


KERNELS = [
    early_return_in_helper, return_from_nested_loops, break_in_unrolled, unrolled_variable_after_break,
    unrolled_name_carried_to_the_next_copy, real_loop_between_unrolled_copies, assigned_in_every_way_out,
    both_branches_assign, one_branch_leaves, swaps_with_loop_variables, loop_variable_after_the_loop,
    loop_variable_reassigned, same_name_in_two_loops, complex_while, guards_loads, chained_with_loads,
    range_near_the_ends, unreachable_code, while_false, returns_in_every_branch, fresh_arrays_in_loops,
]  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_means_what_python_means(agree, kernel):
    agree(kernel, X, OUT)


@pytest.mark.parametrize(("n", "m"), [(7, 9), (0, 0), (-1, 3), (8, 2)])
def test_ranges(agree, n, m):
    agree(ranges, X, np.int32(n), np.uint32(m), OUT)
