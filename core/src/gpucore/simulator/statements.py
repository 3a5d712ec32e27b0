"""Statements of the IR as Python statements."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.simulator import memory, operators
from gpucore.simulator.collectives import UNIFORM
from gpucore.simulator.emission import assignment
from gpucore.simulator.groups import WAIT
from gpucore.simulator.matrix_statements import MatrixStatements
from gpucore.simulator.templates import literal, load
from gpucore.span import Span


class StatementEmitter(MatrixStatements):
    """Writes blocks."""

    def block(self, block: ir.Block, header: Span | None = None) -> list[ast.stmt]:
        """A block in its own scope, under a header; `pass` for an empty one."""
        self._scope.open()
        self._checked.append(set())
        written = self._placer.enter(block, header)
        written += [made for statement in block for made in self._statement(statement)]
        self._checked.pop()
        self._scope.close()
        return written or self._placer.place([ast.Pass()], None)

    def _statement(self, statement: ir.Stmt) -> list[ast.stmt]:
        self._expressions.begin_statement()
        match statement:
            case ir.If():
                return self._if(statement)
            case ir.ForRange():
                return self._for_range(statement)
            case ir.Loop():
                written = self._header("while True: pass", statement.span)
                restore = self._placer.header()
                written[-1].body = self.block(statement.body, statement.span)  # type: ignore[attr-defined]  # an ast.While
                restore()
                return written
            case _:
                return self._placer.place(self._simple(statement), statement.span)

    def _simple(self, statement: ir.Stmt) -> list[ast.stmt]:
        match statement:
            case ir.Let():
                return self._bind(statement.value, self._expressions.write(statement.expr))
            case ir.Declare():
                expr = self._expressions.write(statement.init) if statement.init is not None else None
                name = self._scope.bind(statement.local.id, statement.local.name)
                return self._with_prelude(assignment(name, expr)) if expr is not None else []
            case ir.Assign():
                name = self._scope.name(statement.local.id)
                return self._with_prelude(assignment(name, self._expressions.write(statement.expr)))
            case ir.DeclareArray():
                return self._declare_array(statement.array)
            case ir.Load():
                return self._load(statement)
            case ir.Store():
                return self._store(statement)
            case ir.Atomic():
                return self._atomic(statement)
            case ir.Uniform():
                return self._uniform(statement)
            case ir.Subgroup():
                return self._subgroup(statement)
            case ir.MatrixLoad():
                return self._matrix_load(statement)
            case ir.MatrixMultiply():
                return self._matrix_multiply(statement)
            case ir.CooperativeLoad():
                return self._cooperative_load(statement)
            case ir.CooperativeStore():
                return self._cooperative_store(statement)
            case ir.CooperativeOperation():
                return self._cooperative(statement)
            case ir.MatrixAccumulate():
                return self._accumulate(statement)
            case ir.GroupMultiply():
                return self._group_multiply(statement)
            case ir.GroupWait():
                return self._tell(WAIT, load(self._scope.name(statement.sums.id)))
            case ir.CopyPart():
                return self._copy_part(statement)
            case ir.CopyAsync():
                return self._copy(statement)
            case ir.CopyGroup():
                return self._templates.statements("gpucore_copies.end_group()")
            case ir.CopyWait():
                return self._templates.statements("gpucore_copies.wait(n)", n=literal(statement.pending))
            case ir.Bounds():
                return self._bounds(statement)
            case ir.Barrier() | ir.DeviceFence():
                return self._barrier(statement) if isinstance(statement, ir.Barrier) else self._fence()
            case ir.Break():
                return [ast.Break()]
            case ir.Continue():
                return [ast.Continue()]
            case ir.Debug():
                return self._debug(statement)
        raise EmitError("GP601", f"the simulator has no {type(statement).__name__}", statement.span)

    # ------------------------------------------------------------ control flow

    def _header(self, text: str, span: Span | None, **operands: ast.expr) -> list[ast.stmt]:
        """A compound statement, last in the list, without its body, which gets its own positions later."""
        statements = self._with_prelude(*self._templates.statements(text, **operands))
        return self._placer.place(statements, span, is_header=True)

    def _if(self, statement: ir.If) -> list[ast.stmt]:
        written = self._header("if test: pass", statement.span, test=self._expressions.test(statement.condition))
        made = written[-1]
        assert isinstance(made, ast.If)
        restore = self._placer.header()
        made.body = self.block(statement.then, statement.span)
        restore()
        made.orelse = self.block(statement.orelse, statement.span) if statement.orelse else []
        restore()
        return written

    def _for_range(self, statement: ir.ForRange) -> list[ast.stmt]:
        start, stop = (self._expressions.write(expr) for expr in (statement.start, statement.stop))
        from_zero = isinstance(statement.start, ir.Constant) and statement.start.value == 0
        text = "for counter in range(stop): pass" if from_zero else "for counter in range(start, stop): pass"
        self._scope.open()
        name = self._scope.bind(statement.counter.id, statement.counter.name)
        written = self._header(text, statement.span, start=start, stop=stop)
        made = written[-1]
        assert isinstance(made, ast.For) and isinstance(made.target, ast.Name)
        made.target.id = name
        restore = self._placer.header()
        made.body = self.block(statement.body, statement.span)
        restore()
        self._scope.close()
        return written

    # ------------------------------------------------------------ memory

    def _load(self, statement: ir.Load) -> list[ast.stmt]:
        check, operands = self._access(statement.place, statement.span)
        node = self._templates.expression(memory.reading(statement.place), **operands)
        return check + self._bind(statement.value, node)

    def _store(self, statement: ir.Store) -> list[ast.stmt]:
        check, operands = self._access(statement.place, statement.span)
        operands["value"] = self._expressions.write(statement.expr)
        stores = self._templates.statements(memory.writing(statement.place), **operands)
        return check + self._with_prelude(*stores)

    def _barrier(self, statement: ir.Barrier) -> list[ast.stmt]:
        return self._templates.statements("yield number", number=literal(self._number_yield("gp.barrier")))

    def _fence(self) -> list[ast.stmt]:
        """Nothing: one statement is executed after the other, of one workgroup after the other."""
        return [ast.Pass()]

    def _bounds(self, statement: ir.Bounds) -> list[ast.stmt]:
        """The check of the next access, which is then written without one."""
        write, simple = self._expressions.write, self._expressions.simple
        indices, extents = ([simple(write(e)) for e in part] for part in (statement.indices, statement.extents))
        tests = [
            self._templates.expression("0 <= index < extent", index=index, extent=extent)
            for index, extent in zip(indices, extents, strict=True)
        ]
        self._guarded = True
        self.places.append((statement.memory.name, statement.span))
        return self._with_prelude(
            *self._templates.statements(
                "if not test:\n raise gpucore_out_of_range(place, indices, extents, workgroup, local)",
                test=tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests),
                place=literal(len(self.places) - 1),
                indices=ast.Tuple(indices, ast.Load()),
                extents=ast.Tuple(extents, ast.Load()),
                **self._ids(),
            )
        )

    def _declare_array(self, array: ir.PrivateArray) -> list[ast.stmt]:
        element = self._templates.constant(0, ir.scalar_of(array.element))
        if isinstance(array.element, ir.VectorType):
            element = ast.Tuple([element] * array.element.width, ast.Load())
        name = self._scope.bind(array.id, array.name)
        node = self._templates.expression("[element] * length", element=element, length=literal(array.length))
        return [assignment(name, node)]

    def _atomic(self, statement: ir.Atomic) -> list[ast.stmt]:
        """Nothing runs between two statements of an invocation, so plain reads and writes are atomic."""
        written, access = self._access(statement.place, statement.span)
        given = {
            letter: self._expressions.simple(self._expressions.write(expr))
            for letter, expr in (("b", statement.operand), ("c", statement.comparand))
            if expr is not None
        }
        written += self._expressions.take_prelude()
        value = statement.value
        old = self._scope.bind(value.id, value.name) if value is not None else "gpucore_old"
        written.append(assignment(old, self._templates.expression(memory.reading(statement.place), **access)))
        if statement.op is not ir.AtomicOp.LOAD:
            scalar = ir.scalar_of(statement.place.type)
            text = operators.atomic(statement.op, scalar)
            new = self._templates.expression(text, scalar, a=load(old), **given)
            written += self._templates.statements(memory.writing(statement.place), value=new, **access)
        return written

    # ------------------------------------------------------------ collective operations

    def _uniform(self, statement: ir.Uniform) -> list[ast.stmt]:
        return self._request(statement.value, UNIFORM, statement.expr, None, statement.span)

    def _subgroup(self, statement: ir.Subgroup) -> list[ast.stmt]:
        argument = ir.Constant(statement.bits, ir.U32) if statement.bits else statement.argument
        return self._request(statement.value, statement.op.value, statement.operand, argument, statement.span)

    def _request(
        self,
        value: ir.Value | None,
        operation: str,
        operand: ir.Expr | None,
        argument: ir.Expr | None,
        span: Span | None,
    ) -> list[ast.stmt]:
        """`value = yield request`: all invocations yield a request, and each is sent its answer, if there is one."""
        number = self._number_yield(f"gp.{'assume_' if operation == UNIFORM else 'subgroup_'}{operation}")
        arguments: list[ast.expr] = [literal(number), ast.Constant(operation)]
        arguments += [self._expressions.write(expr) for expr in (operand, argument) if expr is not None]
        if operand is not None and operand.type in (ir.I32, ir.U32) and operation.endswith("add"):
            arguments += [literal(0), self._templates.function(f"wrap_{operand.type}")]
        answer = ast.Yield(ast.Call(load("gpucore_request"), arguments, []))
        return self._with_prelude(ast.Expr(answer)) if value is None else self._bind(value, answer)

    # ------------------------------------------------------------ debugging and helpers

    def _debug(self, statement: ir.Debug) -> list[ast.stmt]:
        if statement.kind is ir.DebugKind.BREAKPOINT:
            return self._templates.statements("breakpoint()")
        if statement.kind is ir.DebugKind.ASSERT:
            return self._assert(statement)
        together = ast.keyword("sep", ast.Constant(""))
        call = ast.Call(load("print"), [self._printed(part) for part in statement.parts], [together])
        return self._with_prelude(ast.Expr(call))

    def _assert(self, statement: ir.Debug) -> list[ast.stmt]:
        assert statement.condition is not None
        test = self._expressions.test(statement.condition)
        parts = ast.Tuple([self._printed(part) for part in statement.parts], ast.Load())
        self.places.append(("", statement.span))
        return self._with_prelude(
            *self._templates.statements(
                "if not test:\n raise gpucore_assertion_failed(place, parts, workgroup, local)",
                test=test,
                parts=parts,
                place=literal(len(self.places) - 1),
                **self._ids(),
            )
        )

    def _printed(self, part: str | ir.Expr) -> ast.expr:
        if isinstance(part, str):
            return ast.Constant(part)
        node = self._expressions.write(part)
        return self._templates.expression("shown(a)", a=node) if isinstance(part.type, ir.VectorType) else node
