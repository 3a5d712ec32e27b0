"""split_roles: another invocation copies tiles than those that multiply them, so that neither has to wait for the
instructions of the other ("warp specialization": M. Bauer, H. Cook and B. Khailany, "CudaDMA: optimizing GPU memory
bandwidth via warp specialization", 2011).

A kernel that copies parts of arrays ahead and multiplies them by groups of subgroups becomes two blocks (`ir.Roles`).
Each keeps the control flow and the numbers that it needs. A copy after a wait, without a barrier in between, goes to
memory that nothing reads between the two: other invocations may still be reading there, so that a kernel that did so
would be wrong without this pass, too. Therefore those that compute release the places of a group right after the wait,
wherever its copies are.
"""

from __future__ import annotations

import dataclasses
import functools

from gpucore.ir import (
    I32,
    MATRIX_LANES,
    Assign,
    Atomic,
    Barrier,
    Block,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    Continue,
    CopyAsync,
    CopyGroup,
    CopyPart,
    CopyWait,
    Declare,
    DeclareArray,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Limits,
    Load,
    Local,
    Loop,
    MatrixAccumulate,
    Module,
    Param,
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
from gpucore.passes.wait_barriers import needs_wait_barriers

_RESERVED = 1024
"""Bytes of workgroup memory for what counts the groups, at the alignment of tiles."""

_KEPT = (Let, Declare, Assign, DeclareArray, CopyPart, Break, Continue)
_MOST_ROWS = 256
"""Of a part that one instruction copies."""

_RELEASE = PipelineStep(PipelineOp.RELEASE)
_OF_DISPATCH = (BuiltinKind.WORKGROUP_ID, BuiltinKind.NUM_WORKGROUPS)


def split_roles(valid: ValidModule, limits: Limits) -> Roles | None:
    """The roles of a kernel that multiplies by groups, all copies of which are of parts of arrays that it does not
    write, and that has room; otherwise None."""
    module = valid.module
    found = list(walk.statements(module.body))
    pending = [statement.pending for statement in found if isinstance(statement, CopyWait)]
    copies = [statement for statement in found if isinstance(statement, CopyPart)]
    targets = {copy.place.memory for copy in copies}
    if Capability.MATRIX_GROUPS not in valid.needs or not pending or not copies or not _fits(module, limits):
        return None
    if any(isinstance(each, (Store, Atomic)) and each.place.memory in targets for each in found):
        return None  # these are ordered by barriers
    if any(isinstance(each, CopyAsync) for each in found) or not all(_is_of_view(valid, copy) for copy in copies):
        return None
    body = (*module.body, CopyGroup())  # of the last copies, which may have none
    computing = _without_copies(body, needs_wait_barriers(module.body, targets))
    copying = _swept(module, _kept_for_copies(valid, body))
    if not _is_complete(copying, _written_by_products(found)):
        return None
    depth = 4
    while depth < max(pending) + 2:
        depth *= 2
    return Roles(_acquiring(copying), _swept(module, computing), depth)


def _is_of_view(valid: ValidModule, copy: CopyPart) -> bool:
    """Whether one instruction copies it: the array is the same in the whole dispatch."""
    is_fixed = copy.source.index == Constant(0, I32) and all(isinstance(length, Param) for length in copy.lengths)
    return is_fixed and copy.rows <= _MOST_ROWS and not _is_written(valid, copy.source.memory)


def _fits(module: Module, limits: Limits) -> bool:
    """Whether there is room for another subgroup and for what counts the groups, beside as many workgroups as there is
    room for without."""
    x, *others = module.workgroup_size
    memory, workgroups = WorkgroupMemory(module).nbytes, module.min_workgroups or 1
    together = min(workgroups, limits.max_workgroup_memory // max(memory, 1))
    return (
        others == [1, 1]
        and x + MATRIX_LANES <= limits.max_workgroup_invocations
        and (memory + _RESERVED) * together <= limits.max_workgroup_memory
    )


def _is_written(valid: ValidModule, memory: object) -> bool:
    return isinstance(memory, Buffer) and memory.index in valid.written_buffers


def _swept(module: Module, body: Block) -> Block:
    return remove_dead_code(dataclasses.replace(module, body=body)).body


def _written_by_products(statements: list[Stmt]) -> set[int]:
    """The ids of private arrays that statements write which those that copy leave out."""
    written: set[int] = set()
    for statement in statements:
        if isinstance(statement, (GroupMultiply, GroupWait)):
            written.add(statement.sums.id)
        elif isinstance(statement, MatrixAccumulate):
            written.add(statement.sums.array.id)
    return written


def _is_complete(block: Block, undefined: set[int]) -> bool:
    """Whether all that a block uses is defined in it, is the same for all invocations, and is none of the private
    arrays that it leaves `undefined`."""
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
    return used <= defined - undefined


def _without_copies(block: Block, has_barriers: bool) -> Block:
    """A block for those that compute; with `has_barriers` those after waits remain."""
    out: list[Stmt] = []
    after_wait: int | None = None  # where the last wait ends, unless there was a barrier after it
    for at, statement in enumerate(block):
        match statement:
            case CopyPart():
                continue
            case CopyGroup():
                out.insert(len(out) if after_wait is None else after_wait, _RELEASE)
            case CopyWait(pending):
                out.append(PipelineStep(PipelineOp.WAIT, pending, statement.span))
                after_wait = len(out)
            case Barrier() if not has_barriers and at and isinstance(block[at - 1], CopyWait):
                continue  # the wait is for all of them
            case _:
                inner = functools.partial(_without_copies, has_barriers=has_barriers)
                out.append(walk.map_statement(statement, lambda expr: expr, inner))
                if any(isinstance(each, (Barrier, PipelineStep)) for each in walk.statements((out[-1],))):
                    after_wait = None
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
        if any(isinstance(each, CopyPart) for each in inside):
            out.append(PipelineStep(PipelineOp.ACQUIRE, span=statement.span))
        out.append(statement)
    return tuple(out)
