"""What the range of an expression allows: plain signed arithmetic, plain division.

Overflow of a signed integer is undefined in C, so it is computed in the unsigned type unless it cannot happen. The
plain form lets a compiler prove more about indices and loops.
"""

from __future__ import annotations

from gpucore.ir import Binary, BinaryOp, Constant, Expr, ScalarType, Unary, UnaryOp
from gpucore.ir.ranges import Ranges

WRAPPING = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.SHL, UnaryOp.NEG})
"""Operators whose result can leave the range of a signed type."""


def needs_wrap(expr: Binary | Unary, ranges: Ranges | None) -> bool:
    """Whether signed arithmetic at the root of `expr` has to be done in the unsigned type. Without `ranges`: always."""
    if expr.op not in WRAPPING or not (isinstance(expr.type, ScalarType) and expr.type.is_signed):
        return False
    if isinstance(expr, Binary) and expr.op is BinaryOp.SHL and not is_at_least(expr.left, 0, ranges):
        return True  # C does not define a left shift of a negative number
    return ranges is None or ranges.may_overflow(expr)


def is_at_least(expr: Expr, least: int, ranges: Ranges | None) -> bool:
    """Whether the integer `expr` is known never to be below `least`."""
    if isinstance(expr, Constant):
        return expr.value >= least
    return ranges is not None and ranges.interval(expr).lo >= least
