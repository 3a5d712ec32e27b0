"""delay_waits: waits for products of matrices come as late as they can, so that other work is done meanwhile.

Of `total += x @ y`, followed by copies to other tiles, the wait and what uses the sums move behind the copies. What the
products read is not written before the next barrier: other invocations may still read it, so a kernel that did so would
be wrong without this pass, too.
"""

from __future__ import annotations

import dataclasses

from gpucore.ir import (
    Assign,
    Barrier,
    Block,
    Break,
    Continue,
    CopyWait,
    Debug,
    Declare,
    DeclareArray,
    DeviceFence,
    Expr,
    GroupMultiply,
    GroupWait,
    Let,
    Load,
    Local,
    Module,
    Stmt,
    Subgroup,
    SubgroupOp,
    Value,
    walk,
)

_ENDS = (Barrier, DeviceFence, CopyWait, GroupMultiply, GroupWait, Break, Continue, Debug)


def delay_waits(module: Module) -> Module:
    """The module with such waits later; the module itself if it has none."""
    if not any(isinstance(statement, GroupWait) for statement in walk.statements(module.body)):
        return module

    def block(found: Block) -> Block:
        return walk.same_or(found, _delayed([walk.map_statement(each, lambda expr: expr, block) for each in found]))

    body = block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


def _delayed(block: list[Stmt]) -> list[Stmt]:
    out: list[Stmt] = []
    at = 0
    while at < len(block):
        if not isinstance(block[at], GroupWait):
            out.append(block[at])
            at += 1
            continue
        first, last, defined = at, *_dependents(block, at)
        used = {leaf.id for each in block[first:last] for leaf in _leaves(each)}
        at = last
        while at < len(block) and _may_come_first(block[at], block[first], defined, used):
            at += 1
        out += [*block[last:at], *block[first:last]]
    return out


def _dependents(block: list[Stmt], at: int) -> tuple[int, set[int]]:
    """The end of the statements after a wait that depend on it, and the ids of what they define."""
    wait, defined = block[at], set[int]()
    assert isinstance(wait, GroupWait)
    end = at + 1
    while end < len(block):
        statement = block[end]
        match statement:
            case Load(value, place) if place.memory == wait.sums:
                defined.add(value.id)
            case Let(value, expr) if _ids(expr) & defined:
                defined.add(value.id)
            case Assign(local, expr) if _ids(expr) & defined:
                defined.add(local.id)
            case _:
                break
        end += 1
    return end, defined


def _may_come_first(statement: Stmt, wait: Stmt, defined: set[int], used: set[int]) -> bool:
    """Whether a statement may move to before a wait and what defines and uses values and variables after it."""
    assert isinstance(wait, GroupWait)
    for each in (statement, *(inner for nested in walk.blocks(statement) for inner in walk.statements(nested))):
        is_barrier = isinstance(each, Subgroup) and each.op is SubgroupOp.BARRIER
        if is_barrier or isinstance(each, _ENDS) or {leaf.id for leaf in _leaves(each)} & defined:
            return False
        if isinstance(each, (Assign, Declare)) and each.local.id in defined | used:
            return False
        if isinstance(each, DeclareArray) and each.array == wait.sums:
            return False
        if any(place.memory == wait.sums for place in walk.places_of(each)):
            return False
    return True


def _leaves(statement: Stmt) -> list[Value | Local]:
    found = [leaf for expr in walk.expressions(statement) for leaf in walk.leaves(expr)]
    return [leaf for leaf in found if isinstance(leaf, (Value, Local))]


def _ids(expr: Expr) -> set[int]:
    return {leaf.id for leaf in walk.leaves(expr) if isinstance(leaf, (Value, Local))}
