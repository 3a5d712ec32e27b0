"""Interval analysis of integer expressions.

`Ranges.interval(expr)` bounds the value after wrapping. `Ranges.may_overflow(expr)` says whether the exact result may
be outside the range of the type: if so, a target must not use an operator whose overflow is undefined.
Both are sound: an interval may be too wide, never too narrow. The functions of the table in `ir.ops` need no code here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from gpucore.immutable import Immutable
from gpucore.ir import (
    FUNCTIONS,
    SUBGROUP_BUILTINS,
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Construct,
    Convert,
    Expr,
    Extract,
    ForRange,
    GridOrigin,
    Let,
    MathOp,
    Module,
    Param,
    ScalarType,
    Select,
    ShapeOrigin,
    Splat,
    Type,
    Unary,
    UnaryOp,
    Uniform,
    Value,
    arithmetic,
    scalar_of,
    walk,
)
from gpucore.ir.ops import result_type

MAX_INDEX = 2**31 - 1  # the greatest id of an invocation, and the greatest length of an array along an axis
_MAX_SUBGROUP_SIZE = 128


class Interval(Immutable):
    """All integers from `lo` to `hi`, both included."""

    lo: int
    hi: int

    def __contains__(self, value: int) -> bool:
        return self.lo <= value <= self.hi

    def is_within(self, other: Interval) -> bool:
        """Whether `other` contains the whole interval."""
        return other.lo <= self.lo and self.hi <= other.hi

    def __or__(self, other: Interval) -> Interval:
        """The join: the smallest interval that contains both."""
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))


_BOOL = Interval(0, 1)


def type_interval(type: Type) -> Interval:
    """Every value of an integer type (or of a component of an integer vector); 0 to 1 for bool."""
    scalar = scalar_of(type)
    if scalar.is_float:
        raise ValueError(f"{type} is not an integer type")
    return Interval(scalar.min_value, scalar.max_value)


class Ranges:
    """The intervals of a module's integer expressions. Loads, atomics and locals may have any value of their type."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._values: dict[int, Interval] = {}
        self._memo: dict[int, tuple[Expr, Interval]] = {}  # by identity; keeping the expression keeps its id in use
        self._is_walked = False

    def interval(self, expr: Expr) -> Interval:
        """Bounds of an integer or bool expression (of every component of a vector), after wrapping."""
        match expr:
            case Constant():
                return Interval(int(expr.value), int(expr.value))
            case Value():
                return self._value(expr)
            case Binary() | Unary() | Call() | Select() | Convert():
                known = self._memo.get(id(expr))
                if known is None:
                    known = self._memo[id(expr)] = (expr, self._wrapped(expr))
                return known[1]
            case Param():
                return self._param(expr)
            case Builtin():
                return self._builtin(expr)
            case Splat():
                return self.interval(expr.operand)
            case Extract():
                return self.interval(expr.vector)
            case Construct():
                return _join(self.interval(component) for component in expr.components)
            case Bitcast() if _is_same_width(scalar_of(expr.operand.type), scalar_of(expr.type)):
                return _wrap_interval(self.interval(expr.operand), expr.type)
            case _:
                return type_interval(expr.type)

    def may_overflow(self, expr: Binary | Unary) -> bool:
        """Whether the exact result of this one operation may be outside the type of `expr`. Floats: False."""
        if scalar_of(expr.type).is_float:
            return False
        exact = self._binary(expr) if isinstance(expr, Binary) else self._unary(expr)
        return not exact.is_within(type_interval(expr.type))

    def _wrapped(self, expr: Binary | Unary | Call | Select | Convert) -> Interval:
        match expr:
            case Binary():
                return _wrap_interval(self._binary(expr), expr.type)
            case Unary():
                return _wrap_interval(self._unary(expr), expr.type)
            case Select():
                return self.interval(expr.if_true) | self.interval(expr.if_false)
            case Call():
                return self._call(expr)
            case Convert():
                source = scalar_of(expr.operand.type)
                full = type_interval(expr.type)
                is_known = not source.is_float and full != _BOOL
                return _wrap_interval(self.interval(expr.operand), expr.type) if is_known else full

    # ------------------------------------------------------------ leaves

    def _value(self, value: Value) -> Interval:
        if not self._is_walked:
            self._is_walked = True
            self._walk()
        return self._values.get(value.id) or type_interval(value.type)

    def _walk(self) -> None:
        """Compute the intervals of all values in program order, so that a long chain of them needs no recursion."""
        for statement in walk.statements(self._module.body):
            if isinstance(statement, (Let, Uniform)) and not scalar_of(statement.value.type).is_float:
                self._values[statement.value.id] = self.interval(statement.expr)
            elif isinstance(statement, ForRange):
                start, stop = self.interval(statement.start), self.interval(statement.stop)
                self._values[statement.counter.id] = Interval(start.lo, max(start.lo, stop.hi - 1))

    def _param(self, param: Param) -> Interval:
        origin = self._module.origins[param.index]
        if isinstance(origin, ShapeOrigin):
            return Interval(0, MAX_INDEX)
        if isinstance(origin, GridOrigin):
            return Interval(1, MAX_INDEX)
        return type_interval(param.type)

    def _builtin(self, builtin: Builtin) -> Interval:
        if builtin.kind in SUBGROUP_BUILTINS:
            return Interval(0, max(_MAX_SUBGROUP_SIZE, self._module.num_invocations))
        size = self._module.workgroup_size[builtin.axis]
        if builtin.kind is BuiltinKind.LOCAL_ID:
            return Interval(0, size - 1)
        most = min((MAX_INDEX + 1) // size, MAX_INDEX)  # workgroups: the id of the last invocation must fit i32
        return Interval(1, most) if builtin.kind is BuiltinKind.NUM_WORKGROUPS else Interval(0, most - 1)

    # ------------------------------------------------------------ operators, exactly

    def _unary(self, expr: Unary) -> Interval:
        operand = self.interval(expr.operand)
        if expr.op is UnaryOp.NEG:
            return Interval(-operand.hi, -operand.lo)
        if expr.op is UnaryOp.NOT:
            return _BOOL
        if scalar_of(expr.type).is_signed:
            return Interval(~operand.hi, ~operand.lo)
        top = type_interval(expr.type).hi
        return Interval(top - operand.hi, top - operand.lo)

    def _binary(self, expr: Binary) -> Interval:
        rule = _OPERATORS.get(expr.op)
        type = scalar_of(expr.type)
        if rule is None or not type.is_integer:
            return type_interval(type)
        return rule(self.interval(expr.left), self.interval(expr.right), type)

    def _call(self, expr: Call) -> Interval:
        type = scalar_of(expr.args[0].type)
        if type.is_float:
            known = arithmetic.bounds(expr.op, type)
            return Interval(*known) if known else type_interval(expr.type)
        return function_interval(expr.op, tuple(map(self.interval, expr.args)), type)


def _is_same_width(one: ScalarType, other: ScalarType) -> bool:
    """Whether a bitcast between them wraps each integer. The halves of a wider one do not have its range."""
    return one.is_integer and other.is_integer and one.bits == other.bits


def _wrap_interval(exact: Interval, type: Type) -> Interval:
    """The interval after wrapping: the exact one if nothing wraps, else every value of the type."""
    full = type_interval(type)
    return exact if exact.is_within(full) else full


def _join(intervals: Iterable[Interval]) -> Interval:
    first, *rest = intervals
    for interval in rest:
        first = first | interval
    return first


def function_interval(op: MathOp, args: tuple[Interval, ...], type: ScalarType) -> Interval:
    """Bounds of the result, after wrapping, of a function of integers of the given type."""
    result = result_type(op, type)
    if FUNCTIONS[op].is_monotone:
        value = arithmetic.evaluator(op, type, wraps=False)
        found = [value(*corner) for corner in itertools.product(*map(_ends, args))]
        return _wrap_interval(Interval(min(found), max(found)), result)
    known = arithmetic.bounds(op, type)
    return Interval(*known) if known else type_interval(result)


def _ends(interval: Interval) -> tuple[int, ...]:
    """The ends of the interval's parts below 0 and from 0 on."""
    low, high = interval.lo, interval.hi
    return (low, -1, 0, high) if low < 0 <= high else (low, high)


def operator_interval(op: BinaryOp, a: Interval, b: Interval, type: ScalarType) -> Interval:
    """Bounds of the exact result, before wrapping, of an operation on integers of the given type."""
    rule = _OPERATORS.get(op)
    return type_interval(type) if rule is None else rule(a, b, type)


# ---------------------------------------------------------------- exact results on intervals


def _add(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return Interval(a.lo + b.lo, a.hi + b.hi)


def _subtract(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return Interval(a.lo - b.hi, a.hi - b.lo)


def _corners(a: Interval, b: Interval, function: Callable[[int, int], int]) -> Interval:
    """For a function that is monotone in each argument: the extremes are at the corners."""
    found = [function(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return Interval(min(found), max(found))


def _multiply(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return _corners(a, b, lambda x, y: x * y)


def _divide(a: Interval, b: Interval, function: Callable[[int, int], int]) -> Interval:
    """Division is monotone for divisors of one sign, so it is done in parts; a divisor of 0 gives the dividend."""
    parts = []
    if b.lo < 0:
        parts.append(_corners(a, Interval(b.lo, min(b.hi, -1)), function))
    if b.hi > 0:
        parts.append(_corners(a, Interval(max(b.lo, 1), b.hi), function))
    if 0 in b:
        parts.append(a)
    return _join(parts)


def _floor_divide(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return _divide(a, b, lambda x, y: x // y)


def _trunc_divide(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return _divide(a, b, lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1))


def _floor_modulo(a: Interval, b: Interval, type: ScalarType) -> Interval:
    if a.lo >= 0 and b.lo > a.hi:
        return a
    low, high = min(b.lo + 1, 0), max(b.hi - 1, 0)
    return Interval(low, min(high, a.hi) if a.lo >= 0 and b.lo >= 0 else high)


def _trunc_remainder(a: Interval, b: Interval, type: ScalarType) -> Interval:
    most = max(abs(b.lo), abs(b.hi), 1) - 1  # also covers x rem 0, which is 0
    return Interval(max(min(a.lo, 0), -most), min(max(a.hi, 0), most))


def _bit_and(a: Interval, b: Interval, type: ScalarType) -> Interval:
    bounds = [interval.hi for interval in (a, b) if interval.lo >= 0]
    return Interval(0, min(bounds)) if bounds else type_interval(type)


def _bit_or(a: Interval, b: Interval, type: ScalarType) -> Interval:
    if a.lo < 0 or b.lo < 0:
        return type_interval(type)
    return Interval(max(a.lo, b.lo), (1 << max(a.hi, b.hi).bit_length()) - 1)


def _bit_xor(a: Interval, b: Interval, type: ScalarType) -> Interval:
    if a.lo < 0 or b.lo < 0:
        return type_interval(type)
    return Interval(0, (1 << max(a.hi, b.hi).bit_length()) - 1)


def _shift_count(b: Interval, type: ScalarType) -> Interval:
    """The count of a shift, modulo the width."""
    full = Interval(0, type.bits - 1)
    return b if b.is_within(full) else full


def _shift_left(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return _corners(a, _shift_count(b, type), lambda x, y: x << y)


def _shift_right(a: Interval, b: Interval, type: ScalarType) -> Interval:
    return _corners(a, _shift_count(b, type), lambda x, y: x >> y)


_OPERATORS: dict[BinaryOp, Callable[[Interval, Interval, ScalarType], Interval]] = {
    BinaryOp.ADD: _add,
    BinaryOp.SUB: _subtract,
    BinaryOp.MUL: _multiply,
    BinaryOp.FLOOR_DIV: _floor_divide,
    BinaryOp.FLOOR_MOD: _floor_modulo,
    BinaryOp.TRUNC_DIV: _trunc_divide,
    BinaryOp.TRUNC_REM: _trunc_remainder,
    BinaryOp.BIT_AND: _bit_and,
    BinaryOp.BIT_OR: _bit_or,
    BinaryOp.BIT_XOR: _bit_xor,
    BinaryOp.SHL: _shift_left,
    BinaryOp.SHR: _shift_right,
}
