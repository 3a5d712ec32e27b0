"""Statements of the IR as Python statements."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir.ranges import Interval, Ranges
from gpucore.simulator import cooperative, memory, operators
from gpucore.simulator.collectives import UNIFORM
from gpucore.simulator.expressions import ExpressionEmitter
from gpucore.simulator.groups import BEGIN, WAIT
from gpucore.simulator.matrices import ACCUMULATE, LOAD, MULTIPLY
from gpucore.simulator.positions import Placer
from gpucore.simulator.scope import Scope
from gpucore.simulator.templates import Templates, literal, load
from gpucore.span import Span


class StatementEmitter:
    """Writes blocks. Counts the statements at which invocations yield, and collects the locations of checks."""

    def __init__(self, templates: Templates, scope: Scope, placer: Placer, ranges: Ranges) -> None:
        self._templates, self._scope, self._placer, self._ranges = templates, scope, placer, ranges
        self._expressions = self._expression_emitter()
        self._checked: list[set[tuple[object, int]]] = []
        self._guarded = False
        self.yields = 0
        """How many statements yield to the other invocations: barriers and collective operations."""
        self.places: list[tuple[str, Span | None]] = []
        """For each check: the name of the array, and the source location."""

    def _expression_emitter(self) -> ExpressionEmitter:
        return ExpressionEmitter(self._templates, self._scope, self._ranges)

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
            case ir.CooperativeLoad() | ir.CooperativeStore():
                return self._cooperative_access(statement)
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
            case ir.Barrier():
                return self._barrier(statement)
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

    def _number_yield(self, what: str) -> int:
        """The number of a statement at which the invocation yields."""
        self.yields += 1
        return self.yields

    def _ids(self) -> dict[str, ast.expr]:
        kinds = {"workgroup": ir.BuiltinKind.WORKGROUP_ID, "local": ir.BuiltinKind.LOCAL_ID}
        return {name: load(self._scope.name(kind)) for name, kind in kinds.items()}

    def _access(self, place: ir.Place, span: Span | None) -> tuple[list[ast.stmt], dict[str, ast.expr]]:
        """The statements that check an index, and the operands for a template of `memory`."""
        index = self._expressions.simple(self._expressions.write(place.index))
        check = self._expressions.take_prelude()
        array, scope = place.memory, self._scope
        name = scope.name(array if isinstance(array, ir.Buffer) else array.id)
        if self._guarded:
            self._guarded = False
        elif not self._is_in_range(place):
            may_be_negative = self._ranges.interval(place.index).lo < 0
            text = "not 0 <= index < length" if may_be_negative else "index >= length"
            check += self._templates.statements(
                f"if {text}:\n raise gpucore_out_of_range(place, index, length, workgroup, local)",
                place=literal(len(self.places)),
                index=index,
                length=load(scope.name(("length", array))) if isinstance(array, ir.Buffer) else literal(array.length),
                **self._ids(),
            )
            self.places.append((array.name, span))
        return check, {"memory": load(name), "index": index}

    def _is_in_range(self, place: ir.Place) -> bool:
        """Whether the index is known to be in range: by its interval, or as a value checked in an enclosing block."""
        index, array = place.index, place.memory
        if not isinstance(array, ir.Buffer) and self._ranges.interval(index).is_within(Interval(0, array.length - 1)):
            return True
        if not isinstance(index, ir.Value):
            return False
        key = (array, index.id)
        if any(key in checked for checked in self._checked):
            return True
        self._checked[-1].add(key)
        return False

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

    def _matrix_load(self, statement: ir.MatrixLoad) -> list[ast.stmt]:
        check, row = self._row(statement.place, statement.span)
        name = ir.scalar_of(statement.place.type).name
        operand = ast.Tuple([ast.Constant(name), row], ast.Load())
        argument = ast.Constant(statement.is_transposed)
        return check + self._ask(statement.value, LOAD, operand, argument)

    def _row(self, place: ir.Place, span: Span | None) -> tuple[list[ast.stmt], ast.expr]:
        """Checks, and the elements in the 16 bytes from a place on, as a tuple."""
        check, access = self._access(place, span)
        count = literal(16 // place.type.nbytes)
        return check, self._templates.expression("tuple(memory[index : index + count])", count=count, **access)

    def _matrix_multiply(self, statement: ir.MatrixMultiply) -> list[ast.stmt]:
        parts = [self._expressions.write(expr) for expr in (statement.left, statement.right, statement.sums)]
        operand = ast.Tuple(parts, ast.Load())
        return self._ask(statement.value, MULTIPLY, operand, ast.Constant(statement.inputs.value))

    def _accumulate(self, statement: ir.MatrixAccumulate) -> list[ast.stmt]:
        """`sums[from:to] = yield request`."""
        slices = [
            self._templates.expression(
                "array[first:stop]",
                array=load(self._scope.name(part.array.id)),
                first=literal(part.first),
                stop=literal(part.first + count),
            )
            for part, count in statement.parts
        ]
        number = literal(self._number_yield("the product of matrices"))
        request = ast.Call(
            load("gpucore_request"), [number, ast.Constant(ACCUMULATE), ast.Tuple(slices, ast.Load())], []
        )
        sums = statement.sums
        return self._with_prelude(
            *self._templates.statements(
                "array[first:stop] = answer",
                array=load(self._scope.name(sums.array.id)),
                first=literal(sums.first),
                stop=literal(sums.first + 4),
                answer=ast.Yield(request),
            )
        )

    def _ask(self, value: ir.Value, operation: str, operand: ast.expr, argument: ast.expr) -> list[ast.stmt]:
        """`value = yield request` of an operation on matrices."""
        number = literal(self._number_yield("the product of matrices"))
        request = ast.Call(load("gpucore_request"), [number, ast.Constant(operation), operand, argument], [])
        return self._bind(value, ast.Yield(request))

    def _cooperative_access(self, statement: cooperative.Access) -> list[ast.stmt]:
        check, access = self._access(statement.place, statement.span)
        return check + self._each_element(statement, access, "memory[{}]", "memory[{}] = matrix[gpucore_k]")

    def _each_element(self, statement: cooperative.Access, given: dict[str, ast.expr], *texts: str) -> list[ast.stmt]:
        """Loads or stores the elements of a matrix that this invocation has, by one of two texts with their place."""
        given["lane"], text = load(self._scope.name(cooperative.LANE)), cooperative.text_of(statement, *texts)
        if isinstance(statement, ir.CooperativeLoad):
            return self._bind(statement.value, self._templates.expression(text, **given))
        given["matrix"] = self._expressions.write(statement.matrix)
        return self._with_prelude(*self._templates.statements(text, **given))

    def _cooperative(self, statement: ir.CooperativeOperation) -> list[ast.stmt]:
        if statement.op is not ir.CooperativeOp.MULTIPLY_ADD:
            return self._bind(statement.value, self._expressions.write(cooperative.elementwise(statement)))
        operands = ast.Tuple([self._expressions.write(expr) for expr in statement.operands], ast.Load())
        return self._ask(statement.value, cooperative.MULTIPLY_ADD, operands, cooperative.shape_of(statement))

    def _group_multiply(self, statement: ir.GroupMultiply) -> list[ast.stmt]:
        check, left = self._part(statement.left, statement.left_panel, statement.is_left_transposed, statement.span)
        more, right = self._part(statement.right, statement.right_panel, statement.is_right_transposed, statement.span)
        inputs, element = statement.inputs.value, ir.scalar_of(statement.left.type).name
        product = self._templates.expression(
            "gpucore_product(sums, first, inputs, element, left, right, columns, inner)",
            sums=load(self._scope.name(statement.sums.id)),
            first=literal(statement.first),
            inputs=ast.Constant(inputs),
            element=ast.Constant(element),
            left=left,
            right=right,
            columns=literal(statement.columns),
            inner=literal(statement.inner),
        )
        return check + more + self._tell(BEGIN, product)

    def _part(
        self, place: ir.Place, panel: int, is_transposed: bool, span: Span | None
    ) -> tuple[list[ast.stmt], ast.expr]:
        """Checks, and the part of a tile that a group multiplies."""
        check, access = self._access(place, span)
        given = {"panel": literal(panel), "is_transposed": literal(is_transposed), **access}
        return check, self._templates.expression("gpucore_part(memory, index, panel, is_transposed)", **given)

    def _tell(self, operation: str, operand: ast.expr) -> list[ast.stmt]:
        """`yield request` of an operation of the workgroup that has no answer."""
        number = literal(self._number_yield("the product of matrices"))
        request = ast.Call(load("gpucore_request"), [number, ast.Constant(operation), operand], [])
        return self._with_prelude(ast.Expr(ast.Yield(request)))

    def _copy(self, statement: ir.CopyAsync) -> list[ast.stmt]:
        valid = self._expressions.simple(self._expressions.write(statement.valid))
        check, target = self._access(statement.place, statement.span)
        source_check, source = self._access(statement.source, statement.span)
        if statement.is_aligned:
            source_check = source_check + self._check_alignment(statement, source["index"])
        if source_check:
            check.append(ast.If(valid, source_check, []))
        element = memory.reading(statement.source).replace("index", "index + gpucore_k")
        values = f"[{element} for gpucore_k in range(valid)] + [zero] * (count - valid)"
        zero = self._templates.constant(0, ir.scalar_of(statement.source.type))
        given = {"valid": valid, "zero": zero, "count": literal(statement.count)}
        made = self._templates.expression(values, **given, **source)
        begin = self._templates.statements("gpucore_copies.begin(memory, index, values)", values=made, **target)
        return check + self._with_prelude(*begin)

    def _copy_part(self, statement: ir.CopyPart) -> list[ast.stmt]:
        check, target = self._access(statement.place, statement.span)
        element = memory.reading(statement.source).replace("index", "start + gpucore_k")
        start = self._expressions.simple(self._expressions.write(statement.source.index))
        buffer = load(self._scope.name(statement.source.memory))
        made = self._templates.expression(
            f"[{element} if gpucore_k >= 0 else zero for gpucore_k in part]",
            memory=buffer,
            start=start,
            part=self._elements_of_part(statement),
            zero=self._templates.constant(0, ir.scalar_of(statement.source.type)),
        )
        begin = self._templates.statements("gpucore_copies.begin(memory, index, values)", values=made, **target)
        return self._once(check + self._with_prelude(*begin))

    def _elements_of_part(self, statement: ir.CopyPart) -> ast.expr:
        """The numbers of the elements in the order of the tile; -1 beyond the lengths."""
        write = self._expressions.write
        lengths, indices = (
            ast.Tuple([*map(write, each)], ast.Load()) for each in (statement.lengths, statement.indices)
        )
        return self._templates.expression(
            "gpucore_elements_of_part(lengths, indices, rows, columns, nbytes)",
            lengths=lengths,
            indices=indices,
            rows=literal(statement.rows),
            columns=literal(statement.columns),
            nbytes=literal(statement.place.type.nbytes),
        )

    def _once(self, begin: list[ast.stmt]) -> list[ast.stmt]:
        """What begins a copy that the workgroup makes as a whole: only in its first invocation."""
        local = load(self._scope.name(ir.BuiltinKind.LOCAL_ID))
        return [ast.If(self._templates.expression("not any(local)", local=local), begin, [])]

    def _check_alignment(self, statement: ir.CopyAsync, index: ast.expr) -> list[ast.stmt]:
        """The check of what the kernel promised of the source of a copy."""
        self.places.append(("", statement.span))
        return self._templates.statements(
            "if index % count:\n raise gpucore_assertion_failed(place, (text, index), workgroup, local)",
            index=index,
            count=literal(statement.count),
            place=literal(len(self.places) - 1),
            text=ast.Constant(unaligned(statement)),
            **self._ids(),
        )

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

    def _bind(self, value: ir.Value, node: ast.expr) -> list[ast.stmt]:
        return self._with_prelude(assignment(self._scope.bind(value.id, value.name), node))

    def _with_prelude(self, *statements: ast.stmt) -> list[ast.stmt]:
        return [*self._expressions.take_prelude(), *statements]


def unaligned(statement: ir.CopyAsync) -> str:
    """What is wrong with a copy whose source is not aligned, before the number of the element."""
    nbytes = statement.count * statement.place.type.nbytes
    return (
        f"the source of an aligned copy of {nbytes} bytes is at no multiple of them in "
        f"{statement.source.memory.name!r}: element "
    )


def assignment(name: str, node: ast.expr) -> ast.stmt:
    """`name = node`."""
    return ast.Assign([ast.Name(name, ast.Store())], node)
