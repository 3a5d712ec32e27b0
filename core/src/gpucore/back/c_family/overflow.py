"""Decides from the range of an expression whether plain signed arithmetic and plain division are safe.

Signed overflow is undefined in C, so signed arithmetic is done in the unsigned type unless it cannot overflow. The
plain form lets a compiler prove more about indices and loops.
"""

from __future__ import annotations

from gpucore.ir import Binary, BinaryOp, Constant, Expr, ScalarType, Unary, UnaryOp
from gpucore.ir.ranges import Ranges

WRAPPING = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.SHL, UnaryOp.NEG})
"""Operators whose result can leave the range of a signed type."""


def needs_wrap(expr: Binary | Unary, ranges: Ranges | None) -> bool:
    """Whether the signed operation at the root of `expr` must use the unsigned type. Without `ranges`: always."""
    if expr.op not in WRAPPING or not (isinstance(expr.type, ScalarType) and expr.type.is_signed):
        return False
    if isinstance(expr, Binary) and expr.op is BinaryOp.SHL and not is_at_least(expr.left, 0, ranges):
        return True  # C does not define a left shift of a negative number
    return ranges is None or ranges.may_overflow(expr)


def is_at_least(expr: Expr, least: int, ranges: Ranges | None) -> bool:
    """Whether the integer `expr` is known to be at least `least`."""
    if isinstance(expr, Constant):
        return expr.value >= least
    return ranges is not None and ranges.interval(expr).lo >= least
