"""How a kernel uses its memories, for emitters."""

from __future__ import annotations

from gpucore.immutable import Immutable
from gpucore.ir import Atomic, AtomicOp, Barrier, Buffer, Memory, Module, Store, walk


class MemoryFacts(Immutable):
    """See the fields of the same names in ValidModule."""

    atomic_memories: frozenset[Memory]
    written_buffers: frozenset[int]
    barrier_orders_buffers: bool


def memory_facts(module: Module) -> MemoryFacts:
    """How the kernel uses each memory. An atomic counts as a write unless it is a LOAD."""
    atomic: dict[int, Memory] = {}  # by identity: hashing a memory is slow
    written: set[int] = set()
    orders_buffers = False
    for statement in walk.statements(module.body):
        orders_buffers |= isinstance(statement, Barrier) and statement.buffers
        place = walk.place_of(statement)
        if place is None:
            continue
        if isinstance(statement, Atomic):
            atomic[id(place.memory)] = place.memory
        if isinstance(place.memory, Buffer) and _is_write(statement):
            written.add(place.memory.index)
    return MemoryFacts(frozenset(atomic.values()), frozenset(written), orders_buffers)


def _is_write(statement: object) -> bool:
    return isinstance(statement, Store) or (isinstance(statement, Atomic) and statement.op is not AtomicOp.LOAD)
