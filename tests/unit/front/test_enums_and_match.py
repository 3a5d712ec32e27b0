"""Corners of enums, match and NewType."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, NewType

import numpy as np
import pytest

import gpucore as gp

Outputs = Callable[..., Any]


class Op(enum.IntEnum):
    ADD = 0
    SUB = 1
    MUL = 5
    PLUS = 0  # another name of ADD


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


class Mode(enum.Enum):
    FAST = "fast"
    EXACT = "exact"


Metres = NewType("Metres", gp.f32)
Kilometres = NewType("Kilometres", Metres)
Index = NewType("Index", gp.i32)


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.int32)


@gp.kernel(workgroup_size=1)
def by_value(op: Op, y: gp.Out[gp.i32]):
    match op:
        case Op.ADD:
            y[0] = 1
        case Op.SUB:
            y[0] = 2
        case Op.MUL:
            y[0] = 3


def test_enum_by_value(outputs: Outputs) -> None:
    assert [outputs(by_value, op, ints(0), n=1) for op in (Op.ADD, Op.SUB, Op.MUL, Op.PLUS)] == [[1], [2], [3], [1]]


@pytest.mark.parametrize("value", [Colour.RED, 1, np.int32(1), True, Op, None, 1.0])
@pytest.mark.parametrize("calls_before", [0, 1])
def test_only_members_are_taken(value: object, calls_before: int) -> None:
    y = gp.zeros(1, gp.i32, device="simulator")
    for _ in range(calls_before):
        by_value(Op.ADD, y, invocations=1)
    with pytest.raises(gp.ArgumentError) as caught:
        by_value(value, y, invocations=1)
    assert str(caught.value) == f"by_value: the argument 'op' must be a member of Op, not {value!r}"


@gp.kernel(workgroup_size=1)
def turn(x: gp.In[Op], y: gp.Out[Op], numbers: gp.Out[gp.i32]):
    i = gp.global_id(0)
    op = x[i]
    if op is Op.ADD:
        op = Op.MUL
    elif op is not Op.MUL:
        op = Op(0)
    y[i] = op if i < 2 else Op.SUB
    numbers[i] = gp.i32(op) + 1


def test_arrays_of_an_enum(outputs: Outputs) -> None:
    assert outputs(turn, ints(0, 1, 5), ints(0, 0, 0), ints(0, 0, 0), n=3) == [[0, 1, 5], [5, 0, 1], [6, 1, 6]]


@gp.kernel(workgroup_size=1)
def in_loops(x: gp.In[Op], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    total = 0
    for j in range(x.size):
        match x[j]:
            case Op.ADD:
                continue
            case Op.SUB:
                value = 1
            case Op.MUL:
                if i == 1:
                    break
                if i == 2:
                    y[i] = -1
                    return
                value = 10
        total += value
    y[i] = total


def test_match_with_break_continue_and_return_in_a_loop(outputs: Outputs) -> None:
    assert outputs(in_loops, ints(0, 1, 5, 1), ints(0, 0, 0), n=3)[1] == [12, 1, -1]


@gp.kernel(workgroup_size=1)
def in_unrolled_loop(x: gp.In[Op], y: gp.Out[gp.i32]):
    total = 0
    for j in gp.unroll(range(4)):
        match x[j]:
            case Op.ADD:
                continue
            case Op.SUB | Op.MUL if total > 10:
                break
            case Op.SUB:
                total += 1
            case _:
                total += 10
    y[0] = total


def test_match_in_an_unrolled_loop(outputs: Outputs) -> None:
    assert outputs(in_unrolled_loop, ints(1, 5, 0, 5), ints(0), n=1)[1] == [11]


@gp.kernel(workgroup_size=1)
def with_side_effects(count: gp.InOut[gp.i32], y: gp.Out[gp.i32]):
    for i in range(y.size):
        match gp.atomic_add(count, 0, 1):
            case 0:
                y[i] = 10
            case 1 | 2 if i < 2:
                y[i] = 20
            case 1 | -1 | 2:
                y[i] = 25
            case _:
                y[i] = 30


def test_the_subject_is_evaluated_once(outputs: Outputs) -> None:
    assert outputs(with_side_effects, ints(0), ints(0, 0, 0, 0), n=1) == [[4], [10, 20, 25, 30]]


@gp.kernel(workgroup_size=1)
def assigned_in_every_case(op: Op, n: gp.i32, y: gp.Out[gp.i32]):
    match op:
        case Op.ADD:
            value = 1
        case Op.SUB if n > 3:
            value = 2
        case Op.SUB | Op.MUL:
            value = 3
        case Op.MUL if n > 5:
            value = 4
    match n > 3:
        case True:
            more = 10
        case False:
            more = 20
    match y.size:
        case 1:
            most = 100
        case _:
            most = 200
    y[0] = value + more + most


def test_a_name_assigned_in_every_case_is_assigned_after(outputs: Outputs) -> None:
    assert outputs(assigned_in_every_case, Op.SUB, 4, ints(0), n=1) == [112]
    assert outputs(assigned_in_every_case, Op.SUB, 3, ints(0), n=1) == [123]
    assert outputs(assigned_in_every_case, Op.MUL, 9, ints(0), n=1) == [113]


@gp.kernel(workgroup_size=1)
def pruned(y: gp.Out[gp.i32], op: gp.Const[Op], mode: gp.Const[Mode], name: gp.Const[str]):
    match op:
        case Op.ADD:
            value = 1
        case Op.SUB:
            value = gp.static(1 // 0)
        case Op.MUL:
            value = 2
    match mode:
        case Mode.FAST:
            value += 10
        case Mode.EXACT:
            value += 20
    match name:
        case "a" | "b":
            value += 100
        case _:
            value += gp.static(None.nothing)
    y[0] = value


def test_match_on_compile_time_values_leaves_out_the_other_cases(outputs: Outputs) -> None:
    assert outputs(pruned, ints(0), op=Op.MUL, mode=Mode.EXACT, name="b", n=1) == [122]
    assert outputs(pruned, ints(0), op=Op.PLUS, mode=Mode.FAST, name="a", n=1) == [111]
    with pytest.raises(gp.CompileError, match="ZeroDivisionError"):
        pruned.ir(op=Op.SUB, mode=Mode.FAST, name="a")


@gp.kernel(workgroup_size=1)
def lengths(a: Metres, b: Kilometres, x: gp.In[Metres], y: gp.Out[Kilometres], z: gp.Out[gp.f32]):
    i = gp.global_id(0)
    sum_ = a + Metres(b) * 1000.0 + x[i]
    sum_ *= 2.0
    kept = gp.private_array(Metres, 2)
    kept[0] = gp.min(sum_, Metres(9000.0))
    kept[1] = abs(-kept[0]) if i == 0 else a
    y[i] = Kilometres(kept[1]) + b
    z[i] = gp.f32(kept[1] < sum_)


def test_a_new_type_of_a_new_type(outputs: Outputs) -> None:
    zeros, x = np.zeros(2, np.float32), np.array([3.0, 4.0], np.float32)
    assert outputs(lengths, 2.0, 1.0, x, zeros, zeros, n=2)[1:] == [[2011.0, 3.0], [0.0, 1.0]]


@gp.kernel(workgroup_size=1)
def count_up(counters: gp.InOut[Index], step: Index, y: gp.InOut[Index]):
    before = gp.atomic_add(counters, 0, step)
    y[gp.i32(before)] = before + step
    gp.atomic_max(counters, 1, Index(7))


def test_atomics_on_a_new_type(outputs: Outputs) -> None:
    found = outputs(count_up, ints(0, 0), 2, ints(0, 0, 0, 0), n=2)
    assert found == [[4, 7], [2, 0, 4, 0]]


@gp.struct
class Choice:
    at: gp.i32
    weight: gp.f32


@gp.kernel(workgroup_size=1)
def annotated(y: gp.Out[Op], numbers: gp.Out[gp.i32]):
    i = gp.global_id(0)
    op: Op = Op.ADD
    best: Choice = Choice(0, 0.5)
    if i == 1:
        op = Op.MUL
        best = Choice(7, 1.5)
    distance: Metres = 2.0
    y[i] = op
    numbers[i] = op.value + best.at + gp.i32(gp.f32(distance))


def test_annotated_variables_of_enums_structs_and_new_types(outputs: Outputs) -> None:
    assert outputs(annotated, ints(0, 0), ints(0, 0), n=2) == [[0, 5], [2, 14]]


def test_arrays_are_made_of_enums_and_new_types_by_name() -> None:
    operators = gp.full(3, Op.MUL, Op, device="simulator")
    assert operators.dtype is gp.i32
    assert operators.numpy().tolist() == [5, 5, 5]
    assert gp.zeros(2, Kilometres, device="simulator").dtype is gp.f32
