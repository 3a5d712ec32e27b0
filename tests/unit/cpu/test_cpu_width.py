"""Gangs of several vectors, or of one lane: which kernels run in them, and that the results are right."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cpu_kernels import Draft, const, local_id, op, run, run_valid, workgroup_id

from gpucore import ir
from gpucore.ir import I32, AtomicOp
from gpucore.runtime import Device
from gpucore_cpu.emit import emit

SIZE = 128


def reduction(*, stride: int = 1, is_slow: bool = False, type: ir.ScalarType = I32) -> Draft:
    """Each invocation adds up elements that lie a workgroup apart; each sum is stored."""
    draft, (total,) = sums(SIZE, type, type, stride=stride, is_slow=is_slow)
    draft.store(draft.buffers[1], op(op(workgroup_id(0), "*", SIZE), "+", local_id(0)), total)
    return draft


def sums(
    length: int, type: ir.ScalarType, kind: ir.ScalarType, *, count: int = 1, stride: int = 1, is_slow: bool = False
) -> tuple[Draft, list[ir.Local]]:
    """The start of such a kernel for elements of a type: each invocation has `count` equal sums of another kind."""
    draft = Draft(length)
    x, size = draft.buffer("x", type), draft.param("size", I32, is_size=True)
    draft.buffer("out", kind)
    totals = [draft.variable(f"total{n}", const(0, kind)) for n in range(count)]
    first = op(local_id(0), "*", stride) if stride > 1 else local_id(0)
    trips = draft.let("trips", op(op(op(size, "-", local_id(0)), "+", length - 1), "//", length))
    with draft.loop_over(const(0), trips, uniform=False) as trip:
        value: ir.Expr = draft.load(x, op(first, "+", op(trip, "*", length * stride)))
        value = value if kind == type else ir.Convert(value, kind)
        for total in totals:
            draft.assign(total, op(total, "+", op(value, "//", 3) if is_slow else value))
    return draft, totals


def lanes(draft: Draft, num_lanes: int) -> int:
    return int(emit(draft.valid(), num_lanes=num_lanes).payload)  # type: ignore[call-overload]


def test_a_reduction_has_a_sum_in_many_vectors() -> None:
    assert [lanes(reduction(), count) for count in (1, 4, 8, 16)] == [1, 64, 128, 128]
    assert lanes(reduction(type=ir.I64), 4) == 32  # twice the registers


def test_other_loops_have_one_vector() -> None:
    assert lanes(reduction(stride=5), 16) == 16  # gathers
    assert lanes(reduction(is_slow=True), 16) == 16


def test_iterations_of_all_lanes_have_no_mask_and_read_in_order() -> None:
    text = emit(reduction().valid(), num_lanes=8).text
    assert len(re.findall(r"= load volatile <16 x i32>, ptr %t", text)) == SIZE * 4 // 64
    assert len(re.findall(r"call <128 x i32> @llvm\.masked\.load", text)) == 1  # of the iterations that some lanes have


@pytest.mark.parametrize("size", [0, 1, 5, SIZE - 1, SIZE, SIZE + 1, 7 * SIZE + 77])
def test_every_element_is_added_once(device: Device, size: int) -> None:
    x = np.random.default_rng(size).integers(-(2**31), 2**31, max(size, 1)).astype(np.int32)
    padded = np.zeros(8 * SIZE, np.int32)
    padded[:size] = x[:size]
    result = run(device, reduction(), [x, np.full(SIZE, -1, np.int32)], (1,), size=size)[1]
    np.testing.assert_array_equal(result, padded.reshape(8, SIZE).sum(0, dtype=np.int32))


@pytest.mark.parametrize("num_lanes", [4, 8, 16])
@pytest.mark.parametrize("type", [ir.I8, ir.I16, I32], ids=str)
@pytest.mark.parametrize("length", [8, 16, 32, 48])
def test_gangs_shorter_than_a_line_of_the_cache(
    device: Device, type: ir.ScalarType, length: int, num_lanes: int
) -> None:
    draft, (total,) = sums(length, type, I32)
    draft.store(draft.buffers[1], local_id(0), total)
    x = np.random.default_rng(length).integers(-100, 100, 3 * length + 5).astype(type.name.replace("i", "int"))
    padded = np.zeros(4 * length, np.int32)
    padded[: len(x)] = x
    arrays = [x, np.zeros(length, np.int32)]
    result = run_valid(device, draft.valid(), arrays, (1,), {"size": len(x)}, num_lanes=num_lanes)[1]
    np.testing.assert_array_equal(result, padded.reshape(4, length).sum(0))


def test_more_sums_than_registers_have_one_vector(device: Device) -> None:
    draft, totals = sums(SIZE, ir.I64, ir.I64, count=9)
    for number, total in enumerate(totals):
        draft.store(draft.buffers[1], op(local_id(0), "+", number * SIZE), total)
    assert lanes(draft, 8) == 8
    x, out = np.arange(2 * SIZE), np.zeros(9 * SIZE, np.int64)
    result = run(device, draft, [x, out], size=len(x))[1]
    np.testing.assert_array_equal(result.reshape(9, SIZE), np.tile(x[:SIZE] + x[SIZE:], (9, 1)))


@pytest.mark.parametrize("lane", [0, 5, SIZE - 1])
def test_a_lane_of_a_wide_gang_stores_its_sum(device: Device, lane: int) -> None:
    draft, (total,) = sums(SIZE, I32, I32)
    with draft.when(op(local_id(0), "==", lane)):
        draft.store(draft.buffers[1], workgroup_id(0), total)
    x = np.arange(2 * SIZE, dtype=np.int32)
    result = run(device, draft, [x, np.zeros(1, np.int32)], size=len(x))[1]
    assert result.tolist() == [x[lane] + x[SIZE + lane]]


def histogram(bins: int = 40) -> Draft:
    """Each workgroup counts its part of the values, in workgroup memory."""
    draft = Draft(SIZE)
    x, out, size = draft.buffer("x", I32), draft.buffer("out", I32), draft.param("size", I32, is_size=True)
    counts = draft.workgroup_array("counts", I32, SIZE)
    draft.store(counts, local_id(0), const(0))
    draft.barrier()
    with draft.loop_over(const(0), const(5), uniform=False) as trip:
        i = draft.let("i", op(op(op(workgroup_id(0), "*", 5 * SIZE), "+", local_id(0)), "+", op(trip, "*", SIZE)))
        with draft.when(op(i, "<", size)):
            value = draft.load(x, i)
            with draft.when(op(op(value, ">=", 0), "and", op(value, "<", bins))):
                draft.add(ir.Atomic(None, AtomicOp.ADD, ir.Place(counts, value), const(1), None))
    draft.barrier()
    with draft.when(op(local_id(0), "<", bins)):
        total = draft.load(counts, local_id(0))
        draft.add(ir.Atomic(None, AtomicOp.ADD, ir.Place(out, local_id(0)), total, None))
    return draft


@pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])
@pytest.mark.parametrize(("low", "high"), [(0, 40), (-20, 60), (7, 8)])
def test_counts_of_a_histogram(device: Device, num_lanes: int, low: int, high: int) -> None:
    """All lanes are on, some, or all add to one element."""
    values = np.random.default_rng(high).integers(low, high, 12 * SIZE + 5).astype(np.int32)
    arrays = [values, np.zeros(40, np.int32)]
    scalars = {"size": values.size}
    result = run_valid(device, histogram().valid(), arrays, (3,), scalars, num_lanes=num_lanes)[1]
    counted = values[(values >= 0) & (values < 40)]
    np.testing.assert_array_equal(result, np.bincount(counted, minlength=40))


def test_the_gang_of_a_histogram_reads_in_order() -> None:
    assert [lanes(histogram(), count) for count in (1, 4, 8, 16)] == [1, 32, 64, 128]


def test_where_all_lanes_are_on_atomics_have_no_loop() -> None:
    draft = Draft(16)
    x, out = draft.buffer("x", I32), draft.buffer("out", I32)
    with draft.when(op(draft.load(x, local_id(0)), ">", 0)):
        draft.add(ir.Atomic(None, AtomicOp.ADD, ir.Place(out, draft.load(x, local_id(0))), const(1), None))
    text = emit(draft.valid(), num_lanes=16).text
    every, _, some = text.partition("every_lane")[2].partition("some_lanes")[2].partition("some_lanes")
    assert (every.count("atomicrmw add"), some.count("atomicrmw add")) == (16, 1)


def sparse(*, is_slow: bool = False, has_barrier: bool = False, is_compressed: bool = True) -> Draft:
    """A sparse matrix times a vector: a row for each invocation."""
    draft = Draft(64)
    starts, columns, x, y = (draft.buffer(name, I32) for name in ("starts", "columns", "x", "y"))
    total = draft.variable("total", const(0))
    row = draft.let("row", op(op(workgroup_id(0), "*", 64), "+", local_id(0)))
    start, stop = draft.load(starts, row), draft.load(starts, op(row, "+", 1))
    with draft.loop_over(start if is_compressed else const(0), stop, uniform=False) as k:
        product = op(draft.load(x, draft.load(columns, k)), "*", k)
        draft.assign(total, op(total, "+", op(product, "//", 3) if is_slow else product))
    if has_barrier:
        draft.barrier()
    draft.store(y, row, total)
    return draft


def test_gathers_in_loops_of_different_lengths_have_no_lanes() -> None:
    assert [lanes(sparse(), count) for count in (1, 4, 8, 16)] == [1, 1, 1, 1]
    assert "llvm.loop.unroll.disable" in emit(sparse().valid(), num_lanes=16).text
    assert "llvm.loop" not in emit(sparse().valid(), num_lanes=1).text


def test_arithmetic_and_barriers_are_worth_lanes() -> None:
    assert [lanes(sparse(is_slow=True), count) for count in (4, 16)] == [4, 16]
    assert [lanes(sparse(has_barrier=True), count) for count in (4, 16)] == [4, 16]
    assert lanes(sparse(is_compressed=False), 16) >= 16  # all lanes count from 0


@pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])
def test_a_sparse_product(device: Device, num_lanes: int) -> None:
    random = np.random.default_rng(4)
    starts = np.concatenate([[0], np.cumsum(random.integers(0, 9, 192))]).astype(np.int32)
    columns = random.integers(0, 50, starts[-1]).astype(np.int32)
    x = random.integers(-99, 99, 50).astype(np.int32)
    partial = np.concatenate([[0], np.cumsum(x[columns] * np.arange(starts[-1]))])
    arrays = [starts, columns, x, np.zeros(192, np.int32)]
    result = run_valid(device, sparse().valid(), arrays, (3,), {}, num_lanes=num_lanes)[3]
    np.testing.assert_array_equal(result, partial[starts[1:]] - partial[starts[:-1]])


def test_lanes_with_stops_of_their_own(device: Device) -> None:
    """The iterations that all lanes have come first, then those of some. Nothing is carried over between gangs."""
    draft = Draft(64)
    stops, out = draft.buffer("stops", I32), draft.buffer("out", I32)
    total = draft.variable("total", const(0))
    with draft.loop_over(const(2), draft.load(stops, local_id(0)), uniform=False) as k:
        draft.assign(total, op(op(total, "*", 3), "+", op(k, "+", local_id(0))))
    draft.store(out, local_id(0), total)
    for low, high in ((-3, 9), (5, 12), (6, 7)):
        given = np.random.default_rng(high).integers(low, high, 64).astype(np.int32)
        expected = []
        for lane, stop in enumerate(given.tolist()):
            value = 0
            for k in range(2, stop):
                value = value * 3 + k + lane
            expected.append(value)
        np.testing.assert_array_equal(run(device, draft, [given, np.zeros(64, np.int32)], (1,))[1], expected)
