"""Rewrites the expressions of a kernel, where a result may use one of its operands more than once."""

from __future__ import annotations

import abc
import dataclasses
import itertools

from gpucore.ir import nodes as n
from gpucore.ir import walk
from gpucore.ir.module import Module


class Rewriter(abc.ABC):
    """Applies `rewrite` to every expression of a module, children first."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._ids = itertools.count(walk.next_id(module))
        self._bound: list[n.Let] = []  # to be inserted before the current statement
        self.span = module.span  # of the current statement

    @abc.abstractmethod
    def rewrite(self, expr: n.Expr) -> n.Expr:
        """The expression that replaces `expr`, or `expr` itself; its operands have been rewritten."""

    def rewritten(self) -> Module:
        """The rewritten module; the module itself if nothing changes."""
        body = self._block(self._module.body)
        return self._module if body is self._module.body else dataclasses.replace(self._module, body=body)

    def let(self, name: str, expr: n.Expr) -> n.Expr:
        """Binds an expression before the current statement, and returns its value. A leaf is returned as it is."""
        if isinstance(expr, (n.Constant, n.Value, n.Local, n.Param)):
            return expr
        value = n.Value(next(self._ids), name, expr.type)
        self._bound.append(n.Let(value, expr, self.span))
        return value

    def _block(self, block: n.Block) -> n.Block:
        out: list[n.Stmt] = []
        for statement in block:
            self.span = statement.span
            outer, self._bound = self._bound, []
            mapped = walk.map_statement(statement, self._expr, self._block)
            # nothing may come between a Bounds and the one access that it checks; `validate` refuses anything else
            place = len(out) - 1 if out and isinstance(out[-1], n.Bounds) else len(out)
            out[place:place] = self._bound
            out.append(mapped)
            self._bound = outer
        return walk.same_or(block, out)

    def _expr(self, expr: n.Expr) -> n.Expr:
        return walk.map_expr(expr, self.rewrite)
