"""Conversions of 8- and 16-bit integers, which exist only in memory, expressed as conversions of i32."""

from __future__ import annotations

from gpucore.ir import I32, Call, Constant, Convert, Expr, MathOp, scalar_of


def through_i32(expr: Convert) -> Expr | None:
    """The conversion by way of i32, which holds every such integer; None if that is not needed.

    A float saturates: it is converted to i32, where NaN becomes 0, then clamped to the range of the smaller type.
    """
    source, target = scalar_of(expr.operand.type), scalar_of(expr.type)
    if source.is_storage and target.is_float:
        return Convert(Convert(expr.operand, I32), target)
    if source.is_float and target.is_storage:
        bounds = Constant(target.min_value, I32), Constant(target.max_value, I32)
        return Convert(Call(MathOp.CLAMP, (Convert(expr.operand, I32), *bounds), I32), target)
    return None
