"""What the writers of statements have in common: names, checks of indices, and counts."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.ir.ranges import Interval, Ranges
from gpucore.simulator.expressions import ExpressionEmitter
from gpucore.simulator.positions import Placer
from gpucore.simulator.scope import Scope
from gpucore.simulator.templates import Templates, literal, load
from gpucore.span import Span


class Emission:
    """Counts the statements at which invocations yield, and collects the locations of checks."""

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

    def _zero(self, type: ir.Type) -> ast.expr:
        element = self._templates.constant(0, ir.scalar_of(type))
        return ast.Tuple([element] * type.width, ast.Load()) if isinstance(type, ir.VectorType) else element

    def _bind(self, value: ir.Value, node: ast.expr) -> list[ast.stmt]:
        return self._with_prelude(assignment(self._scope.bind(value.id, value.name), node))

    def _with_prelude(self, *statements: ast.stmt) -> list[ast.stmt]:
        return [*self._expressions.take_prelude(), *statements]


def assignment(name: str, node: ast.expr) -> ast.stmt:
    """`name = node`."""
    return ast.Assign([ast.Name(name, ast.Store())], node)
