"""Floats that are never NaN, whatever the kernel reads: the smallest element so far of a reduction, for example.

`min` and `max` of a number and a NaN give the number. Where one operand is known to be a number, a comparison with it
and a selection are enough, which x86 does in one instruction (`minps`); otherwise it takes three.
"""

from __future__ import annotations

import math
from collections import defaultdict

from gpucore.plugin import ir
from gpucore.plugin.ir import MathOp, walk

_EXTREMES = frozenset({MathOp.MIN, MathOp.MAX})


class Numbers:
    """The variables of a kernel that are never NaN, and expressions of them."""

    def __init__(self, module: ir.Module) -> None:
        self._lets: list[ir.Let] = []  # in the order of execution
        assigned: dict[int, list[ir.Expr | None]] = defaultdict(list)
        for statement in walk.statements(module.body):
            match statement:
                case ir.Let():
                    self._lets.append(statement)
                case ir.Declare():
                    assigned[statement.local.id].append(statement.init)
                case ir.Assign():
                    assigned[statement.local.id].append(statement.expr)
        self._locals = set(assigned)  # until one is assigned what may be NaN
        self._values: set[int] = set()
        self._find_values()
        while refuted := {
            id for id in self._locals if not all(expr is not None and self.is_number(expr) for expr in assigned[id])
        }:
            self._locals -= refuted
            self._find_values()

    def _find_values(self) -> None:
        """The values that are numbers if the variables are."""
        self._values.clear()
        for let in self._lets:
            if self.is_number(let.expr):
                self._values.add(let.value.id)

    def is_number(self, expr: ir.Expr) -> bool:
        """Whether the value of an expression of floats is never NaN. False if that is not known."""
        match expr:
            case ir.Constant():
                return not math.isnan(expr.value)
            case ir.Local():
                return expr.id in self._locals
            case ir.Value():
                return expr.id in self._values
            case ir.Convert():
                return not ir.scalar_of(expr.operand.type).is_float
            case ir.Select():
                return self.is_number(expr.if_true) and self.is_number(expr.if_false)
            case ir.Call():
                return expr.op in _EXTREMES and any(map(self.is_number, expr.args))
        return False

    def split(self, call: ir.Call) -> tuple[ir.Expr, ir.Expr] | None:
        """The operands of a `min` or `max` of floats, of which the second is a variable or value that is a number; None
        for other calls. (LLVM sees for itself that a constant is a number.)"""
        if call.op not in _EXTREMES or len(call.args) != 2 or not ir.scalar_of(call.type).is_float:
            return None
        first, second = call.args
        if self._is_named_number(second):
            return first, second
        return (second, first) if self._is_named_number(first) else None

    def _is_named_number(self, expr: ir.Expr) -> bool:
        return isinstance(expr, (ir.Local, ir.Value)) and self.is_number(expr)
