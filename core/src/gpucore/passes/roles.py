"""split_roles: another invocation copies tiles than those that multiply them, so that neither has to wait for the
instructions of the other ("warp specialization": M. Bauer, H. Cook and B. Khailany, "CudaDMA: optimizing GPU memory
bandwidth via warp specialization", 2011).

A kernel that copies whole tiles ahead and multiplies them by groups of subgroups becomes two blocks (`ir.Roles`). Each
keeps the control flow and the numbers that it needs. A copy after a wait goes to memory that nothing reads between the
two: other invocations may still be reading there, so that a kernel that did so would be wrong without this pass, too.
Therefore those that compute release the places of a group as soon as they come to it, whatever they compute meanwhile.
"""

from __future__ import annotations

import dataclasses

from gpucore.ir import (
    MATRIX_LANES,
    Assign,
    Barrier,
    Block,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Continue,
    CopyAsync,
    CopyGroup,
    CopyWait,
    Declare,
    DeclareArray,
    ForRange,
    If,
    Let,
    Limits,
    Load,
    Local,
    Loop,
    Module,
    PipelineOp,
    PipelineStep,
    PrivateArray,
    Roles,
    Stmt,
    Store,
    Uniform,
    ValidModule,
    Value,
    WorkgroupArray,
    walk,
)
from gpucore.ir.workgroup_memory import WorkgroupMemory
from gpucore.passes.dead_code import remove_dead_code

_RESERVED = 1024
"""Bytes of workgroup memory for what counts the groups, at the alignment of tiles."""

_KEPT = (Let, Declare, Assign, DeclareArray, CopyAsync, Break, Continue)
_OF_DISPATCH = (BuiltinKind.WORKGROUP_ID, BuiltinKind.NUM_WORKGROUPS)


def split_roles(valid: ValidModule, limits: Limits) -> Roles | None:
    """The roles of a kernel that multiplies by groups, all copies of which are whole ones, and that has room; otherwise
    None."""
    module = valid.module
    found = list(walk.statements(module.body))
    pending = [statement.pending for statement in found if isinstance(statement, CopyWait)]
    targets = {statement.place.memory for statement in found if isinstance(statement, CopyAsync)}
    if Capability.MATRIX_GROUPS not in valid.needs or not pending or not targets or not _fits(module, limits):
        return None
    if any(isinstance(each, Store) and each.place.memory in targets for each in found):
        return None  # these are ordered by barriers
    if not all(
        each.is_whole and not _is_written(valid, each.source.memory) for each in found if isinstance(each, CopyAsync)
    ):
        return None
    computing = _without_copies(module.body)
    if any(isinstance(statement, Barrier) for statement in walk.statements(computing)):
        return None
    copying = _swept(module, _kept_for_copies(valid, module.body))
    if not _is_complete(copying):
        return None
    depth = 4
    while depth < max(pending) + 2:
        depth *= 2
    return Roles(_acquiring(copying), _swept(module, computing), depth)


def _fits(module: Module, limits: Limits) -> bool:
    memory, (x, *others) = WorkgroupMemory(module).nbytes + _RESERVED, module.workgroup_size
    return (
        others == [1, 1]
        and x + MATRIX_LANES <= limits.max_workgroup_invocations
        and memory * (module.min_workgroups or 1) <= limits.max_workgroup_memory
    )


def _is_written(valid: ValidModule, memory: object) -> bool:
    return isinstance(memory, Buffer) and memory.index in valid.written_buffers


def _swept(module: Module, body: Block) -> Block:
    return remove_dead_code(dataclasses.replace(module, body=body)).body


def _is_complete(block: Block) -> bool:
    """Whether all that a block uses is defined in it, and is the same for all invocations."""
    defined: set[int] = set()
    used: set[int] = set()
    for statement in walk.statements(block):
        value = walk.bound_value(statement)
        if value is not None:
            defined.add(value.id)
        if isinstance(statement, Declare):
            defined.add(statement.local.id)
        if isinstance(statement, DeclareArray):
            defined.add(statement.array.id)
        used.update(place.memory.id for place in walk.places_of(statement) if isinstance(place.memory, PrivateArray))
        for expr in walk.expressions(statement):
            for leaf in walk.leaves(expr):
                if isinstance(leaf, (Value, Local)):
                    used.add(leaf.id)
                elif isinstance(leaf, Builtin) and leaf.kind not in _OF_DISPATCH:
                    return False
    return used <= defined


def _without_copies(block: Block) -> Block:
    out: list[Stmt] = []
    for at, statement in enumerate(block):
        match statement:
            case CopyAsync():
                continue
            case CopyGroup():
                out.append(PipelineStep(PipelineOp.RELEASE, span=statement.span))
            case CopyWait(pending):
                out.append(PipelineStep(PipelineOp.WAIT, pending, statement.span))
            case Barrier() if at and isinstance(block[at - 1], CopyWait):
                continue  # the wait is for all of them
            case _:
                out.append(walk.map_statement(statement, lambda expr: expr, _without_copies))
    return walk.same_or(block, out)


def _kept_for_copies(valid: ValidModule, block: Block) -> Block:
    """A block without all but copies, and what may be needed for them."""

    def is_constant(statement: Load | Store) -> bool:
        """Whether it concerns memory of the invocation alone, or that nobody writes."""
        memory = statement.place.memory
        if isinstance(statement, Store) or isinstance(memory, WorkgroupArray):
            return isinstance(memory, PrivateArray)
        return not _is_written(valid, memory)

    def kept(statement: Stmt) -> Stmt | None:
        match statement:
            case CopyGroup():
                return PipelineStep(PipelineOp.COMMIT, span=statement.span)
            case If() | ForRange() | Loop():
                return walk.map_statement(statement, lambda expr: expr, inner)
            case Uniform(value, expr):
                return Let(value, expr, statement.span)
            case Load() | Store():
                return statement if is_constant(statement) else None
            case _:
                return statement if isinstance(statement, _KEPT) else None

    def inner(block: Block) -> Block:
        return tuple(made for statement in block if (made := kept(statement)) is not None)

    return inner(block)


def _acquiring(block: Block) -> Block:
    """The block with a step before the copies of each group, which a second one for it leaves alone."""
    out: list[Stmt] = []
    for statement in block:
        inside = list(walk.statements((statement,)))
        if any(isinstance(each, PipelineStep) for each in inside):
            out.append(walk.map_statement(statement, lambda expr: expr, _acquiring))
            continue
        if any(isinstance(each, CopyAsync) for each in inside):
            out.append(PipelineStep(PipelineOp.ACQUIRE, span=statement.span))
        out.append(statement)
    return tuple(out)
