"""Statements about matrices, and copies to their tiles, as Python statements."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.simulator import cooperative, memory
from gpucore.simulator.emission import Emission
from gpucore.simulator.groups import BEGIN
from gpucore.simulator.matrices import ACCUMULATE, LOAD, MULTIPLY
from gpucore.simulator.templates import literal, load
from gpucore.span import Span

_ELEMENTWISE = {
    ir.CooperativeOp.ADD: ir.BinaryOp.ADD,
    ir.CooperativeOp.SUBTRACT: ir.BinaryOp.SUB,
    ir.CooperativeOp.SCALE: ir.BinaryOp.MUL,
}


class MatrixStatements(Emission):
    """Writes these statements."""

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

    def _cooperative_load(self, statement: ir.CooperativeLoad) -> list[ast.stmt]:
        check, access = self._access(statement.place, statement.span)
        element = f"memory[{cooperative.place_of_element(statement)}]"
        return check + self._bind(statement.value, self._elements(statement, element, access))

    def _elements(self, statement: ir.CooperativeLoad, element: str, access: dict[str, ast.expr]) -> ast.expr:
        """The elements that this invocation has, as a tuple."""
        text = f"tuple({element} for gpucore_k in range({cooperative.type_of(statement).width}))"
        return self._templates.expression(text, lane=self._lane(), **access)

    def _lane(self) -> ast.expr:
        return load(self._scope.name(ir.BuiltinKind.SUBGROUP_INVOCATION_ID))

    def _cooperative_store(self, statement: ir.CooperativeStore) -> list[ast.stmt]:
        check, access = self._access(statement.place, statement.span)
        store = f"memory[{cooperative.place_of_element(statement)}] = matrix[gpucore_k]"
        return check + self._each(statement, store, access)

    def _each(self, statement: ir.CooperativeStore, store: str, access: dict[str, ast.expr]) -> list[ast.stmt]:
        """A statement for each element that this invocation has."""
        text = f"for gpucore_k in range({cooperative.type_of(statement).width}):\n {store}"
        matrix = self._expressions.write(statement.matrix)
        return self._with_prelude(*self._templates.statements(text, lane=self._lane(), matrix=matrix, **access))

    def _cooperative(self, statement: ir.CooperativeOperation) -> list[ast.stmt]:
        type, op = statement.value.type, statement.op
        assert isinstance(type, ir.CooperativeType)
        if op is ir.CooperativeOp.MULTIPLY_ADD:
            operand = ast.Tuple([self._expressions.write(expr) for expr in statement.operands], ast.Load())
            shape = ast.Tuple([literal(type.edge), ast.Constant(type.element.name)], ast.Load())
            return self._ask(statement.value, cooperative.MULTIPLY_ADD, operand, shape)
        left, right = statement.operands
        if op is ir.CooperativeOp.SCALE:
            right = ir.Splat(right, type)
        result = ir.Binary(_ELEMENTWISE[op], left, right, type)
        return self._bind(statement.value, self._expressions.write(result))

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
        given = {"valid": valid, "zero": self._zero(statement.source.type), "count": literal(statement.count)}
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
            zero=self._zero(statement.source.type),
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


def unaligned(statement: ir.CopyAsync) -> str:
    """What is wrong with a copy whose source is not aligned, before the number of the element."""
    nbytes = statement.count * statement.place.type.nbytes
    return (
        f"the source of an aligned copy of {nbytes} bytes is at no multiple of them in "
        f"{statement.source.memory.name!r}: element "
    )
