"""What the fuzzers found, as small as it became."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import agree
from differential import reference

import gpucore as gp


@gp.kernel(workgroup_size=4)
def compare_widened(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    wide = gp.i64(x[i])
    result = 0
    if wide <= 31:
        result = 1
    if wide > -5:
        result += 2
    if wide < 2147483647:
        result += 4
    y[i] = result


def test_a_widened_i32_beside_a_constant() -> None:
    """Mesa's compiler (lavapipe) found `i64(x) <= 31` false for every x."""
    x = np.array([0, 31, 32, -5, -4, 2147483647, 2147483646, -(2**31)], np.int32)
    expected = (x <= 31) + 2 * (x > -5) + 4 * (x < 2147483647)
    agree(compare_widened, expected, lambda: (x, np.zeros(8, np.int32)), gp.Capability.INT64, workgroups=2)


@gp.kernel(workgroup_size=4)
def named_like_extensions(cl_khr_fp64: gp.In[gp.i32], CLK_LOCAL_MEM_FENCE: gp.Out[gp.i32]):  # noqa: N803 (macros)
    i = gp.global_id(0)
    cl_khr_int64 = cl_khr_fp64[i] + 1
    CLK_LOCAL_MEM_FENCE[i] = cl_khr_int64


def test_names_of_extensions() -> None:
    """OpenCL defines a macro for each extension."""
    x = np.arange(4, dtype=np.int32)
    agree(named_like_extensions, x + 1, lambda: (x, np.zeros(4, np.int32)), workgroups=1)


@gp.struct
class Scale:
    factor: gp.i32

    def of(self, __value):
        __value += 1
        return self.factor * __value


