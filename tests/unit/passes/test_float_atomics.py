"""emulate_float_atomics: what each operation becomes, and that it gives what the operation gives."""

from __future__ import annotations

import numpy as np
from emulated import run_plainly

from gpucore.ir import (
    BOOL,
    F32,
    I32,
    U32,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Expr,
    If,
    Load,
    Module,
    Place,
    Stmt,
    Store,
    Value,
    WorkgroupArray,
    print_module,
)
from gpucore.passes import emulate
from gpucore.passes.float_atomics import emulate_float_atomics
from gpucore.span import Span

X = Buffer(0, "x", F32, True, False)
Y = Buffer(1, "y", F32, False, True)  # only written, as the user sees it
OLD = Buffer(2, "old", F32, True, True)
LID = Builtin(BuiltinKind.LOCAL_ID, 0)
SPAN = Span("kernel.py", 7, 4, 7, 9)


def c(value: int) -> Constant:
    return Constant(value, I32)


def module(*body: Stmt, arrays: tuple[WorkgroupArray, ...] = ()) -> Module:
    return Module("k", (8, 1, 1), (X, Y, OLD), (), (), arrays, body)


def atomic(op: AtomicOp, memory: Buffer | WorkgroupArray, index: Expr, operand: Expr | None, id_: int) -> Atomic:
    return Atomic(Value(id_, "before", F32), op, Place(memory, index), operand, None, SPAN)


def test_an_addition_tries_until_no_other_came_between() -> None:
    made = emulate_float_atomics(module(Atomic(None, AtomicOp.ADD, Place(Y, LID), Constant(2.5, F32), None, SPAN)))
    assert made.buffers == (X, Buffer(1, "y", U32, True, True), OLD)
    assert print_module(made).split("body\n")[1] == (
        "  let index.0: i32 = local_id(0)\n"
        "  let operand.1: f32 = 2.5:f32\n"
        "  let first.2: u32 = atomic load y[index.0]\n"
        "  var seen.4: u32 = first.2\n"
        "  loop\n"
        "    let found.3: u32 = atomic compare_exchange y[index.0], seen.4, "
        "bitcast[u32]((bitcast[f32](seen.4) + operand.1))\n"
        "    if (found.3 == seen.4)\n"
        "      break\n"
        "    seen.4 = found.3\n"
    )
    assert all(statement.span == SPAN for statement in made.body)


def test_every_operation_gives_what_was_there_and_leaves_what_it_should() -> None:
    operands = {AtomicOp.ADD: 0.25, AtomicOp.SUB: 0.25, AtomicOp.EXCHANGE: -1.5, AtomicOp.STORE: 9.0}
    body: list[Stmt] = []
    for number, (op, operand) in enumerate(operands.items()):
        at = Binary(BinaryOp.ADD, LID, c(8 * number), I32)
        before = atomic(op, OLD, at, Constant(operand, F32), 10 + number)
        assert before.value is not None
        body += [before, Store(Place(Y, at), before.value)]
    seen = atomic(AtomicOp.LOAD, OLD, LID, None, 30)
    assert seen.value is not None
    body += [seen, Store(Place(Y, Binary(BinaryOp.ADD, LID, c(32), I32)), seen.value)]
    old = np.arange(32, dtype=np.float32)
    old[3] = np.nan
    made = emulate(module(*body), frozenset())
    _, told, left = run_plainly(made, [np.zeros(1, np.float32), np.zeros(40, np.float32), old])
    np.testing.assert_array_equal(told[:32].view(np.uint32), old.view(np.uint32))
    np.testing.assert_array_equal(left[:8], old[:8] + np.float32(0.25))
    np.testing.assert_array_equal(left[8:16], old[8:16] - np.float32(0.25))
    np.testing.assert_array_equal(left[16:], np.repeat(np.float32([-1.5, 9.0]), 8))
    np.testing.assert_array_equal(told[32:], left[:8])


def test_a_workgroup_array_with_plain_accesses_beside() -> None:
    shared, other = WorkgroupArray(1, "shared", F32, 2), WorkgroupArray(2, "other", F32, 1)
    loaded, total = Value(3, "loaded", F32), Value(4, "total", F32)
    is_first = Binary(BinaryOp.LT, LID, c(2), BOOL)
    first = (Store(Place(shared, LID), Constant(0.5, F32)), Store(Place(other, c(0)), Constant(1.0, F32)))
    made = emulate_float_atomics(
        module(
            If(is_first, first),
            Barrier(),
            Load(loaded, Place(X, LID)),
            Atomic(None, AtomicOp.ADD, Place(shared, Binary(BinaryOp.FLOOR_MOD, LID, c(2), I32)), loaded),
            Barrier(),
            Load(total, Place(shared, Binary(BinaryOp.FLOOR_MOD, LID, c(2), I32))),
            Store(Place(Y, LID), total),
            arrays=(shared, other),
        )
    )
    assert [array.element for array in made.workgroup_arrays] == [U32, F32]
    x = np.arange(8, dtype=np.float32)
    result = run_plainly(made, [x, np.zeros(8, np.float32), np.zeros(1, np.float32)])[1]
    np.testing.assert_array_equal(result, np.tile([12.5, 16.5], 4))


def test_other_modules_are_left_alone() -> None:
    counted = Buffer(1, "y", U32, True, True)
    plain = Module(
        "k", (8, 1, 1), (X, counted), (), (), (), (Atomic(None, AtomicOp.ADD, Place(counted, LID), Constant(1, U32)),)
    )
    assert emulate_float_atomics(plain) is plain
    of_floats = module(atomic(AtomicOp.LOAD, OLD, LID, None, 1))
    assert emulate(of_floats, frozenset({Capability.ATOMIC_F32})) is of_floats
