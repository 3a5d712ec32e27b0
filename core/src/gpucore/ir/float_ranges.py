"""Bounds of float expressions: what the numbers may be that are not NaN.

Sound for exact and for rounded results: only bounds are tracked that rounding does not cross. Loads, locals and params
may be anything. Some compilers decide a comparison by such bounds and forget NaN, so core decides them first.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gpucore.ir import (
    Binary,
    BinaryOp,
    Call,
    Constant,
    Construct,
    Convert,
    Expr,
    Extract,
    Let,
    MathOp,
    Module,
    Select,
    Splat,
    Unary,
    UnaryOp,
    Uniform,
    Value,
    scalar_of,
    walk,
)

Bounds = tuple[float, float]

ANYTHING: Bounds = (-math.inf, math.inf)
_NOT_NEGATIVE: Bounds = (0.0, math.inf)
_UNIT: Bounds = (-1.0, 1.0)

_FIXED: dict[MathOp, Bounds] = {
    **dict.fromkeys((MathOp.SQRT, MathOp.EXP, MathOp.EXP2, MathOp.COSH, MathOp.HYPOT), _NOT_NEGATIVE),
    **dict.fromkeys((MathOp.SIN, MathOp.COS, MathOp.TANH, MathOp.ERF, MathOp.SIGN), _UNIT),
    MathOp.STEP: (0.0, 1.0),
}
_ROUNDINGS = frozenset({MathOp.FLOOR, MathOp.CEIL, MathOp.ROUND, MathOp.TRUNC})


class FloatRanges:
    """The bounds of a module's float expressions."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._values: dict[int, Bounds] | None = None

    def bounds(self, expr: Expr) -> Bounds:
        """The least and the greatest number that a float expression (each component of a vector) may be."""
        match expr:
            case Constant():
                return ANYTHING if math.isnan(expr.value) else (float(expr.value), float(expr.value))
            case Value():
                return self._value(expr)
            case Unary(op=UnaryOp.NEG):
                low, high = self.bounds(expr.operand)
                return -high, -low
            case Binary():
                return self._binary(expr)
            case Call():
                return self._call(expr)
            case Select():
                return _join(self.bounds(expr.if_true), self.bounds(expr.if_false))
            case Convert() if scalar_of(expr.operand.type).is_float:
                return _signs(self.bounds(expr.operand))
            case Convert():
                return ANYTHING if scalar_of(expr.operand.type).is_signed else _NOT_NEGATIVE
            case Splat():
                return self.bounds(expr.operand)
            case Extract():
                return self.bounds(expr.vector)
            case Construct():
                first, *others = map(self.bounds, expr.components)
                for other in others:
                    first = _join(first, other)
                return first
            case _:
                return ANYTHING

    def _value(self, value: Value) -> Bounds:
        if self._values is None:
            self._values = {}
            for statement in walk.statements(self._module.body):  # in order, so that a long chain needs no recursion
                if isinstance(statement, (Let, Uniform)) and scalar_of(statement.value.type).is_float:
                    self._values[statement.value.id] = self.bounds(statement.expr)
        return self._values.get(value.id, ANYTHING)

    def _binary(self, expr: Binary) -> Bounds:
        left, right = self.bounds(expr.left), self.bounds(expr.right)
        match expr.op:
            case BinaryOp.ADD:
                return _sum(left, right)
            case BinaryOp.SUB:
                return _sum(left, (-right[1], -right[0]))
            case BinaryOp.MUL if _is_same(expr.left, expr.right):
                return _NOT_NEGATIVE
            case BinaryOp.DIV if right[0] <= 0 <= right[1]:  # by -0.0 it changes the sign
                return ANYTHING
            case BinaryOp.MUL | BinaryOp.DIV:
                return _product(left, right)
            case _:
                return ANYTHING

    def _call(self, expr: Call) -> Bounds:
        if expr.op in _FIXED:
            return _FIXED[expr.op]
        args = [self.bounds(arg) if scalar_of(arg.type).is_float else ANYTHING for arg in expr.args]
        match expr.op:
            case MathOp.ABS:
                return max(0.0, args[0][0], -args[0][1]), max(-args[0][0], args[0][1])
            case MathOp.MIN | MathOp.MAX | MathOp.CLAMP:
                return _extreme(expr, args)
            case MathOp.FMA:
                square = _is_same(expr.args[0], expr.args[1])
                return _sum(_NOT_NEGATIVE if square else _product(args[0], args[1]), args[2])
            case MathOp.DOT if _is_same(expr.args[0], expr.args[1]):
                return _NOT_NEGATIVE
            case op if op in _ROUNDINGS:
                return _signs(args[0])
            case _:
                return ANYTHING


def _is_same(one: Expr, other: Expr) -> bool:
    """Whether two expressions are equal, also in the signs of their zeros."""
    if isinstance(one, Constant) and isinstance(other, Constant):
        return repr(one) == repr(other)
    return one == other and all(map(_is_same, walk.children(one), walk.children(other)))


def _join(one: Bounds, other: Bounds) -> Bounds:
    return min(one[0], other[0]), max(one[1], other[1])


def _signs(bounds: Bounds) -> Bounds:
    """What is left of bounds after rounding to another format or to whole numbers: those at 0 and at 1."""
    low, high = bounds
    keeps: Callable[[float], bool] = (-1.0, 0.0, 1.0).__contains__
    below = low if keeps(low) else 0.0 if low > 0 else -math.inf
    above = high if keeps(high) else 0.0 if high < 0 else math.inf
    return below, above


def _sum(one: Bounds, other: Bounds) -> Bounds:
    """A sum of numbers of one sign is at least as far from 0 as each."""
    low = max(one[0], other[0]) if min(one[0], other[0]) >= 0 else -math.inf
    high = min(one[1], other[1]) if max(one[1], other[1]) <= 0 else math.inf
    return low, high


def _product(one: Bounds, other: Bounds) -> Bounds:
    """The sign of a product or quotient."""
    signs = {(1 if low >= 0 else -1 if high <= 0 else 0) for low, high in (one, other)}
    if 0 in signs:
        return ANYTHING
    return _NOT_NEGATIVE if len(signs) == 1 else (-math.inf, 0.0)


def _extreme(expr: Call, args: list[Bounds]) -> Bounds:
    """Of min, max and clamp. For NaN they give the other argument: a side limits the result if it is a number."""
    found, is_number = args[0], _is_number(expr.args[0])
    steps = (MathOp.MAX, MathOp.MIN) if expr.op is MathOp.CLAMP else (expr.op,)
    for op, bounds, arg in zip(steps, args[1:], expr.args[1:], strict=True):
        sure = [side for side, known in ((found, is_number), (bounds, _is_number(arg))) if known]
        low, high = _join(found, bounds)
        if op is MathOp.MAX:
            low = max([low, *(side[0] for side in sure)])
        else:
            high = min([high, *(side[1] for side in sure)])
        found, is_number = (low, high), bool(sure)
    return found


def _is_number(expr: Expr) -> bool:
    """Whether an expression is a constant other than NaN."""
    constant = expr.operand if isinstance(expr, Splat) else expr
    return isinstance(constant, Constant) and not math.isnan(constant.value)


__all__ = ["ANYTHING", "Bounds", "FloatRanges"]
