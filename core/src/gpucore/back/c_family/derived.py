"""Built-in functions expressed in simpler ones, for dialects that lack them or define them differently."""

from __future__ import annotations

import math
from collections.abc import Callable

from gpucore.ir import (
    BOOL,
    Binary,
    BinaryOp,
    Call,
    Constant,
    Expr,
    Extract,
    MathOp,
    ScalarType,
    Select,
    Unary,
    UnaryOp,
    VectorType,
    scalar_of,
)


def _scalar(expr: Expr) -> ScalarType:
    return scalar_of(expr.type)


def _number(value: int, type: ScalarType) -> Constant:
    return Constant(float(value) if type.is_float else value, type)


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    return Binary(op, left, right, left.type)


def _compare(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    return Binary(op, left, right, BOOL)


def _call(op: MathOp, *args: Expr) -> Expr:
    return Call(op, args, args[0].type)


def _absolute(x: Expr) -> Expr:
    negative = _compare(BinaryOp.LT, x, _number(0, _scalar(x)))
    return Select(negative, Unary(UnaryOp.NEG, x, x.type), x, x.type) if _scalar(x).is_signed else x


def _clamp(x: Expr, low: Expr, high: Expr) -> Expr:
    return _call(MathOp.MIN, _call(MathOp.MAX, x, low), high)


def _fract(x: Expr) -> Expr:
    return _binary(BinaryOp.SUB, x, _call(MathOp.FLOOR, x))


def _rsqrt(x: Expr) -> Expr:
    return _binary(BinaryOp.DIV, _number(1, _scalar(x)), _call(MathOp.SQRT, x))


def _sign(x: Expr) -> Expr:
    type = _scalar(x)
    zero, one = _number(0, type), _number(1, type)
    positive = Select(_compare(BinaryOp.GT, x, zero), one, zero, type)
    if not (type.is_signed or type.is_float):
        return positive
    return Select(_compare(BinaryOp.LT, x, zero), _number(-1, type), positive, type)


def _mix(a: Expr, b: Expr, t: Expr) -> Expr:
    rest = _binary(BinaryOp.SUB, _number(1, _scalar(t)), t)
    return _binary(BinaryOp.ADD, _binary(BinaryOp.MUL, a, rest), _binary(BinaryOp.MUL, b, t))


def _step(edge: Expr, x: Expr) -> Expr:
    type = _scalar(x)
    return Select(_compare(BinaryOp.GE, x, edge), _number(1, type), _number(0, type), type)


def _dot(a: Expr, b: Expr) -> Expr:
    assert isinstance(a.type, VectorType)
    element = a.type.element
    products = [
        _binary(BinaryOp.MUL, Extract(a, index, element), Extract(b, index, element)) for index in range(a.type.width)
    ]
    total = products[0]
    for product in products[1:]:
        total = _binary(BinaryOp.ADD, total, product)
    return total


def _ctz(x: Expr) -> Expr:
    """Counts the bits below the lowest set bit: popcount of ~x & (x - 1); the full width for zero."""
    one = Constant(1, _scalar(x))
    below = _binary(BinaryOp.BIT_AND, Unary(UnaryOp.INVERT, x, x.type), _binary(BinaryOp.SUB, x, one))
    return _call(MathOp.POPCOUNT, below)


def _isnan(x: Expr) -> Expr:
    return _compare(BinaryOp.NE, x, x)


def _isinf(x: Expr) -> Expr:
    return _compare(BinaryOp.EQ, _call(MathOp.ABS, x), Constant(math.inf, _scalar(x)))


DERIVED: dict[MathOp, Callable[..., Expr]] = {
    MathOp.ABS: _absolute,
    MathOp.CLAMP: _clamp,
    MathOp.FRACT: _fract,
    MathOp.RSQRT: _rsqrt,
    MathOp.SIGN: _sign,
    MathOp.MIX: _mix,
    MathOp.STEP: _step,
    MathOp.DOT: _dot,
    MathOp.CTZ: _ctz,
    MathOp.ISNAN: _isnan,
    MathOp.ISINF: _isinf,
}
"""Builds the result from the arguments. All but DOT take scalars; vectors are handled component by component."""
