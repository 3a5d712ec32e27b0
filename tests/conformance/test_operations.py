"""The kit tests every operation of the tables in `gpucore.ir.ops`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gpucore.testing
from gpucore.ir import MathOp
from gpucore.ir.ops import FUNCTIONS, Folding
from gpucore.testing.bounds import FUNCTION_CASES

TEXT = "\n".join(path.read_text(encoding="utf-8") for path in Path(gpucore.testing.__file__).parent.rglob("*.py"))


def test_every_function_that_is_not_exact_has_a_bound() -> None:
    """sqrt has one too: WGSL grants it an error, although the compiler computes it of constants exactly."""
    inexact = {op.value for op, function in FUNCTIONS.items() if function.folding is Folding.NEAR}
    assert {case.name for case in FUNCTION_CASES} == inexact | {MathOp.SQRT.value}


def test_arities_are_those_of_the_table() -> None:
    assert {case.name: len(case.domains) for case in FUNCTION_CASES} == {
        case.name: FUNCTIONS[MathOp(case.name)].arity for case in FUNCTION_CASES
    }


@pytest.mark.parametrize("op", sorted({*MathOp} - {MathOp.FMOD, MathOp.BF16_BITS}, key=str), ids=lambda op: op.value)
def test_every_function_is_called_by_the_kit(op: MathOp) -> None:
    """fmod, which is `%` of floats, and the bits of a bf16, which gp.bf16 makes (C463), have no name in kernels."""
    assert re.search(rf'\b(gp|math)\.{op.value}\b|"{op.value}"|\b{op.value}\(', TEXT)
