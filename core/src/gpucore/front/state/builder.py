"""The builder: collects the statements of the kernel being lowered and allocates ids."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpucore import ir
from gpucore.immutable import Immutable
from gpucore.span import Span


class Mark(Immutable):
    """A position of the builder, to roll back to."""

    statements: int  # number of statements in the innermost open block
    locals: int
    workgroup_arrays: int


class Builder:
    """A stack of open blocks. Locals are declared at the top of the body; passes move declarations inward."""

    def __init__(self) -> None:
        self._blocks: list[list[ir.Stmt]] = [[]]
        self._locals: list[ir.Local] = []
        self._declaring_blocks: dict[int, list[ir.Stmt]] = {}  # by the id of the private array
        self.workgroup_arrays: list[ir.WorkgroupArray] = []
        self._next_id = 0
        self.count = 0  # statements so far

    def new_id(self) -> int:
        """An id that is unique among the values, locals and arrays of this module."""
        self._next_id += 1
        return self._next_id

    def emit(self, statement: ir.Stmt) -> None:
        self.count += 1
        self._blocks[-1].append(statement)

    @property
    def block(self) -> list[ir.Stmt]:
        """The innermost open block."""
        return self._blocks[-1]

    @property
    def depth(self) -> int:
        """The number of open blocks."""
        return len(self._blocks)

    @contextmanager
    def open(self, block: list[ir.Stmt] | None = None) -> Iterator[list[ir.Stmt]]:
        """Emit into a block, new or given, inside the `with` statement."""
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

    def load(self, name: str, place: ir.Place, span: Span | None, width: int = 1) -> ir.Value:
        """Read a place into a new value. `width` is that of the Load."""
        value = ir.Value(self.new_id(), name, place.type)
        self.emit(ir.Load(value, place, span, width))
        return value

    def local(self, name: str, type: ir.Type) -> ir.Local:
        """A new local variable."""
        local = ir.Local(self.new_id(), name, type)
        self._locals.append(local)
        return local

    def declare_array(self, array: ir.PrivateArray, span: Span | None) -> None:
        """Declare a private array in the innermost open block."""
        self._declaring_blocks[array.id] = self.block
        self.emit(ir.DeclareArray(array, span))

    def is_open(self, array_id: int) -> bool:
        """Whether the block that declares a private array is still open."""
        declaring = self._declaring_blocks[array_id]
        return any(block is declaring for block in self._blocks)

    def mark(self) -> Mark:
        """The current position. Rolling back to it is valid only while the same block is innermost."""
        return Mark(len(self.block), len(self._locals), len(self.workgroup_arrays))

    def roll_back(self, mark: Mark) -> None:
        """Remove all statements, variables and workgroup arrays added since the mark."""
        del self.block[mark.statements :]
        del self._locals[mark.locals :]
        del self.workgroup_arrays[mark.workgroup_arrays :]

    def body(self) -> ir.Block:
        """The finished body, declarations first."""
        assert len(self._blocks) == 1
        return tuple(ir.Declare(local) for local in self._locals) + tuple(self._blocks[0])
