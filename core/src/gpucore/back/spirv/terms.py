"""What the functions that make expressions of others can write on the way."""

from __future__ import annotations

from typing import Protocol

from gpucore import ir
from gpucore.errors import EmitError


class Terms(Protocol):
    """Writes instructions, and gives their results as expressions."""

    def let(self, expr: ir.Expr) -> ir.Value:
        """Write an expression now, for several uses."""

    def raw(self, op: str, type: ir.Type, *operands: ir.Expr) -> ir.Value:
        """An instruction by its name."""

    def raw_call(self, name: str, type: ir.Type, *operands: ir.Expr) -> ir.Value:
        """An instruction of GLSL.std.450 by its name."""

    def as_type(self, expr: ir.Expr, type: ir.Type) -> ir.Value:
        """An expression as one of another type that has the same registers."""

    def run(self, block: ir.Block, /) -> None:
        """Write statements."""

    def fresh(self) -> int:
        """The id of a value or local that is not in the kernel."""

    def error(self, message: str) -> EmitError:
        """An EmitError at the current statement."""
