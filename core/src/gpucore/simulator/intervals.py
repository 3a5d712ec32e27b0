"""Which integers an expression can give, as far as is easily seen: what cannot overflow needs no wrapping."""

from __future__ import annotations

import math

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind

Interval = tuple[int, int]  # least and greatest, both possible

_MOST_INVOCATIONS = 2**31  # along an axis; no device gets more
_LARGEST_SUBGROUP = 128
_ARITHMETIC = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL)


class Intervals:
    """Follows ids, literals, loop counters and values made from them."""

    def __init__(self, workgroup_size: tuple[int, int, int]) -> None:
        self._workgroup_size = workgroup_size
        self._values: dict[int, Interval] = {}

    def bind(self, value: ir.Value, interval: Interval) -> None:
        """Remember what a value can be."""
        self._values[value.id] = interval

    def of(self, expr: ir.Expr) -> Interval:
        """What an integer expression can give; the whole range of its type where nothing better is known."""
        scalar = ir.scalar_of(expr.type)
        least, greatest = self._known(expr) or (scalar.min_value, scalar.max_value)
        if scalar.min_value <= least and greatest <= scalar.max_value:
            return least, greatest
        return scalar.min_value, scalar.max_value

    def can_wrap(self, expr: ir.Binary) -> bool:
        """Whether the exact result of an integer operation may lie outside its type."""
        exact, scalar = self._exact(expr), ir.scalar_of(expr.type)
        return exact is None or exact[0] < scalar.min_value or exact[1] > scalar.max_value

    def _known(self, expr: ir.Expr) -> Interval | None:
        match expr:
            case ir.Constant():
                return int(expr.value), int(expr.value)
            case ir.Value():
                return self._values.get(expr.id)
            case ir.Builtin(kind=BuiltinKind.LOCAL_ID):
                return 0, self._workgroup_size[expr.axis] - 1
            case ir.Builtin(kind=kind) if kind in ir.SUBGROUP_BUILTINS:
                return 0, max(_LARGEST_SUBGROUP, math.prod(self._workgroup_size))
            case ir.Builtin(kind=BuiltinKind.WORKGROUP_ID):
                return 0, _MOST_INVOCATIONS // self._workgroup_size[expr.axis] - 1
            case ir.Builtin():
                return 0, _MOST_INVOCATIONS // self._workgroup_size[expr.axis]
            case ir.Binary():
                return self._exact(expr)
        return None

    def _exact(self, expr: ir.Binary) -> Interval | None:
        """Of the exact result, before it is wrapped."""
        if not isinstance(expr.type, ir.ScalarType) or not expr.type.is_integer:
            return None
        if expr.op is BinaryOp.FLOOR_MOD and isinstance(expr.right, ir.Constant) and expr.right.value > 0:
            return 0, int(expr.right.value) - 1
        if expr.op not in _ARITHMETIC:
            return None
        (a, b), (c, d) = self.of(expr.left), self.of(expr.right)
        if expr.op is BinaryOp.ADD:
            return a + c, b + d
        if expr.op is BinaryOp.SUB:
            return a - d, b - c
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)
