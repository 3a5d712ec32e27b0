"""remove_dead_code and remove_unused_arguments: drop what no Store, Atomic, barrier, Debug or exit depends on.

Marking starts at those and follows dependencies: the definitions of values, every Assign of a local, every Store to a
private array, and the conditions around each. What is not marked is removed. A bounds check belongs to the access after
it, and is removed with it.
"""

from __future__ import annotations

import dataclasses
from itertools import zip_longest

from gpucore.ir import (
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Block,
    Bounds,
    Break,
    Continue,
    CooperativeLoad,
    CooperativeOperation,
    CooperativeStore,
    CopyAsync,
    CopyGroup,
    CopyPart,
    CopyWait,
    Debug,
    Declare,
    DeclareArray,
    DeviceFence,
    Expr,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Local,
    Loop,
    MatrixAccumulate,
    MatrixLoad,
    MatrixMultiply,
    Module,
    Param,
    PipelineStep,
    Prefetch,
    PrivateArray,
    Stmt,
    Store,
    Subgroup,
    Together,
    Uniform,
    Value,
    WorkgroupArray,
    walk,
)
from gpucore.passes.identities import negate


def remove_dead_code(module: Module) -> Module:
    """The module without dead statements; the module itself where there are none."""
    marker = _Marker()
    marker.collect(module.body, None)
    marker.run()
    body = _Sweeper(marker.live).block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


class _Control:
    """A branch or loop; live as soon as it contains something live."""

    __slots__ = ("expressions", "is_live", "parent")

    def __init__(self, expressions: tuple[Expr, ...], parent: _Control | None) -> None:
        self.expressions, self.parent, self.is_live = expressions, parent, False


_EFFECTS = (  # unless they define a value
    Store, Prefetch, Atomic, Barrier, DeviceFence, Together, Subgroup, CooperativeStore, CopyAsync, CopyPart, CopyGroup,
    CopyWait, PipelineStep, Bounds, Debug, Break, Continue,
)  # fmt: skip
_VALUES = (Let, Load, Subgroup, MatrixLoad, MatrixMultiply, CooperativeLoad, CooperativeOperation, Uniform)
_Definition = tuple[tuple[Expr, ...], "_Control | None"]


class _Marker:
    def __init__(self) -> None:
        self.live: set[int] = set()  # ids of values, locals and private arrays
        self._definitions: dict[int, list[_Definition]] = {}
        self._roots: list[_Definition] = []

    def collect(self, block: Block, control: _Control | None) -> None:
        for statement, following in zip_longest(block, block[1:]):
            expressions = walk.expressions(statement)
            if isinstance(statement, MatrixAccumulate):
                expressions = tuple(Local(part.array.id, "", part.array.element) for part, _ in statement.parts)
            target = _defined_by(following if isinstance(statement, Bounds) else statement)
            if target is not None:
                self._definitions.setdefault(target, []).append((expressions, control))
            if isinstance(statement, Load) and isinstance(statement.place.memory, PrivateArray):
                array = Local(statement.place.memory.id, "", statement.value.type)
                self._definitions[statement.value.id].append(((array,), control))
            elif isinstance(statement, (GroupMultiply, GroupWait)):
                self._roots.append(((*expressions, Local(statement.sums.id, "", statement.sums.element)), control))
            elif isinstance(statement, _EFFECTS) and target is None:
                self._roots.append((expressions, control))
            if isinstance(statement, (If, ForRange, Loop)):
                inner = _Control(expressions, control)
                if isinstance(statement, Loop):
                    self._roots.append(((), inner))  # a loop may be infinite, which is an effect
                elif isinstance(statement, ForRange):
                    self._definitions.setdefault(statement.counter.id, []).append((expressions, inner))
                for nested in walk.blocks(statement):
                    self.collect(nested, inner)
            if isinstance(statement, (Break, Continue)):
                break  # the rest is unreachable

    def run(self) -> None:
        pending = self._roots
        while pending:
            expressions, control = pending.pop()
            while control is not None and not control.is_live:
                control.is_live = True
                pending.append((control.expressions, None))
                control = control.parent
            for expr in expressions:
                for leaf in walk.leaves(expr):
                    if isinstance(leaf, (Value, Local)) and leaf.id not in self.live:
                        self.live.add(leaf.id)
                        pending.extend(self._definitions.get(leaf.id, ()))


def _defined_by(statement: Stmt | None) -> int | None:
    """Id of what the statement defines; None if it has an effect of its own."""
    if isinstance(statement, _VALUES) and statement.value is not None:
        return statement.value.id
    if isinstance(statement, (Assign, Declare)):
        return statement.local.id
    if isinstance(statement, Store) and isinstance(statement.place.memory, PrivateArray):
        return statement.place.memory.id
    if isinstance(statement, MatrixAccumulate):
        return statement.sums.array.id
    return None


class _Sweeper:
    def __init__(self, live: set[int]) -> None:
        self._live = live

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            kept = self._statement(statement)
            if kept is not None:
                out.append(kept)
            elif out and isinstance(out[-1], Bounds):
                out.pop()
            if isinstance(statement, (Break, Continue)):
                break
        return walk.same_or(block, out)

    def _statement(self, statement: Stmt) -> Stmt | None:
        target = _defined_by(statement)
        if target is not None:
            return statement if target in self._live else None
        match statement:
            case DeclareArray():
                return statement if statement.array.id in self._live else None
            case Atomic() if statement.value is not None and statement.value.id not in self._live:
                # the only effect of an atomic load is its value, but it stays, like every Atomic
                return statement if statement.op is AtomicOp.LOAD else dataclasses.replace(statement, value=None)
            case If():
                return _swept_if(statement, self.block(statement.then), self.block(statement.orelse))
            case ForRange() | Loop():
                body = self.block(statement.body)
                if isinstance(statement, ForRange) and not body:
                    return None
                return statement if body is statement.body else dataclasses.replace(statement, body=body)
            case _:
                return statement


def _swept_if(statement: If, then: Block, orelse: Block) -> If | None:
    if not then and not orelse:
        return None
    if not then:
        return If(negate(statement.condition), orelse, (), statement.span)
    same = then is statement.then and orelse is statement.orelse
    return statement if same else If(statement.condition, then, orelse, statement.span)


def remove_unused_arguments(module: Module) -> Module:
    """Drops unused params and workgroup arrays and renumbers the remaining params. Buffers keep their bindings."""
    params: set[int] = set()
    arrays: set[int] = set()
    for statement in walk.statements(module.body):
        memories = (place.memory for place in walk.places_of(statement))
        arrays.update(memory.id for memory in memories if isinstance(memory, WorkgroupArray))
        for expr in walk.expressions(statement):
            params.update(leaf.index for leaf in walk.leaves(expr) if isinstance(leaf, Param))
    kept = tuple(array for array in module.workgroup_arrays if array.id in arrays)
    if len(kept) != len(module.workgroup_arrays):
        module = dataclasses.replace(module, workgroup_arrays=kept)
    return module if len(params) == len(module.params) else _renumbered(module, params)


def _renumbered(module: Module, used: set[int]) -> Module:
    indices = sorted(used)
    renamed = {old: dataclasses.replace(module.params[old], index=new) for new, old in enumerate(indices)}
    origins = tuple(module.origins[old] for old in indices)

    def leaf(found: walk.Leaf) -> Expr:
        return renamed[found.index] if isinstance(found, Param) else found

    body = walk.map_block(module.body, lambda expr: walk.map_leaves(expr, leaf))
    return dataclasses.replace(module, params=tuple(renamed.values()), origins=origins, body=body)
