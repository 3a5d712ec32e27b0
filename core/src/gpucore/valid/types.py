"""The type rule of each expression: what its operands may be, given the type that it claims. Looks one level down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.ir import (
    BOOL,
    COMPARISONS,
    F32,
    I32,
    SCALARS,
    U32,
    AtomicOp,
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
    MathOp,
    ScalarType,
    Select,
    Splat,
    Subgroup,
    SubgroupOp,
    Type,
    Unary,
    UnaryOp,
    VectorType,
    scalar_of,
    with_scalar,
)

_INTEGERS = frozenset(
    {
        BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV, BinaryOp.TRUNC_REM, BinaryOp.SHL, BinaryOp.SHR,
    }
)  # fmt: skip
_BITS = frozenset({BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR})
_EQUALITIES = frozenset({BinaryOp.EQ, BinaryOp.NE})

_ANY_NUMBER = frozenset({MathOp.ABS, MathOp.MIN, MathOp.MAX, MathOp.CLAMP, MathOp.SIGN})
_INTEGER_CALLS = frozenset({MathOp.POPCOUNT, MathOp.CLZ, MathOp.CTZ, MathOp.REVERSE_BITS})
_TESTS = frozenset({MathOp.ISNAN, MathOp.ISINF})
_ARITY = {
    MathOp.MIN: 2, MathOp.MAX: 2, MathOp.POW: 2, MathOp.ATAN2: 2, MathOp.FMOD: 2, MathOp.STEP: 2, MathOp.DOT: 2,
    MathOp.CLAMP: 3, MathOp.FMA: 3, MathOp.MIX: 3,
}  # fmt: skip


FLOAT_ATOMICS = frozenset({AtomicOp.LOAD, AtomicOp.STORE, AtomicOp.ADD, AtomicOp.SUB, AtomicOp.EXCHANGE})
"""The atomics that f32 has."""

_VOTES = frozenset({SubgroupOp.BALLOT, SubgroupOp.ANY, SubgroupOp.ALL})
_WITH_ARGUMENT = frozenset(
    {
        SubgroupOp.BROADCAST, SubgroupOp.SHUFFLE, SubgroupOp.SHUFFLE_XOR, SubgroupOp.SHUFFLE_UP,
        SubgroupOp.SHUFFLE_DOWN,
    }
)  # fmt: skip


def same(a: Type, b: Type) -> bool:
    """Types are values; most often they are one object."""
    return a is b or a == b


def is_well_typed(expr: Expr) -> bool:
    """Whether the node agrees with the types of its operands."""
    rule = _RULES.get(type(expr))
    return rule is None or rule(expr)


def is_well_typed_subgroup(statement: Subgroup) -> bool:
    """Whether operand, argument and result of a subgroup operation are as the operation needs them."""
    op, operand, argument, result = statement.op, statement.operand, statement.argument, statement.value.type
    if (op in _WITH_ARGUMENT) != (argument is not None) or (op is SubgroupOp.ELECT) != (operand is None):
        return False
    if argument is not None and argument.type != U32:
        return False
    if operand is None:
        return result == BOOL
    if op in _VOTES:
        return operand.type == BOOL and result == (VectorType(U32, 4) if op is SubgroupOp.BALLOT else BOOL)
    return operand.type in (I32, U32, F32) and same(operand.type, result)


def _constant(expr: Constant) -> bool:
    value, type = expr.value, expr.type
    if type not in SCALARS:
        return False
    if type.is_float:
        return isinstance(value, float)
    if type is BOOL or type == BOOL:
        return isinstance(value, bool)
    return isinstance(value, int) and not isinstance(value, bool) and type.min_value <= value <= type.max_value


def _unary(expr: Unary) -> bool:
    scalar = scalar_of(expr.type)
    if not same(expr.type, expr.operand.type) or scalar.is_storage:
        return False
    if expr.op is UnaryOp.NOT:
        return scalar == BOOL
    return scalar.is_integer or (scalar.is_float and expr.op is UnaryOp.NEG)


def _binary(expr: Binary) -> bool:
    type, op = expr.left.type, expr.op
    if not same(type, expr.right.type):
        return False
    scalar = scalar_of(type)
    if scalar.is_storage:
        return False
    if op in COMPARISONS:
        ordered = op in _EQUALITIES or scalar != BOOL
        return ordered and same(expr.type, with_scalar(type, BOOL))
    if not same(expr.type, type):
        return False
    if op is BinaryOp.DIV:
        return scalar.is_float
    if op in _INTEGERS:
        return scalar.is_integer
    if op in _BITS:
        return not scalar.is_float
    if op in (BinaryOp.AND, BinaryOp.OR):
        return scalar == BOOL
    return scalar != BOOL


def _call(expr: Call) -> bool:
    op, args = expr.op, expr.args
    if len(args) != _ARITY.get(op, 1):
        return False
    type = args[0].type
    if not all(same(arg.type, type) for arg in args):
        return False
    scalar = scalar_of(type)
    if scalar.is_storage:
        return False
    if op in _TESTS:
        return scalar.is_float and same(expr.type, with_scalar(type, BOOL))
    if op is MathOp.DOT:
        return isinstance(type, VectorType) and scalar != BOOL and same(expr.type, scalar)
    if not same(expr.type, type):
        return False
    if op in _INTEGER_CALLS:
        return scalar.is_integer
    return scalar.is_float or (op in _ANY_NUMBER and scalar.is_integer)


def _select(expr: Select) -> bool:
    condition = same(expr.condition.type, BOOL)
    return condition and same(expr.type, expr.if_true.type) and same(expr.type, expr.if_false.type)


def _width(type: Type) -> int:
    return type.width if isinstance(type, VectorType) else 1


def _convert(expr: Convert) -> bool:
    return _width(expr.type) == _width(expr.operand.type)


def _bitcast(expr: Bitcast) -> bool:
    source, target = expr.operand.type, expr.type
    return BOOL not in (scalar_of(source), scalar_of(target)) and source.nbytes == target.nbytes


def _construct(expr: Construct) -> bool:
    type = expr.type
    return len(expr.components) == type.width and all(same(c.type, type.element) for c in expr.components)


def _splat(expr: Splat) -> bool:
    return same(expr.operand.type, expr.type.element)


def _extract(expr: Extract) -> bool:
    type = expr.vector.type
    return isinstance(type, VectorType) and 0 <= expr.index < type.width and same(expr.type, type.element)


def _builtin(expr: Builtin) -> bool:
    return expr.axis in (0, 1, 2)


def is_index(type: Type) -> bool:
    """Whether a place can be indexed with it: i32 or u32."""
    return isinstance(type, ScalarType) and type.is_integer and type.bits == 32


_RULES: dict[type, Callable[[Any], bool]] = {
    Constant: _constant,
    Builtin: _builtin,
    Unary: _unary,
    Binary: _binary,
    Call: _call,
    Select: _select,
    Convert: _convert,
    Bitcast: _bitcast,
    Construct: _construct,
    Splat: _splat,
    Extract: _extract,
}
