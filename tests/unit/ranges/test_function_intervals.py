"""Intervals of functions hold every result: all functions of integers in the table, by brute force."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from gpucore.ir import FUNCTIONS, I32, I64, U32, U64, MathOp, ScalarType
from gpucore.ir.arithmetic import evaluator
from gpucore.ir.ops import Domain, meaning, result_type
from gpucore.ir.ranges import Interval, function_interval, type_interval

INTEGER_FUNCTIONS = [op for op in MathOp if meaning(op, I32)]
TYPES = (I32, U32, I64, U64)
Box = tuple[Interval, ...]


def narrow(type: ScalarType, bits: int) -> ScalarType:
    return dataclasses.replace(type, name=f"{type}_of_{bits}_bits", bits=bits)


def boxes_of(type: ScalarType, arity: int) -> Iterator[Box]:
    """Every combination of intervals of the type."""
    numbers = range(type.min_value, type.max_value + 1)
    intervals = [Interval(low, high) for low in numbers for high in numbers if low <= high]
    yield from itertools.product(intervals, repeat=arity)


def boxes_at_ends(type: ScalarType, arity: int) -> Iterator[Box]:
    """Intervals of up to four numbers at the ends of a type, about 0 and at counts of its bits."""
    starts = (type.min_value, -3, -1, 0, 1, type.bits - 2, 0x7F80_7F7F, type.max_value - 3)
    parts = [Interval(low, low + 3) for low in starts if type.min_value <= low <= type.max_value - 3]
    yield from itertools.product([*parts, Interval(0, 0)], repeat=arity)


def results_outside(op: MathOp, type: ScalarType, boxes: Iterable[Box]) -> list[str]:
    """The boxes of arguments whose least or greatest result is not in the interval that is claimed for them."""
    value = evaluator(op, type)
    least = type_interval(type).lo
    size = type.max_value - least + 1
    table = None
    if size <= 16:  # all results, so that those of a box are a slice
        numbers = range(least, least + size)
        results = [value(*args) for args in itertools.product(numbers, repeat=FUNCTIONS[op].arity)]
        table = np.array(results).reshape((size,) * FUNCTIONS[op].arity)
    found = []
    for box in boxes:
        if table is not None:
            part = table[tuple(slice(one.lo - least, one.hi - least + 1) for one in box)]
            true = Interval(int(part.min()), int(part.max()))
        else:
            results = [value(*args) for args in itertools.product(*(range(one.lo, one.hi + 1) for one in box))]
            true = Interval(min(results), max(results))
        if not true.is_within(function_interval(op, box, type)):
            found.append(f"{op} of {box}: {true}")
    return found


@pytest.mark.parametrize("op", [op for op in INTEGER_FUNCTIONS if FUNCTIONS[op].domain is not Domain.WORDS])
@pytest.mark.parametrize("type", [I32, U32], ids=str)
def test_all_intervals_of_a_type_of_few_bits(op: MathOp, type: ScalarType) -> None:
    few = narrow(type, 3 if FUNCTIONS[op].arity == 3 else 4)
    assert results_outside(op, few, boxes_of(few, FUNCTIONS[op].arity)) == []


@pytest.mark.parametrize("op", INTEGER_FUNCTIONS)
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_intervals_at_the_ends_of_a_type(op: MathOp, type: ScalarType) -> None:
    if FUNCTIONS[op].domain.has(type):
        assert results_outside(op, type, boxes_at_ends(type, FUNCTIONS[op].arity)) == []


@pytest.mark.parametrize("op", [op for op in INTEGER_FUNCTIONS if FUNCTIONS[op].domain is Domain.WORDS])
def test_bounds_of_dot_products_are_reached(op: MathOp) -> None:
    words = [int.from_bytes(bytes([byte]) * 4, "little") for byte in (0, 0x7F, 0x80, 0xFF)]
    results = [evaluator(op, U32)(a, b) for a in words for b in words]
    assert function_interval(op, (type_interval(U32),) * 2, U32) == Interval(min(results), max(results))


@pytest.mark.parametrize(
    ("op", "wrong"), [(MathOp.POPCOUNT, {"is_monotone": True}), (MathOp.CTZ, {"bounds": "0, LAST"})]
)
def test_a_wrong_entry_is_found(op: MathOp, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, op, dataclasses.replace(FUNCTIONS[op], **wrong))
    few = narrow(I32, 4)
    assert results_outside(op, few, boxes_of(few, 1)) != []


def test_a_function_without_bounds_may_have_any_result() -> None:
    args = (Interval(1, 1), Interval(0, 3))
    assert function_interval(MathOp.ROTATE_LEFT, args, I32) == type_interval(result_type(MathOp.ROTATE_LEFT, I32))


def test_the_tightest_intervals() -> None:
    assert function_interval(MathOp.CLZ, (Interval(1, 255),), U32) == Interval(24, 31)
    assert function_interval(MathOp.CLZ, (Interval(-5, 255),), I32) == Interval(0, 32)
    assert function_interval(MathOp.MUL_HI, (Interval(0, 2**20), Interval(0, 2**20)), U32) == Interval(0, 256)
    assert function_interval(MathOp.SIGN, (Interval(-7, 0),), I32) == Interval(-1, 0)
    assert function_interval(MathOp.ABS, (Interval(-(2**31), -1),), I32) == type_interval(I32)  # the exact one is 2**31
