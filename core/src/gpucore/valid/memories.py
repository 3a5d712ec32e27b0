"""What a kernel does to its memories, as emitters need to know it."""

from __future__ import annotations

from dataclasses import dataclass

from gpucore.ir import Atomic, AtomicOp, Barrier, Buffer, Load, Memory, Module, Store, walk


@dataclass(frozen=True, slots=True)
class MemoryFacts:
    """The fields of the same names in ValidModule."""

    atomic_memories: frozenset[Memory]
    written_buffers: frozenset[int]
    barrier_orders_buffers: bool


def memory_facts(module: Module) -> MemoryFacts:
    """Collected in one walk. An atomic counts as a read, and as a write unless it is a LOAD."""
    atomic: dict[int, Memory] = {}  # by identity or id: hashing a memory is slow
    read: set[int] = set()
    written: set[int] = set()
    has_barrier = False
    for statement in walk.statements(module.body):
        if isinstance(statement, Barrier):
            has_barrier = True
        place = walk.place_of(statement)
        if place is None:
            continue
        memory = place.memory
        if isinstance(statement, Atomic):
            atomic[id(memory)] = memory
        if isinstance(memory, Buffer):
            if isinstance(statement, (Load, Atomic)):
                read.add(memory.index)
            if isinstance(statement, Store) or (isinstance(statement, Atomic) and statement.op is not AtomicOp.LOAD):
                written.add(memory.index)
    return MemoryFacts(frozenset(atomic.values()), frozenset(written), has_barrier and not read.isdisjoint(written))
