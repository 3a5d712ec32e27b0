"""The remainder of floats: long division of the significands, several bits at a time, in a loop."""

from __future__ import annotations

from gpucore import ir
from gpucore.back.spirv.terms import Terms
from gpucore.ir import F64, I32, U32, U64, Expr, MathOp, build


def fmod(terms: Terms, x: Expr, y: Expr) -> Expr:
    """x - y * trunc(x / y), exactly; x and y are scalars of f32 or f64."""
    type = ir.scalar_of(x.type)
    bits, stored, exponent = (U64, 52, 11) if type == F64 else (U32, 23, 8)
    sign, infinity = 1 << (bits.bits - 1), ((1 << exponent) - 1) << stored
    a, b = (terms.let(build.bit_and(build.bitcast(side, bits), sign - 1)) for side in (x, y))
    beyond = build.logical_or(build.ge(a, infinity), build.gt(b, infinity))
    is_unknown = terms.let(build.logical_or(beyond, build.eq(b, 0)))
    is_small = terms.let(build.lt(a, b))
    is_settled = terms.let(build.logical_or(is_unknown, is_small))
    divisor = terms.let(build.select(is_settled, build.constant(1, bits), _significand(b, stored)))
    least = terms.let(_exponent(b, stored))
    steps = build.select(is_settled, build.constant(0, I32), build.sub(_exponent(a, stored), least))
    rest = terms.let(_reduced(terms, _significand(a, stored), divisor, terms.let(steps), bits.bits - stored - 1))
    shift = terms.let(build.sub(build.convert(build.call(MathOp.CLZ, rest), I32), exponent))
    fraction = build.bit_and(build.shl(rest, build.convert(shift, bits)), (1 << stored) - 1)
    biased = build.call(MathOp.MAX, build.sub(least, shift), 1)
    normal = build.bit_or(build.shl(build.convert(biased, bits), stored), fraction)
    below = build.convert(build.call(MathOp.MIN, build.sub(least, 1), stored), bits)
    magnitude = build.select(build.gt(least, shift), normal, build.shl(rest, below))
    magnitude = build.select(build.eq(rest, 0), build.constant(0, bits), magnitude)
    result = build.bit_or(magnitude, build.bit_and(build.bitcast(x, bits), sign))
    settled = build.select(is_small, x, build.bitcast(result, type))
    return build.select(is_unknown, build.constant(float("nan"), type), settled)


def _reduced(terms: Terms, start: Expr, divisor: Expr, steps: Expr, step: int) -> Expr:
    """start * 2**steps modulo the divisor: the spare bits above the significand take a `step` at a time."""
    bits = ir.scalar_of(divisor.type)
    rest, left = (ir.Local(terms.fresh(), name, type) for name, type in (("rest", bits), ("left", I32)))
    body = (
        ir.If(build.lt(left, step), (ir.Break(),)),
        ir.Assign(rest, _modulo(build.shl(rest, step), divisor)),
        ir.Assign(left, build.sub(left, step)),
    )
    terms.run((ir.Declare(rest, _modulo(start, divisor)), ir.Declare(left, steps), ir.Loop(body)))
    return _modulo(build.shl(rest, build.convert(left, bits)), divisor)


def _modulo(left: Expr, divisor: Expr) -> Expr:
    return build.floor_mod(left, divisor)


def _significand(x: Expr, stored: int) -> Expr:
    """Of the bits of a float without its sign. Normal numbers have a leading one."""
    leading = build.select(build.ge(x, 1 << stored), build.constant(1 << stored, x.type), 0)
    return build.bit_or(build.bit_and(x, (1 << stored) - 1), leading)


def _exponent(x: Expr, stored: int) -> Expr:
    """The biased exponent. It is 1 for subnormal numbers too."""
    return build.call(MathOp.MAX, build.convert(build.shr(x, stored), I32), 1)


__all__ = ["fmod"]