@gp.kernel(workgroup_size=4)
def private_names(scale: Scale, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    y[i] = scale.of(y[i])


def test_names_that_python_mangles() -> None:
    """In a class, Python knows `__value` as `_Scale__value`."""
    agree(private_names, [3, 6, 9, 12], lambda: (Scale(3), np.arange(4, dtype=np.int32)), workgroups=1)


@gp.kernel(workgroup_size=4)
def branch_after_barrier(x: gp.In[gp.i32], m: gp.i32, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if m < 0:
        gp.barrier()
        if x[i] > 1:
            y[i] += 7
    if x[i] > 5:
        y[i] += 3


def test_what_follows_a_branch_with_a_barrier() -> None:
    """PoCL ran neither the inner branch nor what followed for some of the workgroup."""
    x = np.array([0, 7, 33, 3, 5, 6, 1, 2], np.int32)
    for m in (-5, 5):
        expected = 7 * (x > 1) * (m < 0) + 3 * (x > 5)
        agree(branch_after_barrier, expected, lambda m=m: (x, m, np.zeros(8, np.int32)), workgroups=2)


@gp.kernel(workgroup_size=16)
def cyclic_index(z: gp.In[gp.f32], j: gp.i32, u: gp.In[gp.u32], o: gp.InOut[gp.f32]):
    t = gp.local_index()
    drawn = u[t * 5 & 15]
    o[t] = z[t] if drawn > u[j & 15] else 1.0
    o[16 + t] = gp.f32(u[t * 3 % 16] >> 8) + gp.f32(drawn >> 8)


def test_an_index_that_starts_again() -> None:
    """PoCL's vectoriser read u[20] where t is 4."""
    u = (np.arange(16) * 2654435761 % 2**32).astype(np.uint32)
    z = np.arange(100, 116).astype(np.float32)
    t = np.arange(16)
    sums = (u[t * 3 % 16] >> 8).astype(np.float32) + (u[t * 5 % 16] >> 8).astype(np.float32)
    expected = np.concatenate([np.where(u[t * 5 % 16] > u[5], z, 1), sums])
    agree(cyclic_index, expected, lambda: (z, 5, u, np.zeros(32, np.float32)), workgroups=1)


@gp.kernel(workgroup_size=256)
def cyclic_bytes(z: gp.In[gp.f32], u: gp.In[gp.u32], o: gp.InOut[gp.f32]):
    t = gp.local_index()
    drawn = u[gp.i32(gp.u8(t * 3))]
    o[t] = z[t] if drawn > u[5] else gp.f32(drawn)


def test_an_index_of_eight_bits() -> None:
    u, z = np.arange(256)[::-1].astype(np.uint32), np.arange(256).astype(np.float32)
    drawn = u[np.arange(256) * 3 % 256]
    expected = np.where(drawn > u[5], z, drawn)
    agree(cyclic_bytes, expected, lambda: (z, u, np.zeros(256, np.float32)), workgroups=1)


@gp.kernel(workgroup_size=8)
def barriers_in_a_row(n: gp.i32, m: gp.i32, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    for _ in range(n):
        if m < 1:
            if not (2 >= gp.ctz(i) >= gp.max(m, 0)):
                y[i] += 1
            gp.barrier()
            gp.barrier()
        else:
            y[i] = 3


def test_barriers_in_a_row() -> None:
    """PoCL asked only the first of the workgroup for the inner condition."""
    expected = [2 if i % 8 == 0 else 0 for i in range(16)]
    agree(barriers_in_a_row, expected, lambda: (2, -1, np.zeros(16, np.int32)), workgroups=2)


@gp.kernel(workgroup_size=4)
def loads_that_nothing_uses(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    mine = gp.private_array(gp.i32, 4)
    for k in gp.unroll(range(4)):
        mine[k] = i * k
    if x[i] < 1:
        unused = x[i]  # noqa: F841
    at = 2
    y[i] = mine[at] + mine[1]


def test_loads_that_nothing_uses() -> None:
    """Their bounds checks stayed, and validation refused the kernel."""
    x = np.arange(4, dtype=np.int32)
    agree(loads_that_nothing_uses, [0, 3, 6, 9], lambda: (x, np.zeros(4, np.int32)), workgroups=1)


@gp.kernel(workgroup_size=4)
def work_after_a_barrier_in_a_branch(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t = gp.local_index()
    i = gp.global_id(0)
    if gp.workgroup_id(0) > 0:
        gp.barrier()
        v = x[i]
        if v == -1:
            if i == 3 or i == 7:
                gp.atomic_xor(y, 8 + t, 2)
        elif v == 0:
            gp.atomic_min(y, gp.clamp(t, 0, 3), 5)


def test_work_after_a_barrier_in_a_branch() -> None:
    """PoCL did it for some of the workgroup only."""
    x = np.array([0, 0, -1, -1, -1, -1, 7, -1, -1, -1, 7, 0], np.int32)
    expected = np.full(12, 99)
    expected[3], expected[11] = 5, 99 ^ 2
    agree(work_after_a_barrier_in_a_branch, expected, lambda: (x, np.full(12, 99, np.int32)), workgroups=3)


@gp.kernel(workgroup_size=4)
def a_choice_between_barriers(x: gp.In[gp.u32], n: gp.i32, mode: gp.i32, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    match mode:
        case -1:
            gp.barrier()
            if gp.isnan(gp.bitcast(gp.f32, x[i])):
                pass
            else:
                match 1:
                    case 7 | 1 | 0 if gp.clamp(n, 0, 23) >= 1:
                        pass
                    case _:
                        gp.atomic_exchange(y, 0, 1)
            gp.barrier()
        case 0:
            y[i] = gp.subgroup_add(i)


def test_a_choice_between_barriers() -> None:
    """PoCL took a condition that is the same for all from an invocation that had not come to it."""
    x = np.array([4294967294, 0, 2, 4294967295], np.uint32)
    agree(a_choice_between_barriers, [1, 0, 0, 0], lambda: (x, 0, -1, np.zeros(4, np.int32)), workgroups=1)


@gp.kernel(workgroup_size=8)
def branches_that_wait(n: gp.i32, m: gp.i32, x: gp.InOut[gp.i32]):
    t, g, i = gp.local_index(), gp.workgroup_id(0), gp.global_id(0)
    shared = gp.workgroup_array(gp.i32, 8)
    sums = gp.private_array(gp.i32, 3)
    total = 0
    while total < 100:
        if g > n:
            a = x[i] * 3
            kept = gp.private_array(gp.f32, 2)
            kept[0] = gp.f32(a)
            shared[t] = a
            gp.barrier()
            b = shared[7 - t] + a
            if g > n + 1:
                gp.barrier()
                shared[t] = b + 1
                for r in range(g):
                    gp.barrier()
                    c = shared[(t + 1 + r) % 8]
                    gp.barrier()
                    shared[t] = c + b
                    if r == 1:
                        continue
                    total += r
                gp.barrier()
                x[i] = shared[(t + 3) % 8] + gp.i32(kept[0])
            else:
                s = b
                while s > 0 and total < 50:
                    s -= 100
                gp.barrier()
                sums[1] += s
                x[i] += sums[1] + a + b
                if m > 0:
                    gp.barrier()
                    return
                gp.barrier()
        else:
            x[i] += 1
            gp.barrier()
            if total > m:
                break
            gp.barrier()
            total += 5
        total += 11
        gp.barrier()
    gp.barrier()
    x[i] += total


@pytest.mark.parametrize("m", [-1, 0, 1, 7])
@pytest.mark.parametrize("n", range(-1, 5))
def test_branches_that_wait(n: int, m: int) -> None:
    """Values, variables and private arrays live across barriers; loops in branches, exits, and branches in loops."""
    whole = gp.asarray(np.arange(40, dtype=np.int32), device=reference())
    branches_that_wait(n, m, whole, workgroups=5)
    agree(branches_that_wait, whole.numpy(), lambda: (n, m, np.arange(40, dtype=np.int32)), workgroups=5)


@gp.kernel(workgroup_size=4)
def continue_before_a_barrier(u: gp.In[gp.i32], n: gp.i32, o: gp.Out[gp.i32]):
    w = gp.workgroup_array(gp.i32, 4)
    t, g = gp.local_id(), gp.workgroup_id()
    q = gp.i32(0)
    for c in range(1, 4):
        q = t
        if u[1] != n:
            if g != 1:
                continue
            q = 6
        gp.barrier()
        w[t] = q
        gp.barrier()
        f = gp.f32(c & 255) * 0.5
        if (t & 1) == 0:
            q = (c + 1) - gp.select(q > 1, gp.i32(f), q)
    o[gp.global_id()] = q


def test_continue_before_a_barrier() -> None:
    """PoCL gave half of the workgroup what the other half computed."""
    expected = [0, 1, 2, 3, 3, 6, 3, 6, 0, 1, 2, 3]
    agree(
        continue_before_a_barrier, expected, lambda: (np.zeros(4, np.int32), -1, np.zeros(12, np.int32)), invocations=12
    )


@gp.kernel(workgroup_size=4)
def breaks_in_a_loop_that_waits(n: gp.i32, y: gp.InOut[gp.i32]):
    t, g, i = gp.local_index(), gp.workgroup_id(0), gp.global_id(0)
    shared = gp.workgroup_array(gp.i32, 4)
    for r in range(6):
        match (g + r) & 3:
            case 0:
                if r > n:
                    break
                y[i] += 1
            case 1:
                shared[t] = y[i] + r
                gp.barrier()
                y[i] += shared[3 - t]
                k = 0
                while True:
                    if k >= 3:
                        break
                    k += 1
                    y[i] ^= k
                gp.barrier()
            case 2:
                if r > n + 2:
                    break
                if r == n:
                    continue
            case _:
                y[i] += r
        y[i] += 100


@pytest.mark.parametrize("n", range(-1, 5))
def test_breaks_in_a_loop_that_waits(n: int) -> None:
    """PoCL ended the process, on an assertion of its own."""
    whole = gp.asarray(np.arange(16, dtype=np.int32), device=reference())
    breaks_in_a_loop_that_waits(n, whole, workgroups=4)
    agree(breaks_in_a_loop_that_waits, whole.numpy(), lambda: (n, np.arange(16, dtype=np.int32)), workgroups=4)


@gp.kernel(workgroup_size=4)
def branch_on_a_variable_that_differs_later(n: gp.i32, f: gp.In[gp.f32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    flag = f[n] != 0.0
    y[i] = gp.select(2 < 0, y[i], 1) if flag else 2
    if n != 5:
        flag = i != 1
    y[i] += 10 if flag else 20


@pytest.mark.parametrize("n", [0, 1])
def test_a_branch_on_a_variable_that_differs_later(n: int) -> None:
    """The cpu backend ran both branches: in the first, all invocations have the same condition and the same choice."""
    f = np.array([0, 3], np.float32)
    expected = (1 if f[n] else 2) + np.where(np.arange(4) != 1, 10, 20)
    agree(branch_on_a_variable_that_differs_later, expected, lambda: (n, f, np.zeros(4, np.int32)), workgroups=1)


@gp.kernel(workgroup_size=4)
def loop_in_a_loop_that_some_leave(steps: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t, i = gp.local_index(), gp.global_id(0)
    shared = gp.workgroup_array(gp.i32, 4)
    done = 0
    while done < 50:
        total = 0
        for j in range(40):
            total = (total + i + j) * 3
        if done >= steps[i]:
            break
        done += 1
        y[i] += total
    shared[t] = done
    gp.barrier()
    y[i] ^= shared[3 - t]


def test_a_loop_in_a_loop_that_some_leave() -> None:
    """PoCL gave all invocations the number of iterations of the first of the workgroup."""
    steps, i = np.array([0, 5, 10, 2, 7, 12, 4, 9, 1, 6, 11, 3], np.int32), np.arange(12, dtype=np.int32)
    total = np.zeros(12, np.int32)
    for j in range(40):
        total = (total + i + j) * 3
    expected = total * steps ^ steps.reshape(3, 4)[:, ::-1].ravel()
    agree(loop_in_a_loop_that_some_leave, expected, lambda: (steps, np.zeros(12, np.int32)), workgroups=3)


@gp.kernel(workgroup_size=8)
def continue_after_a_barrier(skipped: gp.i32, x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    t, i = gp.local_index(), gp.global_id(0)
    shared = gp.workgroup_array(gp.i32, 8)
    total = 0
    for turn in range(4):
        if turn == skipped:
            continue
        shared[t] = total + i
        gp.barrier()
        other = shared[(t + 1) % 8]
        gp.barrier()
        if (x[i] + turn) % 3 == 0:
            if x[i] % 2 == 0:
                continue
            total += 1
        elif t % 5 == 0:
            total += 3
            continue
        total = total * 3 + other
    y[i] = total


@pytest.mark.parametrize("skipped", [-1, 2])
def test_a_continue_of_some_invocations_after_a_barrier(skipped: int) -> None:
    """The cpu backend took the condition of the first invocation for all, or emitted what LLVM refuses."""
    x, t, i = np.arange(16, dtype=np.int32), np.arange(16) % 8, np.arange(16)
    total = np.zeros(16, np.int32)
    for turn in range(4):
        if turn == skipped:
            continue
        other = np.roll((total + i).reshape(2, 8), -1, axis=1).ravel()
        is_third = (x + turn) % 3 == 0
        begun = total + np.where(is_third, x % 2, np.where(t % 5 == 0, 3, 0))
        continues = np.where(is_third, x % 2 == 0, t % 5 == 0)
        total = np.where(continues, begun, begun * 3 + other).astype(np.int32)
    agree(continue_after_a_barrier, total, lambda: (skipped, x, np.zeros(16, np.int32)), workgroups=2)


@gp.kernel(workgroup_size=4)
def components_of_a_constant_vector(m: gp.i32, x: gp.In[gp.u32], y: gp.Out[gp.u32]):
    t, i = gp.local_index(), gp.global_id(0)
    vector = gp.max(gp.u32x4(gp.u32(4294967295)), gp.u32x4(gp.u32(5)))
    v = gp.max(vector.xw, gp.u32x2(x[1], gp.u32(7)))
    for _ in gp.unroll(range(3)):
        if gp.workgroup_id(0) == 5:
            shared = gp.workgroup_array(gp.u32, 12)
            for r in range(t, 12, 4):
                shared[r] = gp.u32(m)
    y[i] = v.y


def test_components_of_a_constant_vector() -> None:
    """naga refused it: "Pipeline constant error: Entry point ... is invalid"."""
    x, expected = np.arange(8, dtype=np.uint32), np.full(8, 4294967295, np.uint32)
    agree(components_of_a_constant_vector, expected, lambda: (1, x, np.zeros(8, np.uint32)), workgroups=2)


@gp.struct
class Lanes:
    lanes: gp.i32x4

    def raised(self, by):
        return Lanes(self.lanes + by)


@gp.kernel(workgroup_size=8)
def sums_of_a_constant_vector(x: gp.In[gp.u32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    v = Lanes(gp.i32x4(gp.i32(65536))).raised(gp.i32(7)).raised(gp.i32(7) % gp.i32(2147483647)).lanes
    shared = gp.workgroup_array(gp.u32, 4)
    for r in range(gp.local_id(0), 4, 8):
        shared[r] = gp.bitcast(gp.u32, gp.i32(x[7] & 65535))
    gp.barrier()
    y[i] = y[i] * 31 + (v.x ^ 296 ^ v.y ^ v.z ^ v.w) + gp.i32(shared[1])


def test_sums_of_a_constant_vector() -> None:
    """naga panicked, which ends the process: "Expression is not cached"."""
    x, expected = np.arange(8, dtype=np.uint32), np.full(8, 296 + 7, np.int32)
    agree(sums_of_a_constant_vector, expected, lambda: (x, np.zeros(8, np.int32)), workgroups=1)


@gp.kernel(workgroup_size=8)
def returns_before_a_loop(n: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    rounds = 0
    while rounds < 2:
        rounds += 1
        if n > 1:
            return
        gp.barrier()
        if x[i] < 3:
            continue
        for k in range(4):
            y[i] += k


def test_a_return_before_a_loop_is_not_one_in_it() -> None:
    """GP301: a test of the flag of the return, after the inner loop, left the outer one."""
    x = np.arange(16, dtype=np.int32) % 5
    agree(returns_before_a_loop, np.where(x < 3, 0, 12), lambda: (1, x, np.zeros(16, np.int32)), workgroups=2)
    agree(returns_before_a_loop, np.zeros(16), lambda: (2, x, np.zeros(16, np.int32)), workgroups=2)
