"""Barriers of a subgroup in WGSL.

naga's `subgroupBarrier` waits for the subgroup. In MSL it also orders memory of the workgroup. In SPIR-V it orders
SubgroupMemory, which is neither that of the workgroup nor a buffer, and in HLSL nothing. So memory that invocations may
exchange is accessed by atomics where a kernel has such a barrier, and only drivers have the capability that keep
accesses by atomics in their order: NVIDIA's for Vulkan, and Metal. Mesa may give a later load what an earlier one has
loaded, unless a barrier orders that memory. WGSL has atomics of words alone: a kernel that exchanges anything else
waits for the workgroup.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Set
from typing import NamedTuple

from gpucore.plugin import ir
from gpucore.plugin.ir import F32, I32, U32, AtomicOp, SubgroupOp, walk

_WORDS = (I32, U32, F32)


def orders_subgroups(features: Set[str], api: str, driver: str) -> bool:
    """Whether an adapter has the capability SUBGROUP_BARRIER."""
    has_order = api.lower() == "metal" or (api.lower() == "vulkan" and "nvidia" in driver.lower())
    return has_order and features >= {"subgroup", "subgroup-barrier"}


def exchanged_memories(module: ir.Module) -> frozenset[ir.Memory]:
    """The memories whose order a barrier of a subgroup may have to give.

    Workgroup arrays that are read and written between two barriers of the workgroup, where one of a subgroup is too:
    barriers of the workgroup order the others. And all buffers that are read and written, as they do not order these.
    """
    spans = _Spans()
    last = spans.of(module.body)
    found = [*spans.closed, last.head, last.tail]
    arrays = {memory for span in found for memory in span.exchanged() if not isinstance(memory, ir.Buffer)}
    whole = _Span()
    for span in found:
        whole.add(span)
    return frozenset(arrays | {memory for memory in whole.exchanged() if isinstance(memory, ir.Buffer)})


class _Span:
    """What may run between two barriers of the workgroup: a stretch of the program, or several joined."""

    def __init__(self) -> None:
        self.read: set[ir.Memory] = set()
        self.written: set[ir.Memory] = set()
        self.has_barrier = False  # of a subgroup

    def add(self, other: _Span) -> None:
        self.read |= other.read
        self.written |= other.written
        self.has_barrier |= other.has_barrier

    def exchanged(self) -> set[ir.Memory]:
        return self.read & self.written if self.has_barrier else set()


class _Ends(NamedTuple):
    """The first and the last span of a block; the same one if it has no barrier of the workgroup."""

    head: _Span
    tail: _Span


class _Spans:
    """Divides a kernel into spans. `closed` are those that begin and end within a block."""

    def __init__(self) -> None:
        self.closed: list[_Span] = []

    def of(self, block: ir.Block) -> _Ends:
        head = here = _Span()
        for statement in block:
            if isinstance(statement, ir.Barrier):
                if here is not head:
                    self.closed.append(here)
                here = _Span()
            elif inner := walk.blocks(statement):
                for ends in map(self.of, inner):  # which may run once, again and again, or not at all
                    here.add(ends.head)
                    here.add(ends.tail)
            else:
                self._note(statement, here)
        return _Ends(head, here)

    @staticmethod
    def _note(statement: ir.Stmt, span: _Span) -> None:
        span.has_barrier |= _is_barrier(statement)
        place = walk.place_of(statement)
        if place is None or isinstance(place.memory, ir.PrivateArray):
            return
        if isinstance(statement, ir.Load | ir.Atomic):
            span.read.add(place.memory)
        if isinstance(statement, ir.Store) or (isinstance(statement, ir.Atomic) and statement.op is not AtomicOp.LOAD):
            span.written.add(place.memory)


def widen_barriers(module: ir.Module) -> ir.Module:
    """The kernel with barriers of the workgroup, if the memories that it exchanges are not all of words."""
    if all(memory.element in _WORDS for memory in exchanged_memories(module)):
        return module

    def on_block(block: ir.Block) -> ir.Block:
        return walk.same_or(block, [on_statement(statement) for statement in block])

    def on_statement(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.Subgroup) and _is_barrier(statement):
            return ir.Barrier(statement.span, statement.buffers)
        return walk.map_statement(statement, lambda expr: expr, on_block)

    return dataclasses.replace(module, body=on_block(module.body))


def _is_barrier(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.Subgroup) and statement.op is SubgroupOp.BARRIER
