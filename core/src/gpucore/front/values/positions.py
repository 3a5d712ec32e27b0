"""Components of vectors at indices of run time.

They are chosen by comparisons, so that vectors stay in registers: a read out of range gives the first or the last
component, and a write changes none. In debug mode they go through a private array, whose indices are checked.
"""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.front.state.operands import ArrayReference, Operand
from gpucore.front.values.elements import Access, as_index
from gpucore.front.values.masks import components
from gpucore.immutable import Immutable
from gpucore.ir import build
from gpucore.types import dtype_of


class Position(Immutable):
    """Which component of a vector: an index, as of an array that holds the components."""

    access: Access
    type: ir.VectorType
    node: ast.Subscript

    @staticmethod
    def at(context: Context, type: ir.VectorType, index: Operand, node: ast.Subscript) -> Position:
        """The position that an index names, which is evaluated now. Raises GP208 for one that is no whole number."""
        stored = ir.U32 if type.element == ir.BOOL else type.element  # bool has no layout in memory
        name = node.value.id if isinstance(node.value, ast.Name) else "vector"
        memory = ir.PrivateArray(context.builder.new_id(), name, stored, type.width)
        array = ArrayReference(memory, (type.width,), dtype_of(stored))
        expr = as_index(context, array, 0, index, node.slice)
        if not isinstance(expr, (ir.Value, ir.Constant)):
            expr = context.builder.let("index", expr, context.span(node))
        return Position(Access(array, expr, (expr,)), type, node)

    def read(self, context: Context, vector: ir.Expr) -> ir.Expr:
        """The component of a vector."""
        parts, index = components(context, vector, self.node), self.access.index
        if context.is_debug:
            access, span = self._spread(context, parts), context.span(self.node)
            access.guard(context, span)
            return self._as_part(context.builder.load(access.array.name, access.place, span))
        chosen = parts[-1]
        for number, part in reversed(list(enumerate(parts[:-1]))):
            chosen = build.select(build.lt(index, number + 1), part, chosen)
        return context.builder.let("component", chosen, context.span(self.node))

    def changed(self, context: Context, vector: ir.Expr, new: ir.Expr) -> ir.Expr:
        """A vector with another value as the component."""
        parts, index = components(context, vector, self.node), self.access.index
        if not context.is_debug:
            new = new if isinstance(new, ir.Value) else context.builder.let("component", new, context.span(self.node))
            chosen = [build.select(build.eq(index, number), new, part) for number, part in enumerate(parts)]
            return ir.Construct(tuple(chosen), self.type)
        access, span = self._spread(context, parts), context.span(self.node)
        access.guard(context, span)
        context.builder.emit(ir.Store(access.place, self._as_stored(new), span))
        places = [ir.Place(access.array.memory, ir.Constant(number, ir.I32)) for number in range(len(parts))]
        loaded = [self._as_part(context.builder.load(access.array.name, place, span)) for place in places]
        return ir.Construct(tuple(loaded), self.type)

    def _spread(self, context: Context, parts: list[ir.Expr]) -> Access:
        """The access to a new private array with the components."""
        memory, span = self.access.array.memory, context.span(self.node)
        assert isinstance(memory, ir.PrivateArray)
        own = ir.PrivateArray(context.builder.new_id(), memory.name, memory.element, memory.length)
        context.builder.declare_array(own, span)
        for number, part in enumerate(parts):
            place = ir.Place(own, ir.Constant(number, ir.I32))
            context.builder.emit(ir.Store(place, self._as_stored(part), span))
        array = ArrayReference(own, (memory.length,), self.access.array.dtype)
        return Access(array, self.access.index, self.access.indices)

    def _as_stored(self, part: ir.Expr) -> ir.Expr:
        return build.select(part, build.constant(1, ir.U32), 0) if part.type == ir.BOOL else part

    def _as_part(self, loaded: ir.Expr) -> ir.Expr:
        return build.ne(loaded, 0) if self.type.element == ir.BOOL else loaded
