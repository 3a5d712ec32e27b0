"""Builders of expressions: the type of a result follows from the operands, and constants may be Python numbers.

A Python number takes the type of the other operand and is splatted if that is a vector. A float is rounded to the
type; an integer has to fit. Nothing is simplified, except that a conversion to the type that an expression already has
gives the expression itself.
"""

from __future__ import annotations

import struct

from gpucore.ir import nodes as n
from gpucore.ir.ops import COMPARISONS, BinaryOp, MathOp, UnaryOp, result_type
from gpucore.ir.types import BOOL, I32, ScalarType, Type, VectorType, scalar_of, with_scalar

Operand = n.Expr | bool | int | float
"""An expression, or a number that takes the type of the expression beside it."""

_FORMATS = {16: "e", 32: "f", 64: "d"}


# ---------------------------------------------------------------- constants


def constant(value: bool | int | float, type: Type) -> n.Expr:
    """The number in a type, in every component of a vector."""
    scalar = scalar_of(type)
    if scalar.is_storage:  # storage types are operands of conversions only
        expr: n.Expr = n.Convert(_number(value, I32), scalar)
    else:
        expr = _number(value, scalar)
    return n.Splat(expr, type) if isinstance(type, VectorType) else expr


def zero(type: Type) -> n.Expr:
    """0, 0.0 or False, in every component of a vector."""
    scalar = scalar_of(type)
    return constant(False if scalar == BOOL else 0.0 if scalar.is_float else 0, type)


def _number(value: bool | int | float, type: ScalarType) -> n.Constant:
    if type.is_float:
        code = _FORMATS[type.bits]
        return n.Constant(struct.unpack(code, struct.pack(code, value))[0], type)
    if isinstance(value, float) or isinstance(value, bool) != (type == BOOL):
        raise TypeError(f"{value!r} is not a constant of type {type}")
    if not type.min_value <= value <= type.max_value:
        raise ValueError(f"{value} does not fit {type}")
    return n.Constant(value, type)


def _expr(operand: Operand, type: Type) -> n.Expr:
    return constant(operand, type) if isinstance(operand, (bool, int, float)) else operand


def _operands(*operands: Operand) -> list[n.Expr]:
    """The operands as expressions: numbers take the type of the first operand that is an expression."""
    for operand in operands:
        if not isinstance(operand, (bool, int, float)):
            return [_expr(other, operand.type) for other in operands]
    raise TypeError("at least one operand must be an expression: numbers take its type")


# ---------------------------------------------------------------- operators


def unary(op: UnaryOp, operand: n.Expr) -> n.Unary:
    """An operator on one operand."""
    return n.Unary(op, operand, operand.type)


def binary(op: BinaryOp, left: Operand, right: Operand) -> n.Binary:
    """An operator on two operands of one type; a comparison gives bool, or for vectors a vector of bool."""
    a, b = _operands(left, right)
    return n.Binary(op, a, b, with_scalar(a.type, BOOL) if op in COMPARISONS else a.type)


def neg(operand: n.Expr) -> n.Unary:
    return unary(UnaryOp.NEG, operand)


def logical_not(operand: n.Expr) -> n.Unary:
    return unary(UnaryOp.NOT, operand)


def invert(operand: n.Expr) -> n.Unary:
    return unary(UnaryOp.INVERT, operand)


def add(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.ADD, left, right)


def sub(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.SUB, left, right)


def mul(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.MUL, left, right)


def div(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.DIV, left, right)


def floor_div(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.FLOOR_DIV, left, right)


def floor_mod(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.FLOOR_MOD, left, right)


def bit_and(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.BIT_AND, left, right)


def bit_or(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.BIT_OR, left, right)


def bit_xor(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.BIT_XOR, left, right)


def shl(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.SHL, left, right)


def shr(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.SHR, left, right)


def logical_and(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.AND, left, right)


def logical_or(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.OR, left, right)


def eq(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.EQ, left, right)


def ne(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.NE, left, right)


def lt(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.LT, left, right)


def le(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.LE, left, right)


def gt(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.GT, left, right)


def ge(left: Operand, right: Operand) -> n.Binary:
    return binary(BinaryOp.GE, left, right)


# ---------------------------------------------------------------- the rest


def call(op: MathOp, *args: Operand) -> n.Call:
    """A built-in function."""
    exprs = _operands(*args)
    return n.Call(op, tuple(exprs), result_type(op, exprs[0].type))


def select(condition: n.Expr, if_true: Operand, if_false: Operand) -> n.Select:
    """`if_true` if the scalar `condition` is true, else `if_false`."""
    a, b = _operands(if_true, if_false)
    return n.Select(condition, a, b, a.type)


def convert(operand: n.Expr, type: Type) -> n.Expr:
    """The number in another type."""
    return operand if operand.type == type else n.Convert(operand, type)


def bitcast(operand: n.Expr, type: Type) -> n.Expr:
    """The same bits as another type of the same size."""
    return operand if operand.type == type else n.Bitcast(operand, type)


def splat(operand: n.Expr, type: VectorType) -> n.Splat:
    """A vector with one scalar in every component."""
    return n.Splat(operand, type)


def construct(*components: n.Expr) -> n.Construct:
    """A vector of two, three or four scalars of one type."""
    return n.Construct(components, VectorType(scalar_of(components[0].type), len(components)))


def components(operand: n.Expr) -> list[n.Expr]:
    """The components of a vector, or the scalar itself."""
    type = operand.type
    if not isinstance(type, VectorType):
        return [operand]
    return [n.Extract(operand, index, type.element) for index in range(type.width)]
