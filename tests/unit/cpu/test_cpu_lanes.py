"""Gangs of lanes: guards that end a row early, masks, indices that are linear in the lanes, values computed again.

Programs drawn at random must give what the simulator gives, whatever the number of lanes.
"""

from __future__ import annotations

import platform
import re
from contextlib import nullcontext

import numpy as np
import pytest
from cpu_drawn import Drawn, on_simulator
from cpu_kernels import Draft, call, const, local_id, op, run, run_valid, workgroup_id

from gpucore import ir
from gpucore.ir import F32, I32, U32, AtomicOp, MathOp
from gpucore.runtime import Device
from gpucore_cpu.emit import emit
from gpucore_cpu.plugin import CpuBackend


def matmul(element: ir.ScalarType, *, is_guarded: bool = True) -> Draft:
    """As users write it: guard, loop over k, one store."""
    draft = Draft(8, 4)
    a, b, c = (draft.buffer(name, element) for name in "abc")
    m, n, inner = (draft.param(name, I32, is_size=True) for name in ("m", "n", "inner"))
    column, row = draft.global_id(0), draft.global_id(1)
    with draft.when(op(op(row, "<", m), "and", op(column, "<", n))) if is_guarded else nullcontext():
        total = draft.variable("total", const(0, element))
        with draft.loop_over(const(0), inner) as k:
            left = draft.load(a, op(op(row, "*", inner), "+", k))
            right = draft.load(b, op(op(k, "*", n), "+", column))
            draft.assign(total, op(total, "+", op(left, "*", right)))
        draft.store(c, op(op(row, "*", n), "+", column), total)
    return draft


@pytest.mark.parametrize(("m", "n", "inner"), [(4, 8, 3), (13, 21, 17), (1, 1, 1), (9, 7, 0), (5, 64, 2)])
def test_matmul_with_full_and_short_rows(device: Device, m: int, n: int, inner: int) -> None:
    rng = np.random.default_rng(m)
    a, b = (rng.integers(-9, 9, shape).astype(np.int32) for shape in ((m, max(inner, 1)), (max(inner, 1), n)))
    grid = (-(-n // 8), -(-m // 4))
    result = run(device, matmul(I32), [a, b, np.full((m, n), -1, np.int32)], grid, m=m, n=n, inner=inner)[2]
    np.testing.assert_array_equal(result, a @ b if inner else np.zeros((m, n)))


def test_the_inner_loop_of_matmul_is_made_of_vectors(device: Device) -> None:
    """With whole rows only, the machine code multiplies vectors and no scalars."""
    source = CpuBackend().emit(matmul(F32, is_guarded=False).valid())
    pipeline = device.compile(source)
    assembly = device.assembly(pipeline)  # type: ignore[attr-defined]
    vector, scalar = {"x86_64": ("mulps|vfmadd.*ps", "mulss|vfmadd.*ss"), "aarch64": (r"fmla.*\.4s", "fmadd")}.get(
        platform.machine(), ("", "")
    )
    if not vector:
        pytest.skip("the names of this processor's instructions are not known here")
    assert re.search(vector, assembly)
    assert not re.search(scalar, assembly)


def test_loops_bounded_by_y_and_by_x(device: Device) -> None:
    draft = Draft(8, 4)
    out = draft.buffer("out", I32)
    number = draft.let("number", op(op(local_id(1), "*", 8), "+", local_id(0)))
    total = draft.variable("total", const(0))
    with draft.loop_over(const(0), local_id(1), uniform=False) as j:
        with draft.loop_over(const(0), local_id(0), uniform=False) as k:
            draft.assign(total, op(total, "+", op(op(j, "*", 10), "+", k)))
        with draft.when(op(op(j, "+", local_id(0)), "==", 3)):
            draft.assign(total, op(total, "+", 1000))
    draft.store(out, number, total)
    result = run(device, draft, [np.zeros((4, 8), np.int32)])[0]
    expected = [
        [sum(10 * j + k for j in range(y) for k in range(x)) + 1000 * (0 <= 3 - x < y) for x in range(8)]
        for y in range(4)
    ]
    np.testing.assert_array_equal(result, expected)


def test_private_arrays_and_branches(device: Device) -> None:
    draft = Draft(8, 2)
    out, count = draft.buffer("out", I32), draft.param("count", I32)
    number = draft.let("number", op(op(local_id(1), "*", 8), "+", local_id(0)))
    array = draft.private_array("array", I32, 4)
    with draft.block() as then, draft.loop_over(const(0), count) as k:
        place = draft.let("place", op(k, "%", 4))
        draft.store(array, place, op(draft.load(array, place), "+", op(number, "*", k)))
    with draft.block() as orelse, draft.loop_over(const(0), const(3)) as k:
        draft.store(array, k, op(number, "-", k))
    draft.add(ir.If(op(local_id(1), "==", 0), tuple(then), tuple(orelse)))
    with draft.loop_over(const(0), const(4)) as k:
        draft.store(out, op(op(number, "*", 4), "+", k), draft.load(array, k))
    result = run(device, draft, [np.zeros((16, 4), np.int32)], count=9)[0]
    expected = [
        [sum(n * k for k in range(9) if k % 4 == p) if n < 8 else (n - p) * (p < 3) for p in range(4)]
        for n in range(16)
    ]
    np.testing.assert_array_equal(result, expected)


def test_a_region_with_atomics_keeps_its_order(device: Device) -> None:
    draft = Draft(16)
    out = draft.buffer("out", I32)
    with draft.loop_over(const(0), const(5)) as k:
        draft.atomic(AtomicOp.ADD, out, k, op(local_id(), "*", k))
    result = run(device, draft, [np.zeros(5, np.int32)], [3])[0]
    np.testing.assert_array_equal(result, 3 * 120 * np.arange(5))


LANES = pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])


