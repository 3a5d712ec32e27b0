"""Exits that are no break of a real loop: taking one, and guarding what it skips."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.front.state.flow import Exit, merge_bindings
from gpucore.ir import build


def emit_exit(context: Context, exit_: Exit, node: ast.AST) -> None:
    """Leave to an exit: note it, and break out of the innermost real loop that is open between here and there."""
    span = context.span(node)
    context.builder.emit(ir.Assign(exit_.flag, ir.TRUE, span))
    if context.loop_depth > exit_.loop_depth:
        context.builder.emit(ir.Break(span))
    exit_.paths.append(dict(context.flow.bindings))
    context.flow.pending.add(exit_)
    context.flow.is_reachable = False


def merge_exit(context: Context, exit_: Exit, reason: str) -> bool:
    """Control is where the exit leads: whoever took it goes on from here. Whether anyone did."""
    flow = context.flow
    if exit_ not in flow.pending:
        return False
    flow.pending.discard(exit_)
    paths = [*exit_.paths, flow.bindings] if flow.is_reachable else exit_.paths
    met = merge_bindings(paths)
    for name in {name for path in paths for name in path} - met.keys():
        flow.unassigned[name] = reason
    flow.bindings, flow.is_reachable = met, True
    exit_.paths = []
    return True


def structured(context: Context, exits: Iterable[Exit]) -> list[Exit]:
    """Those exits that no real break has carried out: what follows them must be skipped by structure."""
    return sorted((e for e in exits if e.loop_depth == context.loop_depth), key=lambda e: e.flag.id)


def open_guard(context: Context) -> AbstractContextManager[None] | None:
    """A block to put the rest of a statement list into, so that pending exits skip it; None where none is pending."""
    if not context.flow.pending:
        return None
    exits = structured(context, context.flow.pending)
    if not exits:
        return None
    condition: ir.Expr | None = None
    for exit_ in exits:
        clear = build.logical_not(exit_.flag)
        condition = clear if condition is None else build.logical_and(condition, clear)
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
