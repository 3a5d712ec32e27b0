"""Symbolic forms of a kernel's values, as far as a driver's compiler may derive them.

Each form has a number: equal forms have the same number, and a form's number is greater than those of its parts. An
opaque value (a load, a parameter) is a form without parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpucore import ir
from gpucore.ir import BinaryOp, MathOp, UnaryOp

SUMS = frozenset({BinaryOp.ADD, BinaryOp.SUB, MathOp.FMA, MathOp.MIX})
PRODUCTS = frozenset({BinaryOp.MUL, BinaryOp.DIV})
CONSTANT, CARRIED, OPAQUE = "constant", "carried", "opaque"

_MOST_TERMS = 24  # a longer sum is treated as one that may contain anything
_DEEPEST = 12  # maximum depth of the search for a component of a vector


@dataclass(frozen=True, slots=True)
class Form:
    """An operation on other forms. `detail` distinguishes forms without parts."""

    operation: Any
    parts: tuple[int, ...] = ()
    detail: Any = None


class Forms:
    """All forms of one kernel."""

    def __init__(self) -> None:
        self._numbers: dict[Form, int] = {}
        self._forms: list[Form] = []

    def number(self, form: Form) -> int:
        """The number of a form; a new one at its first use."""
        known = self._numbers.setdefault(form, len(self._forms))
        if known == len(self._forms):
            self._forms.append(form)
        return known

    def fresh(self, operation: str) -> int:
        """A form that equals no other."""
        return self.number(Form(operation, (), len(self._forms)))

    def of(self, expr: ir.Expr, parts: tuple[int, ...]) -> int:
        """The form of an expression that is not a leaf, over the forms of its children."""
        match expr:
            case ir.Call(op=MathOp.MIN | MathOp.MAX) if parts[0] == parts[1]:
                return parts[0]
            case ir.Select() if parts[1] == parts[2]:
                return parts[1]
            case ir.Unary() | ir.Binary() | ir.Call():
                return self.number(Form(expr.op, parts))
            case ir.Splat():
                return parts[0]  # a driver works component by component
            case ir.Extract():
                return self._component(parts[0], expr.index, 0)
            case _:
                return self.number(Form(type(expr).__name__, parts, str(expr.type)))

    def _component(self, vector: int, index: int, depth: int) -> int:
        form = self._forms[vector]
        if form.operation == "Construct" and index < len(form.parts):
            return form.parts[index]
        if form.operation == CONSTANT:
            return vector
        if form.parts and isinstance(form.operation, UnaryOp | BinaryOp | MathOp) and depth < _DEEPEST:
            parts = tuple([self._component(part, index, depth + 1) for part in form.parts])
            return self.number(Form(form.operation, parts))
        return self.number(Form("Extract", (vector,), index))

    def operation(self, number: int) -> Any:
        """The operation of a form, without its negations."""
        return self._forms[self.positive(number)].operation

    def parts(self, number: int) -> tuple[int, ...]:
        """The parts of a form, without its negations."""
        return self._forms[self.positive(number)].parts

    def positive(self, number: int) -> int:
        """The form without its negations."""
        while self._forms[number].operation is UnaryOp.NEG:
            number = self._forms[number].parts[0]
        return number

    def is_older(self, number: int, other: int, depth: int = 4) -> bool:
        """Whether a form existed before another one (a variable at the start of its loop), or has only such parts."""
        form = self._forms[number]
        if number < other or form.operation == CONSTANT:
            return True
        return bool(form.parts) and depth > 0 and all(self.is_older(part, other, depth - 1) for part in form.parts)

    def is_zero(self, number: int) -> bool:
        """Whether the form is a constant zero of either sign."""
        form = self._forms[number]
        return bool(form.operation == CONSTANT and form.detail[1] == 0)

    def terms(self, number: int) -> list[int]:
        """The terms of a sum, without signs; the form itself if it is not a sum."""
        found: list[int] = []
        pending = [number]
        while pending and len(found) < _MOST_TERMS:
            top = self.positive(pending.pop())
            form = self._forms[top]
            if form.operation is MathOp.FMA:
                found.append(self.number(Form(BinaryOp.MUL, form.parts[:2])))
                pending.append(form.parts[2])
            elif form.operation in (BinaryOp.ADD, BinaryOp.SUB):
                pending.extend(form.parts)
            else:
                found.append(top)
        return found + [self.positive(rest) for rest in pending]

    def factors(self, number: int) -> set[int]:
        """The factors of a product; the term itself if it is not a product."""
        top = self.positive(number)
        form = self._forms[top]
        return {self.positive(part) for part in form.parts} if form.operation is BinaryOp.MUL else {top}
