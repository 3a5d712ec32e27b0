"""Exits that are no break of a real loop: taking one, and guarding what it skips."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from gpucore import ir
from gpucore.front.context import Context, Exit


def take_exit(context: Context, exit_: Exit, node: ast.AST) -> None:
    """Leave to an exit: note it, and break out of the innermost real loop that is open between here and there."""
    span = context.span(node)
    context.builder.emit(ir.Assign(exit_.flag, ir.TRUE, span))
    if context.loop_depth > exit_.loop_depth:
        context.builder.emit(ir.Break(span))
    context.flow.pending.add(exit_)
    context.flow.falls = False


def structured(context: Context, exits: Iterable[Exit]) -> list[Exit]:
    """Those exits that no real break has carried out: what follows them must be skipped by structure."""
    return sorted((e for e in exits if e.loop_depth == context.loop_depth), key=lambda e: e.flag.id)


def take_guard(context: Context) -> AbstractContextManager[None] | None:
    """A block to put the rest of a statement list into, so that pending exits skip it; None where none is pending."""
    exits = structured(context, context.flow.pending)
    if not exits:
        return None
    condition: ir.Expr | None = None
    for exit_ in exits:
        clear = ir.Unary(ir.UnaryOp.NOT, exit_.flag, ir.BOOL)
        condition = clear if condition is None else ir.Binary(ir.BinaryOp.AND, condition, clear, ir.BOOL)
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
