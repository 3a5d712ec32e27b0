"""How a kernel uses its memories, for emitters."""

from __future__ import annotations

from gpucore.immutable import Immutable
from gpucore.ir import Atomic, AtomicOp, Barrier, Block, Buffer, ForRange, If, Loop, Memory, Module, Store, walk


class MemoryFacts(Immutable):
    """See the fields of the same names in ValidModule."""

    atomic_memories: frozenset[Memory]
    written_buffers: frozenset[int]
    barrier_orders_buffers: bool


def memory_facts(module: Module) -> MemoryFacts:
    """How the kernel uses each memory. An atomic counts as a write unless it is a LOAD."""
    atomic: dict[int, Memory] = {}  # by identity: hashing a memory is slow
    written: set[int] = set()
    for statement in walk.statements(module.body):
        place = walk.place_of(statement)
        if place is None:
            continue
        if isinstance(statement, Atomic):
            atomic[id(place.memory)] = place.memory
        if isinstance(place.memory, Buffer) and _is_write(statement):
            written.add(place.memory.index)
    order = _Order()
    order.visit(module.body, None)
    return MemoryFacts(frozenset(atomic.values()), frozenset(written), order.barrier_orders_buffers())


def _is_write(statement: object) -> bool:
    return isinstance(statement, Store) or (isinstance(statement, Atomic) and statement.op is not AtomicOp.LOAD)


class _Order:
    """Positions of buffer writes, buffer uses and barriers in program order, as spans.

    A statement in a loop may run before and after any other statement of that loop: it gets the span of its outermost
    loop. A barrier must order a buffer only if a write may come before it and a use of the same buffer after it.
    """

    def __init__(self) -> None:
        self._position = 0
        self._first_write: dict[int, int] = {}
        self._last_use: dict[int, int] = {}
        self._barriers: list[tuple[int, int]] = []

    def visit(self, block: Block, loop: int | None) -> None:
        for statement in block:
            self._position += 1
            here = self._position if loop is None else loop
            if isinstance(statement, Barrier):
                self._barriers.append((here, self._position))
            elif isinstance(statement, If):
                self.visit(statement.then, loop)
                self.visit(statement.orelse, loop)
            elif isinstance(statement, (ForRange, Loop)):
                self._visit_loop(statement.body, loop)
            elif (place := walk.place_of(statement)) is not None and isinstance(place.memory, Buffer):
                index = place.memory.index
                self._last_use[index] = self._position
                if _is_write(statement):
                    self._first_write.setdefault(index, here)

    def _visit_loop(self, body: Block, loop: int | None) -> None:
        start, barriers = self._position, len(self._barriers)
        outer, self._last_use = self._last_use, {}
        self.visit(body, start if loop is None else loop)
        if loop is None:
            used = dict.fromkeys(self._last_use, self._position)
            self._barriers[barriers:] = [(first, self._position) for first, _ in self._barriers[barriers:]]
        else:
            used = self._last_use
        self._last_use = {**outer, **used}

    def barrier_orders_buffers(self) -> bool:
        return any(
            first_write < last and first < self._last_use[index]
            for index, first_write in self._first_write.items()
            for first, last in self._barriers
        )
