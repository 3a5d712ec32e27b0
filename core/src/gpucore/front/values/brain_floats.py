"""bf16: conversions to and from f32, and literals."""

from __future__ import annotations

import math
import struct

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.ir import build


def to_f32(value: ir.Expr) -> ir.Expr:
    """A bf16 as an f32, which is exact."""
    bits = build.convert(ir.Convert(value, ir.U16), ir.U32)
    return build.bitcast(build.shl(bits, 16), ir.F32)


def from_f32(context: Context, value: ir.Expr) -> ir.Expr:
    """The nearest bf16 of an f32, ties to even. A NaN remains one, and becomes quiet."""
    return _of_bits(context, build.convert(build.call(ir.MathOp.BF16_BITS, value), ir.U16))


def literal(context: Context, value: bool | int | float) -> ir.Expr | None:
    """A weak number as a bf16; None if it does not fit: a bool, a whole number that it does not hold, or overflow."""
    if isinstance(value, bool):
        return None
    rounded = nearest(value)
    if (isinstance(value, int) and rounded != value) or (math.isinf(rounded) and not math.isinf(value)):
        return None
    (bits,) = struct.unpack("<I", struct.pack("<f", rounded))
    return _of_bits(context, ir.Constant(bits >> 16, ir.U16))


def greatest(context: Context, sign: int) -> ir.Expr:
    """The greatest finite bf16, or with a sign of -1 the least."""
    return _of_bits(context, ir.Constant(0x7F7F if sign > 0 else 0xFF7F, ir.U16))


def nearest(value: int | float) -> float:
    """The nearest bf16 of a number, ties to even, as a Python float; infinity if it overflows."""
    try:
        wide = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    if wide == 0 or not math.isfinite(wide):
        return wide
    unit = 2.0 ** (max(math.frexp(wide)[1] - 1, -126) - 7)
    rounded = round(wide / unit) * unit  # Python rounds ties to even; both are exact
    return rounded if abs(rounded) < 2.0**128 else math.copysign(math.inf, wide)


def _of_bits(context: Context, bits: ir.Expr) -> ir.Expr:
    context.has_nominal_types = True
    return ir.Convert(bits, ir.BF16)
