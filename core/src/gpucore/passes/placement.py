"""place_declarations: declares each variable in the smallest block with all its uses, right before the first.

The generated text is then easier to read, and shows the target's compiler the lifetime of the variable. It is sound in
loops because a local is assigned before it is read on every path: if an iteration reads what an earlier one wrote,
there is also an Assign before the loop, and the smallest common block is outside of it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from gpucore.ir import Assign, Block, Declare, Expr, Local, Module, Stmt, walk


@dataclass(slots=True)
class _Uses:
    local: Local
    path: tuple[tuple[int, int], ...]  # of the first use: (identity of block, position in it), outermost first
    depth: int  # length of the part of `path` that all uses share; at least 1
    is_assign: bool  # the first use is an Assign


def place_declarations(module: Module) -> Module:
    """The module with every Declare of a used local at its new position, and those of unused locals removed."""
    finder = _Finder()
    finder.block(module.body)
    here: dict[tuple[int, int], list[_Uses]] = {}
    for uses in finder.uses.values():
        here.setdefault(uses.path[uses.depth - 1], []).append(uses)
    body = _Placer(here).block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


class _Finder:
    def __init__(self) -> None:
        self.uses: dict[int, _Uses] = {}
        self._path: list[tuple[int, int]] = []

    def block(self, block: Block) -> None:
        for position, statement in enumerate(block):
            self._path.append((id(block), position))
            for expr in walk.expressions(statement):
                for leaf in walk.leaves(expr):
                    if isinstance(leaf, Local):
                        self._use(leaf, False)
            if isinstance(statement, Assign) or (isinstance(statement, Declare) and statement.init is not None):
                self._use(statement.local, True)
            for nested in walk.blocks(statement):
                self.block(nested)
            self._path.pop()

    def _use(self, local: Local, is_assign: bool) -> None:
        uses = self.uses.get(local.id)
        path = self._path
        if uses is None:
            self.uses[local.id] = _Uses(local, tuple(path), len(path), is_assign)
            return
        depth = min(uses.depth, len(path))
        while uses.path[depth - 1][0] != path[depth - 1][0]:
            depth -= 1
        uses.depth = depth


class _Placer:
    def __init__(self, here: dict[tuple[int, int], list[_Uses]]) -> None:
        self._here = here

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for position, statement in enumerate(block):
            wanted = self._here.get((id(block), position), ())
            if isinstance(statement, Declare) and statement.init is None:
                continue
            assigned, expr = _assignment(statement)
            merged = [u for u in wanted if u.is_assign and assigned is not None and u.local.id == assigned.id]
            out.extend(Declare(u.local, None, statement.span) for u in wanted if u not in merged)
            if assigned is None or expr is None:
                out.append(walk.map_statement(statement, _unchanged, self.block))
            elif merged:
                out.append(statement if isinstance(statement, Declare) else Declare(assigned, expr, statement.span))
            else:
                out.append(statement if isinstance(statement, Assign) else Assign(assigned, expr, statement.span))
        return walk.same_or(block, out)


def _assignment(statement: Stmt) -> tuple[Local | None, Expr | None]:
    if isinstance(statement, Assign):
        return statement.local, statement.expr
    return (statement.local, statement.init) if isinstance(statement, Declare) else (None, None)


def _unchanged(expr: Expr) -> Expr:
    return expr
