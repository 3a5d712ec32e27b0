"""Wrapping is left out only where nothing can wrap: random integer programs against arithmetic that always wraps."""

from __future__ import annotations

import random

import numpy as np
import pytest
from simulator_kernels import Draft, number

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind
from gpucore.ir.build import binary

OPERATORS = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.FLOOR_MOD, BinaryOp.FLOOR_DIV, BinaryOp.BIT_XOR)
CONSTANTS = (0, 1, 2, 3, 7, -1, 255, 65536, 2**31 - 1, -(2**31))
LOCAL_IDS = 5


def wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def by_definition(op: BinaryOp, a: int, b: int) -> int:
    match op:
        case BinaryOp.ADD:
            return wrapped(a + b)
        case BinaryOp.SUB:
            return wrapped(a - b)
        case BinaryOp.MUL:
            return wrapped(a * b)
        case BinaryOp.FLOOR_MOD:
            return a % b if b else 0
        case BinaryOp.FLOOR_DIV:
            return wrapped(a // b) if b else a
    return a ^ b


def reference(expr: ir.Expr, known: dict[object, int]) -> int:
    match expr:
        case ir.Constant():
            return int(expr.value)
        case ir.Binary():
            return by_definition(expr.op, reference(expr.left, known), reference(expr.right, known))
    return known[expr]


def random_tree(source: random.Random, leaves: list[ir.Expr], depth: int) -> ir.Expr:
    if depth == 0 or source.random() < 0.15:
        return source.choice(leaves) if source.random() < 0.6 else number(source.choice(CONSTANTS))
    left, right = (random_tree(source, leaves, depth - 1) for _ in "ab")
    return binary(source.choice(OPERATORS), left, right)


@pytest.mark.parametrize("seed", range(60))
def test_random_integer_programs(seed: int) -> None:
    """Values made of a param, ids, a loop counter and of each other; each loop turn and invocation is compared."""
    source = random.Random(seed)
    draft = Draft(workgroup_size=(LOCAL_IDS, 1, 1))
    out, given = draft.buffer("out", ir.I32), draft.param("given", ir.I32)
    lane, turn = ir.Builtin(BuiltinKind.LOCAL_ID, 0), draft.value("turn", ir.I32)
    leaves: list[ir.Expr] = [given, lane, turn]
    lets, start, argument = [], source.choice(CONSTANTS[:-2]), source.choice(CONSTANTS)
    for _ in range(4):
        lets.append(ir.Let(draft.value("v", ir.I32), random_tree(source, leaves, 3)))
        leaves.append(lets[-1].value)
    slot = binary(BinaryOp.ADD, binary(BinaryOp.MUL, lane, number(3)), binary(BinaryOp.SUB, turn, number(start)))
    loop = ir.ForRange(turn, number(start), number(start + 3), (*lets, ir.Store(ir.Place(out, slot), leaves[-1])))
    (result,) = draft.run([loop], np.zeros(LOCAL_IDS * 3, np.int32), params=(np.int32(argument),))

    expected = []
    for local_id in range(LOCAL_IDS):
        for counter in range(start, start + 3):
            known: dict[object, int] = {given: argument, lane: local_id, turn: counter}
            for let in lets:
                known[let.value] = reference(let.expr, known)
            expected.append(known[lets[-1].value])
    assert result.tolist() == expected
