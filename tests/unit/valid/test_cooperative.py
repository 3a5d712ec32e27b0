"""What is refused of cooperative matrices."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from gpucore.errors import CapabilityError, CompileError, UniformityError
from gpucore.ir import (
    F16,
    F32,
    I32,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    CooperativeLoad,
    CooperativeOp,
    CooperativeOperation,
    CooperativeStore,
    CooperativeType,
    If,
    Limits,
    MatrixRole,
    Module,
    Place,
    ScalarType,
    Stmt,
    Value,
    WorkgroupArray,
    print_module,
)
from gpucore.ir.build import lt
from gpucore.valid import validate

ZERO = Constant(0, I32)
HALVES, SINGLES = WorkgroupArray(1, "halves", F16, 1 << 10), WorkgroupArray(2, "singles", F32, 1 << 10)


def matrix(id: int, element: ScalarType, role: MatrixRole, edge: int = 16) -> Value:
    return Value(id, role.value, CooperativeType(element, edge * edge // 32, role, edge))


LEFT, RIGHT = matrix(3, F16, MatrixRole.LEFT), matrix(4, F16, MatrixRole.RIGHT)
SUMS, RESULT = matrix(5, F32, MatrixRole.SUMS), matrix(6, F32, MatrixRole.SUMS)
LOADS = (
    CooperativeLoad(LEFT, Place(HALVES, ZERO), 24),
    CooperativeLoad(RIGHT, Place(HALVES, ZERO), 24, True),
    CooperativeLoad(SUMS, Place(SINGLES, ZERO), 16),
)
PRODUCT = CooperativeOperation(RESULT, CooperativeOp.MULTIPLY_ADD, (LEFT, RIGHT, SUMS))
STORE = CooperativeStore(Place(SINGLES, ZERO), 16, RESULT)
CAPABILITIES = frozenset({Capability.COOPERATIVE_MATRICES, Capability.F16})


def module(*statements: Stmt) -> Module:
    return Module("cooperative", (32, 1, 1), (), (), (), (HALVES, SINGLES), statements)


def check(*statements: Stmt, capabilities: frozenset[Capability] = CAPABILITIES) -> None:
    validate(module(*statements), capabilities, Limits(), "here")


def scaled(**change: Any) -> CooperativeOperation:
    made = CooperativeOperation(RESULT, CooperativeOp.SCALE, (SUMS, Constant(0.5, F32)))
    return dataclasses.replace(made, **change)


def test_what_is_right() -> None:
    check(*LOADS, PRODUCT, STORE)
    check(*LOADS, scaled(), STORE)
    for op in (CooperativeOp.ADD, CooperativeOp.SUBTRACT):
        check(*LOADS, scaled(op=op, operands=(SUMS, SUMS)), STORE)


@pytest.mark.parametrize(
    "wrong",
    [
        dataclasses.replace(PRODUCT, operands=(RIGHT, LEFT, SUMS)),
        dataclasses.replace(PRODUCT, operands=(LEFT, RIGHT, LEFT)),
        dataclasses.replace(PRODUCT, operands=(LEFT, RIGHT)),
        dataclasses.replace(PRODUCT, value=matrix(6, F16, MatrixRole.SUMS)),
        dataclasses.replace(PRODUCT, value=matrix(6, F32, MatrixRole.SUMS, 8)),
        scaled(operands=(SUMS, Constant(1, I32))),
        scaled(operands=(LEFT, Constant(0.5, F32))),
        scaled(op=CooperativeOp.ADD, operands=(SUMS, LEFT)),
        dataclasses.replace(STORE, place=Place(HALVES, ZERO), matrix=SUMS),
        dataclasses.replace(STORE, pitch=8, matrix=SUMS),
        CooperativeLoad(matrix(7, F32, MatrixRole.LEFT), Place(SINGLES, ZERO), 16),
    ],
    ids=str,
)
def test_what_is_ill_formed(wrong: Stmt) -> None:
    """The last one is of the table of shapes: no device multiplies f32 by matrices of 16 rows."""
    with pytest.raises(CompileError) as caught:
        check(*LOADS, wrong)
    assert caught.value.code == "GP900"


def test_f32_of_8_rows() -> None:
    load = CooperativeLoad(matrix(7, F32, MatrixRole.LEFT, 8), Place(SINGLES, ZERO), 8)
    check(load)


def test_the_device_has_them() -> None:
    with pytest.raises(CapabilityError):
        check(LOADS[2], capabilities=frozenset({Capability.F16}))


@pytest.mark.parametrize("statement", [LOADS[0], dataclasses.replace(STORE, matrix=SUMS), scaled()], ids=str)
def test_all_of_a_subgroup_reach_them(statement: Stmt) -> None:
    few = lt(Builtin(BuiltinKind.LOCAL_ID, 0), Constant(3, I32))
    with pytest.raises(UniformityError):
        check(LOADS[2], If(few, (statement,)))


def test_the_text() -> None:
    text = print_module(module(*LOADS, PRODUCT, scaled(value=matrix(7, F32, MatrixRole.SUMS)), STORE))
    for line in (
        "let left.3: matrix16x16<f16, left> = cooperative load halves.1[0:i32], rows 24 apart",
        "let right.4: matrix16x16<f16, right> = cooperative load halves.1[0:i32], columns 24 apart",
        "let sums.6: matrix16x16<f32, sums> = cooperative multiply_add left.3, right.4, sums.5",
        "let sums.7: matrix16x16<f32, sums> = cooperative scale sums.5, 0.5:f32",
        "cooperative store singles.2[0:i32], rows 16 apart = sums.6",
    ):
        assert f"  {line}\n" in text + "\n"
