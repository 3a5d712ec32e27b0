"""Statements of a checked kernel: memory is asked, with the place in the source, for every access."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.simulator import operators
from gpucore.simulator.checking.expressions import CheckedExpressions
from gpucore.simulator.checking.watch import Options, Site
from gpucore.simulator.expressions import ExpressionEmitter
from gpucore.simulator.forms import Forms, load
from gpucore.simulator.intervals import Intervals
from gpucore.simulator.positions import Placer
from gpucore.simulator.scope import Scope
from gpucore.simulator.statements import StatementEmitter, assignment
from gpucore.span import Span

SITE = "gpucore_site_"

_BLIND = (ir.AtomicOp.STORE, ir.AtomicOp.EXCHANGE)
"""Atomics that need not know what was there before."""


class CheckedStatements(StatementEmitter):
    """Writes blocks for `gp.check`, and collects the sites that it names in them."""

    def __init__(self, forms: Forms, scope: Scope, placer: Placer, intervals: Intervals, options: Options) -> None:
        self._options = options
        self.sites: list[Site] = []
        self._span: Span | None = None
        super().__init__(forms, scope, placer, intervals)

    def _expression_emitter(self) -> ExpressionEmitter:
        return CheckedExpressions(
            self._forms, self._scope, self._intervals, self._options, lambda text: self._site(text, None).id
        )

    def _statement(self, statement: ir.Stmt) -> list[ast.stmt]:
        self._span = statement.span
        return super()._statement(statement)

    def _site(self, verb: str, memory: ir.Memory | None) -> ast.Name:
        """The name under which generated code has a site."""
        array, kind = (memory.name, _KINDS[type(memory)]) if memory is not None else ("", "")
        self.sites.append(Site(len(self.sites), verb, array, kind, self._span))
        return load(f"{SITE}{len(self.sites) - 1}")

    # ------------------------------------------------------------ memory

    def _load(self, statement: ir.Load) -> list[ast.stmt]:
        array = statement.place.memory
        node = self._call("load", statement.place, "read", zero=self._zero(array.element))
        return self._bind(statement.value, node)

    def _store(self, statement: ir.Store) -> list[ast.stmt]:
        value = self._expressions.write(statement.expr)
        return self._with_prelude(ast.Expr(self._call("store", statement.place, "written", value)))

    def _atomic(self, statement: ir.Atomic) -> list[ast.stmt]:
        array, op = statement.place.memory, statement.op
        given = {
            letter: self._expressions.simple(self._expressions.write(expr))
            for letter, expr in (("b", statement.operand), ("c", statement.comparand))
            if expr is not None
        }
        change: ast.expr = ast.Constant(None)
        if op is not ir.AtomicOp.LOAD:
            body = self._forms.expression(operators.ATOMIC[op], ir.scalar_of(array.element), **given)
            change = ast.Lambda(ast.arguments([], [ast.arg("a")], None, [], [], None, []), body)
        is_blind = ast.Constant(op in _BLIND and statement.value is None)
        verb = "read by an atomic" if op is ir.AtomicOp.LOAD else "changed by an atomic"
        node = self._call("atomic", statement.place, verb, change, is_blind, zero=self._zero(array.element))
        if statement.value is None:
            return self._with_prelude(ast.Expr(node))
        return self._bind(statement.value, node)

    def _call(
        self, method: str, place: ir.Place, verb: str, *middle: ast.expr, zero: ast.expr | None = None
    ) -> ast.expr:
        """A call of the memory's own method: index, `middle`, site, invocation, zero."""
        array = place.memory
        index = self._expressions.write(place.index)
        name = load(self._scope.of(array if isinstance(array, ir.Buffer) else array.id))
        arguments = [index, *middle, self._site(verb, array), load("gpucore_me")]
        if isinstance(array, ir.PrivateArray):
            name, arguments = load("gpucore_private"), [name, *arguments]
        return ast.Call(ast.Attribute(name, method, ast.Load()), arguments + ([zero] if zero is not None else []), [])

    def _zero(self, type: ir.Type) -> ast.expr:
        element = self._forms.constant(0, ir.scalar_of(type))
        return ast.Tuple([element] * type.width, ast.Load()) if isinstance(type, ir.VectorType) else element

    def _barrier(self, statement: ir.Barrier) -> list[ast.stmt]:
        """What is yielded is the site of the barrier."""
        self.barriers += 1
        return self._forms.statements("yield site", site=self._site("barrier", None))

    # ------------------------------------------------------------ the rest

    def _declare_array(self, array: ir.PrivateArray) -> list[ast.stmt]:
        name = self._scope.bind(array.id, array.name)
        node = self._forms.expression(
            "[element] * length", element=self._zero(array.element), length=ast.Constant(array.length)
        )
        return [assignment(name, node)]


_KINDS: dict[type[ir.Memory], str] = {ir.Buffer: "buffer", ir.WorkgroupArray: "workgroup", ir.PrivateArray: "private"}