def indices(n: int) -> dict[str, ir.Expr]:
    """Indices into an array of 4 * n elements, from local_id(0) in a workgroup of n."""
    x = local_id(0)
    return {
        "linear": op(x, "+", 3), "strided": op(x, "*", 3), "backwards": op(const(n - 1), "-", x),
        "blocks of 32": op(op(op(x, "//", 32), "*", 64), "+", op(x, "%", 32)),
        "blocks of 5": op(op(op(x, "//", 5), "*", 7), "+", op(x, "%", 5)),
        "bits": op(op(op(x, ">>", 4), "<<", 5), "|", op(x, "&", 15)),
        "pairs": op(x, "^", 1), "far pairs": op(x, "^", 16), "square": op(op(x, "*", x), "%", n),
        "wrapping": op(op(op(x, "+", 2**31 - 1), "+", 2**31 - 1), "+", 5),
        "rows of 18": op(op(op(x, "//", 18), "*", 20), "+", op(x, "%", 18)),
        "rows side by side": op(op(op(x, "//", 18), "*", 18), "+", op(x, "%", 18)),
        "clamped": call(MathOp.CLAMP, op(x, "-", 3), const(0), const(n - 9)),
        "within limits": call(MathOp.CLAMP, op(x, "+", 3), const(2), const(2 * n)),
        "rows within limits": op(
            op(call(MathOp.MAX, op(op(x, "//", 17), "+", 1), const(0)), "*", 30), "+",
            call(MathOp.MIN, op(x, "%", 17), const(16)),
        ),
    }  # fmt: skip


