"""Moves barriers out of branches, because PoCL compiles them wrongly there.

Either all invocations of a workgroup take a branch with a barrier, or none, so the barrier can be outside of it:

    if c: a(); barrier(); b()      becomes      taken = c
                                                if taken: a()
                                                barrier()
                                                if taken: b()

A loop with a barrier is moved out of a branch too: it runs no iteration if the branch is not taken. A `continue` or
`break` in a branch of such a loop becomes a flag, and the statements after it are executed only if it is not set.

The defects: PoCL splits a kernel at its barriers. It ran some statements after a barrier in a branch for a part of the
workgroup only. After a `continue`, or a `break` that is not the first statement of a loop, the conditions or variables
of one invocation were used for all. A `break` in nested branches crashed the process.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable

from gpucore.plugin import Span, ir
from gpucore.plugin.ir import BOOL, ExitFlags, build, exits, walk

_Name = ir.Value | ir.Local | ir.PrivateArray


def hoist_barriers(module: ir.Module) -> ir.Module:
    """`module` without barriers in branches; `module` itself if it has none."""
    body = _Hoister(module).block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


def has_barrier(statement: ir.Stmt) -> bool:
    """Whether a statement is or contains a barrier."""
    return any(isinstance(inner, ir.Barrier) for inner in walk.statements((statement,)))


def split_while(loop: ir.ForRange | ir.Loop) -> tuple[tuple[ir.If, ...], ir.Block]:
    """The `if condition: break` that a `while` begins with, or nothing for another loop; and the rest of the body."""
    first = loop.body[0] if isinstance(loop, ir.Loop) else None
    if isinstance(first, ir.If) and [*map(type, (*first.then, *first.orelse))] == [ir.Break]:
        return (first,), loop.body[1:]
    return (), loop.body


class _Hoister:
    def __init__(self, module: ir.Module) -> None:
        self._ids = itertools.count(walk.next_id(module))

    def block(self, block: ir.Block) -> ir.Block:
        """The block, with branches that contain barriers split."""
        out: list[ir.Stmt] = []
        for statement in block:
            if isinstance(statement, ir.If) and has_barrier(statement):
                out += self._branch(statement)
            elif isinstance(statement, ir.ForRange | ir.Loop):
                body = self.block(self._without_exits(statement) if has_barrier(statement) else statement.body)
                out.append(statement if body is statement.body else dataclasses.replace(statement, body=body))
            else:
                out.append(statement)
        return walk.same_or(block, out)

    def _without_exits(self, loop: ir.ForRange | ir.Loop) -> ir.Block:
        """The body of a loop with a barrier, with exits replaced by flags."""
        first, rest = split_while(loop)
        kinds = exits(rest)
        if not kinds:
            return loop.body
        goes_on = ir.Local(next(self._ids), "goes_on", BOOL)
        ends = ir.Local(next(self._ids), "ends", BOOL) if ir.Break in kinds else None
        body = ExitFlags(goes_on, ends).replaced(rest, is_divergent=True)
        out: list[ir.Stmt] = [*first, ir.Declare(goes_on, ir.TRUE, loop.span)]
        if ends is None:
            return (*out, *body)
        return (*out, ir.Declare(ends, ir.FALSE, loop.span), *body, ir.If(ends, (ir.Break(loop.span),), (), loop.span))

    def _branch(self, statement: ir.If) -> list[ir.Stmt]:
        taken = ir.Value(next(self._ids), "taken", BOOL)
        out: list[ir.Stmt] = [ir.Let(taken, statement.condition, statement.span)]
        out += self._arm(self.block(statement.then), taken, statement.span)
        return out + self._arm(self.block(statement.orelse), build.logical_not(taken), statement.span)

    def _arm(self, block: ir.Block, condition: ir.Expr, span: Span | None) -> list[ir.Stmt]:
        """The statements of one branch: barriers as they are, the statements between them under the condition."""
        parts = _split(block)
        out, parts = self._share_names(parts)
        for part in parts:
            match part:
                case [ir.Barrier() as barrier]:
                    out.append(barrier)
                case [ir.ForRange() as loop] if has_barrier(loop):
                    stop = ir.Select(condition, loop.stop, loop.start, loop.stop.type)
                    out.append(dataclasses.replace(loop, stop=stop))
                case [ir.Loop() as loop] if has_barrier(loop):
                    out.append(_entered_if(condition, loop, span))
                case _:
                    out.append(ir.If(condition, tuple(part), (), span))
        return out

    def _share_names(self, parts: list[list[ir.Stmt]]) -> tuple[list[ir.Stmt], list[list[ir.Stmt]]]:
        """Names defined in one part and used in another become variables declared before both."""
        owners = {found.id: number for number, part in enumerate(parts) for found in _defined_names(part)}
        named = [_used_ids(part) for part in parts]
        crossing = {id for number, ids in enumerate(named) for id in ids if owners.get(id, number) != number}
        if not crossing:
            return [], parts
        declarations: list[ir.Stmt] = []
        variables: dict[int, ir.Local] = {}
        kept = [
            [kept for one in part for kept in self._split_declarations(one, crossing, declarations, variables)]
            for part in parts
        ]

        renamed = []
        for number, part in enumerate(kept):
            others = {id: local for id, local in variables.items() if owners[id] != number}
            renamed.append(_rename(part, others))
        return declarations, [part for part in renamed if part]

    def _split_declarations(
        self, statement: ir.Stmt, crossing: set[int], declarations: list[ir.Stmt], variables: dict[int, ir.Local]
    ) -> Iterable[ir.Stmt]:
        """The statement without the declarations that other parts use, which are moved to `declarations`."""
        if isinstance(statement, ir.DeclareArray) and statement.array.id in crossing:
            declarations.append(statement)
            return
        if isinstance(statement, ir.Declare) and statement.local.id in crossing:
            zero = build.zero(statement.local.type)
            declarations.append(ir.Declare(statement.local, zero, statement.span))
            yield ir.Assign(statement.local, statement.init if statement.init is not None else zero, statement.span)
            return
        yield statement
        value = walk.bound_value(statement)
        if value is not None and value.id in crossing:
            variables[value.id] = local = ir.Local(next(self._ids), value.name, value.type)
            declarations.append(ir.Declare(local, build.zero(value.type), statement.span))
            yield ir.Assign(local, value, statement.span)


def _entered_if(condition: ir.Expr, loop: ir.Loop, span: Span | None) -> ir.Loop:
    """The loop, left at once if the condition is false. The exit that a `while` begins with is joined with that."""
    leaves: ir.Expr = build.logical_not(condition)
    first, rest = split_while(loop)
    for own in first:
        leaves = build.logical_or(leaves, own.condition if own.then else build.logical_not(own.condition))
    return ir.Loop((ir.If(leaves, (ir.Break(span),), (), span), *rest), loop.span)


def _split(block: ir.Block) -> list[list[ir.Stmt]]:
    """Splits a block into sequences of statements without barriers, and single statements with one."""
    parts: list[list[ir.Stmt]] = []
    is_open = False
    for statement in block:
        if has_barrier(statement):
            parts.append([statement])
            is_open = False
        elif is_open:
            parts[-1].append(statement)
        else:
            parts.append([statement])
            is_open = True
    return parts


def _defined_names(part: Iterable[ir.Stmt]) -> list[_Name]:
    """The names that the statements define for later ones."""
    found: list[_Name] = []
    for statement in part:
        if isinstance(statement, ir.Declare):
            found.append(statement.local)
        elif isinstance(statement, ir.DeclareArray):
            found.append(statement.array)
        elif not isinstance(statement, ir.ForRange) and (value := walk.bound_value(statement)) is not None:
            found.append(value)
    return found


def _rename(part: list[ir.Stmt], variables: dict[int, ir.Local]) -> list[ir.Stmt]:
    """The statements with values replaced by variables."""

    def on_leaf(leaf: ir.Expr) -> ir.Expr:
        return variables.get(leaf.id, leaf) if isinstance(leaf, ir.Value) else leaf

    return list(walk.map_block(tuple(part), lambda expr: walk.map_leaves(expr, on_leaf)))


def _used_ids(part: list[ir.Stmt]) -> set[int]:
    """The ids of everything that the statements read or write, including nested ones."""
    ids: set[int] = set()
    for statement in walk.statements(tuple(part)):
        for expr in walk.expressions(statement):
            ids.update(leaf.id for leaf in walk.leaves(expr) if isinstance(leaf, ir.Value | ir.Local))
        if isinstance(statement, ir.Assign):
            ids.add(statement.local.id)
        place = walk.place_of(statement)
        if place is not None and isinstance(place.memory, ir.PrivateArray):
            ids.add(place.memory.id)
    return ids
