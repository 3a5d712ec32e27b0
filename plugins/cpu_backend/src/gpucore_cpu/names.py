"""The values, locals and private arrays that a statement refers to."""

from __future__ import annotations

from collections.abc import Iterator

from gpucore.plugin import ir
from gpucore.plugin.ir import walk

Name = ir.Value | ir.Local | ir.PrivateArray


def bound(statement: ir.Stmt) -> Name | None:
    """The name that the statement brings into scope."""
    match statement:
        case ir.Declare():
            return statement.local
        case ir.DeclareArray():
            return statement.array
        case _:
            return walk.bound_value(statement)


def read_by(expr: ir.Expr) -> Iterator[ir.Value | ir.Local]:
    """The values and locals that an expression reads."""
    for part in walk.subexpressions(expr):
        if isinstance(part, (ir.Value, ir.Local)):
            yield part


def names_in(statement: ir.Stmt) -> Iterator[Name]:
    """Every name that a statement, without its blocks, binds, assigns, reads or accesses."""
    defined, place = bound(statement), walk.place_of(statement)
    if defined is not None:
        yield defined
    if isinstance(statement, ir.Assign):
        yield statement.local
    if place is not None and isinstance(place.memory, ir.PrivateArray):
        yield place.memory
    for expr in walk.expressions(statement):
        yield from read_by(expr)
