"""Interval analysis of integer expressions in a kernel.

It has two uses. Arithmetic that cannot wrap is marked as such, so that LLVM sees that neighbouring invocations access
neighbouring elements. And a guard `i < n` becomes a bound of the loop over invocations, see `guards`.
"""

from __future__ import annotations

from gpucore.plugin import ir
from gpucore.plugin.ir import Ranges, walk


class KernelRanges(Ranges):
    """The intervals of one kernel, and the definitions of its values."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self.pure_definitions: dict[int, ir.Expr] = {  # of values bound by Let to expressions without variables
            statement.value.id: statement.expr
            for statement in walk.statements(module.body)
            if isinstance(statement, ir.Let)
            and not any(isinstance(part, ir.Local) for part in walk.subexpressions(statement.expr))
        }

    def is_nonnegative(self, expr: ir.Expr) -> bool:
        return self.interval(expr).lo >= 0
