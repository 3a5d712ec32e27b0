"""Exits of loops as variables."""

from __future__ import annotations

import pytest

from gpucore.ir import (
    BOOL,
    FALSE,
    I32,
    TRUE,
    Assign,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Constant,
    Continue,
    Expr,
    ForRange,
    If,
    Local,
    Param,
    Value,
    build,
)
from gpucore.ir.exits import ExitFlags, exits

GOES_ON, ENDS, V = Local(0, "goes_on", BOOL), Local(1, "ends", BOOL), Local(2, "v", I32)
OF_SOME: Expr = build.lt(Builtin(BuiltinKind.LOCAL_ID, 0), 3)
OF_ALL: Expr = build.lt(Param(0, "n", I32), 3)
STOP = Assign(GOES_ON, FALSE)


def step(number: int) -> Assign:
    return Assign(V, Constant(number, I32))


def when(condition: Expr, *block: Break | Continue | Assign | If) -> If:
    return If(condition, block)


def goes_on(*block: Break | Continue | Assign | If) -> If:
    return If(GOES_ON, block)


INNER = ForRange(Value(3, "k", I32), Constant(0, I32), Constant(2, I32), (when(OF_SOME, Continue()),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((when(OF_SOME, Continue()), step(1)), (when(OF_SOME, STOP), goes_on(step(1)))),
        ((step(1), when(OF_SOME, step(2), Continue())), (step(1), when(OF_SOME, step(2), STOP))),
        (
            (when(OF_SOME, Break()), step(1)),
            (when(OF_SOME, STOP, Assign(ENDS, TRUE)), goes_on(step(1))),
        ),
        (
            (when(OF_ALL, when(OF_SOME, Continue()), step(1)), step(2), when(OF_ALL, Continue()), step(3)),
            (
                when(OF_ALL, when(OF_SOME, STOP), goes_on(step(1))),
                goes_on(step(2), when(OF_ALL, STOP), goes_on(step(3))),
            ),
        ),
        ((If(OF_SOME, (step(1),), (Continue(),)), step(2)), (If(OF_SOME, (step(1),), (STOP,)), goes_on(step(2)))),
        ((when(OF_ALL, Break()), step(1)), None),
        ((INNER, step(1)), None),
    ],
    ids=["continue", "last", "break", "nested", "else", "all", "inner loop"],
)
def test_exits_of_some_become_flags(before: Block, after: Block | None) -> None:
    flags = ExitFlags(GOES_ON, ENDS, lambda condition: condition is OF_ALL)
    assert flags.is_needed(before, is_divergent=False) == (after is not None)
    result = flags.replaced(before, is_divergent=False)
    assert result == (before if after is None else after)
    assert after is None or not exits(result)


def test_exits_of_a_nested_loop_are_its_own() -> None:
    assert exits((INNER,)) == set()
    assert exits((If(OF_ALL, (step(1),), (Continue(),)), when(OF_SOME, Break()))) == {Break, Continue}


def test_without_a_flag_for_it_a_break_stays() -> None:
    block = (when(OF_SOME, Break()), when(OF_SOME, Continue()), step(1))
    result = ExitFlags(GOES_ON, None).replaced(block, is_divergent=False)
    assert result == (when(OF_SOME, Break()), when(OF_SOME, STOP), goes_on(step(1)))
    assert exits(block) == {Break, Continue} and exits(result) == {Break}


def test_the_first_statements_stay() -> None:
    block = (when(OF_SOME, Continue()), step(1), when(OF_SOME, Continue()), step(2))
    flags = ExitFlags(GOES_ON, None, num_kept=lambda block: 2 if block[1:2] == (step(1),) else 0)
    assert not flags.is_needed(block[:2], is_divergent=False) and flags.is_needed(block, is_divergent=False)
    result = flags.replaced(block, is_divergent=False)
    assert result == (*block[:2], when(OF_SOME, STOP), goes_on(step(2)))
