"""Whole kernels on the cpu device, whole outputs."""

from __future__ import annotations

import numpy as np
import pytest
from cpu_kernels import Draft, call, const, finish, local_id, op, pack, run, run_valid, workgroup_id

from gpucore import ir
from gpucore.ir import F32, I32, U32, AtomicOp, MathOp, VectorType
from gpucore.runtime import Device
from gpucore_cpu.plugin import CpuBackend


def saxpy() -> Draft:
    draft = Draft(64)
    x, y = draft.buffer("x", F32), draft.buffer("y", F32)
    a, n = draft.param("a", F32), draft.param("n", I32, is_size=True)
    i = draft.global_id()
    with draft.when(op(i, "<", n)):
        old = draft.load(y, i)
        draft.store(y, i, op(op(a, "*", draft.load(x, i)), "+", old))
    return draft


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000, 65536])
def test_saxpy(device: Device, n: int) -> None:
    x, y = np.arange(n, dtype=np.float32), np.arange(n, dtype=np.float32) * 3 - 7
    result = run(device, saxpy(), [x, y], [-(-n // 64) + 1], a=2.0, n=n)
    np.testing.assert_array_equal(result[0], x)
    np.testing.assert_array_equal(result[1], 2 * x + y)


def test_guard_leaves_the_rest_of_the_buffer_alone(device: Device) -> None:
    x, y = np.ones(200, np.float32), np.full(200, -5, np.float32)
    result = run(device, saxpy(), [x, y], [4], a=2.0, n=100)[1]
    np.testing.assert_array_equal(result, np.where(np.arange(200) < 100, -3, -5))


def test_the_same_buffer_bound_twice(device: Device) -> None:
    draft = Draft(8)
    x, y = draft.buffer("x", I32), draft.buffer("y", I32)
    i = draft.global_id()
    draft.store(y, i, op(draft.load(x, i), "+", 1))
    draft.store(y, i, op(draft.load(x, i), "*", 10))
    valid = draft.valid()
    pipeline, buffer = device.compile(CpuBackend().emit(valid)), device.allocate(32)
    buffer.write(memoryview(np.arange(8, dtype=np.int32).view(np.uint8)))
    device.dispatch(pipeline, [buffer, buffer], pack(valid, {}), (1, 1, 1))
    finish(device)
    result = np.empty(8, np.int32)
    buffer.read(memoryview(result.view(np.uint8)))
    np.testing.assert_array_equal(result, (np.arange(8) + 1) * 10)


def test_three_dimensional_grid(device: Device) -> None:
    draft = Draft(4, 2, 3)
    out = draft.buffer("out", I32)
    grid = [ir.Builtin(ir.BuiltinKind.NUM_WORKGROUPS, axis) for axis in range(3)]
    ids = [draft.global_id(axis) for axis in range(3)]
    width = draft.let("width", op(grid[0], "*", 4), uniform=True)
    height = draft.let("height", op(grid[1], "*", 2), uniform=True)
    index = op(op(op(op(ids[2], "*", height), "+", ids[1]), "*", width), "+", ids[0])
    code = op(op(op(ids[2], "*", 100), "+", ids[1]), "*", 100)
    draft.store(out, index, op(code, "+", ids[0]))
    result = run(device, draft, [np.zeros((9, 10, 8), np.int32)], [2, 5, 3])[0]
    z, y, x = np.mgrid[:9, :10, :8]
    np.testing.assert_array_equal(result, z * 10000 + y * 100 + x)


def test_two_dimensional_guard(device: Device) -> None:
    draft = Draft(8, 4)
    out = draft.buffer("out", I32)
    m, n = draft.param("m", I32, is_size=True), draft.param("n", I32, is_size=True)
    column, row = draft.global_id(0), draft.global_id(1)
    inside = op(op(row, "<", m), "and", op(n, ">", column))
    with draft.when(inside):
        draft.store(out, op(op(row, "*", n), "+", column), op(op(row, "*", 1000), "+", column))
    result = run(device, draft, [np.full((7, 11), -1, np.int32)], [3, 3], m=7, n=11)[0]
    row_ids, column_ids = np.mgrid[:7, :11]
    np.testing.assert_array_equal(result, row_ids * 1000 + column_ids)


def test_reduction_with_a_barrier_in_a_counted_loop(device: Device) -> None:
    draft = Draft(64)
    x, out = draft.buffer("x", I32), draft.buffer("out", I32)
    scratch = draft.workgroup_array("scratch", I32, 64)
    draft.store(scratch, local_id(), draft.load(x, draft.global_id()))
    draft.barrier()
    with draft.loop_over(const(0), const(6)) as step:
        reach = draft.let("reach", op(const(32), ">>", step), uniform=True)
        with draft.when(op(local_id(), "<", reach)):
            mine = draft.load(scratch, local_id())
            other = draft.load(scratch, op(local_id(), "+", reach))
            draft.store(scratch, local_id(), op(mine, "+", other))
        draft.barrier()
    with draft.when(op(local_id(), "==", 0)):
        draft.store(out, workgroup_id(), draft.load(scratch, const(0)))
    x_values = np.random.default_rng(1).integers(-1000, 1000, 640).astype(np.int32)
    result = run(device, draft, [x_values, np.zeros(10, np.int32)], [10])[1]
    np.testing.assert_array_equal(result, x_values.reshape(10, 64).sum(1))


def test_reduction_in_an_endless_loop_with_a_uniform_break(device: Device) -> None:
    draft = Draft(32)
    x, out = draft.buffer("x", F32), draft.buffer("out", F32)
    scratch = draft.workgroup_array("scratch", F32, 32)
    draft.store(scratch, local_id(), draft.load(x, draft.global_id()))
    reach = draft.variable("reach", const(16), uniform=True)
    with draft.forever():
        draft.barrier()
        with draft.when(op(reach, "==", 0)):
            draft.add(ir.Break())
        with draft.when(op(local_id(), "<", reach)):
            mine = draft.load(scratch, local_id())
            other = draft.load(scratch, op(local_id(), "+", reach))
            draft.store(scratch, local_id(), call(MathOp.MAX, mine, other))
        draft.assign(reach, op(reach, ">>", 1))
    draft.store(out, draft.global_id(), draft.load(scratch, const(0)))
    values = np.random.default_rng(2).standard_normal(96).astype(np.float32)
    result = run(device, draft, [values, np.zeros(96, np.float32)], [3])[1]
    np.testing.assert_array_equal(result, values.reshape(3, 32).max(1).repeat(32))


def test_continue_of_a_loop_with_barriers(device: Device) -> None:
    draft = Draft(8)
    out = draft.buffer("out", I32)
    cell = draft.workgroup_array("cell", I32, 8)
    total = draft.variable("total", const(0))
    with draft.loop_over(const(0), const(6)) as step:
        with draft.when(op(op(step, "%", 2), "==", 1)):
            draft.add(ir.Continue())
        draft.store(cell, local_id(), op(op(step, "*", 100), "+", local_id()))
        draft.barrier()
        neighbour = draft.load(cell, op(op(local_id(), "+", 1), "%", 8))
        draft.assign(total, op(total, "+", neighbour))
        draft.barrier()
    draft.store(out, local_id(), total)
    result = run(device, draft, [np.zeros(8, np.int32)])[0]
    np.testing.assert_array_equal(result, 600 + 3 * ((np.arange(8) + 1) % 8))


def test_values_and_locals_live_across_barriers(device: Device) -> None:
    draft = Draft(16)
    out = draft.buffer("out", I32)
    cell = draft.workgroup_array("cell", I32, 16)
    square = draft.let("square", op(local_id(), "*", local_id()))
    is_odd = draft.let("is_odd", op(op(local_id(), "%", 2), "==", 1))
    pair = draft.let("pair", ir.Construct((local_id(), square), VectorType(I32, 2)))
    late = draft.variable("late", None, I32)
    draft.store(cell, local_id(), square)
    draft.barrier()
    draft.assign(late, draft.load(cell, op(const(15), "-", local_id())))
    draft.barrier()
    total = op(op(late, "*", 1000), "+", op(square, "+", ir.Extract(pair, 0, I32)))
    draft.store(out, local_id(), ir.Select(is_odd, total, ir.Unary(ir.UnaryOp.NEG, total, I32), I32))
    k = np.arange(16)
    expected = (15 - k) ** 2 * 1000 + k * k + k
    result = run(device, draft, [np.zeros(16, np.int32)])[0]
    np.testing.assert_array_equal(result, np.where(k % 2 == 1, expected, -expected))


def test_private_array_lives_across_barriers_and_starts_as_zeros(device: Device) -> None:
    draft = Draft(8, 2)
    out = draft.buffer("out", I32)
    number = draft.let("number", op(op(local_id(1), "*", 8), "+", local_id(0)))
    with draft.loop_over(const(0), const(2)):
        array = draft.private_array("array", I32, 5)
        with draft.loop_over(const(1), const(5), uniform=False) as k:
            before = draft.load(array, op(k, "-", 1))
            draft.store(array, k, op(op(before, "+", number), "+", k))
        draft.barrier()
        with draft.loop_over(const(0), const(5), uniform=False) as k:
            draft.store(out, op(op(number, "*", 5), "+", k), draft.load(array, k))
        draft.barrier()
    k = np.arange(5)
    expected = np.arange(16)[:, None] * k + k * (k + 1) // 2
    result = run(device, draft, [np.full((16, 5), -1, np.int32)])[0]
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("length", [7, 3000])
def test_private_array_of_one_region_small_and_great(device: Device, length: int) -> None:
    draft = Draft(4)
    out = draft.buffer("out", I32)
    i = draft.global_id()
    array = draft.private_array("array", I32, length)
    draft.store(array, op(i, "%", length), op(i, "+", 1))
    total = draft.variable("total", const(0))
    with draft.loop_over(const(0), const(length)) as k:
        draft.assign(total, op(total, "+", draft.load(array, k)))
    draft.store(out, i, total)
    result = run(device, draft, [np.zeros(32, np.int32)], [8])[0]
    np.testing.assert_array_equal(result, np.arange(32) + 1)


def test_barrier_in_uniform_branches(device: Device) -> None:
    draft = Draft(8)
    flags, out = draft.buffer("flags", I32), draft.buffer("out", I32)
    cell = draft.workgroup_array("cell", I32, 8)
    flag = draft.load(flags, workgroup_id(), uniform=True)
    with draft.block() as then:
        draft.store(cell, local_id(), op(local_id(), "*", 3))
        draft.barrier()
        value = draft.load(cell, op(const(7), "-", local_id()))
        draft.store(out, draft.global_id(), value)
    with draft.block() as orelse:
        draft.store(out, draft.global_id(), const(-1))
    draft.add(ir.If(op(flag, ">", 0), tuple(then), tuple(orelse)))
    result = run(device, draft, [np.array([1, 0, 5], np.int32), np.zeros(24, np.int32)], [3])[1]
    row = 3 * (7 - np.arange(8))
    np.testing.assert_array_equal(result, np.concatenate([row, np.full(8, -1), row]))


def test_a_uniform_local_changes_between_two_reads_of_one_region(device: Device) -> None:
    draft = Draft(4)
    out = draft.buffer("out", I32)
    shift = draft.variable("shift", const(1), uniform=True)
    first = draft.let("first", op(local_id(), "+", shift))
    draft.assign(shift, op(shift, "*", 10))
    draft.store(out, local_id(), op(op(first, "*", 100), "+", shift))
    draft.barrier()
    draft.assign(shift, op(shift, "+", 1))
    draft.store(out, op(local_id(), "+", 4), shift)
    result = run(device, draft, [np.zeros(8, np.int32)])[0]
    np.testing.assert_array_equal(result, [110, 210, 310, 410, 11, 11, 11, 11])


def test_loops_with_break_and_continue(device: Device) -> None:
    """Collatz steps, by a loop inside a loop that skips and leaves."""
    draft = Draft(16)
    out = draft.buffer("out", I32)
    i = draft.global_id()
    number, steps = draft.variable("number", op(i, "+", 1)), draft.variable("steps", const(0))
    with draft.forever():
        with draft.when(op(number, "==", 1)):
            draft.add(ir.Break())
        draft.assign(steps, op(steps, "+", 1))
        with draft.when(op(op(number, "%", 2), "==", 0)):
            draft.assign(number, op(number, "//", 2))
            draft.add(ir.Continue())
        draft.assign(number, op(op(number, "*", 3), "+", 1))
    found = draft.variable("found", const(0))
    larger = op(i, "+", 2)
    with draft.loop_over(const(2), const(1000), uniform=False) as k, draft.when(op(op(larger, "%", k), "==", 0)):
        draft.assign(found, k)
        draft.add(ir.Break())
    draft.store(out, i, op(op(steps, "*", 1000), "+", found))
    result = run(device, draft, [np.zeros(32, np.int32)], [2])[0]

    def collatz(n: int) -> int:
        return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)

    expected = [
        collatz(n + 1) * 1000 + next(k for k in range(2, 1000) if (n + 2) % k == 0) for n in range(32)
    ]  # fmt: skip
    np.testing.assert_array_equal(result, expected)


def test_atomics_in_buffers_from_many_workgroups(device: Device) -> None:
    draft = Draft(64)
    cells, low, tickets = draft.buffer("cells", I32), draft.buffer("low", U32), draft.buffer("tickets", I32)
    i = draft.global_id()
    draft.atomic(AtomicOp.ADD, cells, const(0), op(i, "+", 1))
    draft.atomic(AtomicOp.SUB, cells, const(1), const(2))
    draft.atomic(AtomicOp.MIN, cells, const(2), op(i, "-", 50))
    draft.atomic(AtomicOp.MAX, cells, const(3), i)
    draft.atomic(AtomicOp.OR, cells, const(4), op(const(1), "<<", op(i, "%", 20)))
    draft.atomic(AtomicOp.AND, cells, const(5), op(i, "|", 0xFF0))
    draft.atomic(AtomicOp.XOR, cells, const(6), i)
    draft.atomic(AtomicOp.COMPARE_EXCHANGE, cells, const(7), const(77), const(5))
    draft.add(ir.Atomic(None, AtomicOp.STORE, ir.Place(cells, const(8)), const(9)))
    seen = draft.atomic(AtomicOp.LOAD, cells, const(9))
    draft.atomic(AtomicOp.EXCHANGE, cells, const(10), seen)
    unsigned = ir.Convert(i, U32)
    draft.atomic(AtomicOp.MIN, low, const(0), op(unsigned, "-", 100))
    draft.atomic(AtomicOp.MAX, low, const(1), op(unsigned, "-", 100))
    ticket = draft.atomic(AtomicOp.ADD, cells, const(11), const(1))
    draft.store(tickets, i, ticket)
    n = 64 * 500
    start = np.array([0, 0, 0, 0, 0, -1, 0, 5, 0, 123, 0, 0], np.int32)
    limits = np.array([2**32 - 1, 0], np.uint32)
    arrays = [start, limits, np.zeros(n, np.int32)]
    cells_out, low_out, ticket_out = run_valid(device, draft.valid(), arrays, [500], {})
    k = np.arange(n)
    every_and = int(np.bitwise_and.reduce(k | 0xFF0))
    xor = int(np.bitwise_xor.reduce(k))
    total = int((k + 1).sum())
    expected = [total, -2 * n, -50, n - 1, 2**20 - 1, every_and, xor, 77, 9, 123, 123, n]
    np.testing.assert_array_equal(cells_out, expected)
    np.testing.assert_array_equal(low_out, [0, 2**32 - 1])
    np.testing.assert_array_equal(np.sort(ticket_out), k)


def test_atomics_in_workgroup_arrays(device: Device) -> None:
    draft = Draft(32)
    out = draft.buffer("out", I32)
    cells = draft.workgroup_array("cells", I32, 5)
    start = [0, 40, -40, 3, 6]
    with draft.when(op(local_id(), "==", 0)):
        for place, value in enumerate(start):
            draft.store(cells, const(place), const(value))
    draft.barrier()
    before = draft.atomic(AtomicOp.ADD, cells, const(0), const(2))
    draft.atomic(AtomicOp.MIN, cells, const(1), op(local_id(), "-", 3))
    draft.atomic(AtomicOp.MAX, cells, const(2), local_id())
    draft.atomic(AtomicOp.COMPARE_EXCHANGE, cells, const(3), const(8), const(3))
    draft.atomic(AtomicOp.XOR, cells, const(4), const(1))
    draft.store(out, op(local_id(), "+", 5), before)
    draft.barrier()
    with draft.when(op(local_id(), "<", 5)):
        draft.store(out, local_id(), draft.load(cells, local_id()))
    result = run(device, draft, [np.zeros(37, np.int32)])[0]
    np.testing.assert_array_equal(result[:5], [64, -3, 31, 8, 6])
    np.testing.assert_array_equal(np.sort(result[5:]), np.arange(32) * 2)


def test_many_threads_give_the_same_bits_every_time(device: Device) -> None:
    """Workgroups with scratch memory of their own, on two threads, many times."""
    draft = Draft(32)
    x, out = draft.buffer("x", F32), draft.buffer("out", F32)
    tile = draft.workgroup_array("tile", F32, 32)
    i = draft.global_id()
    draft.store(tile, local_id(), draft.load(x, i))
    total = draft.variable("total", const(0.0, F32))
    draft.barrier()
    with draft.loop_over(const(0), const(32)) as k:
        draft.assign(total, op(op(total, "*", 0.5), "+", draft.load(tile, op(op(k, "+", local_id()), "%", 32))))
    draft.store(out, i, total)
    values = np.random.default_rng(3).standard_normal(32 * 3000).astype(np.float32)
    results = {run(device, draft, [values, np.zeros_like(values)], [3000])[1].tobytes() for _ in range(4)}
    assert len(results) == 1
    tiles = values.reshape(-1, 32).astype(np.float64)
    expected = np.zeros_like(tiles)
    for k_value in range(32):
        expected = expected * 0.5 + np.roll(tiles, -k_value, axis=1)
    np.testing.assert_allclose(np.frombuffer(results.pop(), np.float32), expected.ravel(), rtol=0, atol=2e-6)
