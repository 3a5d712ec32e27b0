"""Errors of literals that do not fit the type that they take: what, why, and what to write."""

from __future__ import annotations

import ast
import math

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.front.state.operands import default_type, round_float, show_number
from gpucore.front.state.wording import conversion
from gpucore.immutable import Immutable


class Beside(Immutable, eq=False):
    """The operation whose other operand determined the type of a literal."""

    what: str  # "`*`", "min", "the conditional expression"
    other: ast.AST
    is_left: bool  # whether the literal stands on the left

    @property
    def is_operator(self) -> bool:
        return self.what.startswith("`")

    def converted(self, context: Context, to: ir.Type, node: ast.AST) -> str:
        """The other operand converted to a type; with an operator, the operation with the literal at `node`."""
        other = f"gp.{to}({context.text(self.other)})"
        if not self.is_operator:
            return other
        is_simple = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
        literal = context.text(node) if is_simple else context.primary(node)
        symbol = self.what.strip("`")
        return f"{literal} {symbol} {other}" if self.is_left else f"{other} {symbol} {literal}"


def explain_misfit(
    context: Context, value: bool | int | float, type: ir.Type, node: ast.AST, beside: Beside | None
) -> tuple[str, str, str]:
    """The message, the reason and the fix for a literal that does not fit a type."""
    scalar = ir.scalar_of(type)
    message = f"the literal {show_number(value)} does not fit {scalar}"
    if isinstance(value, bool) or scalar == ir.BOOL:
        return _explain_bool(context, value, scalar, node, beside)
    if isinstance(value, float) and scalar.is_integer:
        if beside is not None:
            return _explain_float_beside(context, value, type, node, beside)
        if not math.isfinite(value):
            fix = f"give it a float type first, as in {conversion(scalar, 'gp.f32(x)')}"
            return message, f"{scalar} holds whole numbers only", fix
        why = f"{scalar} holds whole numbers, and numbers are never converted silently"
        return (
            message,
            why,
            f"write {conversion(scalar, repr(value))} to truncate it, or make the variable or array f32",
        )
    if scalar.is_float and math.isinf(round_float(value, scalar)):
        return message, *explain_infinite(scalar)
    if scalar.is_float:
        why = f"{show_number(value)} cannot be represented exactly in {scalar}"
        return message, why, f"write {conversion(scalar, show_number(value))} to round it, or choose a value that fits"
    return message, f"{scalar} holds {scalar.min_value} to {scalar.max_value}", _whole_that_fits(value, scalar, beside)


def _explain_bool(
    context: Context, value: bool | int | float, scalar: ir.ScalarType, node: ast.AST, beside: Beside | None
) -> tuple[str, str, str]:
    message, why = f"the literal {show_number(value)} does not fit {scalar}", "bool and numbers do not mix"
    if scalar != ir.BOOL:
        return message, why, f"write {conversion(scalar, repr(value))} to convert"
    if beside is None or not beside.is_operator or (beside.what in ("`==`", "`!=`") and value in (0, 1)):
        return message, why, "write True or False"
    converted = beside.converted(context, default_type(value), node)
    return f"{beside.what} mixes bool and the literal {show_number(value)}", why, f"convert, as in {converted}"


def _explain_float_beside(
    context: Context, value: float, type: ir.Type, node: ast.AST, beside: Beside
) -> tuple[str, str, str]:
    scalar = ir.scalar_of(type)
    message = f"{beside.what} mixes {type} and the float literal {show_number(value)}"
    why = f"a float literal beside {scalar} is f32, and numbers are never converted silently"
    to = ir.with_scalar(type, ir.F32)
    fix = f"convert the {scalar}, as in {beside.converted(context, to, node)}"
    if math.isfinite(value) and int(value) != 0:
        fix += f", or write {conversion(scalar, repr(value))} to truncate"
    return message, why, fix


def _whole_that_fits(value: int | float, scalar: ir.ScalarType, beside: Beside | None) -> str:
    """The fix for a whole number that does not fit an integer type."""
    if not scalar.is_signed and scalar.min_value > value >= -(scalar.max_value + 1):
        same_bits = show_number(int(value) % (scalar.max_value + 1))
        return f"write {same_bits}, which has the same bits, or use a signed type"
    wider = next((t for t in (ir.U32, ir.I64, ir.U64) if t.min_value <= value <= t.max_value), None)
    if wider is None:
        return "choose a value that fits"
    where = "the variable or array" if beside is None else "the other operand"
    return f"make {where} {wider}, which holds it, or choose a value that fits"


def explain_infinite(scalar: ir.ScalarType) -> tuple[str, str]:
    """Why a literal that would round to infinity does not fit, and the fix."""
    most = {"f16": "65504", "bf16": "3.39e38", "f32": "3.4e38", "f64": "1.7e308"}[scalar.name]
    wider = {"f16": ", or make the variable or array f32", "f32": ", or make the variable or array f64"}
    return f"it is beyond the range of {scalar}", f"choose a value up to {most}{wider.get(scalar.name, '')}"
