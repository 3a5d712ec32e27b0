"""Early exits other than break of a real loop: taking an exit, and guarding the code that it skips."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.front.state.flow import Exit, merge_bindings
from gpucore.ir import build


def emit_exit(context: Context, exit_: Exit, node: ast.AST) -> None:
    """Take an exit: set its flag, and break out of the innermost real loop if the target is outside of it."""
    span = context.span(node)
    context.builder.emit(ir.Assign(exit_.flag, ir.TRUE, span))
    if context.loop_depth > exit_.loop_depth:
        context.builder.emit(ir.Break(span))
    exit_.paths.append(dict(context.flow.bindings))
    context.flow.pending.add(exit_)
    context.flow.is_reachable = False


def merge_exit(context: Context, exit_: Exit, reason: str) -> bool:
    """Merge the paths that took the exit into the current flow, which is at its target. Whether there were any."""
    flow = context.flow
    if exit_ not in flow.pending:
        return False
    flow.pending.discard(exit_)
    paths = [*exit_.paths, flow.bindings] if flow.is_reachable else exit_.paths
    merged = merge_bindings(paths)
    for name in {name for path in paths for name in path} - merged.keys():
        flow.unassigned[name] = reason
    flow.bindings, flow.is_reachable = merged, True
    exit_.paths = []
    return True


def exits_of_this_loop(context: Context, exits: Iterable[Exit]) -> list[Exit]:
    """The exits without a real loop between here and the target: the code they skip must be nested or guarded."""
    return sorted((e for e in exits if e.loop_depth == context.loop_depth), key=lambda e: e.flag.id)


def open_guard(context: Context) -> AbstractContextManager[None] | None:
    """Open a block for the rest of a statement list, which pending exits skip; None if no exit is pending."""
    if not context.flow.pending:
        return None
    exits = exits_of_this_loop(context, context.flow.pending)
    if not exits:
        return None
    condition: ir.Expr | None = None
    for exit_ in exits:
        not_taken = build.logical_not(exit_.flag)
        condition = not_taken if condition is None else build.logical_and(condition, not_taken)
    assert condition is not None
    return _guarded(context, condition)


@contextmanager
def _guarded(context: Context, condition: ir.Expr) -> Iterator[None]:
    pending = context.flow.pending
    context.flow.pending = set()
    with context.builder.open() as block:
        yield
    context.flow.pending |= pending
    context.builder.emit(ir.If(condition, tuple(block)))
