"""Built-in functions: as one instruction where SPIR-V has it and it is exact enough, else made of simpler ones.

GLSL.std.450 has inverse and hyperbolic functions too. Their errors follow from a quotient of 4096 ulp or from
(exp(x) - exp(-x)) / 2, which cancels: those here are in `series`. Functions of f16 are computed in f32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from gpucore import ir
from gpucore.back.spirv import series
from gpucore.back.spirv.remainder import fmod
from gpucore.back.spirv.terms import Terms
from gpucore.ir import BOOL, F16, F32, F64, FUNCTIONS, I32, U32, U64, MathOp, VectorType, build, scalar_of, with_scalar

_NATIVE = {
    MathOp.FLOOR: "Floor", MathOp.CEIL: "Ceil", MathOp.ROUND: "RoundEven", MathOp.TRUNC: "Trunc", MathOp.SQRT: "Sqrt",
    MathOp.RSQRT: "InverseSqrt", MathOp.EXP: "Exp", MathOp.EXP2: "Exp2", MathOp.LOG: "Log", MathOp.LOG2: "Log2",
    MathOp.SIN: "Sin", MathOp.COS: "Cos", MathOp.TAN: "Tan", MathOp.COSH: "Cosh", MathOp.FMA: "Fma",
    MathOp.MIN: "NMin", MathOp.MAX: "NMax", MathOp.ABS: "FAbs",
}  # fmt: skip
_IN_F16 = frozenset({MathOp.FMA, MathOp.MIN, MathOp.MAX, MathOp.CLAMP, MathOp.ABS, MathOp.DOT, MathOp.MIX})
"""The functions of f16 that are computed in it."""

_EXTREMES = {
    MathOp.MIN: ("SMin", "UMin"),
    MathOp.MAX: ("SMax", "UMax"),
}


def call(terms: Terms, op: MathOp, args: Sequence[ir.Expr]) -> ir.Expr:
    """A call, as an expression that is written already or of simpler ones."""
    type = args[0].type
    scalar = scalar_of(type)
    if op is MathOp.DOT:
        return _dot(*args)
    if op is MathOp.CLAMP:
        return build.call(MathOp.MIN, build.call(MathOp.MAX, args[0], args[1]), args[2])
    if scalar.is_integer:
        return _of_integers(terms, op, args)
    if scalar == F64 and FUNCTIONS[op].is_transcendental:
        raise terms.error(f"{op.value} of f64 does not exist in SPIR-V")
    if scalar == F16 and op not in _IN_F16:
        wide = [terms.let(build.convert(arg, with_scalar(arg.type, F32))) for arg in args]
        result = build.call(op, *wide)
        return result if scalar_of(result.type) == BOOL else build.convert(result, type)
    if op is MathOp.RSQRT and scalar == F64:
        return build.div(build.constant(1.0, type), build.call(MathOp.SQRT, args[0]))
    if op in _NATIVE:
        return terms.raw_call(_NATIVE[op], type, *args)
    if op is MathOp.ISNAN or op is MathOp.ISINF:
        return terms.raw("OpIsNan" if op is MathOp.ISNAN else "OpIsInf", with_scalar(type, BOOL), args[0])
    if op is MathOp.FMOD and isinstance(type, VectorType):
        parts = zip(*map(build.components, args), strict=True)
        return build.construct(*[terms.let(build.call(op, *part)) for part in parts])
    made = _OF_FLOATS.get(op)
    if made is None:
        raise terms.error(f"SPIR-V has no form for the operation {op.value}")
    return made(terms, *[arg if isinstance(arg, ir.Constant) else terms.let(arg) for arg in args])


def _dot(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Without OpDot, whose order of additions is the device's choice."""
    first, *rest = (build.mul(a, b) for a, b in zip(build.components(left), build.components(right), strict=True))
    total: ir.Expr = first
    for product in rest:
        total = build.add(total, product)
    return total


# ---------------------------------------------------------------- floats


def _fract(terms: Terms, x: ir.Expr) -> ir.Expr:
    return build.sub(x, build.call(MathOp.FLOOR, x))


def _sign(terms: Terms, x: ir.Expr) -> ir.Expr:
    """By integers: a compiler may make a function of its own of two selections of floats, with a negative zero."""
    one = build.constant(1, with_scalar(x.type, I32))
    above, below = build.select(build.gt(x, 0.0), one, 0), build.select(build.lt(x, 0.0), one, 0)
    return build.convert(build.sub(above, below), x.type)


def _mix(terms: Terms, a: ir.Expr, b: ir.Expr, t: ir.Expr) -> ir.Expr:
    rest = build.sub(build.constant(1.0, t.type), t)
    return build.add(build.mul(a, rest), build.mul(b, t))


def _step(terms: Terms, edge: ir.Expr, x: ir.Expr) -> ir.Expr:
    return build.select(build.ge(x, edge), build.constant(1.0, x.type), 0.0)


