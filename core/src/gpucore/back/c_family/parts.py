"""Copies of parts of arrays: what a driver must be told of an array so that an instruction copies a part of it."""

from __future__ import annotations

from functools import reduce

from gpucore.immutable import Immutable
from gpucore.ir import I32, Buffer, Constant, CopyPart, Expr, Param, Roles, ValidModule, build, walk
from gpucore.ir.panels import PANEL


class PartView(Immutable):
    """An array of which parts with so many `rows` and the columns of a panel are copied.

    Its numbers are in Source.payload, in the order of the kernel's last parameters, one for each view.
    """

    buffer: int
    lengths: tuple[int, ...]  # in the packed scalars: the offset of each length, an i32
    nbytes: int  # of an element
    rows: int

    @property
    def plain(self) -> tuple[int | tuple[int, ...], ...]:
        """As a tuple, from which `PartView(*plain)` makes it."""
        return self.buffer, self.lengths, self.nbytes, self.rows

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of a part."""
        return self.rows, PANEL // self.nbytes


def view_of(valid: ValidModule, copy: CopyPart) -> PartView:
    """The view of a copy by one of the roles of a kernel (`passes.split_roles` has checked that there is one)."""
    offsets = {slot.param.index: slot.offset for slot in valid.slots}
    lengths = tuple(offsets[length.index] for length in copy.lengths if isinstance(length, Param))
    assert isinstance(copy.source.memory, Buffer)
    return PartView(copy.source.memory.index, lengths, copy.place.type.nbytes, copy.rows)


def views_of(valid: ValidModule) -> tuple[PartView, ...]:
    """The different views of a kernel in roles, in the order of their first use."""
    if valid.roles is None:
        return ()
    found = (each for each in walk.statements(valid.roles.copying) if isinstance(each, CopyPart))
    return tuple(dict.fromkeys(view_of(valid, copy) for copy in found))


def params_of(roles: Roles) -> set[Param]:
    """The params that the text of a kernel in roles uses: without the lengths of views."""
    used: set[Param] = set()
    for statement in (*walk.statements(roles.copying), *walk.statements(roles.computing)):
        found = walk.expressions(statement)
        if isinstance(statement, CopyPart):
            found = (statement.place.index, *statement.indices)
        used.update(leaf for expr in found for leaf in walk.leaves(expr) if isinstance(leaf, Param))
    return used


def matrix_of(copy: CopyPart) -> tuple[Expr, Expr]:
    """Of the matrix with the copy's first indices: its first element, and its rows, none if it does not exist."""
    *first, rows, columns = copy.lengths
    number: Expr = Constant(0, I32)
    exists: list[Expr] = []
    for index, length in zip(copy.indices, first, strict=False):
        number = build.add(build.mul(number, length), index)
        exists += [build.ge(index, 0), build.lt(index, length)]
    start = build.mul(build.mul(number, rows), columns) if first else copy.source.index
    if not exists:
        return start, rows
    both = reduce(build.logical_and, exists)
    return build.add(copy.source.index, start), build.select(both, rows, 0)


__all__ = ["PartView", "matrix_of", "view_of", "views_of"]
