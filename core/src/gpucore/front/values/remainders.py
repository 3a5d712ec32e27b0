"""`%` and `//` of floats with the results of Python and NumPy, computed from the exact remainder.

`x - y * floor(x / y)` is not enough: the quotient is rounded, so the result may lie outside of 0 to y, or be only
rounding error where x / y is large.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.ir import build


def float_mod(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    """`x % y`: exact, except for the final addition if the signs differ. The result, also zero, has the sign of y."""
    return _by_component(context, x, y, node, _mod)


def float_floor_div(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    """`x // y`: the whole number consistent with `x % y`. If it is large, as exact as the device's division."""
    return _by_component(context, x, y, node, _floor_div)


_Rule = Callable[[Context, ir.Expr, ir.Expr, ast.AST], ir.Expr]


def _by_component(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST, rule: _Rule) -> ir.Expr:
    span = context.span(node)
    x, y = context.builder.let("dividend", x, span), context.builder.let("divisor", y, span)
    if not isinstance(x.type, ir.VectorType):
        return rule(context, x, y, node)
    pairs = zip(build.components(x), build.components(y), strict=True)
    return build.construct(*(rule(context, a, b, node) for a, b in pairs))


def _mod(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    remainder, steps = _remainder(context, x, y, node)
    moved = build.select(steps, build.add(remainder, y), remainder)
    return build.select(build.eq(remainder, 0.0), _zero_like(y), moved)


def _zero_like(y: ir.Expr) -> ir.Expr:
    """Zero with the sign of y. Built from bits if that needs no capability, as drivers may change the sign of zero."""
    if y.type != ir.F32:
        return build.select(build.lt(y, 0.0), build.constant(-0.0, y.type), 0.0)
    return build.bitcast(build.bit_and(build.bitcast(y, ir.U32), 1 << 31), ir.F32)


def _floor_div(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> ir.Expr:
    span = context.span(node)
    remainder, steps = _remainder(context, x, y, node)
    quotient = context.builder.let("quotient", build.div(x, y), span)
    # close to a whole number: the error is the rounding of the difference and of the division
    near = context.builder.let("near", build.div(build.sub(x, remainder), y), span)
    rounded = build.call(ir.MathOp.ROUND, build.select(steps, build.sub(near, 1.0), near))
    whole = context.builder.let("whole", rounded, span)
    zero = build.mul(quotient, 0.0)  # with the quotient's sign
    return build.select(build.eq(y, 0.0), quotient, build.select(build.eq(whole, 0.0), zero, whole))


def _remainder(context: Context, x: ir.Expr, y: ir.Expr, node: ast.AST) -> tuple[ir.Value, ir.Expr]:
    """The remainder with the sign of x, and whether y must be added to give it the sign of y."""
    span = context.span(node)
    remainder = context.builder.let("remainder", build.call(ir.MathOp.FMOD, x, y), span)
    differs = build.ne(build.lt(remainder, 0.0), build.lt(y, 0.0))
    steps = build.logical_and(build.ne(remainder, 0.0), differs)
    return remainder, context.builder.let("steps", steps, span)
