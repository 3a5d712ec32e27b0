"""What lies in memory beside numbers of 32 bits, atomics on them, and values that are promised to be uniform."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from cpu_kernels import ELEMENTS, Draft, apply, call, const, local_id, op, run, workgroup_id

from gpucore import ir
from gpucore.ir import F16, F32, F64, I32, I64, U32, AtomicOp, MathOp, VectorType
from gpucore.runtime import Device

SMALL = (np.int8, np.uint8, np.int16, np.uint16)


def every(kind: Any) -> Any:
    """Every value of an integer type of 8 or 16 bits."""
    info = np.iinfo(kind)
    return np.arange(info.min, info.max + 1).astype(kind)


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("wide", [np.int32, np.uint32, np.int64, np.float32, np.float64])
def test_small_integers_widen(device: Device, kind: Any, wide: Any) -> None:
    target = ELEMENTS[np.dtype(wide).name]
    result = apply(device, wide, target, lambda x: ir.Convert(x, target), every(kind))
    np.testing.assert_array_equal(result, every(kind).astype(wide))


@pytest.mark.parametrize("kind", SMALL)
def test_integers_narrow_by_wrapping(device: Device, kind: Any) -> None:
    values = np.array([0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536, -(2**31)], np.int32)
    target = ELEMENTS[np.dtype(kind).name]
    result = apply(device, kind, target, lambda x: ir.Convert(x, target), values)
    np.testing.assert_array_equal(result, values.astype(kind))


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("source", [np.float16, np.float32, np.float64])
def test_floats_narrow_by_saturating(device: Device, kind: Any, source: Any) -> None:
    values = np.array([0, -0.9, 1.9, -1.9, 126.5, 130, -130, 300, -300, 3e4, 4e4, 6e4, np.inf, -np.inf, np.nan], source)
    target, info = ELEMENTS[np.dtype(kind).name], np.iinfo(kind)
    result = apply(device, kind, target, lambda x: ir.Convert(x, target), values)
    expected = np.trunc(np.nan_to_num(values.astype(np.float64), nan=0)).clip(info.min, info.max)
    np.testing.assert_array_equal(result, expected.astype(kind))


@pytest.mark.parametrize(("kind", "other"), [("int8", "uint8"), ("uint8", "int8"), ("uint16", "float16")])
def test_small_bits_as_another_type(device: Device, kind: str, other: str) -> None:
    values = every(np.dtype(kind).type)
    target = ELEMENTS[other]
    result = apply(device, np.dtype(other).type, target, lambda x: ir.Bitcast(x, target), values)
    assert result.tobytes() == values.tobytes()


def test_small_integers_are_chosen_and_kept_in_variables_and_arrays(device: Device) -> None:
    """Over a barrier too, and of neighbours that lie in one word."""
    draft = Draft(16)
    x, out = draft.buffer("x", ir.I8), draft.buffer("out", ir.I8)
    shared = draft.workgroup_array("shared", ir.I8, 16)
    i = local_id()
    loaded = draft.load(x, i)
    kept = draft.variable("kept", loaded)
    chosen = ir.Select(op(i, "<", 8), kept, const(-5, ir.I8), ir.I8)
    draft.store(shared, i, chosen)
    draft.assign(kept, chosen)
    draft.barrier()
    draft.store(out, i, ir.Select(op(op(i, "%", 2), "==", 0), kept, draft.load(shared, op(const(15), "-", i)), ir.I8))
    values = np.arange(-8, 8, dtype=np.int8)
    after = np.where(np.arange(16) < 8, values, -5).astype(np.int8)
    expected = np.where(np.arange(16) % 2 == 0, after, after[::-1])
    np.testing.assert_array_equal(run(device, draft, [values, values * 0])[1], expected)


# ---------------------------------------------------------------- structs

INNER = ir.lay_out("Inner", (("flag", ir.U8), ("weight", F64)))
OUTER = ir.lay_out("Outer", (("tag", ir.I8), ("inner", INNER), ("place", VectorType(F32, 4)), ("count", ir.U16)))
INNER_DTYPE = np.dtype([("flag", "u1"), ("weight", "f8")], align=True)
OUTER_DTYPE = np.dtype(
    {
        "names": ["tag", "inner", "place", "count"],
        "formats": ["i1", INNER_DTYPE, ("f4", 4), "u2"],
        "offsets": [field.offset for field in OUTER.fields],
        "itemsize": OUTER.nbytes,
    }
)


def test_fields_of_structs_are_read_and_written_in_place(device: Device) -> None:
    assert (OUTER.nbytes, [field.offset for field in OUTER.fields]) == (64, [0, 8, 32, 48])
    draft = Draft(8)
    table, total = draft.buffer("table", OUTER), draft.buffer("total", F64)
    n = draft.param("n", I32, is_size=True)
    i = draft.global_id()
    with draft.when(op(i, "<", n)):
        weight = draft.load(table, i, path=(1, 1))
        place = draft.load(table, i, path=(2,))
        count = draft.load(table, i, path=(3,))
        draft.store(table, i, ir.Convert(op(ir.Convert(count, I32), "+", 1), ir.U16), path=(3,))
        draft.store(table, i, op(place, "+", place), path=(2,))
        draft.store(table, i, const(7, ir.U8), path=(1, 0))
        draft.store(total, i, op(weight, "+", ir.Convert(ir.Extract(place, 3, F32), F64)))
    rows = np.zeros(21, OUTER_DTYPE)
    rows["tag"], rows["count"] = np.arange(21) - 9, np.arange(21) * 1000
    rows["inner"]["weight"], rows["place"] = np.arange(21) / 7, np.arange(84, dtype=np.float32).reshape(21, 4)
    after, sums = run(device, draft, [rows.view(np.uint8), np.zeros(21)], [3], n=21)
    expected = rows.copy()
    expected["count"] += 1
    expected["place"] *= 2
    expected["inner"]["flag"] = 7
    np.testing.assert_array_equal(after.view(OUTER_DTYPE), expected)
    np.testing.assert_array_equal(sums, rows["inner"]["weight"] + rows["place"][:, 3])


# ---------------------------------------------------------------- atomics


@pytest.mark.parametrize("in_buffer", [True, False])
@pytest.mark.parametrize("type", [F32, I64, ir.U64])
def test_additions_by_many_invocations(device: Device, type: ir.ScalarType, in_buffer: bool) -> None:
    """Whole numbers, so that the order of floats does not matter."""
    dtype = {F32: np.float32, I64: np.int64, ir.U64: np.uint64}[type]
    draft = Draft(64)
    x, totals = draft.buffer("x", type), draft.buffer("totals", type)
    i = draft.global_id()
    loaded = draft.load(x, i)
    target = totals if in_buffer else draft.workgroup_array("shared", type, 2)
    if not in_buffer:
        with draft.when(op(local_id(), "<", 2)):
            draft.store(target, local_id(), const(0.0 if type is F32 else 0, type))
        draft.barrier()
    draft.atomic(AtomicOp.ADD, target, const(0), loaded)
    draft.atomic(AtomicOp.SUB, target, const(1), loaded)
    if not in_buffer:
        draft.barrier()
        with draft.when(op(local_id(), "<", 2)):
            draft.atomic(AtomicOp.ADD, totals, local_id(), draft.load(target, local_id()))
    values = np.random.default_rng(5).integers(0, 50, 64 * 100).astype(dtype)
    found = run(device, draft, [values, np.zeros(2, dtype)], [100])[1]
    np.testing.assert_array_equal(found, np.array([values.sum(), (-values).sum()], dtype))


def test_float_exchange_load_and_store(device: Device) -> None:
    draft = Draft(4)
    cells, seen = draft.buffer("cells", F32), draft.buffer("seen", F32)
    i = local_id()
    draft.store(seen, i, draft.atomic(AtomicOp.EXCHANGE, cells, i, const(2.5, F32)))
    after = op(i, "+", 4)
    draft.store(seen, after, draft.atomic(AtomicOp.LOAD, cells, i))
    draft.add(ir.Atomic(None, AtomicOp.STORE, ir.Place(cells, i), const(-1.0, F32)))
    cells_after, seen_after = run(device, draft, [np.float32([1, 2, np.nan, np.inf]), np.zeros(8, np.float32)])
    np.testing.assert_array_equal(seen_after, np.float32([1, 2, np.nan, np.inf, 2.5, 2.5, 2.5, 2.5]))
    np.testing.assert_array_equal(cells_after, np.full(4, -1, np.float32))


def test_wide_minimum_and_compare_exchange(device: Device) -> None:
    draft = Draft(8)
    cells = draft.buffer("cells", I64)
    i = ir.Convert(local_id(), I64)
    draft.atomic(AtomicOp.MIN, cells, const(0), op(op(i, "-", 5), "*", 2**40))
    draft.atomic(AtomicOp.MAX, cells, const(1), op(i, "*", 2**40))
    draft.atomic(AtomicOp.COMPARE_EXCHANGE, cells, const(2), const(-1, I64), const(2**50, I64))
    draft.atomic(AtomicOp.COMPARE_EXCHANGE, cells, const(3), const(-1, I64), const(2**50, I64))
    found = run(device, draft, [np.array([0, 0, 2**50, 2**50 + 1])])[0]
    np.testing.assert_array_equal(found, [-5 * 2**40, 7 * 2**40, -1, 2**50 + 1])


# ---------------------------------------------------------------- the error function, promises


@pytest.mark.parametrize(("kind", "tolerance"), [(np.float16, 2**-10), (np.float32, 2**-22), (np.float64, 2**-51)])
def test_error_function(device: Device, kind: Any, tolerance: float) -> None:
    values = np.array([0, -0.0, 1e-3, 0.5, -0.5, 1, -1.7, 2.5, 4, -6, np.inf, -np.inf, np.nan], kind)
    type = ELEMENTS[np.dtype(kind).name]
    found = apply(device, kind, type, lambda x: call(MathOp.ERF, x), values)
    np.testing.assert_allclose(found, np.array([math.erf(float(v)) for v in values]), rtol=tolerance, atol=1e-300)


@pytest.mark.parametrize("element", [F16, F32])
def test_error_function_of_vectors(device: Device, element: ir.ScalarType) -> None:
    dtype = {F16: np.float16, F32: np.float32}[element]
    draft = Draft(4)
    x = draft.buffer("x", VectorType(element, 4))
    draft.store(x, local_id(), call(MathOp.ERF, draft.load(x, local_id())))
    values = np.linspace(-2, 2, 16).astype(dtype)
    expected = [math.erf(float(value)) for value in values]
    np.testing.assert_allclose(run(device, draft, [values])[0], expected, rtol=2e-3 if element is F16 else 1e-6)


def test_a_promise_leads_all_invocations_through_a_barrier(device: Device) -> None:
    """The bound of the loop and the branch come from memory that the kernel writes."""
    draft = Draft(8)
    data, out = draft.buffer("data", U32), draft.buffer("out", U32)
    shared = draft.workgroup_array("shared", U32, 8)
    group, i = workgroup_id(), local_id()
    rounds = draft.uniform_let("rounds", ir.Convert(draft.load(data, group), I32))
    total = draft.variable("total", ir.Convert(i, U32))
    with draft.loop_over(const(0), rounds), draft.when(op(rounds, "<", 3)):
        draft.store(shared, i, total)
        draft.barrier()
        draft.assign(total, op(total, "+", draft.load(shared, op(const(7), "-", i))))
        draft.barrier()
    draft.store(out, op(op(group, "*", 8), "+", i), total)
    found = run(device, draft, [np.arange(4, dtype=np.uint32), np.zeros(32, np.uint32)], [4])[1]
    lanes = np.arange(8)
    np.testing.assert_array_equal(found.reshape(4, 8), [lanes, lanes * 0 + 7, lanes * 0 + 14, lanes])
