"""promote_locals: turns variables that are not needed as such into values.

An Assign reaches a read if the read may get its value. In the rest of its block, with the blocks nested there, it is
the only one that reaches the reads of its local, until the local is assigned again. Two kinds of Assign become a Let:
- all Assigns of a local of which each read is reached by a single Assign (the simple case: assigned once, read later in
  the block);
- an Assign followed by another in the same block, with no assignment in nested blocks and no exit from the block
  between them: it is overwritten before it can reach other reads. Unrolled loops have many of these.
A loop-carried variable has a read that several Assigns reach, so its last Assign in the loop stays.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass

from gpucore.ir import (
    Assign,
    Block,
    Break,
    Continue,
    Declare,
    Expr,
    ForRange,
    If,
    Let,
    Local,
    Loop,
    Module,
    Stmt,
    Value,
    walk,
)


def promote_locals(module: Module) -> Module:
    """The module with a Let of a new value in place of each such Assign; the module itself if there are none."""
    assigned = walk.assigned_locals(module.body)
    reaching = _ReachingAssigns(assigned)
    reaching.block(module.body)
    promoted = {id(a.statement) for a in reaching.all if a.is_overwritten or a.local not in reaching.merged}
    if not promoted:
        return module
    body = _Rewriter(assigned, promoted, walk.next_id(module)).block(module.body)
    return dataclasses.replace(module, body=body)


@dataclass(slots=True)
class _Reaching:
    statement: Assign | Declare
    local: int
    block: int  # identity of its block
    exits: int  # how many Breaks and Continues came before it
    is_overwritten: bool = False


class _ReachingAssigns:
    """One walk that finds the Assign that reaches each read."""

    def __init__(self, assigned: dict[int, set[int]]) -> None:
        self.all: list[_Reaching] = []
        self.merged: set[int] = set()  # locals with a read that several Assigns may reach
        self._assigned = assigned
        self._current: dict[int, _Reaching] = {}
        self._exits = 0

    def block(self, block: Block) -> None:
        for statement in block:
            for expr in walk.expressions(statement):
                self._read(expr)
            match statement:
                case Assign():
                    self._assign(statement, block)
                case Declare():
                    self._current.pop(statement.local.id, None)
                    if statement.init is not None:
                        self._assign(statement, block)
                case Break() | Continue():
                    self._exits += 1
                case If():
                    assigned = self._assigned[id(statement.then)] | self._assigned[id(statement.orelse)]
                    before = {local: self._current[local] for local in assigned if local in self._current}
                    self.block(statement.then)
                    self._invalidate(assigned)
                    self._current.update(before)
                    self.block(statement.orelse)
                    self._invalidate(assigned)
                case ForRange() | Loop():
                    assigned = self._assigned[id(statement.body)]
                    self._invalidate(assigned)
                    self.block(statement.body)
                    self._invalidate(assigned)

    def _read(self, expr: Expr) -> None:
        for leaf in walk.leaves(expr):
            if isinstance(leaf, Local) and leaf.id not in self._current:
                self.merged.add(leaf.id)

    def _assign(self, statement: Assign | Declare, block: Block) -> None:
        local = statement.local.id
        before = self._current.get(local)
        if before is not None and before.block == id(block) and before.exits == self._exits:
            before.is_overwritten = True
        found = _Reaching(statement, local, id(block), self._exits)
        self._current[local] = found
        self.all.append(found)

    def _invalidate(self, assigned: set[int]) -> None:
        for local in assigned:
            self._current.pop(local, None)


class _Rewriter:
    def __init__(self, assigned: dict[int, set[int]], promoted: set[int], first_id: int) -> None:
        self._assigned = assigned
        self._promoted = promoted
        self._ids = itertools.count(first_id)
        self._value: dict[int, Value] = {}  # by local: the value that replaces it here

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            match statement:
                case Assign() | Declare():
                    self._definition(statement, out)
                case If():
                    assigned = self._assigned[id(statement.then)] | self._assigned[id(statement.orelse)]
                    condition = self._expr(statement.condition)
                    before = {local: self._value[local] for local in assigned if local in self._value}
                    then = self.block(statement.then)
                    self._invalidate(assigned)
                    self._value.update(before)
                    orelse = self.block(statement.orelse)
                    self._invalidate(assigned)
                    out.append(_same_or_if(statement, condition, then, orelse))
                case ForRange() | Loop():
                    assigned = self._assigned[id(statement.body)]
                    if isinstance(statement, ForRange):
                        start, stop = self._expr(statement.start), self._expr(statement.stop)
                        if start is not statement.start or stop is not statement.stop:
                            statement = dataclasses.replace(statement, start=start, stop=stop)
                    self._invalidate(assigned)
                    body = self.block(statement.body)
                    self._invalidate(assigned)
                    out.append(statement if body is statement.body else dataclasses.replace(statement, body=body))
                case _:
                    out.append(walk.map_statement(statement, self._expr, self.block))
        return walk.same_or(block, out)

    def _definition(self, statement: Assign | Declare, out: list[Stmt]) -> None:
        local, span = statement.local, statement.span
        old = statement.expr if isinstance(statement, Assign) else statement.init
        expr = None if old is None else self._expr(old)
        if expr is None or id(statement) not in self._promoted:
            self._value.pop(local.id, None)
            if expr is old or expr is None:
                out.append(statement)
            else:
                out.append(Assign(local, expr, span) if isinstance(statement, Assign) else Declare(local, expr, span))
            return
        if isinstance(statement, Declare):
            out.append(Declare(local, None, span))  # other Assigns to it may stay
        value = Value(next(self._ids), local.name, local.type)
        self._value[local.id] = value
        out.append(Let(value, expr, span))

    def _invalidate(self, assigned: set[int]) -> None:
        for local in assigned:
            self._value.pop(local, None)

    def _expr(self, expr: Expr) -> Expr:
        return walk.map_leaves(expr, self._leaf) if self._value else expr

    def _leaf(self, leaf: walk.Leaf) -> Expr:
        return self._value.get(leaf.id, leaf) if isinstance(leaf, Local) else leaf


def _same_or_if(statement: If, condition: Expr, then: Block, orelse: Block) -> If:
    if condition is statement.condition and then is statement.then and orelse is statement.orelse:
        return statement
    return If(condition, then, orelse, statement.span)
