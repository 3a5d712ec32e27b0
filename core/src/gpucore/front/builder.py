"""Collects the statements of the kernel being lowered and hands out ids."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpucore import ir
from gpucore.span import Span


class Builder:
    """A stack of open blocks. Locals are declared at the top of the body; passes move the declarations inward."""

    def __init__(self) -> None:
        self._blocks: list[list[ir.Stmt]] = [[]]
        self._locals: list[ir.Local] = []
        self.workgroup_arrays: list[ir.WorkgroupArray] = []
        self._next_id = 0

    def new_id(self) -> int:
        """An id that no other value, local or array of this module has."""
        self._next_id += 1
        return self._next_id

    def emit(self, statement: ir.Stmt) -> None:
        self._blocks[-1].append(statement)

    @property
    def block(self) -> list[ir.Stmt]:
        """The innermost open block."""
        return self._blocks[-1]

    @contextmanager
    def open(self, block: list[ir.Stmt] | None = None) -> Iterator[list[ir.Stmt]]:
        """Make a block, new or given, the innermost while the `with` lasts."""
        opened: list[ir.Stmt] = [] if block is None else block
        self._blocks.append(opened)
        try:
            yield opened
        finally:
            self._blocks.pop()

    def let(self, name: str, expr: ir.Expr, span: Span | None) -> ir.Value:
        """Bind an expression to a new value."""
        value = ir.Value(self.new_id(), name, expr.type)
        self.emit(ir.Let(value, expr, span))
        return value

    def load(self, name: str, place: ir.Place, span: Span | None) -> ir.Value:
        """Read a place into a new value."""
        value = ir.Value(self.new_id(), name, place.memory.element)
        self.emit(ir.Load(value, place, span))
        return value

    def local(self, name: str, type: ir.Type) -> ir.Local:
        """A new variable."""
        made = ir.Local(self.new_id(), name, type)
        self._locals.append(made)
        return made

    def body(self) -> ir.Block:
        """The finished body, declarations first."""
        assert len(self._blocks) == 1
        return tuple(ir.Declare(local) for local in self._locals) + tuple(self._blocks[0])
