"""Splits a kernel at its barriers into regions, each of which is one loop over the invocations of the workgroup.

A barrier, a Uniform, a branch or loop that contains one, and a Break or Continue of such a loop, are *hoisted*:
executed once for the workgroup, outside of the loops over invocations. Their conditions are uniform, and a Uniform has
the value of the first invocation, whatever the others have. The longest sequences of other statements between them are
*regions*: every invocation executes a region before the next region begins, as a barrier requires.

A uniform value whose expression does not depend on the invocation is hoisted too. So is a uniform local in a kernel
with barriers, if no region assigns it.

A name used in more than one region is *spilled*: it is stored in an array with one element per invocation. An integer
that takes a few operations on ids and hoisted values is recomputed in each region instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from gpucore.plugin import ir
from gpucore.plugin.ir import DIVISIONS, IDS_OF_INVOCATIONS, exits, walk
from gpucore_cpu.names import Name, names_in, read_by

_MAX_RECOMPUTED = 24  # nodes of an expression that is recomputed
_LOCAL_ID = -1  # a dependence on the id of the invocation in its workgroup; no value has this id


@dataclass(frozen=True, slots=True)
class Region:
    """Statements that each invocation executes in order."""

    statements: ir.Block


@dataclass(frozen=True, slots=True)
class Hoisted:
    """A statement executed once for the workgroup, or for a row of it. `blocks` are its blocks, split too."""

    statement: ir.Stmt
    blocks: tuple[tuple[Item, ...], ...] = ()


Item = Region | Hoisted


@dataclass(frozen=True, slots=True)
class Plan:
    """A kernel split into regions."""

    items: tuple[Item, ...]
    hoisted: frozenset[int]  # ids of values and locals evaluated once per workgroup
    spilled: dict[int, Name]  # by id, in order of id
    recomputed: dict[int, ir.Expr]  # by id: definitions that every region with a use recomputes


def plan(body: ir.Block, uniform: frozenset[int]) -> Plan:
    """Split a kernel into regions."""
    hoisted = _hoistable(body, uniform)
    items = tuple(_split(body, hoisted, in_loop=False))
    uses: dict[int, set[int]] = {}
    known: dict[int, Name] = {}
    _record_uses(items, uses, known)
    recomputed = _recomputable(body, hoisted)
    shared = {key for key in uses if len(uses[key]) > 1} - hoisted - recomputed.keys()
    return Plan(items, hoisted, {key: known[key] for key in sorted(shared)}, recomputed)


def _recomputable(block: ir.Block, hoisted: Set[int]) -> dict[int, ir.Expr]:
    """Definitions of values in a block that are cheap and depend only on ids, params and `hoisted`.

    Integers only: two computations of a float may be contracted differently and differ.
    """
    found: dict[int, ir.Expr] = {}
    sizes: dict[int, int] = {}
    for statement in walk.statements(block):
        if not isinstance(statement, ir.Let) or statement.value.id in hoisted:
            continue
        parts = tuple(walk.subexpressions(statement.expr))
        size = sum(sizes.get(part.id, 1) if isinstance(part, ir.Value) else 1 for part in parts)
        if size <= _MAX_RECOMPUTED and all(_is_cheap(part, hoisted, found) for part in parts):
            found[statement.value.id] = statement.expr
            sizes[statement.value.id] = size
    return found


def _is_cheap(part: ir.Expr, hoisted: Set[int], found: dict[int, ir.Expr]) -> bool:
    if not isinstance(part.type, ir.ScalarType) or part.type.is_float:
        return False
    match part:
        case ir.Value():
            return part.id in hoisted or part.id in found
        case ir.Binary() if part.op in DIVISIONS:
            return isinstance(part.right, ir.Constant)
        case ir.Local() | ir.Call():
            return False
        case _:
            return True


# ---------------------------------------------------------------- hoisted statements


def has_barrier(statement: ir.Stmt) -> bool:
    """Whether the statement contains a Barrier or a Uniform, at any depth."""
    return any(isinstance(inner, ir.Barrier | ir.Uniform) for inner in walk.statements((statement,)))


def _must_hoist(statement: ir.Stmt, in_loop: bool) -> bool:
    return has_barrier(statement) or (in_loop and bool(exits((statement,))))


def _with_hoisting(block: ir.Block, in_loop: bool = False, is_hoisted: bool = True) -> Iterator[tuple[ir.Stmt, bool]]:
    """Every statement at any depth, with whether its block is hoisted."""
    for statement in block:
        yield statement, is_hoisted
        is_inner_hoisted = is_hoisted and _must_hoist(statement, in_loop)
        inner_loop = in_loop or isinstance(statement, (ir.ForRange, ir.Loop))
        for inner in walk.blocks(statement):
            yield from _with_hoisting(inner, inner_loop, is_inner_hoisted)


# ---------------------------------------------------------------- hoisted values


def _hoistable(body: ir.Block, uniform: frozenset[int]) -> frozenset[int]:
    """Ids of the values and locals that can be hoisted: the largest set of which none depends on another value."""
    with_locals = any(has_barrier(statement) for statement in body)
    bound: set[int] = set()  # by statements that are hoisted themselves
    excluded: set[int] = set()
    candidates: dict[int, list[ir.Stmt]] = {}
    for statement, is_hoisted in _with_hoisting(body):
        if isinstance(statement, ir.ForRange) and has_barrier(statement):
            bound.add(statement.counter.id)
        elif isinstance(statement, ir.Uniform):
            bound.add(statement.value.id)
        key = _defined(statement, with_locals)
        if key is None:
            continue
        candidates.setdefault(key, []).append(statement)
        if not is_hoisted or key not in uniform:
            excluded.add(key)
    hoisted = (set(candidates) - excluded) | bound
    needed_by: dict[int, list[int]] = {}
    lost: list[int] = []
    for key in hoisted - bound:
        needs = {need for statement in candidates[key] for need in _needs(statement)}
        for need in needs:
            needed_by.setdefault(need, []).append(key)
        if not needs <= hoisted:
            lost.append(key)
    hoisted.difference_update(lost)
    while lost:  # each id is processed once
        for key in needed_by.get(lost.pop(), ()):
            if key in hoisted:
                hoisted.remove(key)
                lost.append(key)
    return frozenset(hoisted)


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
    """Ids of the values and locals that a statement reads; `_LOCAL_ID` if it reads a local id."""
    for expr in walk.expressions(statement):
        for part in walk.subexpressions(expr):
            if isinstance(part, (ir.Value, ir.Local)):
                yield part.id
            elif isinstance(part, ir.Builtin) and part.kind in IDS_OF_INVOCATIONS:
                yield _LOCAL_ID


# ---------------------------------------------------------------- regions


def _split(block: ir.Block, hoisted: frozenset[int], in_loop: bool) -> Iterator[Item]:
    region: list[ir.Stmt] = []
    for statement in block:
        if isinstance(statement, ir.Let) and statement.value.id in hoisted:
            yield Hoisted(statement)  # pure, and the region assigns none of its operands
        elif isinstance(statement, (ir.Declare, ir.Assign)) and statement.local.id in hoisted:
            if region and any(_reads(inner, statement.local.id) for inner in region):
                yield Region(tuple(region))
                region = []
            yield Hoisted(statement)
        elif _must_hoist(statement, in_loop):
            if region:
                yield Region(tuple(region))
                region = []
            inner_loop = in_loop or isinstance(statement, (ir.ForRange, ir.Loop))
            yield Hoisted(
                statement, tuple(tuple(_split(inner, hoisted, inner_loop)) for inner in walk.blocks(statement))
            )
        else:
            region.append(statement)
    if region:
        yield Region(tuple(region))


def _reads(statement: ir.Stmt, key: int) -> bool:
    exprs = (expr for inner in walk.statements((statement,)) for expr in walk.expressions(inner))
    return any(name.id == key for expr in exprs for name in read_by(expr))


# ---------------------------------------------------------------- uses across regions


def _record_uses(items: tuple[Item, ...], uses: dict[int, set[int]], known: dict[int, Name]) -> None:
    """Record for each id the regions that use it; each hoisted statement counts as a region."""
    for item in items:
        inside = (item.statement,) if isinstance(item, Hoisted) else tuple(walk.statements(item.statements))
        for statement in inside:
            for name in names_in(statement):
                known[name.id] = name
                uses.setdefault(name.id, set()).add(id(item))
        if isinstance(item, Hoisted):
            for inner in item.blocks:
                _record_uses(inner, uses, known)
