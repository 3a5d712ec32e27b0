"""Exits of loops as variables, for targets where an invocation cannot leave an iteration that others go on with.

    for k in range(n):                 for k in range(n):
        a()                                goes_on = true
        if c: continue                     a()
        b()                                if c: goes_on = false
                                           if goes_on: b()

A Break also assigns `ends`: the caller ends the loop after its last statement if that is true.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from gpucore.ir import nodes as n


def exits(block: n.Block) -> set[type[n.Stmt]]:
    """Which of Break and Continue a block contains, except those of nested loops."""
    found: set[type[n.Stmt]] = set()
    for statement in block:
        if isinstance(statement, n.Break | n.Continue):
            found.add(type(statement))
        elif isinstance(statement, n.If):
            found |= exits(statement.then) | exits(statement.orelse)
    return found


class ExitFlags:
    """Replaces exits of the body of one loop by assignments to its flags.

    An exit stays if all invocations reach it or none: `is_uniform` holds for the conditions of the branches around it,
    and no exit before it is replaced. The first `num_kept(block)` statements of a block stay too. If `ends` is None,
    every Break stays.
    """

    def __init__(
        self,
        goes_on: n.Local,
        ends: n.Local | None,
        is_uniform: Callable[[n.Expr], bool] = lambda condition: False,
        num_kept: Callable[[n.Block], int] = lambda block: 0,
    ) -> None:
        self._goes_on, self._ends, self._is_uniform, self._num_kept = goes_on, ends, is_uniform, num_kept
        self._kinds = (n.Continue,) if ends is None else (n.Continue, n.Break)

    def is_needed(self, block: n.Block, *, is_divergent: bool) -> bool:
        """Whether the block has an exit to replace. `is_divergent`: only some invocations may reach the block."""
        for statement in islice(block, self._num_kept(block), None):
            if isinstance(statement, self._kinds) and is_divergent:
                return True
            if isinstance(statement, n.If):
                inside = is_divergent or not self._is_uniform(statement.condition)
                if any(self.is_needed(arm, is_divergent=inside) for arm in (statement.then, statement.orelse)):
                    return True
        return False

    def replaced(self, block: n.Block, *, is_divergent: bool) -> n.Block:
        """The block up to the first exit to replace, and the rest on condition of `goes_on`."""
        for number, statement in islice(enumerate(block), self._num_kept(block), None):
            if isinstance(statement, self._kinds) and is_divergent:
                stops: n.Block = (n.Assign(self._goes_on, n.FALSE, statement.span),)
                if isinstance(statement, n.Break) and self._ends is not None:
                    stops += (n.Assign(self._ends, n.TRUE, statement.span),)
                return (*block[:number], *stops)
            if isinstance(statement, n.If) and self.is_needed((statement,), is_divergent=is_divergent):
                inside = is_divergent or not self._is_uniform(statement.condition)
                then, orelse = (self.replaced(arm, is_divergent=inside) for arm in (statement.then, statement.orelse))
                rest = self.replaced(block[number + 1 :], is_divergent=True)
                guarded = (n.If(self._goes_on, rest, (), statement.span),) if rest else ()
                return (*block[:number], n.If(statement.condition, then, orelse, statement.span), *guarded)
        return block