def _pow(terms: Terms, x: ir.Expr, y: ir.Expr) -> ir.Expr:
    """exp2(y * log2(x)) is right for x > 0. Other cases follow C."""
    zero, one, half, infinity, nan = (build.constant(v, x.type) for v in (0.0, 1.0, 0.5, math.inf, math.nan))
    size = terms.let(build.call(MathOp.ABS, x))
    whole = terms.let(build.eq(y, build.call(MathOp.FLOOR, y)))
    is_even = build.eq(build.mul(y, half), build.call(MathOp.FLOOR, build.mul(y, half)))
    odd = build.logical_and(whole, build.logical_not(is_even))
    positive = build.call(MathOp.EXP2, build.mul(y, build.call(MathOp.LOG2, size)))
    is_zero = terms.let(build.eq(x, zero))
    power = terms.let(build.select(is_zero, build.select(build.lt(y, zero), infinity, zero), positive))
    of_one = build.logical_and(build.eq(size, one), build.eq(build.call(MathOp.ABS, y), infinity))
    settled = build.logical_or(build.logical_or(of_one, build.eq(y, zero)), build.eq(x, one))
    exists = build.logical_or(build.logical_or(whole, is_zero), build.eq(size, infinity))
    negated = build.select(exists, build.select(odd, build.neg(power), power), nan)
    signed = build.select(build.lt(build.bitcast(x, with_scalar(x.type, I32)), 0), negated, power)
    unknown = build.logical_or(build.call(MathOp.ISNAN, x), build.call(MathOp.ISNAN, y))
    return build.select(settled, one, build.select(unknown, nan, signed))


_OF_FLOATS: dict[MathOp, Callable[..., ir.Expr]] = {
    MathOp.FRACT: _fract,
    MathOp.SIGN: _sign,
    MathOp.MIX: _mix,
    MathOp.STEP: _step,
    MathOp.POW: _pow,
    MathOp.FMOD: fmod,
    MathOp.ASIN: series.asin,
    MathOp.ACOS: series.acos,
    MathOp.ATAN: series.atan,
    MathOp.ATAN2: series.atan2,
    MathOp.SINH: series.sinh,
    MathOp.TANH: series.tanh,
    MathOp.ERF: series.erf,
}


# ---------------------------------------------------------------- integers


def _of_integers(terms: Terms, op: MathOp, args: Sequence[ir.Expr]) -> ir.Expr:
    type = args[0].type
    scalar = scalar_of(type)
    if op in _EXTREMES:
        return terms.raw_call(_EXTREMES[op][0 if scalar.is_signed else 1], type, *args)
    x = args[0] if isinstance(args[0], ir.Constant) else terms.let(args[0])
    if op is MathOp.ABS:  # not SAbs: compilers take its result to be positive, which that of INT_MIN is not
        return build.select(build.lt(x, 0), build.neg(x), x) if scalar.is_signed else x
    if op is MathOp.SIGN:
        above = build.select(build.gt(x, 0), build.constant(1, type), 0)
        return build.select(build.lt(x, 0), build.constant(-1, type), above) if scalar.is_signed else above
    if op not in _OF_WORDS:
        raise terms.error(f"SPIR-V has no form for the operation {op.value} of integers")
    if scalar.bits == 64:
        return _of_halves(terms, op, x)
    return build.bitcast(_OF_WORDS[op](terms, build.bitcast(x, with_scalar(type, U32))), type)


def _clz(terms: Terms, x: ir.Expr) -> ir.Expr:
    """The number of the highest bit is -1 for 0."""
    highest = terms.raw_call("FindUMsb", with_scalar(x.type, I32), x)
    return build.bitcast(build.sub(build.constant(31, highest.type), highest), x.type)


def _ctz(terms: Terms, x: ir.Expr) -> ir.Expr:
    lowest = terms.raw_call("FindILsb", with_scalar(x.type, I32), x)
    return build.select(build.eq(x, 0), build.constant(32, x.type), build.bitcast(lowest, x.type))


def _popcount(terms: Terms, x: ir.Expr) -> ir.Expr:
    return terms.raw("OpBitCount", x.type, x)


def _reverse(terms: Terms, x: ir.Expr) -> ir.Expr:
    return terms.raw("OpBitReverse", x.type, x)


_OF_WORDS = {
    MathOp.CLZ: _clz, MathOp.CTZ: _ctz, MathOp.POPCOUNT: _popcount, MathOp.REVERSE_BITS: _reverse,
}  # fmt: skip
"""The functions that devices have of 32 bits alone."""


def _of_halves(terms: Terms, op: MathOp, x: ir.Expr) -> ir.Expr:
    wide, narrow = with_scalar(x.type, U64), with_scalar(x.type, U32)
    bits = terms.let(build.bitcast(x, wide))
    high = terms.let(build.convert(build.shr(bits, 32), narrow))
    low = terms.let(build.convert(bits, narrow))
    of_high, of_low = (terms.let(build.call(op, half)) for half in (high, low))
    match op:
        case MathOp.REVERSE_BITS:
            upper = build.shl(build.convert(of_low, wide), 32)
            return build.bitcast(build.bit_or(upper, build.convert(of_high, wide)), x.type)
        case MathOp.CLZ:
            count: ir.Expr = build.select(build.eq(high, 0), build.add(of_low, 32), of_high)
        case MathOp.CTZ:
            count = build.select(build.eq(low, 0), build.add(of_high, 32), of_low)
        case _:
            count = build.add(of_high, of_low)
    return build.bitcast(build.convert(count, wide), x.type)


__all__ = ["call"]
