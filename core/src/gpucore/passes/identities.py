"""Simplifies one expression whose operands are already simplified: constant folding and exact identities.

Exact means the same result for every operand, including NaN and -0.0. So x * 1.0 is simplified and x + 0.0 is not.
Integers wrap, so (x + 3) + 4 becomes x + 7.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gpucore.ir import (
    BOOL,
    COMPARISONS,
    DIVISIONS,
    FALSE,
    TRUE,
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    Call,
    Constant,
    Construct,
    Convert,
    Expr,
    Extract,
    Local,
    Param,
    ScalarType,
    Select,
    Splat,
    Type,
    Unary,
    UnaryOp,
    Value,
    VectorType,
    scalar_of,
)
from gpucore.ir.arithmetic import wrap
from gpucore.passes import arithmetic

_COMMUTATIVE = frozenset(
    {BinaryOp.ADD, BinaryOp.MUL, BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR, BinaryOp.EQ, BinaryOp.NE}
)
INVERSE = {
    BinaryOp.EQ: BinaryOp.NE, BinaryOp.NE: BinaryOp.EQ, BinaryOp.LT: BinaryOp.GE, BinaryOp.GE: BinaryOp.LT,
    BinaryOp.GT: BinaryOp.LE, BinaryOp.LE: BinaryOp.GT,
}  # fmt: skip


def simplify(expr: Expr) -> Expr:
    """`expr`, or a simpler expression with the same value; `expr` itself if there is none."""
    rule = _RULES.get(type(expr))
    return expr if rule is None else rule(expr)


def negate(condition: Expr) -> Expr:
    """`not condition`, simplified."""
    return simplify(Unary(UnaryOp.NOT, condition, BOOL))


def _constant(expr: Expr) -> Constant | None:
    """The scalar constant in every component of `expr`, if it is one."""
    if isinstance(expr, Constant):
        return expr
    if isinstance(expr, Splat) and isinstance(expr.operand, Constant):
        return expr.operand
    return None


def _splat_constant(value: bool | int | float, type: Type) -> Expr:
    if isinstance(type, VectorType):
        return Splat(Constant(value, type.element), type)
    return Constant(value, type)


def _same(left: Expr, right: Expr) -> bool:
    """Whether both are the same leaf. Deeper expressions are not compared: that would cost a traversal per node."""
    if left is right:
        return True
    if isinstance(left, (Value, Local)) and isinstance(right, (Value, Local)):
        return left.id == right.id  # no statement is between them: a local has the same value too
    if isinstance(left, Param) and isinstance(right, Param):
        return left.index == right.index
    return isinstance(left, Builtin) and left == right


# ---------------------------------------------------------------- unary, conversions


def _unary(expr: Unary) -> Expr:
    operand = expr.operand
    constant = _constant(operand)
    if constant is not None:
        return _splat_constant(arithmetic.unary(expr.op, constant.value, constant.type), expr.type)
    if isinstance(operand, Unary) and operand.op is expr.op:
        return operand.operand  # not not x, ~~x, -(-x)
    if expr.op is UnaryOp.NOT and isinstance(operand, Binary) and operand.op in INVERSE:
        exact = operand.op in (BinaryOp.EQ, BinaryOp.NE) or scalar_of(operand.left.type).is_integer  # NaN < 1 is false
        if exact:
            return Binary(INVERSE[operand.op], operand.left, operand.right, operand.type)
    return expr


def _convert(expr: Convert) -> Expr:
    operand = expr.operand
    if operand.type == expr.type:
        return operand
    constant = _constant(operand)
    target = scalar_of(expr.type)
    if constant is not None:
        return _splat_constant(arithmetic.convert(constant.value, constant.type, target), expr.type)
    if isinstance(operand, Convert):
        first, middle = scalar_of(operand.operand.type), scalar_of(operand.type)
        if first.is_integer and middle.is_integer and target.is_integer and first.bits == middle.bits == target.bits:
            return _convert(Convert(operand.operand, expr.type))  # integers of one width: the bits stay
    return expr


def _bitcast(expr: Bitcast) -> Expr:
    operand = expr.operand
    if operand.type == expr.type:
        return operand
    if isinstance(operand, Constant) and isinstance(expr.type, ScalarType):
        value = arithmetic.bitcast(operand.value, operand.type, expr.type)
        return expr if value is None else Constant(value, expr.type)
    if isinstance(operand, Bitcast):
        return _bitcast(Bitcast(operand.operand, expr.type))
    return expr


# ---------------------------------------------------------------- binary


def _binary(expr: Binary) -> Expr:
    op, left, right = expr.op, _constant(expr.left), _constant(expr.right)
    if left is not None and right is not None:
        return _splat_constant(arithmetic.binary(op, left.value, right.value, left.type), expr.type)
    operand_type = scalar_of(expr.left.type)
    if left is None and right is None:
        return _equal_operands(expr) if not operand_type.is_float and _same(expr.left, expr.right) else expr
    if operand_type.is_float:
        return _float_identity(expr, left, right)
    if operand_type == BOOL:
        return _bool_identity(expr, left, right)
    if left is not None and op in _COMMUTATIVE:  # move the constant to the right
        expr, left, right = Binary(op, expr.right, expr.left, expr.type), None, left
    if op in COMPARISONS:
        return expr
    return _integer_left(expr, left) if left is not None else _integer_right(expr, right) if right else expr


def _equal_operands(expr: Binary) -> Expr:
    """x op x, of integers and bools."""
    match expr.op:
        case BinaryOp.EQ | BinaryOp.LE | BinaryOp.GE:
            return _splat_constant(True, expr.type)
        case BinaryOp.NE | BinaryOp.LT | BinaryOp.GT:
            return _splat_constant(False, expr.type)
        case BinaryOp.SUB | BinaryOp.BIT_XOR:
            return _splat_constant(0 if scalar_of(expr.type) != BOOL else False, expr.type)
        case BinaryOp.BIT_AND | BinaryOp.BIT_OR | BinaryOp.AND | BinaryOp.OR:
            return expr.left
        case _:
            return expr


def _float_identity(expr: Binary, left: Constant | None, right: Constant | None) -> Expr:
    op = expr.op
    if right is not None:
        one = right.value == 1.0 and op in (BinaryOp.MUL, BinaryOp.DIV)
        zero = right.value == 0.0 and (
            (op is BinaryOp.SUB and not _is_negative(right)) or (op is BinaryOp.ADD and _is_negative(right))
        )
        return expr.left if one or zero else expr
    if left is not None:
        one = left.value == 1.0 and op is BinaryOp.MUL
        zero = left.value == 0.0 and op is BinaryOp.ADD and _is_negative(left)
        return expr.right if one or zero else expr
    return expr


def _is_negative(constant: Constant) -> bool:
    return math.copysign(1.0, constant.value) < 0


def _bool_identity(expr: Binary, left: Constant | None, right: Constant | None) -> Expr:
    known, other = (left, expr.right) if left is not None else (right, expr.left)
    truth = known is not None and bool(known.value)
    match expr.op:
        case BinaryOp.AND | BinaryOp.BIT_AND:
            return other if truth else _splat_constant(False, expr.type)
        case BinaryOp.OR | BinaryOp.BIT_OR:
            return _splat_constant(True, expr.type) if truth else other
        case BinaryOp.EQ:
            return other if truth else _unary(Unary(UnaryOp.NOT, other, expr.type))
        case BinaryOp.NE | BinaryOp.BIT_XOR:
            return _unary(Unary(UnaryOp.NOT, other, expr.type)) if truth else other
        case _:
            return expr


def _integer_left(expr: Binary, left: Constant) -> Expr:
    """c op x, for operators that do not commute."""
    keeps_zero = expr.op in (BinaryOp.SHL, BinaryOp.SHR) or expr.op in DIVISIONS
    return expr.left if left.value == 0 and keeps_zero else expr


def _integer_right(expr: Binary, right: Constant) -> Expr:
    """x op c."""
    value, type = int(right.value), right.type
    ones = -1 if type.is_signed else type.max_value
    match expr.op:
        case BinaryOp.ADD | BinaryOp.SUB:
            return _sum(expr, value, type)
        case BinaryOp.MUL:
            return _product(expr, value, type)
        case BinaryOp.FLOOR_DIV | BinaryOp.TRUNC_DIV:
            return expr.left if value in (0, 1) else expr
        case BinaryOp.FLOOR_MOD | BinaryOp.TRUNC_REM:
            return _splat_constant(0, expr.type) if value in (0, 1) else expr
        case BinaryOp.SHL | BinaryOp.SHR:
            return expr.left if value % type.bits == 0 else expr
        case BinaryOp.BIT_AND:
            return expr.left if value == ones else _splat_constant(0, expr.type) if value == 0 else expr
        case BinaryOp.BIT_OR:
            return expr.left if value == 0 else _splat_constant(ones, expr.type) if value == ones else expr
        case BinaryOp.BIT_XOR:
            return expr.left if value == 0 else expr
        case _:
            return expr


def _sum(expr: Binary, value: int, type: ScalarType) -> Expr:
    """x + c or x - c; if x is itself such a sum, its constant is merged."""
    left, total = expr.left, value if expr.op is BinaryOp.ADD else -value
    if isinstance(left, Binary) and left.op in (BinaryOp.ADD, BinaryOp.SUB):
        inner = _constant(left.right)
        if inner is not None:
            total += int(inner.value) if left.op is BinaryOp.ADD else -int(inner.value)
            left = left.left
    if left is expr.left and value != 0:
        return expr
    total = total if abs(total) <= type.max_value else wrap(total, type)
    if total == 0:
        return left
    if -type.max_value <= total < 0:
        return Binary(BinaryOp.SUB, left, _splat_constant(-total, expr.type), expr.type)
    return Binary(BinaryOp.ADD, left, _splat_constant(total, expr.type), expr.type)


def _product(expr: Binary, value: int, type: ScalarType) -> Expr:
    left = expr.left
    if isinstance(left, Binary) and left.op is BinaryOp.MUL:
        inner = _constant(left.right)
        if inner is not None:
            value, left = wrap(value * int(inner.value), type), left.left
    if value == 0:
        return _splat_constant(0, expr.type)
    if value == 1:
        return left
    return expr if left is expr.left else Binary(BinaryOp.MUL, left, _splat_constant(value, expr.type), expr.type)


# ---------------------------------------------------------------- the rest


def _call(expr: Call) -> Expr:
    constants = [_constant(arg) for arg in expr.args]
    if not all(constants):
        return expr
    values = [constant.value for constant in constants if constant is not None]
    result = arithmetic.call(expr.op, values, scalar_of(expr.args[0].type))
    return expr if result is None else _splat_constant(result, expr.type)


def _select(expr: Select) -> Expr:
    if isinstance(expr.condition, Constant):
        return expr.if_true if expr.condition.value else expr.if_false
    if _same(expr.if_true, expr.if_false):
        return expr.if_true
    if expr.type == BOOL and isinstance(expr.if_true, Constant) and isinstance(expr.if_false, Constant):
        if expr.if_true.value == expr.if_false.value:
            return TRUE if expr.if_true.value else FALSE
        return expr.condition if expr.if_true.value else negate(expr.condition)
    return expr


def _extract(expr: Extract) -> Expr:
    if isinstance(expr.vector, Construct):
        return expr.vector.components[expr.index]
    return expr.vector.operand if isinstance(expr.vector, Splat) else expr


def _construct(expr: Construct) -> Expr:
    """The components of one vector in order are that vector."""
    first = expr.components[0]
    if not isinstance(first, Extract) or first.vector.type != expr.type:
        return expr
    for index, component in enumerate(expr.components):
        if not isinstance(component, Extract) or component.index != index or not _same(component.vector, first.vector):
            return expr
    return first.vector


_RULES: dict[type, Callable[[Any], Expr]] = {
    Unary: _unary,
    Binary: _binary,
    Call: _call,
    Select: _select,
    Convert: _convert,
    Bitcast: _bitcast,
    Construct: _construct,
    Extract: _extract,
}
