"""Binary operators on lowered operands, with the result types of docs/numbers.md."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, show_number
from gpucore.front.text.nominal import is_enum
from gpucore.front.values.convert import as_expr, typed_or_weak, unify, widened
from gpucore.front.values.masks import by_component, is_mask
from gpucore.front.values.remainders import float_floor_div, float_mod
from gpucore.ir import build

_ARITHMETIC: dict[type[ast.operator], tuple[str, ir.BinaryOp, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", ir.BinaryOp.ADD, operator.add),
    ast.Sub: ("-", ir.BinaryOp.SUB, operator.sub),
    ast.Mult: ("*", ir.BinaryOp.MUL, operator.mul),
    ast.Div: ("/", ir.BinaryOp.DIV, operator.truediv),
    ast.FloorDiv: ("//", ir.BinaryOp.FLOOR_DIV, operator.floordiv),
    ast.Mod: ("%", ir.BinaryOp.FLOOR_MOD, operator.mod),
    ast.BitAnd: ("&", ir.BinaryOp.BIT_AND, operator.and_),
    ast.BitOr: ("|", ir.BinaryOp.BIT_OR, operator.or_),
    ast.BitXor: ("^", ir.BinaryOp.BIT_XOR, operator.xor),
    ast.LShift: ("<<", ir.BinaryOp.SHL, operator.lshift),
    ast.RShift: (">>", ir.BinaryOp.SHR, operator.rshift),
    ast.Pow: ("**", ir.BinaryOp.MUL, operator.pow),
}
_MAX_BITS = 4096
_BITWISE = (ir.BinaryOp.BIT_AND, ir.BinaryOp.BIT_OR, ir.BinaryOp.BIT_XOR)

MAX_FACTORS = 16
"""The largest exponent of an integer power, which is expanded to products."""


def binary(
    context: Context,
    op: ast.operator,
    left: Operand,
    right: Operand,
    left_node: ast.AST,
    right_node: ast.AST,
    node: ast.AST,
) -> Operand:
    """A binary operator on two lowered operands."""
    if type(op) not in _ARITHMETIC:
        context.error(
            KernelSyntaxError,
            "GP103",
            "a kernel cannot contain the operator @",
            node,
            why="it adds the product of two tiles to a matrix of the workgroup, as in c += x @ y",
            fix="write the loop, or begin with c = gp.matrix(gp.f32, (m, n)); gp.matmul multiplies outside kernels",
        )
    symbol, ir_op, fold = _ARITHMETIC[type(op)]
    a = widened(typed_or_weak(context, left, left_node))
    b = widened(typed_or_weak(context, right, right_node))
    if not isinstance(a, EXPR_CLASSES) and not isinstance(b, EXPR_CLASSES):
        return _fold_python(context, symbol, fold, a, b, node)
    if isinstance(op, ast.Pow):
        return _power(context, left, right, left_node, right_node, node)
    if ir_op in (ir.BinaryOp.SHL, ir.BinaryOp.SHR):
        return _shift(context, ir_op, a, b, left_node, right_node, node)
    x, y = unify(context, left, right, left_node, right_node, node, f"`{symbol}`")
    scalar = ir.scalar_of(x.type)
    if is_enum(x.type):
        wrong(context, f"`{symbol}` works on numbers, not on {x.type}", node, "take its number, as in gp.i32(mode)")
    if ir_op in _BITWISE:
        if scalar.is_float:
            what = f"`{symbol}` works on integers and bools, not on {x.type}"
            wrong(context, what, node, "use gp.bitcast to reach the bits")
        if is_mask(x.type):
            return by_component(context, partial(build.binary, ir_op), (x, y), node)
        return build.binary(ir_op, x, y)
    if scalar == ir.BOOL:
        wrong(context, f"`{symbol}` works on numbers, not on bool", node, "convert, as in gp.i32(flag)")
    if ir_op is ir.BinaryOp.DIV and scalar.is_integer:
        target = ir.with_scalar(x.type, ir.F32)
        x, y = ir.Convert(x, target), ir.Convert(y, target)
    elif ir_op is ir.BinaryOp.FLOOR_DIV and scalar.is_float:
        return float_floor_div(context, x, y, node)
    elif ir_op is ir.BinaryOp.FLOOR_MOD and scalar.is_float:
        return float_mod(context, x, y, node)
    return build.binary(ir_op, x, y)


def wrong(context: Context, message: str, node: ast.AST, fix: str) -> NoReturn:
    """Raise GP202: the operator does not support the type of an operand."""
    context.error(KernelTypeError, "GP202", message, node, why="the operator is not defined for this type", fix=fix)


def _fold_python(
    context: Context, symbol: str, fold: Callable[[Any, Any], Any], a: Any, b: Any, node: ast.AST
) -> Operand:
    if isinstance(a, int) and isinstance(b, int) and _bits(symbol, a, b) > _MAX_BITS:
        context.error(
            KernelTypeError,
            "GP205",
            f"`{symbol}` of these literals is too large",
            node,
            why="no type of the kernel language holds the result",
            fix="use a smaller literal",
        )
    try:
        value = fold(a, b)
    except (ArithmeticError, ValueError, TypeError) as error:
        problem = str(error)
    else:
        if not isinstance(value, complex):
            return Static(value)
        problem = "the result is complex"
    context.error(
        KernelTypeError,
        "GP205",
        f"`{symbol}` of the literals {show_number(a)} and {show_number(b)} failed: {problem}",
        node,
        why="literals are computed when the kernel is compiled, by Python's rules",
        fix="change the literals",
    )


def _bits(symbol: str, a: int, b: int) -> int:
    """The approximate number of bits of the result."""
    if symbol == "**":
        return a.bit_length() * max(b, 0)
    return a.bit_length() + b if symbol == "<<" else a.bit_length() + b.bit_length()


def _shift(
    context: Context, op: ir.BinaryOp, a: Any, b: Any, left_node: ast.AST, right_node: ast.AST, node: ast.AST
) -> Operand:
    x = a if isinstance(a, EXPR_CLASSES) else as_expr(context, Static(a), left_node, b.type)
    count = b if isinstance(b, EXPR_CLASSES) else Static(b)
    return build.binary(op, x, shift_count(context, x, count, right_node, node, "a shift"))


def shift_count(context: Context, x: ir.Expr, count: Operand, count_node: ast.AST, node: ast.AST, what: str) -> ir.Expr:
    """The count of a shift of x: any integer, converted to the type of x."""
    b = widened(typed_or_weak(context, count, count_node))
    if not isinstance(b, EXPR_CLASSES):
        if not isinstance(b, int) or isinstance(b, bool) or b < 0:
            message = f"a shift count must be a whole number from 0, not {show_number(b)}"
            wrong(context, message, count_node, "use a count from 0 to the width - 1")
        b = as_expr(context, Static(b % ir.scalar_of(x.type).bits), count_node, ir.scalar_of(x.type))
    widths_differ = isinstance(b.type, ir.VectorType) and (not isinstance(x.type, ir.VectorType) or x.type != b.type)
    if not ir.scalar_of(x.type).is_integer or not ir.scalar_of(b.type).is_integer or widths_differ:
        message = f"{what} works on integers, not on {x.type} and {b.type}"
        fix = "use gp.bitcast to reach the bits of a float; shift a vector by its type or a scalar"
        if ir.scalar_of(x.type).is_integer and ir.scalar_of(b.type).is_float:
            fix = f"convert the count, as in gp.u32({context.text(count_node)})"
        wrong(context, message, node, fix)
    if b.type != x.type:
        scalar = ir.scalar_of(x.type)
        b = b if b.type == scalar else ir.Convert(b, scalar)
        b = ir.Splat(b, x.type) if isinstance(x.type, ir.VectorType) else b
    return b


def _power(
    context: Context, left: Operand, right: Operand, left_node: ast.AST, right_node: ast.AST, node: ast.AST
) -> Operand:
    exponent = typed_or_weak(context, right, right_node)
    base = widened(typed_or_weak(context, left, left_node))
    whole = exponent if isinstance(exponent, int) and not isinstance(exponent, bool) else None
    if isinstance(base, EXPR_CLASSES) and ir.scalar_of(base.type) == ir.BOOL:
        wrong(context, "`**` works on numbers, not on bool", node, "convert, as in gp.i32(flag)")
    if isinstance(base, EXPR_CLASSES) and is_enum(base.type):
        wrong(context, f"`**` works on numbers, not on {base.type}", node, "take its number, as in gp.i32(mode)")
    if whole is not None and isinstance(base, EXPR_CLASSES) and 0 <= whole <= MAX_FACTORS:
        if whole == 0:
            return as_expr(context, Static(1), node, base.type)
        value = context.builder.let("base", base, context.span(node))
        return _repeated_product(value, whole)
    x, y = unify(context, left, right, left_node, right_node, node, "`**`")
    if not ir.scalar_of(x.type).is_float:
        wrong(
            context,
            f"`**` of {x.type} needs a literal exponent from 0 to {MAX_FACTORS}",
            node,
            "convert to f32, or write the loop",
        )
    return build.call(ir.MathOp.POW, x, y)


def _repeated_product(base: ir.Expr, exponent: int) -> ir.Expr:
    if exponent == 1:
        return base
    half = _repeated_product(base, exponent // 2)
    squared = build.mul(half, half)
    return build.mul(squared, base) if exponent % 2 else squared
