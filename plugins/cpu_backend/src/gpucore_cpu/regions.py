"""Splits a kernel at its barriers, into statements that one loop over invocations can run.

A statement is *of the workgroup* if it contains a Barrier, or a Break or Continue of such a loop. These statements have
uniform conditions and are executed once. The longest runs of other statements between them are *regions*: every
invocation executes a region before the next region begins, as a barrier requires.

A uniform value whose expression does not depend on the invocation is also evaluated once, before its region. So is a
uniform local in a kernel with barriers, if all its assignments are at the level of the workgroup.

A name used in more than one region *crosses*: it is stored in an array with one element per invocation. An integer that
takes a few operations on ids and on values evaluated once is recomputed in each region instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind
from gpucore.ir.walk import blocks, expressions, statements, subexpressions
from gpucore_cpu.names import Name, names_in, read_by

_DIVISIONS = (BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV, BinaryOp.TRUNC_REM)
_MOST_RECOMPUTED = 24  # maximum number of nodes of an expression that is recomputed
_OF_INVOCATION = -1  # a dependence on the invocation's own position: no value has this id


@dataclass(frozen=True, slots=True)
class Region:
    """Statements that each invocation executes in order."""

    statements: ir.Block


@dataclass(frozen=True, slots=True)
class Once:
    """A statement executed once for the workgroup. `blocks` are those of the statement, split too."""

    statement: ir.Stmt
    blocks: tuple[tuple[Item, ...], ...] = ()


Item = Region | Once


@dataclass(frozen=True, slots=True)
class Plan:
    """A kernel split into regions."""

    items: tuple[Item, ...]
    once: frozenset[int]  # ids of values and locals evaluated once per workgroup
    crossing: dict[int, Name]  # by id, in order of id: names stored in an array over the invocations
    recomputed: dict[int, ir.Expr]  # by id: definitions that each region using them recomputes


def plan(body: ir.Block, uniform: frozenset[int]) -> Plan:
    """Split a kernel into regions."""
    once = _evaluable_once(body, uniform)
    items = tuple(_cut(body, once, in_loop=False))
    places: dict[int, set[int]] = {}
    known: dict[int, Name] = {}
    record_places(items, places, known)
    recomputed = recomputable(body, once)
    shared = {key for key in places if len(places[key]) > 1} - once - recomputed.keys()
    return Plan(items, once, {key: known[key] for key in sorted(shared)}, recomputed)


def recomputable(block: ir.Block, once: Set[int]) -> dict[int, ir.Expr]:
    """Definitions of values in a block that are cheap and depend only on ids, params and `once`.

    Integers only: the two computations of a float may be contracted differently and give two results.
    """
    found: dict[int, ir.Expr] = {}
    sizes: dict[int, int] = {}
    for statement in statements(block):
        if not isinstance(statement, ir.Let) or statement.value.id in once:
            continue
        parts = tuple(subexpressions(statement.expr))
        size = sum(sizes.get(part.id, 1) if isinstance(part, ir.Value) else 1 for part in parts)
        if size <= _MOST_RECOMPUTED and all(_is_cheap(part, once, found) for part in parts):
            found[statement.value.id] = statement.expr
            sizes[statement.value.id] = size
    return found


def _is_cheap(part: ir.Expr, once: Set[int], found: dict[int, ir.Expr]) -> bool:
    if not isinstance(part.type, ir.ScalarType) or part.type.is_float:
        return False
    match part:
        case ir.Value():
            return part.id in once or part.id in found
        case ir.Binary() if part.op in _DIVISIONS:
            return isinstance(part.right, ir.Constant)
        case ir.Local() | ir.Call():
            return False
        case _:
            return True


# ---------------------------------------------------------------- levels


def has_barrier(statement: ir.Stmt) -> bool:
    """Whether the statement contains a Barrier, at any depth."""
    return any(isinstance(inner, ir.Barrier) for inner in statements((statement,)))


def leaves_loop(statement: ir.Stmt) -> bool:
    """Whether the statement contains a Break or Continue of an enclosing loop."""
    match statement:
        case ir.Break() | ir.Continue():
            return True
        case ir.If():
            return any(leaves_loop(inner) for block in blocks(statement) for inner in block)
        case _:
            return False


def _is_of_workgroup(statement: ir.Stmt, in_loop: bool) -> bool:
    return has_barrier(statement) or (in_loop and leaves_loop(statement))


def _levels(block: ir.Block, in_loop: bool = False, at_level: bool = True) -> Iterator[tuple[ir.Stmt, bool]]:
    """Every statement at any depth, with whether its block is executed once for the workgroup."""
    for statement in block:
        yield statement, at_level
        inner_level = at_level and _is_of_workgroup(statement, in_loop)
        inner_loop = in_loop or isinstance(statement, (ir.ForRange, ir.Loop))
        for inner in blocks(statement):
            yield from _levels(inner, inner_loop, inner_level)


# ---------------------------------------------------------------- evaluated once


def _evaluable_once(body: ir.Block, uniform: frozenset[int]) -> frozenset[int]:
    """Ids of the values and locals that can be evaluated once per workgroup: the greatest consistent set."""
    with_locals = any(has_barrier(statement) for statement in body)
    counters: set[int] = set()
    excluded: set[int] = set()
    candidates: dict[int, list[ir.Stmt]] = {}
    for statement, at_level in _levels(body):
        if isinstance(statement, ir.ForRange) and has_barrier(statement):
            counters.add(statement.counter.id)
        key = _defined(statement, with_locals)
        if key is None:
            continue
        candidates.setdefault(key, []).append(statement)
        if not at_level or key not in uniform:
            excluded.add(key)
    once = (set(candidates) - excluded) | counters
    needed_by: dict[int, list[int]] = {}
    lost: list[int] = []
    for key in once - counters:
        needs = {need for statement in candidates[key] for need in _needs(statement)}
        for need in needs:
            needed_by.setdefault(need, []).append(key)
        if not needs <= once:
            lost.append(key)
    once.difference_update(lost)
    while lost:  # each id is processed once
        for key in needed_by.get(lost.pop(), ()):
            if key in once:
                once.remove(key)
                lost.append(key)
    return frozenset(once)


def _defined(statement: ir.Stmt, with_locals: bool) -> int | None:
    """The id that a statement binds to a pure value."""
    match statement:
        case ir.Let():
            return statement.value.id
        case ir.Declare() | ir.Assign() if with_locals:
            return statement.local.id
        case _:
            return None


def _needs(statement: ir.Stmt) -> Iterator[int]:
    """Ids of the values and locals that a statement reads; `_OF_INVOCATION` for the invocation's own position."""
    for expr in expressions(statement):
        for part in subexpressions(expr):
            if isinstance(part, (ir.Value, ir.Local)):
                yield part.id
            elif isinstance(part, ir.Builtin) and part.kind is BuiltinKind.LOCAL_ID:
                yield _OF_INVOCATION


