"""Continues of a loop with barriers that only some invocations reach: they become flags.

    for k in range(n):                 for k in range(n):
        barrier()                          goes_on = true
        if c: continue                     barrier()
        a()                                if c: goes_on = false
                                           if goes_on: a()

Such a loop runs outside of the loops over invocations, so its exits are jumps of the whole workgroup. There is no
barrier in what follows a `continue` of some invocations, and no `break` of some leaves such a loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Set
from dataclasses import replace
from itertools import islice

from gpucore import ir
from gpucore.ir import BOOL, walk
from gpucore.ir.walk import subexpressions
from gpucore_cpu.names import IDS_OF_INVOCATIONS
from gpucore_cpu.regions import has_barrier


def replace_exits(module: ir.Module, uniform: Set[int]) -> ir.Module:
    """The module with flags; the module itself if it needs none. `uniform` has the names that are the same in a whole
    workgroup."""
    body = _Exits(module, uniform).block(module.body)
    return module if body is module.body else replace(module, body=body)


class _Exits:
    def __init__(self, module: ir.Module, uniform: Set[int]) -> None:
        self._ids = itertools.count(walk.next_id(module))
        self._uniform = uniform

    def block(self, block: ir.Block) -> ir.Block:
        """The block; the block itself if nothing changes."""
        return walk.same_or(block, [self._statement(statement) for statement in block])

    def _statement(self, statement: ir.Stmt) -> ir.Stmt:
        new = walk.map_statement(statement, lambda expr: expr, self.block)
        if not isinstance(new, ir.ForRange | ir.Loop) or not has_barrier(new) or not self._differs(new.body):
            return new
        goes_on = ir.Local(next(self._ids), "goes_on", BOOL)
        return replace(new, body=(ir.Declare(goes_on, ir.TRUE, new.span), *self._flagged(new.body, goes_on)))

    def _flagged(self, block: ir.Block, goes_on: ir.Local, is_divergent: bool = False) -> ir.Block:
        """The block up to its first `continue` of some invocations, and the rest on condition of the flag."""
        for number, statement in islice(enumerate(block), _last_barrier(block), None):
            if isinstance(statement, ir.Continue) and is_divergent:
                return (*block[:number], ir.Assign(goes_on, ir.FALSE, statement.span))
            if isinstance(statement, ir.If) and self._differs((statement,), is_divergent):
                inside = is_divergent or not self._is_uniform(statement.condition)
                then, orelse = (self._flagged(arm, goes_on, inside) for arm in (statement.then, statement.orelse))
                rest = self._flagged(block[number + 1 :], goes_on, True)
                guarded = (ir.If(goes_on, rest, (), statement.span),) if rest else ()
                return (*block[:number], replace(statement, then=then, orelse=orelse), *guarded)
        return block

    def _differs(self, block: ir.Block, is_divergent: bool = False) -> bool:
        """Whether a block has a `continue` that only some invocations reach, `is_divergent`: as they do the block."""
        for statement in block[_last_barrier(block) :]:
            if isinstance(statement, ir.Continue) and is_divergent:
                return True
            if isinstance(statement, ir.If):
                inside = is_divergent or not self._is_uniform(statement.condition)
                if self._differs(statement.then, inside) or self._differs(statement.orelse, inside):
                    return True
        return False

    def _is_uniform(self, condition: ir.Expr) -> bool:
        for part in subexpressions(condition):
            if isinstance(part, (ir.Value, ir.Local)) and part.id not in self._uniform:
                return False
            if isinstance(part, ir.Builtin) and part.kind in IDS_OF_INVOCATIONS:
                return False
        return True


def _last_barrier(block: ir.Block) -> int:
    """The number of the last statement with a barrier, before which all invocations go on or none; or 0."""
    return max((number for number, statement in enumerate(block) if has_barrier(statement)), default=0)
