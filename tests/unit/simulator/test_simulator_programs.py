"""Whole kernels on the simulator: what is in the buffers afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from simulator_kernels import Draft, block_sum, global_id, number, saxpy

from gpucore import ir
from gpucore.ir import AtomicOp, BinaryOp, BuiltinKind
from gpucore.ir.build import binary

F32X4 = ir.VectorType(ir.F32, 4)
I32X2 = ir.VectorType(ir.I32, 2)


def test_saxpy_leaves_what_is_behind_its_size(draft: Draft) -> None:
    body = saxpy(draft)
    x, y = np.arange(24, dtype=np.float32), np.full(24, 0.5, np.float32)
    x_after, y_after = draft.run(body, x, y, params=(np.float32(3), np.int32(19)), workgroups=(3, 1, 1))
    expected = np.where(np.arange(24) < 19, 3 * x + y, y).astype(np.float32)
    np.testing.assert_array_equal(x_after, x)
    np.testing.assert_array_equal(y_after, expected)


def test_barriers_let_a_workgroup_reduce(draft: Draft) -> None:
    body = block_sum(draft)
    x = np.random.default_rng(1).integers(-50, 50, 40).astype(np.float32)
    total = draft.run(body, x, np.zeros(5, np.float32), workgroups=(5, 1, 1))[1]
    np.testing.assert_array_equal(total, x.reshape(5, 8).sum(axis=1))


def test_ids_and_their_order(draft: Draft) -> None:
    """Axis 0 varies fastest, of invocations and of workgroups."""
    draft.workgroup_size = (2, 1, 3)
    out = draft.buffer("out", ir.I32)
    ticket = draft.value("ticket", ir.I32)
    axes = [(kind, axis) for kind in (BuiltinKind.WORKGROUP_ID, BuiltinKind.LOCAL_ID) for axis in range(3)]
    body: list[ir.Stmt] = [ir.Atomic(ticket, AtomicOp.ADD, ir.Place(out, number(0)), number(6))]
    for offset, (kind, axis) in enumerate(axes, 1):
        index = binary(BinaryOp.ADD, ticket, number(offset))
        body.append(ir.Store(ir.Place(out, index), ir.Builtin(kind, axis)))
    (result,) = draft.run(body, np.zeros(1 + 6 * 4 * 6, np.int32), workgroups=(2, 2, 1))
    expected = [
        (wx, wy, 0, lx, 0, lz) for wy in range(2) for wx in range(2) for lz in range(3) for lx in range(2)
    ]  # fmt: skip
    np.testing.assert_array_equal(result[1:].reshape(-1, 6), expected)


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (AtomicOp.LOAD, -5),
        (AtomicOp.STORE, 3),
        (AtomicOp.EXCHANGE, 3),
        (AtomicOp.ADD, -2),
        (AtomicOp.SUB, -8),
        (AtomicOp.MIN, -5),
        (AtomicOp.MAX, 3),
        (AtomicOp.AND, -5 & 3),
        (AtomicOp.OR, -5 | 3),
        (AtomicOp.XOR, -5 ^ 3),
    ],
)
@pytest.mark.parametrize("in_workgroup", [False, True])
def test_atomics_store_and_give_what_was_before(draft: Draft, op: AtomicOp, expected: int, in_workgroup: bool) -> None:
    out, before, after = draft.buffer("out", ir.I32), draft.value("before", ir.I32), draft.value("after", ir.I32)
    memory: ir.Memory = draft.workgroup_array("tile", ir.I32, 2) if in_workgroup else out
    place = ir.Place(memory, number(1))
    operand = None if op is AtomicOp.LOAD else number(3)
    body: list[ir.Stmt] = [
        ir.Store(place, number(-5)),
        ir.Atomic(before, op, place, operand),
        ir.Load(after, place),
        ir.Store(ir.Place(out, number(0)), before),
        ir.Store(ir.Place(out, number(1)), after),
    ]
    (result,) = draft.run(body, np.zeros(2, np.int32))
    assert result.tolist() == [-5, expected]


def test_atomic_add_wraps_and_compare_exchange_compares(draft: Draft) -> None:
    out = draft.buffer("out", ir.U32)
    place = [ir.Place(out, number(k)) for k in range(3)]
    body: list[ir.Stmt] = [
        ir.Atomic(None, AtomicOp.ADD, place[0], number(2, ir.U32)),
        ir.Atomic(None, AtomicOp.COMPARE_EXCHANGE, place[1], number(9, ir.U32), number(7, ir.U32)),
        ir.Atomic(None, AtomicOp.COMPARE_EXCHANGE, place[2], number(9, ir.U32), number(7, ir.U32)),
    ]
    (result,) = draft.run(body, np.array([0xFFFFFFFF, 7, 8], np.uint32))
    assert result.tolist() == [1, 9, 8]


def test_vectors_of_floats(draft: Draft) -> None:
    """out[i] = (select(...) * splat(dot(v, v)) + (4, 3, 2, 1)).with x and w exchanged."""
    draft.workgroup_size = (8, 1, 1)
    source, out = draft.buffer("source", F32X4), draft.buffer("out", F32X4)
    i, v, sum_ = draft.value("i", ir.I32), draft.value("v", F32X4), draft.value("sum", F32X4)
    scale = ir.Splat(ir.Call(ir.MathOp.DOT, (v, v), ir.F32), F32X4)
    ramp = ir.Construct(tuple(number(float(k), ir.F32) for k in (4, 3, 2, 1)), F32X4)
    is_even = binary(BinaryOp.EQ, binary(BinaryOp.FLOOR_MOD, i, number(2)), number(0))
    chosen = ir.Select(is_even, v, ir.Unary(ir.UnaryOp.NEG, v, F32X4), F32X4)
    total = binary(BinaryOp.ADD, binary(BinaryOp.MUL, chosen, scale), ramp)
    swapped = ir.Construct(tuple(ir.Extract(sum_, k, ir.F32) for k in (3, 1, 2, 0)), F32X4)
    body: list[ir.Stmt] = [
        ir.Let(i, global_id()),
        ir.Load(v, ir.Place(source, i)),
        ir.Let(sum_, total),
        ir.Store(ir.Place(out, i), swapped),
    ]
    given = np.random.default_rng(2).integers(-9, 9, (8, 4)).astype(np.float32)
    result = draft.run(body, given, np.zeros((8, 4), np.float32))[1]
    signed = np.where(np.arange(8) % 2 == 0, 1, -1)[:, None] * given
    expected = signed * (given**2).sum(axis=1, keepdims=True) + [4, 3, 2, 1]
    np.testing.assert_array_equal(result, expected[:, [3, 1, 2, 0]])


def test_vectors_of_integers_wrap_by_component(draft: Draft) -> None:
    source, out = draft.buffer("source", I32X2), draft.buffer("out", I32X2)
    v = draft.value("v", I32X2)
    tripled = binary(BinaryOp.MUL, v, ir.Splat(number(3), I32X2))
    quotient = binary(BinaryOp.FLOOR_DIV, v, ir.Construct((number(0), number(-1)), I32X2))
    body: list[ir.Stmt] = [
        ir.Load(v, ir.Place(source, number(0))),
        ir.Store(ir.Place(out, number(0)), tripled),
        ir.Store(ir.Place(out, number(1)), quotient),
    ]
    given = np.array([[2**30, -(2**31)]], np.int32)
    result = draft.run(body, given, np.zeros((2, 2), np.int32))[1]
    assert result.tolist() == [[3 * 2**30 - 2**32, -(2**31)], [2**30, -(2**31)]]


def test_a_loop_with_break_and_continue(draft: Draft) -> None:
    """Sums the odd numbers below 10, and leaves at 7."""
    out = draft.buffer("out", ir.I32)
    total, k = draft.local("total", ir.I32), draft.value("k", ir.I32)
    is_even = binary(BinaryOp.EQ, binary(BinaryOp.FLOOR_MOD, k, number(2)), number(0))
    body: list[ir.Stmt] = [
        ir.Declare(total, number(0)),
        ir.ForRange(
            k,
            number(0),
            number(10),
            (
                ir.If(is_even, (ir.Continue(),)),
                ir.If(binary(BinaryOp.EQ, k, number(7)), (ir.Break(),)),
                ir.Assign(total, binary(BinaryOp.ADD, total, k)),
            ),
        ),
        ir.Store(ir.Place(out, number(0)), total),
    ]
    assert draft.run(body, np.zeros(1, np.int32))[0].tolist() == [1 + 3 + 5]


def test_an_endless_loop_with_a_break(draft: Draft) -> None:
    """Collatz steps from 27."""
    out, n, steps = draft.buffer("out", ir.I32), draft.local("n", ir.I32), draft.local("steps", ir.I32)
    is_even = binary(BinaryOp.EQ, binary(BinaryOp.BIT_AND, n, number(1)), number(0))
    odd = binary(BinaryOp.ADD, binary(BinaryOp.MUL, n, number(3)), number(1))
    body: list[ir.Stmt] = [
        ir.Declare(n),
        ir.Declare(steps, number(0)),
        ir.Assign(n, number(27)),
        ir.Loop(
            (
                ir.If(binary(BinaryOp.EQ, n, number(1)), (ir.Break(),)),
                ir.If(
                    is_even,
                    (ir.Assign(n, binary(BinaryOp.SHR, n, number(1))),),
                    (ir.Assign(n, odd),),
                ),
                ir.Assign(steps, binary(BinaryOp.ADD, steps, number(1))),
            )
        ),
        ir.Store(ir.Place(out, number(0)), steps),
    ]
    assert draft.run(body, np.zeros(1, np.int32))[0].tolist() == [111]


def test_private_arrays_are_zeroed_each_time(draft: Draft) -> None:
    out, counts = draft.buffer("out", ir.I32), draft.private_array("counts", ir.I32, 3)
    turn, before = draft.value("turn", ir.I32), draft.value("before", ir.I32)
    slot = ir.Place(counts, turn)
    body: list[ir.Stmt] = [
        ir.ForRange(
            turn,
            number(0),
            number(3),
            (
                ir.DeclareArray(counts),
                ir.Load(before, slot),
                ir.Store(slot, binary(BinaryOp.ADD, before, number(5))),
                ir.Load(last := draft.value("last", ir.I32), ir.Place(counts, number(2))),
                ir.Store(ir.Place(out, turn), last),
            ),
        )
    ]
    assert draft.run(body, np.full(3, -1, np.int32))[0].tolist() == [0, 0, 5]


def test_workgroup_arrays_start_poisoned_for_every_workgroup(draft: Draft) -> None:
    out, tile = draft.buffer("out", ir.U32), draft.workgroup_array("tile", ir.U32, 1)
    value, group = draft.value("value", ir.U32), ir.Builtin(BuiltinKind.WORKGROUP_ID, 0)
    body: list[ir.Stmt] = [
        ir.Load(value, ir.Place(tile, number(0))),
        ir.Store(ir.Place(out, group), value),
        ir.Store(ir.Place(tile, number(0)), number(7, ir.U32)),
    ]
    (result,) = draft.run(body, np.zeros(2, np.uint32), workgroups=(2, 1, 1))
    assert result.tolist() == [0xCDCDCDCD, 0xCDCDCDCD]


def test_every_scalar_type_passes_as_param_and_through_memory(draft: Draft) -> None:
    values: dict[ir.ScalarType, Any] = {
        ir.I32: np.int32(-3),
        ir.U32: np.uint32(2**32 - 1),
        ir.I64: np.int64(-(2**63)),
        ir.U64: np.uint64(2**64 - 1),
        ir.F16: np.float16(65504),
        ir.F32: np.float32(1e-45),
        ir.F64: np.float64(5e-324),
    }
    body: list[ir.Stmt] = []
    for type in values:
        param, out = draft.param(f"{type}_in", type), draft.buffer(f"{type}_out", type)
        loaded = draft.value("loaded", type)
        body += [
            ir.Store(ir.Place(out, number(0)), param),
            ir.Load(loaded, ir.Place(out, number(0))),
            ir.Store(ir.Place(out, number(1)), loaded),
        ]
    results = draft.run(body, *(np.zeros(2, v.dtype) for v in values.values()), params=tuple(values.values()))
    for value, result in zip(values.values(), results, strict=True):
        assert result.tolist() == [value, value]


def test_a_bool_param_and_logic(draft: Draft) -> None:
    flag, out = draft.param("flag", ir.BOOL), draft.buffer("out", ir.I32)
    less = binary(BinaryOp.LT, number(1.0, ir.F32), number(2.0, ir.F32))
    both = binary(BinaryOp.AND, flag, less)
    neither = ir.Unary(ir.UnaryOp.NOT, binary(BinaryOp.OR, flag, less), ir.BOOL)
    differ = binary(BinaryOp.BIT_XOR, flag, less)
    results: tuple[ir.Expr, ...] = (both, neither, differ, flag)
    body: list[ir.Stmt] = [ir.Store(ir.Place(out, number(k)), ir.Convert(e, ir.I32)) for k, e in enumerate(results)]
    (yes,) = draft.run(body, np.zeros(4, np.int32), params=(np.uint32(1),))
    (no,) = draft.run(body, np.zeros(4, np.int32), params=(np.uint32(0),))
    assert (yes.tolist(), no.tolist()) == ([1, 0, 0, 1], [0, 0, 1, 0])
