"""What the range of an expression allows: plain signed arithmetic, plain division.

Overflow of a signed integer is undefined in C, so it is computed in the unsigned type unless it cannot happen. The
plain form lets a compiler prove more about indices and loops.
"""

from __future__ import annotations

from typing import Protocol

from gpucore.ir import Binary, BinaryOp, Constant, Expr, ScalarType, Unary, UnaryOp


class Interval(Protocol):
    @property
    def lo(self) -> int: ...

    @property
    def hi(self) -> int: ...


class RangeAnalysis(Protocol):
    """Integer ranges of the expressions of one module."""

    def of(self, expr: Expr) -> Interval: ...


def needs_wrap(expr: Expr, ranges: RangeAnalysis | None) -> bool:
    """Whether signed arithmetic at the root of `expr` may leave the range of its type."""
    if not (isinstance(expr.type, ScalarType) and expr.type.is_signed):
        return False
    bounds = _exact_bounds(expr, ranges) if ranges is not None else None
    return bounds is None or bounds[0] < expr.type.min_value or bounds[1] > expr.type.max_value


def is_at_least(expr: Expr, least: int, ranges: RangeAnalysis | None) -> bool:
    """Whether the integer `expr` is known never to be below `least`."""
    if isinstance(expr, Constant):
        return expr.value >= least
    return ranges is not None and ranges.of(expr).lo >= least


def _exact_bounds(expr: Expr, ranges: RangeAnalysis) -> tuple[int, int] | None:
    """Bounds of the mathematical result, before any wrapping; None for what is not told."""
    if isinstance(expr, Unary) and expr.op is UnaryOp.NEG:
        operand = ranges.of(expr.operand)
        return -operand.hi, -operand.lo
    if not isinstance(expr, Binary):
        return None
    left, right = ranges.of(expr.left), ranges.of(expr.right)
    match expr.op:
        case BinaryOp.ADD:
            return left.lo + right.lo, left.hi + right.hi
        case BinaryOp.SUB:
            return left.lo - right.hi, left.hi - right.lo
        case BinaryOp.MUL:
            products = [a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
            return min(products), max(products)
        case BinaryOp.SHL if left.lo >= 0 and 0 <= right.lo <= right.hi < 64:
            return left.lo << right.lo, left.hi << right.hi
        case _:
            return None
