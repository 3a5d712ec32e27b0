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

from gpucore import ir
from gpucore.ir import F32, I32, U32, AtomicOp, SubgroupOp, walk

_WORDS = (I32, U32, F32)


def orders_subgroups(features: Set[str], api: str, driver: str) -> bool:
    """Whether an adapter has the capability SUBGROUP_BARRIER."""
    has_order = api.lower() == "metal" or (api.lower() == "vulkan" and "nvidia" in driver.lower())
    return has_order and features >= {"subgroup", "subgroup-barrier"}


def exchanged_memories(module: ir.Module) -> frozenset[ir.Memory]:
    """The memories that a kernel with barriers of a subgroup writes and reads; none if it has no such barrier."""
    if not any(map(_is_barrier, walk.statements(module.body))):
        return frozenset()
    written: set[ir.Memory] = set()
    read: set[ir.Memory] = set()
    for statement in walk.statements(module.body):
        place = walk.place_of(statement)
        if place is None or isinstance(place.memory, ir.PrivateArray):
            continue
        if isinstance(statement, ir.Load | ir.Atomic):
            read.add(place.memory)
        if isinstance(statement, ir.Store) or (isinstance(statement, ir.Atomic) and statement.op is not AtomicOp.LOAD):
            written.add(place.memory)
    return frozenset(written & read)


def widen_barriers(module: ir.Module) -> ir.Module:
    """The kernel with barriers of the workgroup, if the memories that it exchanges are not all of words."""
    if all(memory.element in _WORDS for memory in exchanged_memories(module)):
        return module

    def on_block(block: ir.Block) -> ir.Block:
        return walk.same_or(block, [on_statement(statement) for statement in block])

    def on_statement(statement: ir.Stmt) -> ir.Stmt:
        if _is_barrier(statement):
            return ir.Barrier(statement.span)
        return walk.map_statement(statement, lambda expr: expr, on_block)

    return dataclasses.replace(module, body=on_block(module.body))


def _is_barrier(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.Subgroup) and statement.op is SubgroupOp.BARRIER
