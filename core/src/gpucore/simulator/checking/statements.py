"""Statements of a checked kernel: every access is a call of the memory, with its source location."""

from __future__ import annotations

import ast
import dataclasses

from gpucore import ir
from gpucore.ir.ranges import Ranges
from gpucore.simulator import cooperative, operators
from gpucore.simulator.checking.expressions import CheckedExpressions
from gpucore.simulator.checking.watch import Options, Site
from gpucore.simulator.emission import assignment
from gpucore.simulator.expressions import ExpressionEmitter
from gpucore.simulator.matrix_statements import unaligned
from gpucore.simulator.memory import reader, writer
from gpucore.simulator.positions import Placer
from gpucore.simulator.scope import Scope
from gpucore.simulator.statements import StatementEmitter
from gpucore.simulator.templates import Templates, literal, load
from gpucore.span import Span

SITE = "gpucore_site_"

_BLIND = (ir.AtomicOp.STORE, ir.AtomicOp.EXCHANGE)
"""Atomics that do not use the old value."""


class CheckedStatements(StatementEmitter):
    """Writes blocks for `gp.check`, and collects the sites that they refer to."""

    def __init__(self, templates: Templates, scope: Scope, placer: Placer, ranges: Ranges, options: Options) -> None:
        self._options = options
        self.sites: list[Site] = []
        self._span: Span | None = None
        super().__init__(templates, scope, placer, ranges)

    def _expression_emitter(self) -> ExpressionEmitter:
        return CheckedExpressions(
            self._templates,
            self._scope,
            self._ranges,
            self._options,
            lambda text, span: self._site(text, None, span=span).id,
        )

    def _statement(self, statement: ir.Stmt) -> list[ast.stmt]:
        self._span = statement.span
        return super()._statement(statement)

    def _site(
        self, verb: str, memory: ir.Memory | None, place: ir.Place | None = None, span: Span | None = None
    ) -> ast.Name:
        """The name of a site in generated code; `span` if it is smaller than the statement."""
        array, kind = (memory.name, _KINDS[type(memory)]) if memory is not None else ("", "")
        number, id_ = len(self.sites), memory.id if isinstance(memory, ir.WorkgroupArray) else -1
        if place is None:
            self.sites.append(Site(number, verb, array, kind, span or self._span))
        else:
            extent = range(place.offset, place.offset + place.type.nbytes)
            access = (place.path, extent, reader(place), writer(place))
            self.sites.append(Site(number, verb, array, kind, span or self._span, *access, id=id_))
        return load(f"{SITE}{number}")

    # ------------------------------------------------------------ memory

    def _load(self, statement: ir.Load) -> list[ast.stmt]:
        node = self._call("load", statement.place, "read", zero=self._zero(statement.place.type))
        return self._bind(statement.value, node)

    def _store(self, statement: ir.Store) -> list[ast.stmt]:
        value = self._expressions.write(statement.expr)
        return self._with_prelude(ast.Expr(self._call("store", statement.place, "written", value)))

    def _atomic(self, statement: ir.Atomic) -> list[ast.stmt]:
        place, op, scalar = statement.place, statement.op, ir.scalar_of(statement.place.type)
        given = {
            letter: self._expressions.simple(self._expressions.write(expr))
            for letter, expr in (("b", statement.operand), ("c", statement.comparand))
            if expr is not None
        }
        change: ast.expr = ast.Constant(None)
        if op is not ir.AtomicOp.LOAD:
            body = self._templates.expression(operators.atomic(op, scalar), scalar, **given)
            change = ast.Lambda(ast.arguments([], [ast.arg("a")], None, [], [], None, []), body)
        is_blind = ast.Constant(op in _BLIND and statement.value is None)
        verb = "read by an atomic" if op is ir.AtomicOp.LOAD else "changed by an atomic"
        node = self._call("atomic", statement.place, verb, change, is_blind, zero=self._zero(place.type))
        if statement.value is None:
            return self._with_prelude(ast.Expr(node))
        return self._bind(statement.value, node)

    def _call(
        self, method: str, place: ir.Place, verb: str, *middle: ast.expr, zero: ast.expr | None = None
    ) -> ast.expr:
        """A call of the memory's own method: index, `middle`, site, invocation, zero."""
        array = place.memory
        index = self._expressions.write(place.index)
        name = load(self._scope.name(array if isinstance(array, ir.Buffer) else array.id))
        arguments = [index, *middle, self._site(verb, array, place), load("gpucore_me")]
        if isinstance(array, ir.PrivateArray | ir.ConstantArray):
            name, arguments = load("gpucore_private"), [name, *arguments]
        return ast.Call(ast.Attribute(name, method, ast.Load()), arguments + ([zero] if zero is not None else []), [])

    def _row(self, place: ir.Place, span: Span | None) -> tuple[list[ast.stmt], ast.expr]:
        index, zero = self._expressions.simple(self._expressions.write(place.index)), self._zero(place.type)
        array, me = load(self._scope.name(place.memory.id)), load("gpucore_me")  # type: ignore[union-attr]
        site = self._site("read", place.memory, place)
        given = {"memory": array, "index": index, "site": site, "me": me, "zero": zero}
        text = "tuple(memory.load(index + gpucore_k, site, me, zero) for gpucore_k in range(count))"
        count = literal(16 // place.type.nbytes)
        return self._expressions.take_prelude(), self._templates.expression(text, count=count, **given)

    def _cooperative_load(self, statement: ir.CooperativeLoad) -> list[ast.stmt]:
        access = self._of_element(statement, "read")
        text = f"memory.load({cooperative.place_of_element(statement)}, site, me, zero)"
        access["zero"] = self._zero(statement.place.type)
        return self._bind(statement.value, self._elements(statement, text, access))

    def _cooperative_store(self, statement: ir.CooperativeStore) -> list[ast.stmt]:
        access = self._of_element(statement, "written")
        text = f"memory.store({cooperative.place_of_element(statement)}, matrix[gpucore_k], site, me)"
        return self._each(statement, text, access)

    def _of_element(self, statement: ir.CooperativeLoad | ir.CooperativeStore, verb: str) -> dict[str, ast.expr]:
        """The operands of an access to an element of a matrix in workgroup memory."""
        place = statement.place
        assert isinstance(place.memory, ir.WorkgroupArray)
        return {
            "memory": load(self._scope.name(place.memory.id)),
            "index": self._expressions.simple(self._expressions.write(place.index)),
            "site": self._site(verb, place.memory, place),
            "me": load("gpucore_me"),
        }

    def _part(
        self, place: ir.Place, panel: int, is_transposed: bool, span: Span | None
    ) -> tuple[list[ast.stmt], ast.expr]:
        assert isinstance(place.memory, ir.WorkgroupArray)
        part = self._templates.expression(
            "gpucore_part(memory, index, panel, is_transposed, site)",
            memory=load(self._scope.name(place.memory.id)),
            index=self._expressions.write(place.index),
            panel=literal(panel),
            is_transposed=literal(is_transposed),
            site=self._site("read for a product", place.memory, place),
        )
        return self._expressions.take_prelude(), part

    def _copy(self, statement: ir.CopyAsync) -> list[ast.stmt]:
        """Begins the copy as a write, after which the elements are not to be read; its end writes them again."""
        place, source = statement.place, statement.source
        write, simple = self._expressions.write, self._expressions.simple
        valid, index, start = (simple(write(expr)) for expr in (statement.valid, place.index, source.index))
        assert isinstance(source.memory, ir.Buffer) and isinstance(place.memory, ir.WorkgroupArray)
        read = "source.load(start + gpucore_k, read, me, zero) for gpucore_k in range(valid)"
        text = f"memory.begin_copy(gpucore_copies, index, [{read}] + [zero] * (count - valid), written, me)"
        aligned = "gpucore_me.aligned(start, valid, count, text, written)\n" if statement.is_aligned else ""
        begin = self._templates.statements(
            aligned + text,
            text=ast.Constant(unaligned(statement)),
            memory=load(self._scope.name(place.memory.id)),
            source=load(self._scope.name(source.memory)),
            index=index,
            start=start,
            valid=valid,
            count=literal(statement.count),
            zero=self._zero(place.type),
            read=self._site("read", source.memory, source),
            written=self._site("written", place.memory, place),
            me=load("gpucore_me"),
        )
        return self._with_prelude(*begin)

    def _copy_part(self, statement: ir.CopyPart) -> list[ast.stmt]:
        place, source = statement.place, statement.source
        write, simple = self._expressions.write, self._expressions.simple
        index, start = (simple(write(each.index)) for each in (place, source))
        assert isinstance(source.memory, ir.Buffer) and isinstance(place.memory, ir.WorkgroupArray)
        read = "source.load(start + gpucore_k, read, me, zero) if gpucore_k >= 0 else zero for gpucore_k in part"
        begin = self._templates.statements(
            f"memory.begin_copy(gpucore_copies, index, [{read}], written, me)",
            memory=load(self._scope.name(place.memory.id)),
            source=load(self._scope.name(source.memory)),
            part=self._elements_of_part(statement),
            index=index,
            start=start,
            zero=self._zero(place.type),
            read=self._site("read", source.memory, source),
            written=self._site("written", place.memory, place),
            me=load("gpucore_me"),
        )
        return self._once(self._with_prelude(*begin))

    def _bounds(self, statement: ir.Bounds) -> list[ast.stmt]:
        """Passes the indices of the next access to the invocation, which checks them."""
        indices, extents = (
            ast.Tuple([self._expressions.write(expr) for expr in part], ast.Load())
            for part in (statement.indices, statement.extents)
        )
        call = ast.Attribute(load("gpucore_me"), "bounds", ast.Load())
        return self._with_prelude(ast.Expr(ast.Call(call, [indices, extents], [])))

    def _fence(self) -> list[ast.stmt]:
        return self._templates.statements("gpucore_me.fence()")

    def _barrier(self, statement: ir.Barrier) -> list[ast.stmt]:
        written = super()._barrier(statement)
        self.sites[-1] = dataclasses.replace(self.sites[-1], buffers=statement.buffers, arrays=statement.arrays)
        return written

    def _subgroup(self, statement: ir.Subgroup) -> list[ast.stmt]:
        written = super()._subgroup(statement)
        if statement.op is ir.SubgroupOp.BARRIER:
            self.sites[-1] = dataclasses.replace(self.sites[-1], buffers=statement.buffers)
        return written

    def _number_yield(self, what: str) -> int:
        """The number of the statement's site."""
        super()._number_yield(what)
        self._site(what, None)
        return len(self.sites) - 1

    # ------------------------------------------------------------ debugging and declarations

    def _debug(self, statement: ir.Debug) -> list[ast.stmt]:
        """Only assertions: prints would appear once for every schedule."""
        if statement.kind is not ir.DebugKind.ASSERT:
            return [ast.Pass()]
        assert statement.condition is not None
        parts = ast.Tuple([self._printed(part) for part in statement.parts], ast.Load())
        return self._with_prelude(
            *self._templates.statements(
                "if not test:\n gpucore_me.failed(parts, site)",
                test=self._expressions.test(statement.condition),
                parts=parts,
                site=self._site("assert", None),
            )
        )

    def _declare_array(self, array: ir.PrivateArray) -> list[ast.stmt]:
        name = self._scope.bind(array.id, array.name)
        node = self._templates.expression(
            "[element] * length", element=self._zero(array.element), length=ast.Constant(array.length)
        )
        return [assignment(name, node)]


_KINDS: dict[type[ir.Memory], str] = {
    ir.Buffer: "buffer", ir.WorkgroupArray: "workgroup", ir.PrivateArray: "private", ir.ConstantArray: "constant",
}  # fmt: skip
