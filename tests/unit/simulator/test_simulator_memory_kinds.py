"""Structs, small integers, wide and float atomics, bounds and assertions on the simulator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft, number, place_of

from gpucore import ir
from gpucore.errors import KernelAssertionError, OutOfRangeError
from gpucore.ir import AtomicOp, BinaryOp, BuiltinKind, DebugKind
from gpucore.ir.build import binary

LANE = ir.Builtin(BuiltinKind.LOCAL_ID, 0)
F32X2 = ir.VectorType(ir.F32, 2)
CENTRE = ir.lay_out("Centre", (("at", F32X2), ("weight", ir.F32)))
BALL = ir.lay_out("Ball", (("kind", ir.U8), ("centre", CENTRE), ("count", ir.I16), ("id", ir.I64)))
DTYPE = np.dtype(
    {
        "names": ["kind", "at", "weight", "count", "id"],
        "formats": ["u1", ("f4", (2,)), "f4", "i2", "i8"],
        "offsets": [0, 8, 16, 24, 32],
        "itemsize": 40,
    }
)


def test_the_struct_is_laid_out_as_c_does() -> None:
    assert (BALL.nbytes, BALL.alignment) == (40, 8)
    assert [field.offset for field in BALL.fields] == [0, 8, 24, 32]


def test_fields_of_structs_are_read_and_written(draft: Draft) -> None:
    draft.workgroup_size = (3, 1, 1)
    balls = draft.buffer("balls", BALL)
    at, weight = draft.value("at", F32X2), draft.value("weight", ir.F32)
    kind, count, id = draft.value("kind", ir.U8), draft.value("count", ir.I16), draft.value("id", ir.I64)

    def place(*path: int) -> ir.Place:
        return ir.Place(balls, LANE, path)

    more = binary(BinaryOp.ADD, ir.Convert(count, ir.I32), number(1))
    body: list[ir.Stmt] = [
        ir.Load(at, place(1, 0)),
        ir.Load(weight, place(1, 1)),
        ir.Load(kind, place(0)),
        ir.Load(count, place(2)),
        ir.Load(id, place(3)),
        ir.Store(place(1, 0), binary(BinaryOp.MUL, at, ir.Splat(weight, F32X2))),
        ir.Store(place(0), ir.Convert(binary(BinaryOp.ADD, ir.Convert(kind, ir.I32), number(1)), ir.U8)),
        ir.Store(place(2), ir.Convert(more, ir.I16)),
        ir.Store(place(3), binary(BinaryOp.SUB, id, number(1, ir.I64))),
    ]
    given = np.zeros(3, DTYPE)
    given["kind"], given["count"], given["id"] = [0, 7, 255], [-1, 5, 32767], [0, 1, -(2**63)]
    given["at"], given["weight"] = [[1, 2], [3, 4], [5, 6]], [0.5, 2, -1]
    (got,) = draft.run(body, given)
    assert got["kind"].tolist() == [1, 8, 0]
    assert got["count"].tolist() == [0, 6, -32768]
    assert got["id"].tolist() == [-1, 0, 2**63 - 1]
    assert got["at"].tolist() == [[0.5, 1], [6, 8], [-5, -6]]
    assert got["weight"].tolist() == [0.5, 2, -1]


@pytest.mark.parametrize(("type", "dtype"), [(ir.I8, "i1"), (ir.U8, "u1"), (ir.I16, "i2"), (ir.U16, "u2")])
def test_small_integers_are_widened_and_wrap_when_narrowed(draft: Draft, type: ir.ScalarType, dtype: str) -> None:
    out, v = draft.buffer("out", type), draft.value("v", type)
    info = np.iinfo(dtype)
    wide = binary(BinaryOp.ADD, ir.Convert(v, ir.I32), number(1))
    body: list[ir.Stmt] = [
        ir.Load(v, ir.Place(out, number(0))),
        ir.Store(ir.Place(out, number(1)), ir.Convert(wide, type)),
        ir.Store(ir.Place(out, number(2)), ir.Convert(number(1e9, ir.F32), type)),
        ir.Store(ir.Place(out, number(3)), ir.Convert(number(-1e9, ir.F32), type)),
    ]
    (got,) = draft.run(body, np.array([info.max, 0, 0, 0], dtype))
    assert got.tolist() == [info.max, info.min, info.max, info.min]


@pytest.mark.parametrize(
    ("op", "expected"),
    [(AtomicOp.LOAD, 1.5), (AtomicOp.STORE, 4), (AtomicOp.EXCHANGE, 4), (AtomicOp.ADD, 5.5), (AtomicOp.SUB, -2.5)],
)
def test_float_atomics(draft: Draft, op: AtomicOp, expected: float) -> None:
    out, before = draft.buffer("out", ir.F32), draft.value("before", ir.F32)
    operand = None if op is AtomicOp.LOAD else number(4.0, ir.F32)
    body: list[ir.Stmt] = [
        ir.Atomic(before, op, ir.Place(out, number(0)), operand),
        ir.Store(ir.Place(out, number(1)), before),
    ]
    assert draft.run(body, np.array([1.5, 0], "f4"))[0].tolist() == [expected, 1.5]


@pytest.mark.parametrize(("type", "dtype"), [(ir.I64, "i8"), (ir.U64, "u8")])
def test_wide_atomics_wrap(draft: Draft, type: ir.ScalarType, dtype: str) -> None:
    out, info = draft.buffer("out", type), np.iinfo(dtype)
    body = [
        ir.Atomic(None, AtomicOp.ADD, ir.Place(out, number(0)), number(1, type)),
        ir.Atomic(None, AtomicOp.COMPARE_EXCHANGE, ir.Place(out, number(1)), number(9, type), number(7, type)),
    ]
    assert draft.run(body, np.array([info.max, 7], dtype))[0].tolist() == [info.min, 9]


@pytest.mark.parametrize("type", [ir.F32, ir.F64, ir.F16])
def test_erf(draft: Draft, type: ir.ScalarType) -> None:
    out, v = draft.buffer("out", type), draft.value("v", type)
    draft.workgroup_size = (6, 1, 1)
    body: list[ir.Stmt] = [
        ir.Load(v, ir.Place(out, LANE)),
        ir.Store(ir.Place(out, LANE), ir.Call(ir.MathOp.ERF, (v,), type)),
    ]
    given = np.array([0, -0.5, 1, 3, np.inf, np.nan], f"f{type.nbytes}")
    (got,) = draft.run(body, given)
    np.testing.assert_array_equal(got, np.array([math.erf(x) for x in given], given.dtype))


def guarded(draft: Draft, indices: tuple[int, int], access: str) -> list[ir.Stmt]:
    """An access to out[i, j] of shape (2, 3), whose flat index is in range either way."""
    out = draft.buffer("out", ir.I32)
    given = [draft.param(name, ir.I32) for name in ("i", "j")]
    place = ir.Place(out, binary(BinaryOp.ADD, binary(BinaryOp.MUL, given[0], number(3)), given[1]))
    span = place_of("v = x[i]")
    statements: dict[str, ir.Stmt] = {
        "load": ir.Load(draft.value("v", ir.I32), place, span),
        "store": ir.Store(place, number(5), span),
        "atomic": ir.Atomic(None, AtomicOp.ADD, place, number(5), span=span),
    }
    return [ir.Bounds(out, (given[0], given[1]), (number(2), number(3)), span), statements[access]]


@pytest.mark.parametrize("access", ["load", "store", "atomic"])
@pytest.mark.parametrize("indices", [(0, 3), (2, 0), (1, -1), (-1, 5)])
def test_bounds_are_those_of_each_axis(draft: Draft, indices: tuple[int, int], access: str) -> None:
    body = guarded(draft, indices, access)
    with pytest.raises(OutOfRangeError) as caught:
        draft.run(body, np.zeros(6, "i4"), params=tuple(map(np.int32, indices)))
    line = place_of("v = x[i]")
    assert str(caught.value).startswith(f"{line}: ")
    assert f"{indices} is out of range for 'out' of shape (2, 3)" in str(caught.value)
    assert caught.value.span == line


@pytest.mark.parametrize("access", ["load", "store", "atomic"])
def test_good_indices_pass(draft: Draft, access: str) -> None:
    (got,) = draft.run(guarded(draft, (1, 2), access), np.zeros(6, "i4"), params=(np.int32(1), np.int32(2)))
    assert got.tolist() == [0] * 5 + [0 if access == "load" else 5]


def asserted(draft: Draft) -> list[ir.Stmt]:
    draft.workgroup_size = (4, 1, 1)
    draft.buffer("out", ir.I32)
    below = draft.param("below", ir.I32)
    condition = ir.Binary(BinaryOp.LT, LANE, below, ir.BOOL)
    return [ir.Debug(DebugKind.ASSERT, ("lane ", LANE), place_of("v = x[i]"), condition)]


def test_an_assertion_that_holds_does_nothing(draft: Draft) -> None:
    body = asserted(draft)
    assert draft.run(body, np.zeros(1, "i4"), params=(np.int32(4),))[0].tolist() == [0]


def test_an_assertion_that_does_not_hold_is_raised_with_its_text(draft: Draft) -> None:
    body: list[Any] = asserted(draft)
    with pytest.raises(KernelAssertionError) as caught:
        draft.run(body, np.zeros(1, "i4"), params=(np.int32(2),))
    assert "lane 2" in str(caught.value) and "(2, 0, 0)" in str(caught.value)
    assert isinstance(caught.value, AssertionError)
