"""Value numbering of a kernel, as a driver's compiler may do it.

Values that a compiler may find to be equal have the same number. The number of a value is greater than those of its
operands. An opaque value (a load, a parameter) has no operands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpucore.plugin import ir
from gpucore.plugin.ir import BinaryOp, MathOp, UnaryOp

SUMS = frozenset({BinaryOp.ADD, BinaryOp.SUB, MathOp.FMA, MathOp.MIX})
PRODUCTS = frozenset({BinaryOp.MUL, BinaryOp.DIV})
CONSTANT, CARRIED, OPAQUE = "constant", "carried", "opaque"

_MAX_TERMS = 24  # a longer sum is treated as one that may contain anything
_DEEPEST = 12  # maximum depth of the search for a component of a vector


@dataclass(frozen=True, slots=True)
class SymbolicValue:
    """An operation on numbered values. `detail` distinguishes values without operands."""

    op: Any
    operands: tuple[int, ...] = ()
    detail: Any = None


class ValueNumbers:
    """The numbered values of one kernel."""

    def __init__(self) -> None:
        self._numbers: dict[SymbolicValue, int] = {}
        self._symbolic: list[SymbolicValue] = []

    def number(self, value: SymbolicValue) -> int:
        """The number of a value; a new one at its first use."""
        known = self._numbers.setdefault(value, len(self._symbolic))
        if known == len(self._symbolic):
            self._symbolic.append(value)
        return known

    def fresh(self, operation: str) -> int:
        """The number of a value that equals no other."""
        return self.number(SymbolicValue(operation, (), len(self._symbolic)))

    def number_expression(self, expr: ir.Expr, parts: tuple[int, ...]) -> int:
        """The number of an expression that is not a leaf, given the numbers of its operands."""
        match expr:
            case ir.Call(op=MathOp.MIN | MathOp.MAX) if parts[0] == parts[1]:
                return parts[0]
            case ir.Select() if parts[1] == parts[2]:
                return parts[1]
            case ir.Unary() | ir.Binary() | ir.Call():
                return self.number(SymbolicValue(expr.op, parts))
            case ir.Splat():
                return parts[0]  # a driver works component by component
            case ir.Extract():
                return self._component(parts[0], expr.index, 0)
            case _:
                return self.number(SymbolicValue(type(expr).__name__, parts, str(expr.type)))

    def _component(self, vector: int, index: int, depth: int) -> int:
        value = self._symbolic[vector]
        if value.op == "Construct" and index < len(value.operands):
            return value.operands[index]
        if value.op == CONSTANT:
            return vector
        if value.operands and isinstance(value.op, UnaryOp | BinaryOp | MathOp) and depth < _DEEPEST:
            parts = tuple([self._component(part, index, depth + 1) for part in value.operands])
            return self.number(SymbolicValue(value.op, parts))
        return self.number(SymbolicValue("Extract", (vector,), index))

    def op(self, number: int) -> Any:
        """The operation of a value without its negations."""
        return self._symbolic[self.without_sign(number)].op

    def operands(self, number: int) -> tuple[int, ...]:
        """The operands of a value without its negations."""
        return self._symbolic[self.without_sign(number)].operands

    def without_sign(self, number: int) -> int:
        """The number of a value without its negations."""
        while self._symbolic[number].op is UnaryOp.NEG:
            number = self._symbolic[number].operands[0]
        return number

    def is_older(self, number: int, other: int, depth: int = 4) -> bool:
        """Whether a value existed before another one (a variable at its loop's head), or has only such operands."""
        value = self._symbolic[number]
        if number < other or value.op == CONSTANT:
            return True
        return (
            bool(value.operands) and depth > 0 and all(self.is_older(part, other, depth - 1) for part in value.operands)
        )

    def is_zero(self, number: int) -> bool:
        """Whether a value is a constant zero of either sign."""
        value = self._symbolic[number]
        return bool(value.op == CONSTANT and value.detail[1] == 0)

    def terms(self, number: int) -> list[int]:
        """The terms of a sum, without signs; the value itself if it is not a sum."""
        found: list[int] = []
        pending = [number]
        while pending and len(found) < _MAX_TERMS:
            top = self.without_sign(pending.pop())
            value = self._symbolic[top]
            if value.op is MathOp.FMA:
                found.append(self.number(SymbolicValue(BinaryOp.MUL, value.operands[:2])))
                pending.append(value.operands[2])
            elif value.op in (BinaryOp.ADD, BinaryOp.SUB):
                pending.extend(value.operands)
            else:
                found.append(top)
        return found + [self.without_sign(rest) for rest in pending]

    def factors(self, number: int) -> set[int]:
        """The factors of a product; the term itself if it is not a product."""
        top = self.without_sign(number)
        value = self._symbolic[top]
        return {self.without_sign(part) for part in value.operands} if value.op is BinaryOp.MUL else {top}