# ---------------------------------------------------------------- cutting


def _cut(block: ir.Block, once: frozenset[int], in_loop: bool) -> Iterator[Item]:
    region: list[ir.Stmt] = []
    for statement in block:
        if isinstance(statement, ir.Let) and statement.value.id in once:
            yield Once(statement)  # pure, and the region assigns none of its operands
        elif isinstance(statement, (ir.Declare, ir.Assign)) and statement.local.id in once:
            if region and any(_reads(inner, statement.local.id) for inner in region):
                yield Region(tuple(region))
                region = []
            yield Once(statement)
        elif _is_of_workgroup(statement, in_loop):
            if region:
                yield Region(tuple(region))
                region = []
            inner_loop = in_loop or isinstance(statement, (ir.ForRange, ir.Loop))
            yield Once(statement, tuple(tuple(_cut(inner, once, inner_loop)) for inner in blocks(statement)))
        else:
            region.append(statement)
    if region:
        yield Region(tuple(region))


def _reads(statement: ir.Stmt, key: int) -> bool:
    exprs = (expr for inner in statements((statement,)) for expr in expressions(inner))
    return any(name.id == key for expr in exprs for name in read_by(expr))


# ---------------------------------------------------------------- what crosses


def record_places(items: tuple[Item, ...], places: dict[int, set[int]], known: dict[int, Name]) -> None:
    """Record for each id the regions that use it; every statement executed once counts as a separate one."""
    for item in items:
        inside = (item.statement,) if isinstance(item, Once) else tuple(statements(item.statements))
        for statement in inside:
            for name in names_in(statement):
                known[name.id] = name
                places.setdefault(name.id, set()).add(id(item))
        if isinstance(item, Once):
            for inner in item.blocks:
                record_places(inner, places, known)
