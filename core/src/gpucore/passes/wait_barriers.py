"""needs_wait_barriers: whether a kernel's accesses to workgroup memory need the barriers after its waits for copies.

A wait for copies ends with a barrier. Where another invocation copies (`passes.split_roles`), the tiles need none. But
a kernel may also store to other workgroup memory before the wait, and read it after, or the other way round.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TypeAlias

from gpucore.ir import (
    Atomic,
    Barrier,
    Block,
    Break,
    Continue,
    CopyPart,
    CopyWait,
    ForRange,
    If,
    Loop,
    Memory,
    Stmt,
    Store,
    WorkgroupArray,
    walk,
)

_Accesses: TypeAlias = frozenset[tuple[Memory, int, bool]]
"""Since the last barrier: the memory, which statement it is, and whether that writes."""


def needs_wait_barriers(body: Block, targets: Set[Memory]) -> bool:
    """Whether two accesses to memory that is no target of copies are in order only by a barrier after a wait."""
    with_them, without = _Conflicts(targets, drops=False), _Conflicts(targets, drops=True)
    with_them.of_block(body, frozenset())
    without.of_block(body, frozenset())
    return without.found != with_them.found


class _Conflicts:
    """Pairs of accesses to one memory, at least one of them a write, that may have no barrier in between."""

    def __init__(self, targets: Set[Memory], *, drops: bool) -> None:
        self._targets = targets
        self._drops = drops  # the barriers right after waits
        self.found: set[tuple[int, int]] = set()

    def of_block(self, block: Block, before: _Accesses) -> _Accesses:
        """What may have been accessed since the last barrier after a block, by what may have been so before it."""
        for at, statement in enumerate(block):
            match statement:
                case Barrier() if not (self._drops and at and isinstance(block[at - 1], CopyWait)):
                    before = frozenset()
                case If(then=then, orelse=orelse):
                    before = self.of_block(then, before) | self.of_block(orelse, before)
                case ForRange(body=body) | Loop(body=body):
                    before = self._of_loop(body, before)
                case _:
                    before = self._of_statement(statement, before)
        return before

    def _of_loop(self, body: Block, before: _Accesses) -> _Accesses:
        again = before | self.of_block(body, before)
        after = again | self.of_block(body, again)
        inside = list(walk.statements(body))
        if any(isinstance(each, (Break, Continue)) for each in inside):  # which may leave out a barrier
            after = after.union(*map(self._accesses, inside))
            after = after | self.of_block(body, after)
        return after

    def _of_statement(self, statement: Stmt, before: _Accesses) -> _Accesses:
        own = self._accesses(statement)
        for memory, second, is_written in own:
            self.found.update(
                (first, second) for other, first, was_written in before if other is memory and is_written | was_written
            )
        return before | own

    def _accesses(self, statement: Stmt) -> _Accesses:
        if isinstance(statement, CopyPart):
            return frozenset()
        is_written = isinstance(statement, (Store, Atomic))
        memories = (place.memory for place in walk.places_of(statement))
        return frozenset(
            (each, id(statement), is_written)
            for each in memories
            if isinstance(each, WorkgroupArray) and each not in self._targets
        )
