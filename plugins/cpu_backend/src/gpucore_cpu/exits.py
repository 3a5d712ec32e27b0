"""Continues of a loop with barriers that only some invocations reach: they become flags, see `gpucore.ir.exits`.

Such a loop runs outside of the loops over invocations, so its exits are jumps of the whole workgroup. There is no
barrier in what follows a `continue` of some invocations, and no `break` of some leaves such a loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Set
from dataclasses import replace

from gpucore.plugin import ir
from gpucore.plugin.ir import BOOL, ExitFlags, walk
from gpucore_cpu.regions import has_barrier


def replace_exits(module: ir.Module, uniform: Set[int]) -> ir.Module:
    """The module with flags; the module itself if it needs none. `uniform` has the names that are the same in a whole
    workgroup."""
    ids = itertools.count(walk.next_id(module))

    def on_block(block: ir.Block) -> ir.Block:
        return walk.same_or(block, [on_statement(statement) for statement in block])

    def on_statement(statement: ir.Stmt) -> ir.Stmt:
        new = walk.map_statement(statement, lambda expr: expr, on_block)
        if not isinstance(new, ir.ForRange | ir.Loop) or not has_barrier(new):
            return new
        goes_on = ir.Local(next(ids), "goes_on", BOOL)
        flags = ExitFlags(goes_on, None, lambda condition: walk.is_uniform(condition, uniform), _last_barrier)
        if not flags.is_needed(new.body, is_divergent=False):
            return new
        body = flags.replaced(new.body, is_divergent=False)
        return replace(new, body=(ir.Declare(goes_on, ir.TRUE, new.span), *body))

    body = on_block(module.body)
    return module if body is module.body else replace(module, body=body)


def _last_barrier(block: ir.Block) -> int:
    """The number of the last statement with a barrier, before which all invocations go on or none; or 0."""
    return max((number for number, statement in enumerate(block) if has_barrier(statement)), default=0)
