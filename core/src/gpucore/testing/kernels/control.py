"""Control flow: each kernel writes the decisions of its loops and branches."""

from __future__ import annotations

from typing import TypeVar

import gpucore as gp


@gp.kernel(workgroup_size=32)
def branches(a: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        x = a[i]
        if x < 0:
            result = -1
            if x < -10:
                result = -2
        elif x == 0:
            result = 0
        elif x < 10:
            result = 1
            if x % 2 == 0:
                result = 2
            else:
                result = result + 10
        else:
            result = 3
        out[i] = result


@gp.kernel(workgroup_size=32)
def collatz(a: gp.In[gp.u32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        n = a[i]
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps = steps + 1
        out[i] = steps


@gp.kernel(workgroup_size=32)
def while_exits(a: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        k = 0
        total = 0
        while True:
            k = k + 1
            if k % 3 == 0:
                continue
            if k > a[i]:
                break
            total = total + k
            if total > 100:
                total = -total
                break
        out[i] = total * 1000 + k


@gp.kernel(workgroup_size=32)
def for_exits(a: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        total = 0
        for k in range(a[i]):
            if k == 2:
                continue
            if k * k > 50:
                break
            total = total * 7 + k
        else_value = total + 1
        out[i] = else_value


@gp.kernel(workgroup_size=32)
def ranges(start: gp.In[gp.i32], stop: gp.In[gp.i32], out: gp.Out[gp.i32, 2], steps: gp.Const[tuple]):
    """For each step: the number of values of the range, the first and the last."""
    i = gp.global_id(0)
    if i < start.size:
        row = 0
        for step in gp.unroll(steps):
            count = 0
            first = 0
            last = 0
            for k in range(start[i], stop[i], step):
                if count == 0:
                    first = k
                last = k
                count = count + 1
                if count > 50:
                    break
            out[row, i] = count
            out[row + 1, i] = first
            out[row + 2, i] = last
            row = row + 3


@gp.kernel(workgroup_size=32)
def unsigned_ranges(start: gp.In[gp.u32], stop: gp.In[gp.u32], out: gp.Out[gp.u32, 2], steps: gp.Const[tuple]):
    i = gp.global_id(0)
    if i < start.size:
        row = 0
        for step in gp.unroll(steps):
            count = gp.u32(0)
            last = gp.u32(0)
            for k in range(start[i], stop[i], step):
                last = k
                count = count + 1
                if count > 50:
                    break
            out[row, i] = count
            out[row + 1, i] = last
            row = row + 2


T = TypeVar("T", gp.i32, gp.u32)


@gp.kernel(workgroup_size=32)
def stepped_ranges(start: gp.In[T], stop: gp.In[T], step: gp.In[T], out: gp.Out[T, 2]):
    """The number of values of the range (at most 51), the first and the last."""
    i = gp.global_id(0)
    if i < start.size:
        count = out.dtype(0)
        first = out.dtype(0)
        last = out.dtype(0)
        for k in range(start[i], stop[i], step[i]):
            if count == 0:
                first = k
            last = k
            count += 1
            if count > 50:
                break
        out[0, i] = count
        out[1, i] = first
        out[2, i] = last


@gp.kernel(workgroup_size=32)
def grid_stride(a: gp.In[gp.i32], out: gp.InOut[gp.i32], visits: gp.InOut[gp.i32], step: gp.i32):
    """Three loops over a: the sign of the step is not known; known; and the step changes in the body."""
    stride = gp.num_workgroups(0) * gp.workgroup_size(0)
    for k in range(gp.global_id(0), a.size, stride):
        out[k] = a[k] * 2
    if gp.global_id(0) < a.size:
        for k in range(gp.global_id(0), a.size, min(max(stride, 1), 1 << 20)):
            out[k] += 1
    for k in range(a.size - 1 - gp.global_id(0), -1, step * stride):
        stride = 1
        visits[k] += stride


@gp.kernel(workgroup_size=32)
def early_return(a: gp.In[gp.i32], out: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i >= a.size:
        return
    out[i] = 1
    for k in range(10):
        for j in range(10):
            if k * 10 + j == a[i]:
                out[i] = 100 + k
                return
        if k == 5:  # noqa: SIM102 (two ifs are what is tested)
            if a[i] < 0:
                out[i] = 7
                return
    out[i] = 2


@gp.kernel(workgroup_size=32)
def nested(n: gp.i32, out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        total = 0
        for a in range(n):
            b = 0
            while b < a:
                for c in range(b, a):
                    if c == 3:
                        continue
                    if c > i:
                        break
                    total = total + c * (b + 1)
                b = b + 2
                if b > i + 5:
                    break
            total = total ^ a
        out[i] = total


@gp.kernel(workgroup_size=32)
def unrolled(a: gp.In[gp.i32], out: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < a.size:
        total = 0
        for k in gp.unroll(range(8)):
            if k == a[i]:
                continue
            if total > 12:
                break
            total = total + k
        out[0, i] = total
        total = 1
        for k in gp.unroll((5, 3, 9)):
            for j in range(a[i]):
                if j == k:
                    break
                total = total * 3 + k
            if total > 5000:
                break
        out[1, i] = total
        found = -1
        for name, value in gp.unroll(((1, 10), (2, 20), (3, 30))):
            if a[i] == name:
                found = value
        out[2, i] = found


@gp.kernel(workgroup_size=32)
def bounds_once(out: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < out.shape[1]:
        stop = i
        count = 0
        for _ in range(stop):
            stop = stop + 10
            count = count + 1
        out[0, i] = count
        out[1, i] = stop
        total = 0
        for k in range(6):
            j = k
            j = j + 3
            k = j * 2
            total = total + k
        out[2, i] = total


def counted(hits, value):
    gp.atomic_add(hits, 0, 1)
    return value


@gp.kernel(workgroup_size=32)
def short_circuit(a: gp.In[gp.i32], out: gp.Out[gp.u32, 2], hits: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < out.shape[1]:
        out[0, i] = gp.u32(i < a.size and a[i] > 0)
        out[1, i] = gp.u32(i >= a.size or a[i] > 0)
        out[2, i] = gp.u32(i % 2 == 0 and counted(hits, i > 3))
        out[3, i] = gp.u32(not (i % 4 != 0 or counted(hits, i > 7)))
        out[4, i] = gp.u32(0 <= i - 2 < 5 < i)


@gp.kernel(workgroup_size=32)
def conditional(a: gp.In[gp.i32], out: gp.Out[gp.i32], hits: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        x = a[i] if i < a.size else -1
        y = counted(hits, 5) if i == 3 else 6
        out[i] = x * 10 + y


@gp.kernel(workgroup_size=32)
def conditional_tuples(a: gp.In[gp.i32], out: gp.Out[gp.i32, 2], hits: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < out.shape[1]:
        low, (high, bit) = (a[i], (i, 1)) if i < a.size else (i, (counted(hits, -1), 0))
        out[0, i], out[1, i] = (high, low) if low > high else (low, high)
        out[2, i] = bit


@gp.kernel(workgroup_size=32)
def long_loop(n: gp.i32, out: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < out.size:
        x = gp.u32(i)
        for _ in range(n):
            x = x * 1664525 + 1013904223
        out[i] = x


@gp.kernel(workgroup_size=32)
def long_while(n: gp.i32, out: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < out.size:
        x = gp.u32(i)
        k = 0
        while k < n:
            x = (x << 1) ^ (x >> 3) ^ gp.u32(k)
            k += 1
        out[i] = x


@gp.kernel(workgroup_size=32)
def fibonacci(out: gp.Out[gp.u32], swapped: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        a, b = gp.u32(0), gp.u32(1)
        for _ in range(i):
            a, b = b, a + b
        out[i] = a
        x, y, z = 1, 2, 3
        for _ in range(i):
            x, y, z = y, z, x
        swapped[i] = x * 100 + y * 10 + z


@gp.kernel(workgroup_size=32)
def pruned(out: gp.Out[gp.i32], wide: gp.Const[bool], mode: gp.Const[int]):
    i = gp.global_id(0)
    if i < out.size:
        if wide:
            value = i * 2
        else:
            value = undefined_name_of_a_branch_not_taken  # type: ignore[name-defined]  # noqa: F821
        if mode == 3:
            value = value + 100
        elif mode == 4 and not wide:
            value = -1
        out[i] = value


@gp.kernel(workgroup_size=32)
def deep(a: gp.In[gp.i32], out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < a.size:
        depth = 0
        for k in gp.unroll(range(12)):
            if a[i] >= k:
                for j in range(2):
                    if a[i] + j > k * 2:
                        depth = depth + j + 1
                    else:
                        if depth > 20:
                            depth = depth - 20
        out[i] = depth


@gp.kernel(workgroup_size=32)
def rotated(a: gp.In[gp.i32], out: gp.Out[gp.i32]):
    """Loop-carried variables, some left unchanged by a continue."""
    i = gp.global_id(0)
    if i < a.size:
        first = a[i]
        second = 0
        for k in range(5):
            before = first
            first = first + k
            if first % 2 == 0:
                continue
            second = before
            if second > 20:
                break
        out[i] = first * 1000 + second
