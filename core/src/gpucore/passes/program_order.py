"""When statements run, as far as the text of a kernel says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gpucore.immutable import Immutable
from gpucore.ir import Block, ForRange, If, Loop, Stmt, walk


class Time(Immutable):
    """When statements run, in program order: from `first` to `last`.

    What is in a loop may run before and after all else in it: it counts from the beginning to the end of its outermost
    loop. `blocks` are those around the statements, by number, the innermost last.
    """

    first: int
    last: int
    blocks: tuple[int, ...]
    in_loop: bool

    def is_before(self, other: Time) -> bool:
        """Whether these statements never run after those."""
        return self.last < other.first

    def and_later(self, other: Time) -> Time:
        """The time of these statements and of others that begin later."""
        common = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(self.blocks, other.blocks, strict=False))
        blocks = tuple(block for block, _ in common)
        return Time(self.first, max(self.last, other.last), blocks, self.in_loop or other.in_loop)

    def separates(self, before: Time, after: Time) -> bool:
        """Whether this statement always runs between the two: it is in a block around one of them, and in no loop."""
        inner = self.blocks[-1]
        is_around = inner in before.blocks or inner in after.blocks
        return is_around and not self.in_loop and before.is_before(self) and self.is_before(after)


def times(body: Block) -> Iterator[tuple[Stmt, Time]]:
    """Every statement but branches and loops, in program order, with its time."""
    return _Numbering().visit(body, (), None)


class _Numbering:
    def __init__(self) -> None:
        self._position = 0
        self._blocks = itertools.count()

    def visit(self, block: Block, outer: tuple[int, ...], loop: tuple[int, int] | None) -> Iterator[tuple[Stmt, Time]]:
        """`loop`: when the outermost loop around the block begins and ends."""
        blocks = (*outer, next(self._blocks))
        for statement in block:
            self._position += 1
            first, last = loop or (self._position, self._position)
            if isinstance(statement, If):
                yield from self.visit(statement.then, blocks, loop)
                yield from self.visit(statement.orelse, blocks, loop)
            elif isinstance(statement, (ForRange, Loop)):
                length = sum(1 for _ in walk.statements(statement.body))
                yield from self.visit(statement.body, blocks, loop or (first, first + length))
            else:
                yield statement, Time(first, last, blocks, loop is not None)
