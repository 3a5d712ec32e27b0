"""Expressions that report integer overflow and new NaN, if requested."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from gpucore import ir
from gpucore.ir.ranges import Ranges
from gpucore.simulator.checking.watch import Options
from gpucore.simulator.expressions import ExpressionEmitter
from gpucore.simulator.scope import Scope
from gpucore.simulator.templates import Templates, load
from gpucore.span import Span

_WRAP = re.compile(r"wrap\(((?:[^()]|\([^()]*\))*)\)")
_NEVER_OVERFLOW = ("<<", "reverse_bits")  # shifts drop bits, and reversed bits have no range
_NOT_FLOAT = ("bool(", "isinf(")  # templates whose result is not a float


def _place_of(expr: ir.Expr) -> Span | None:
    return expr.span if isinstance(expr, ir.Unary | ir.Binary | ir.Call) else None


class CheckedExpressions(ExpressionEmitter):
    """Writes arithmetic as calls of methods of the running invocation, which check operands and result."""

    def __init__(
        self,
        templates: Templates,
        scope: Scope,
        ranges: Ranges,
        options: Options,
        site: Callable[[str, Span | None], str],
    ) -> None:
        super().__init__(templates, scope, ranges)
        self._options, self._make_site = options, site
        self._place: Span | None = None  # of the operation that is being written

    def _element(self, expr: ir.Expr, k: int | None, truth: bool = False) -> ast.expr:
        outer, self._place = self._place, _place_of(expr) or self._place
        written = super()._element(expr, k, truth)
        self._place = outer
        return written

    def _dot(self, expr: ir.Call) -> ast.expr:
        outer, self._place = self._place, expr.span or self._place
        written = super()._dot(expr)
        self._place = outer
        return written

    def _site(self, text: str) -> str:
        return self._make_site(text, self._place)

    def _apply(
        self,
        text: str,
        operands: tuple[ir.Expr, ...],
        k: int | None,
        scalar: ir.ScalarType | None = None,
        truth: bool = False,
    ) -> ast.expr:
        """Like the emitter's own. Conversions and bitcasts pass `scalar`; they neither overflow nor produce NaN."""
        own = ir.scalar_of(operands[0].type)
        if scalar is None and self._options.overflow and own.is_signed and self._can_overflow(text):
            text = self._reporting_overflow(text)
        elif scalar is None and self._options.nan and own.is_float and not text.startswith(_NOT_FLOAT):
            return self._watched(text, own, [self._at(operand, k) for operand in operands])
        return super()._apply(text, operands, k, scalar, truth)

    def _can_overflow(self, text: str) -> bool:
        return _WRAP.search(text) is not None and not any(word in text for word in _NEVER_OVERFLOW)

    def _reporting_overflow(self, text: str) -> str:
        """The template with `wrap(x)` replaced by a call that reports when it changes x."""
        found = _WRAP.search(text)
        assert found is not None
        site = self._site(found[1])
        return text.replace(found[0], f"gpucore_me.overflow({found[1]}, LOW, HIGH, {site})")

    def _sum(self, text: str, scalar: ir.ScalarType, total: ast.expr, term: ast.expr) -> ast.expr:
        """A step of a dot product."""
        if self._options.overflow and scalar.is_signed:
            text = self._reporting_overflow(text)
        elif self._options.nan and scalar.is_float:
            return self._watched(text, scalar, [total, term])
        return super()._sum(text, scalar, total, term)

    def _watched(self, text: str, scalar: ir.ScalarType, operands: list[ast.expr]) -> ast.expr:
        """The operation as a function called with its operands: each is computed once, and only if needed."""
        letters = "abc"[: len(operands)]
        body = self._templates.expression(text, scalar)
        function = ast.Lambda(ast.arguments([], [ast.arg(letter) for letter in letters], None, [], [], None, []), body)
        site = load(self._site(text.replace("ONE", "1").replace("ZERO", "0")))
        return ast.Call(ast.Attribute(load("gpucore_me"), "watched", ast.Load()), [function, site, *operands], [])
