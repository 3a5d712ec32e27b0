"""Copies of statements with other values in the place of some, and with ids of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpucore.ir import Assign, Atomic, Block, Declare, Expr, If, Let, Load, Local, Place, Stmt, Store, Value, walk

COPIED = (Let, Load, Store, Declare, Assign, If, Atomic)
"""The statements of which a Copier makes copies."""


class Copier:
    """Makes copies. `names` has the expressions that replace values and locals, by id."""

    def __init__(self, ids: Iterator[int], names: Mapping[int, Expr]) -> None:
        self._ids = ids
        self.names = dict(names)

    def next_id(self) -> int:
        """An id of its own."""
        return next(self._ids)

    def expr(self, expr: Expr) -> Expr:
        """A copy of an expression."""
        return walk.map_leaves(expr, self._leaf)

    def _leaf(self, leaf: walk.Leaf) -> Expr:
        return self.names.get(leaf.id, leaf) if isinstance(leaf, (Value, Local)) else leaf

    def place(self, place: Place) -> Place:
        """A copy of a place."""
        return Place(place.memory, self.expr(place.index), place.path, place.view)

    def value(self, value: Value) -> Value:
        """A value for a copy to bind."""
        made = Value(next(self._ids), value.name, value.type)
        self.names[value.id] = made
        return made

    def local(self, local: Local) -> Local:
        """A local for a copy to declare."""
        made = Local(next(self._ids), local.name, local.type)
        self.names[local.id] = made
        return made

    def block(self, block: Block) -> Block:
        """A copy of a block."""
        return tuple(map(self.statement, block))

    def statement(self, statement: Stmt) -> Stmt:
        """A copy of a statement that is one of COPIED."""
        match statement:
            case Let(value, expr, span):
                copied = self.expr(expr)
                return Let(self.value(value), copied, span)
            case Load(value, place, span, width):
                place = self.place(place)
                return Load(self.value(value), place, span, width)
            case Store(place, expr, span, width):
                return Store(self.place(place), self.expr(expr), span, width)
            case Declare(local, init, span):
                copied_init = None if init is None else self.expr(init)
                return Declare(self.local(local), copied_init, span)
            case Assign(local, expr, span):
                target = self.names.get(local.id, local)
                assert isinstance(target, Local)
                return Assign(target, self.expr(expr), span)
            case If(condition, then, orelse, span):
                condition = self.expr(condition)
                return If(condition, self.block(then), self.block(orelse), span)
            case Atomic(value, op, place, operand, comparand, span):
                place = self.place(place)
                operand, comparand = (None if each is None else self.expr(each) for each in (operand, comparand))
                return Atomic(None if value is None else self.value(value), op, place, operand, comparand, span)
        raise AssertionError(statement)
