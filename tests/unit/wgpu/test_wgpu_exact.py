"""Which operands are hidden from drivers that rewrite float arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from wgpu_builder import map_kernel, wgsl

import gpucore as gp
from gpucore import ir
from gpucore.ir.build import binary

ADD, SUB, MUL = ir.BinaryOp.ADD, ir.BinaryOp.SUB, ir.BinaryOp.MUL
ZERO = ir.Constant(0.0, ir.F32)
BITS = "opaque_zero"
Formula = Callable[..., ir.Expr]


def call(op: ir.MathOp, *args: ir.Expr) -> ir.Expr:
    return ir.Call(op, args, args[0].type)


def hidden(formula: Formula, count: int) -> int:
    """How many operands of a formula are hidden."""
    text = wgsl(map_kernel(ir.F32, ir.F32, formula, count)).text
    return max(text.count(BITS) - 1, 0)  # one is its definition


@pytest.mark.parametrize(
    ("formula", "count"),
    [
        (lambda a, b: binary(SUB, binary(ADD, a, b), a), 2),
        (lambda x: binary(SUB, x, x), 1),
        (lambda x: binary(MUL, x, ZERO), 1),
        (lambda x: binary(SUB, ZERO, x), 1),
        (lambda a, b: binary(MUL, binary(MUL, a, b), b), 2),
        (lambda a, b, c: binary(ADD, binary(MUL, a, b), binary(MUL, a, c)), 3),
        (lambda x: binary(MUL, call(ir.MathOp.SQRT, x), call(ir.MathOp.SQRT, x)), 1),
        (lambda x: call(ir.MathOp.EXP2, call(ir.MathOp.LOG2, x)), 1),
    ],
)
def test_operands_are_hidden_where_a_law_applies(formula: Formula, count: int) -> None:
    assert hidden(formula, count) > 0


@pytest.mark.parametrize(
    ("formula", "count"),
    [
        (lambda a, b: binary(ADD, a, b), 2),
        (lambda a, b, c: binary(ADD, binary(MUL, a, b), c), 3),
        (lambda a, b, c: binary(ADD, binary(ADD, a, binary(MUL, b, b)), binary(MUL, c, c)), 3),
        (lambda a, b, c: call(ir.MathOp.FMA, a, b, c), 3),
    ],
)
def test_sums_of_products_stay_as_they_are(formula: Formula, count: int) -> None:
    assert hidden(formula, count) == 0


@gp.kernel(workgroup_size=1)
def accumulate(a: gp.In[gp.f32], b: gp.In[gp.f32], out: gp.Out[gp.f32]) -> None:
    total = gp.f32(0.0)
    for i in range(8):
        total = total + a[i] * b[i]
    out[0] = total


@gp.kernel(workgroup_size=1)
def scaled(a: gp.In[gp.f32], out: gp.Out[gp.f32], factor: gp.f32) -> None:
    total = gp.f32(0.0)
    for i in range(8):
        total = total + a[i] * factor
    out[0] = total


def test_an_accumulation_is_hidden_only_where_its_passes_share_a_factor() -> None:
    assert BITS not in wgsl(accumulate.module()).text
    assert BITS in wgsl(scaled.module()).text
