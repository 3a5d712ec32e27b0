"""Masks: vectors of bool, which comparisons of vectors give. All operations on them are written by component."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.ir import build


def is_mask(type: ir.Type) -> bool:
    """Whether a type is that of a vector of bool."""
    return isinstance(type, ir.VectorType) and type.element == ir.BOOL


def by_component(
    context: Context, operation: Callable[..., ir.Expr], operands: tuple[ir.Expr, ...], node: ast.AST
) -> ir.Expr:
    """The vector of the operation's results on the components of the operands, vectors of one width."""
    parts = zip(*(components(context, operand, node) for operand in operands), strict=True)
    return build.construct(*(operation(*part) for part in parts))


def components(context: Context, vector: ir.Expr, node: ast.AST) -> list[ir.Expr]:
    """The components of a vector, which is computed once."""
    if isinstance(vector, ir.Construct):
        return list(vector.components)
    assert isinstance(vector.type, ir.VectorType)
    if isinstance(vector, ir.Splat):
        return [vector.operand] * vector.type.width
    simple = isinstance(vector, (ir.Value, ir.Local))
    return build.components(vector if simple else context.builder.let("vector", vector, context.span(node)))


def reduced(context: Context, mask: ir.Expr, node: ast.AST, *, is_all: bool) -> ir.Expr:
    """Whether all components are true, or any is."""
    first, *others = components(context, mask, node)
    for other in others:
        first = build.logical_and(first, other) if is_all else build.logical_or(first, other)
    return first
