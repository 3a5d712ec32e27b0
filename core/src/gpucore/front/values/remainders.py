"""`%` and `//` of floats as Python and NumPy have them, told by the exact remainder.

`x - y * floor(x / y)` would not do: the quotient is rounded, and so the result may lie outside of 0 to y, or be
nothing but rounding error where x / y is large.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.state.context import Context


def float_mod(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    """`x % y`: exact but for the last addition where the signs differ; the sign of y, also of a zero."""
    return _by_component(context, x, y, node, _mod)


def float_floor_div(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    """`x // y`: the whole number that belongs to `x % y`, as exact as the division of the device where it is large."""
    return _by_component(context, x, y, node, _floor_div)


_Rule = Callable[[Context, ir.Expr, ir.Expr, ast.AST], ir.Expr]


def _by_component(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST, rule: _Rule) -> ir.Expr:
    span = context.span(node)
    x, y = context.builder.let("dividend", x, span), context.builder.let("divisor", y, span)
    if not isinstance(x.type, ir.VectorType):
        return rule(context, x, y, node)
    element = x.type.element
    parts = [
        rule(context, ir.Extract(x, index, element), ir.Extract(y, index, element), node)
        for index in range(x.type.width)
    ]
    return ir.Construct(tuple(parts), x.type)


def _mod(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    remainder, steps = _remainder(context, x, y, node)
    moved = ir.Select(steps, _binary(ir.BinaryOp.ADD, remainder, y), remainder, x.type)
    zero = _zero_like(y)
    return ir.Select(_compare(ir.BinaryOp.EQ, remainder, _number(0.0, x)), zero, moved, x.type)


def _zero_like(y: ir.Expr) -> ir.Expr:
    """Zero with the sign of y. By bits where that needs no capability: drivers take one zero for the other."""
    if y.type != ir.F32:
        return ir.Select(_is_negative(y), _number(-0.0, y), _number(0.0, y), y.type)
    sign = ir.Binary(ir.BinaryOp.BIT_AND, ir.Bitcast(y, ir.U32), ir.Constant(1 << 31, ir.U32), ir.U32)
    return ir.Bitcast(sign, ir.F32)


def _floor_div(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    span = context.span(node)
    remainder, steps = _remainder(context, x, y, node)
    quotient = context.builder.let("quotient", _binary(ir.BinaryOp.DIV, x, y), span)
    # near a whole number: what is off is the rounding of the difference and of the division
    near = context.builder.let("near", _binary(ir.BinaryOp.DIV, _binary(ir.BinaryOp.SUB, x, remainder), y), span)
    lower = _binary(ir.BinaryOp.SUB, near, _number(1.0, x))
    rounded = ir.Call(ir.MathOp.ROUND, (ir.Select(steps, lower, near, x.type),), x.type)
    whole = context.builder.let("whole", rounded, span)
    zero = _binary(ir.BinaryOp.MUL, quotient, _number(0.0, x))  # with the quotient's sign
    signed = ir.Select(_compare(ir.BinaryOp.EQ, whole, _number(0.0, x)), zero, whole, x.type)
    return ir.Select(_compare(ir.BinaryOp.EQ, y, _number(0.0, y)), quotient, signed, x.type)


def _remainder(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> tuple[ir.Value, ir.Expr]:
    """The remainder with the sign of x, and whether it has to be moved by y to have that of y."""
    span = context.span(node)
    remainder = context.builder.let("remainder", ir.Call(ir.MathOp.FMOD, (x, y), x.type), span)
    differs = _compare(ir.BinaryOp.NE, _is_negative(remainder), _is_negative(y))
    steps = _compare(ir.BinaryOp.AND, _compare(ir.BinaryOp.NE, remainder, _number(0.0, x)), differs)
    return remainder, context.builder.let("steps", steps, span)


def _number(value: float, like: ir.Expr) -> ir.Constant:
    return ir.Constant(value, ir.scalar_of(like.type))


def _is_negative(x: ir.Expr) -> ir.Expr:
    return _compare(ir.BinaryOp.LT, x, _number(0.0, x))


def _compare(op: ir.BinaryOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Binary(op, left, right, ir.BOOL)


def _binary(op: ir.BinaryOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Binary(op, left, right, left.type)