@LANES
@pytest.mark.parametrize("kind", ["buffer", "workgroup", "private"])
@pytest.mark.parametrize("name", [*indices(1)])
def test_indices(device: Device, num_lanes: int, kind: str, name: str) -> None:
    """Elements are loaded from, and stored at, an index; some lanes are off."""
    n, draft = 40, Draft(40)
    source, out, taken = (draft.buffer(buffer, I32) for buffer in ("source", "out", "taken"))
    memory = {
        "buffer": lambda: source,
        "workgroup": lambda: draft.workgroup_array("shared", I32, 4 * n),
        "private": lambda: draft.private_array("own", I32, 4 * n),
    }[kind]()
    if kind != "buffer":
        with draft.loop_over(const(0), const(4 * n)) as k:
            draft.store(memory, k, draft.load(source, k))
    index = indices(n)[name]
    if kind == "workgroup":
        draft.barrier()
    draft.store(out, local_id(0), draft.load(memory, index))
    with draft.when(op(op(local_id(0), "%", 3), "!=", 1)):
        draft.store(taken, index, op(local_id(0), "+", 1))
    values = np.arange(4 * n, dtype=np.int32)[::-1].copy()
    arrays = [values, np.zeros(n, np.int32), np.zeros(4 * n, np.int32)]
    result = run_valid(device, draft.valid(), arrays, [1], {}, num_lanes=num_lanes)
    x = np.arange(n)
    exact = {
        "linear": x + 3, "strided": 3 * x, "backwards": n - 1 - x, "blocks of 32": x // 32 * 64 + x % 32,
        "blocks of 5": x // 5 * 7 + x % 5, "bits": (x >> 4 << 5) | (x & 15), "pairs": x ^ 1, "far pairs": x ^ 16,
        "square": x * x % n, "wrapping": x + 3, "rows of 18": x // 18 * 20 + x % 18, "rows side by side": x,
        "clamped": np.clip(x - 3, 0, n - 9), "within limits": x + 3, "rows within limits": (x // 17 + 1) * 30 + x % 17,
    }[name]  # fmt: skip
    np.testing.assert_array_equal(result[1], values[exact])
    for place in set(exact):
        writers = {int(lane) + 1 for lane in x if exact[lane] == place and lane % 3 != 1}
        assert result[2][place] in (writers or {0})


def loaded(index: ir.Expr, num_lanes: int = 16) -> str:
    """The text of a kernel that loads from an index of a workgroup of 40."""
    draft = Draft(40)
    source, out = draft.buffer("source", I32), draft.buffer("out", I32)
    draft.store(out, local_id(0), draft.load(source, index))
    return emit(draft.valid(), num_lanes=num_lanes).text


def test_a_clamped_index_is_linear_where_no_lane_is_clamped() -> None:
    text = loaded(indices(40)["clamped"])
    assert re.search(r"br i1 %t\S+, label %in_range\S+, label %clamped", text)
    assert re.search(r"= load <16 x i32>, ptr %place", text)


def test_rows_are_read_in_two_pieces() -> None:
    """The second load has the lanes from the start of the next row on."""
    for name in ("rows of 18", "rows within limits"):
        text = loaded(indices(40)[name])
        fast = text.partition("in_range")[2].partition("clamped")[0]
        assert "masked.gather" not in fast
        assert re.search(r"%(\S+) = call <16 x i32> @llvm.masked.load.*poison\)\n(.*\n)*?.*masked.load.*%\1\)", text)
    assert "masked.gather" in loaded(indices(40)["blocks of 5"])  # more than two rows
    assert "masked" not in loaded(indices(40)["rows side by side"]).partition("last_gang")[0].partition("mask.")[0]


@LANES
@pytest.mark.parametrize("top", [-2, -1, 0, 3, 5])
def test_a_clamped_tile(device: Device, num_lanes: int, top: int) -> None:
    """A plate of 11 x 23 is read in rows of 18, with and without lanes beyond its edges."""
    draft, size = Draft(96), 5 * 18
    plate, out = draft.buffer("plate", I32), draft.buffer("out", I32)
    first, rows, columns, last = (draft.param(name, I32) for name in ("first", "rows", "columns", "last"))
    k = draft.let("k", local_id(0))
    row = call(MathOp.CLAMP, op(first, "+", op(k, "//", 18)), const(0), op(rows, "-", 1))
    column = call(MathOp.CLAMP, op(op(first, "+", 1), "+", op(k, "%", 18)), const(0), op(columns, "-", 1))
    index = op(op(row, "*", columns), "+", column)
    limited = call(MathOp.MIN, ir.Convert(index, U32), ir.Convert(last, U32))
    with draft.when(op(k, "<", size)):
        draft.store(out, k, draft.load(plate, limited))
    values = np.random.default_rng(top + 2).integers(-99, 99, (11, 23)).astype(np.int32)
    scalars = {"first": top, "rows": 11, "columns": 23, "last": values.size - 1}
    arrays = [values.reshape(-1), np.zeros(size, np.int32)]
    result = run_valid(device, draft.valid(), arrays, [1], scalars, num_lanes=num_lanes)[1]
    number = np.arange(size)
    at = np.clip(top + number // 18, 0, 10), np.clip(top + 1 + number % 18, 0, 22)
    np.testing.assert_array_equal(result, values[at])


def test_a_load_that_no_lane_reaches_is_not_made() -> None:
    """The index is the same in all lanes, and beyond the array in most workgroups, where all lanes are off.

    Only where its address is written, it is seen to be the same: a quotient rounded to zero could differ.
    """
    draft = Draft(16)
    source, out = draft.buffer("source", I32), draft.buffer("out", I32)
    quotient = ir.Binary(ir.BinaryOp.TRUNC_DIV, local_id(), const(16), I32)
    place = draft.let("place", op(op(workgroup_id(), "*", 1000), "+", quotient))
    total = draft.variable("total", local_id())
    with draft.when(op(op(place, "+", op(local_id(), "&", 1)), "<", 1500)):
        draft.assign(total, op(total, "+", draft.load(source, place)))
    draft.store(out, draft.global_id(), total)
    text = emit(draft.valid(), num_lanes=16).text
    assert "masked.gather" in text
    assert not re.search(r"= load i32, ptr %place", text)


@LANES
@pytest.mark.parametrize("leave", [ir.Break, ir.Continue])
@pytest.mark.parametrize("is_uniform", [True, False])
def test_lanes_that_leave_a_loop_in_a_nested_branch_leave_the_others_there(
    device: Device, num_lanes: int, leave: type[ir.Break | ir.Continue], is_uniform: bool
) -> None:
    """All lanes of a branch leave; those that did not take it go on after the branch."""
    draft = Draft(16)
    out, param = draft.buffer("out", I32), draft.param("p", I32)
    count, after = draft.variable("count", const(0)), draft.variable("after", const(0))
    with draft.loop_over(const(0), const(3)):
        with draft.when(op(op(local_id(), "%", 3), "==", 1)):
            draft.assign(count, op(count, "+", 1))
            with draft.when(op(param if is_uniform else op(local_id(), "+", param), ">", 0)):
                draft.add(leave())
            draft.assign(count, op(count, "+", 10))
        draft.assign(after, op(after, "+", 100))
    draft.store(out, local_id(), op(count, "+", after))
    result = run_valid(device, draft.valid(), [np.zeros(16, np.int32)], [1], {"p": 1}, num_lanes=num_lanes)[0]
    expected = np.where(np.arange(16) % 3 == 1, 1 if leave is ir.Break else 3, 300)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("seed", range(36))
def test_programs_drawn_at_random_agree_with_the_simulator(device: Device, seed: int) -> None:
    drawn = Drawn(seed)
    proven = drawn.proven()
    source = np.random.default_rng(seed).integers(-1000, 1000, 64).astype(np.int32)
    total = drawn.count * 3
    arrays = [np.full(total, 77, np.int32), source]
    scalars = {"p": seed % 7 - 2, "n": total - 2}
    expected = on_simulator(proven, arrays, scalars)
    for uniform, num_lanes in ((None, 1), (None, 4), (frozenset(), 8), (None, 8), (None, 16)):
        result = run_valid(device, proven, arrays, [3], scalars, uniform, num_lanes)
        np.testing.assert_array_equal(result[0], expected)


@LANES
def test_the_part_of_a_condition_that_lanes_share_is_a_branch(device: Device, num_lanes: int) -> None:
    """Where a whole gang is outside the array there is no masked access, which may take microseconds there."""
    draft = Draft(32, 4)
    a, out = draft.buffer("a", F32), draft.buffer("out", F32)
    rows, columns = (draft.param(name, I32, is_size=True) for name in ("rows", "columns"))
    row, column = draft.global_id(1), draft.global_id(0)
    is_inside = draft.let("is_inside", op(op(row, "<", rows), "and", op(column, "<", columns)))
    value = draft.variable("value", const(0.0, F32))
    with draft.block() as then:
        draft.assign(value, draft.load(a, op(op(row, "*", columns), "+", column)))
    with draft.block() as orelse:
        draft.assign(value, const(-1.0, F32))
    draft.add(ir.If(is_inside, tuple(then), tuple(orelse)))
    draft.store(out, op(op(row, "*", 32), "+", column), value)
    valid = draft.valid()
    masks = re.findall(r"masked\.load.* x i1> (%\S+?),", emit(valid, num_lanes=num_lanes).text)
    assert len(masks) == (num_lanes > 1)
    assert all(f"{mask} = icmp slt" in emit(valid, num_lanes=num_lanes).text for mask in masks)
    matrix = np.arange(1, 70, dtype=np.float32).reshape(3, 23)
    expected = np.full((8, 32), -1, np.float32)
    expected[:3, :23] = matrix
    result = run_valid(
        device, valid, [matrix, np.zeros((8, 32), np.float32)], (1, 2), {"rows": 3, "columns": 23}, num_lanes=num_lanes
    )[1]
    np.testing.assert_array_equal(result, expected)


@LANES
def test_a_minimum_or_maximum_of_a_sum_that_wraps(device: Device, num_lanes: int) -> None:
    """In 64 bits the sum is within the limit, and what is added to it brings the index back into the array."""
    draft = Draft(64)
    x, low, high = (draft.buffer(name, I32) for name in ("x", "low", "high"))
    a, b, least, greatest = (draft.param(name, I32) for name in ("a", "b", "least", "greatest"))
    i = draft.let("i", local_id(0))
    smaller = call(MathOp.MIN, op(op(i, "-", a), "-", b), least)
    larger = call(MathOp.MAX, op(op(i, "+", a), "+", b), greatest)
    for out, index in ((low, op(op(smaller, "+", a), "+", b)), (high, op(op(larger, "-", a), "-", b))):
        draft.store(out, i, draft.load(x, call(MathOp.MIN, ir.Convert(index, U32), const(299, U32))))
    values = np.arange(300, dtype=np.int32)
    arrays = [values, np.zeros(64, np.int32), np.zeros(64, np.int32)]
    scalars = {"a": 2**31 - 1, "b": 70, "least": -(2**31) + 100, "greatest": 2**31 - 1 - 50}
    result = run_valid(device, draft.valid(), arrays, [1], scalars, num_lanes=num_lanes)
    np.testing.assert_array_equal(result[1], -(2**31) + 100 + 2**31 - 1 + 70)
    np.testing.assert_array_equal(result[2], 299)  # negative
