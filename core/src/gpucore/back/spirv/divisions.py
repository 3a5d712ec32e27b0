"""Divisions as expressions that SPIR-V defines: it leaves x / 0 and INT_MIN / -1 undefined, and signed remainders."""

from __future__ import annotations

from gpucore import ir
from gpucore.back.spirv.terms import Terms
from gpucore.ir import F32, BinaryOp, MathOp, build, scalar_of
from gpucore.ir.ops import FLOORING, QUOTIENTS


def divide(terms: Terms, op: BinaryOp, left: ir.Expr, right: ir.Expr, *, is_natural: bool) -> ir.Expr:
    """A quotient or a remainder; `is_natural`: neither integer is negative."""
    if op is BinaryOp.DIV:
        return _of_floats(terms, left, right)
    scalar = scalar_of(left.type)
    known = right.operand if isinstance(right, ir.Splat) else right
    divisor = int(known.value) if isinstance(known, ir.Constant) else None
    if divisor in (0, 1):
        return left if op in QUOTIENTS else build.zero(left.type)
    is_signed = scalar.is_signed and not is_natural
    if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0 and (op in FLOORING or not is_signed):
        if op in QUOTIENTS:
            return build.shr(left, divisor.bit_length() - 1)
        return build.bit_and(left, divisor - 1)
    if divisor is None or divisor == -1:
        right = terms.let(_guarded(left, right, is_signed=is_signed))
    if not is_signed:
        unsigned = ir.with_scalar(left.type, ir.U64 if scalar.bits == 64 else ir.U32)
        a, b = build.bitcast(left, unsigned), build.bitcast(right, unsigned)
        return build.bitcast(terms.raw("OpUDiv" if op in QUOTIENTS else "OpUMod", unsigned, a, b), left.type)
    quotient = terms.raw("OpSDiv", left.type, left, right)
    if op is BinaryOp.TRUNC_DIV:
        return quotient
    remainder = terms.let(build.sub(left, build.mul(quotient, right)))
    if op is BinaryOp.TRUNC_REM:
        return remainder
    is_below = build.logical_and(build.ne(remainder, 0), build.lt(build.bit_xor(remainder, right), 0))
    if op is BinaryOp.FLOOR_DIV:
        return build.sub(quotient, build.select(is_below, build.constant(1, left.type), 0))
    return build.add(remainder, build.select(is_below, right, 0))


def _guarded(left: ir.Expr, right: ir.Expr, *, is_signed: bool) -> ir.Expr:
    """The divisor, or 1 where SPIR-V does not define the quotient: that of 1 is what the IR says."""
    refused = build.eq(right, 0)
    if is_signed:
        least = scalar_of(left.type).min_value
        refused = build.logical_or(refused, build.logical_and(build.eq(left, least), build.eq(right, -1)))
    return build.select(refused, build.constant(1, right.type), right)


def _of_floats(terms: Terms, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Devices promise quotients of f32 for divisors up to 2**126: greater ones are scaled, with the dividend."""
    if scalar_of(left.type) != F32:
        return terms.raw("OpFDiv", left.type, left, right)
    is_large = build.gt(build.call(MathOp.ABS, right), 2.0**125)
    scale = terms.let(build.select(is_large, build.constant(0.25, left.type), 1.0))
    return terms.raw("OpFDiv", left.type, build.mul(left, scale), build.mul(right, scale))
