"""Functions expressed in older operations, for backends that do not implement them natively.

A function here has the name of its operation. It gets scalars (f16 is widened to f32 first) and `let`, which binds
what is used more than once. Each must stay within the bound of its conformance test even if arithmetic is contracted
or flushes subnormals, and with the least accurate division, square root and exp of any target.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from gpucore.ir import build
from gpucore.ir.nodes import Expr
from gpucore.ir.ops import MathOp
from gpucore.ir.types import F32, F64, I32, U32, U64, ScalarType, scalar_of

Let = Callable[[str, Expr], Expr]
"""Binds an expression to a name and returns the bound value."""


def find(op: MathOp) -> Callable[..., Expr] | None:
    """The function that expands a call: `find(op)(let, *arguments)`. None: every backend implements it."""
    found = globals().get(op.value)
    return found if callable(found) else None


def required() -> frozenset[MathOp]:
    """The functions that every backend must implement, because nothing can replace them."""
    return frozenset(op for op in MathOp if find(op) is None)


def _polynomial(x: Expr, coefficients: list[float]) -> Expr:
    """The polynomial with these coefficients, the constant one first."""
    *rest, last = coefficients
    total: Expr = build.constant(last, x.type)
    for coefficient in reversed(rest):
        total = build.add(build.mul(total, x), coefficient)
    return total


def _is_positive_and_finite(x: Expr) -> Expr:
    return build.logical_and(build.gt(x, 0.0), build.lt(x, math.inf))


# ---------------------------------------------------------------- floats


def hypot(let: Let, x: Expr, y: Expr) -> Expr:
    """sqrt(x * x + y * y), with both scaled by a power of two where a square would overflow or be subnormal."""
    a, b = (let(name, build.call(MathOp.ABS, side)) for name, side in (("a", x), ("b", y)))
    most = let("most", build.call(MathOp.MAX, a, b))
    high, low, down, up = (2.0**60, 2.0**-40, 2.0**-70, 2.0**100)
    if x.type == F64:
        high, low, down, up = (2.0**500, 2.0**-400, 2.0**-600, 2.0**600)
    is_high, is_low = let("is_high", build.gt(most, high)), let("is_low", build.lt(most, low))
    one = build.constant(1.0, x.type)
    factor = let("factor", build.select(is_high, down, build.select(is_low, up, one)))
    back = build.select(is_high, 1 / down, build.select(is_low, 1 / up, one))
    a, b = let("a", build.mul(a, factor)), let("b", build.mul(b, factor))
    root = build.mul(build.call(MathOp.SQRT, build.add(build.mul(a, a), build.mul(b, b))), back)
    is_infinite = build.logical_or(build.call(MathOp.ISINF, x), build.call(MathOp.ISINF, y))
    return build.select(is_infinite, math.inf, root)


def log1p(let: Let, x: Expr) -> Expr:
    """From -0.29 to 0.41 a series in x itself; elsewhere from the mantissa and exponent of 1 + x."""
    sum = let("sum", build.add(x, 1.0))
    logarithm = build.call(MathOp.LOG, sum)
    if x.type == F64:  # the rounding error of the sum is in both factors and cancels; W. Kahan
        exact: Expr = build.mul(logarithm, build.div(x, build.sub(sum, 1.0)))
        exact = build.select(_is_positive_and_finite(sum), exact, logarithm)
        return build.select(build.eq(sum, 1.0), x, exact)
    exponent, mantissa = _exponent_and_mantissa(let, sum)
    is_near = let("is_near", build.logical_and(build.gt(x, -0.29), build.lt(x, 0.41)))
    f = let("f", build.select(is_near, x, build.sub(mantissa, 1.0)))
    near = let("near", _log_of_one_and(let, f))
    far = _add_multiple(near, exponent, math.log(2))
    return build.select(_is_positive_and_finite(sum), build.select(is_near, near, far), logarithm)


def log10(let: Let, x: Expr) -> Expr:
    """For positive f32 from the mantissa and exponent, like log1p; otherwise log(x) / log(10)."""
    factor = math.log10(math.e)
    by_log = build.mul(build.call(MathOp.LOG, x), factor)
    if x.type == F64:
        return by_log
    is_subnormal = let("is_subnormal", build.lt(x, 2.0**-126))  # then scaled by a power of two
    scaled = let("scaled", build.select(is_subnormal, build.mul(x, 2.0**24), x))
    exponent, mantissa = _exponent_and_mantissa(let, scaled)
    exponent = let("exponent", build.sub(exponent, build.select(is_subnormal, 24.0, build.constant(0.0, x.type))))
    of_mantissa = build.mul(_log_of_one_and(let, let("f", build.sub(mantissa, 1.0))), factor)
    is_normal = build.logical_and(build.ge(scaled, 2.0**-126), build.lt(scaled, math.inf))
    return build.select(is_normal, _add_multiple(of_mantissa, exponent, math.log10(2)), by_log)


def _exponent_and_mantissa(let: Let, x: Expr) -> tuple[Expr, Expr]:
    """The exponent (as f32) and mantissa of a normal f32; the mantissa is from sqrt(1/2) to sqrt(2)."""
    least = 0x3F3504F3  # the bits of sqrt(1/2)
    bits = let("bits", build.add(build.bitcast(x, U32), 0x3F800000 - least))
    exponent = let("exponent", build.convert(build.sub(build.convert(build.shr(bits, 23), I32), 127), F32))
    return exponent, build.bitcast(build.add(build.bit_and(bits, 0x7FFFFF), least), F32)


def _log_of_one_and(let: Let, f: Expr) -> Expr:
    """log(1 + f) for f32 from -0.3 to 0.42.

    With s = f / (2 + f): 2 atanh(s) = f - f*f/2 + s * (f*f/2 + s*s * (2/3 + s*s * (2/5 + ...))).
    """
    s = let("s", build.div(f, build.add(f, 2.0)))
    square, half = let("square", build.mul(s, s)), let("half", build.mul(build.mul(f, f), 0.5))
    rest = build.mul(square, _polynomial(square, [2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11]))
    return build.sub(f, build.sub(half, build.mul(s, build.add(half, rest))))


def _add_multiple(rest: Expr, exponent: Expr, unit: float) -> Expr:
    """exponent * unit + rest, where the exponent is an integer of at most 8 bits."""
    high = math.floor(unit * 2**16) / 2**16  # at most 16 bits, so that the product is exact
    return build.add(build.mul(exponent, high), build.add(build.mul(exponent, unit - high), rest))


def expm1(let: Let, x: Expr) -> Expr:
    """Near zero the series of exp without its leading 1, elsewhere exp(x) - 1."""
    power: Expr = build.call(MathOp.EXP, x)
    if x.type == F64:  # the rounding error of the power is in both factors and cancels; W. Kahan
        power = let("power", power)
        less = let("less", build.sub(power, 1.0))
        exact = build.mul(less, build.div(x, build.call(MathOp.LOG, power)))
        is_plain = build.logical_and(build.gt(less, -1.0), build.lt(less, math.inf))
        return build.select(build.eq(power, 1.0), x, build.select(is_plain, exact, less))
    series = _polynomial(x, [1 / math.factorial(count) for count in range(1, 11)])
    return build.select(build.lt(build.call(MathOp.ABS, x), 0.7), build.mul(x, series), build.sub(power, 1.0))


def cbrt(let: Let, x: Expr) -> Expr:
    """An estimate from a third of the exponent (for f64: from pow), refined by Newton's method, with the sign of x."""
    magnitude = let("magnitude", build.call(MathOp.ABS, x))
    is_plain = _is_positive_and_finite(magnitude)
    if x.type == F64:
        root = _newton_cbrt(let, let("root", build.call(MathOp.POW, magnitude, 1 / 3)), magnitude)
    else:
        is_small = let("is_small", build.lt(magnitude, 2.0**-100))
        scaled = let("scaled", build.select(is_small, build.mul(magnitude, 2.0**24), magnitude))
        third = build.floor_div(build.bitcast(scaled, U32), 3)
        bias = round((127 * 2 / 3 - 0.033) * 2**23)
        root = let("root", build.bitcast(build.add(third, bias), F32))
        for _ in range(3):  # the relative error of the estimate is at most 1/20: then 3e-3, 6e-6 and 4e-11
            root = let("root", _newton_cbrt(let, root, scaled))
        root = build.select(is_small, build.mul(root, 2.0**-8), root)
    root = let("root", root)
    return build.select(is_plain, build.select(build.lt(x, 0.0), build.neg(root), root), x)


def _newton_cbrt(let: Let, root: Expr, x: Expr) -> Expr:
    quotient = build.div(x, build.mul(root, root))
    return build.add(root, build.mul(build.sub(quotient, root), 1 / 3))


def copysign(let: Let, x: Expr, y: Expr) -> Expr:
    """On the bits; for f64, whose bits need a capability, the sign is that of y as an f32."""
    sign = build.bit_and(build.bitcast(build.convert(y, F32), U32), 1 << 31)
    if x.type == F32:
        return build.bitcast(build.bit_or(build.bit_and(build.bitcast(x, U32), (1 << 31) - 1), sign), F32)
    magnitude = let("magnitude", build.call(MathOp.ABS, x))
    return build.select(build.ne(sign, 0), build.neg(magnitude), magnitude)


def ldexp(let: Let, x: Expr, exponent: Expr) -> Expr:
    """Several factors, because one cannot span the exponent range. The largest is the last, so only it may round."""
    least, most, count = (-511, 512, 5) if x.type == F64 else (-126, 127, 3)
    rest = let("rest", build.call(MathOp.CLAMP, exponent, count * least, count * most))
    factors = []
    for _ in range(count):
        part = let("part", build.call(MathOp.CLAMP, rest, least, most))
        factors.append(_power_of_two(let, part, scalar_of(x.type)))
        rest = let("rest", build.sub(rest, part))
    return functools.reduce(build.mul, reversed(factors), x)


def _power_of_two(let: Let, exponent: Expr, type: ScalarType) -> Expr:
    """2 ** exponent, a normal number. f64, from -511 to 512, needs no 64-bit integers."""
    if type == F32:
        return build.bitcast(build.shl(build.add(exponent, 127), 23), F32)
    steps = let("steps", build.add(exponent, 511))
    power: Expr = build.constant(2.0**-511, type)
    for bit in range(10):  # one select per condition: drivers may multiply constants that one condition selects
        is_set = build.ne(build.bit_and(steps, 1 << bit), 0)
        power = let("power", build.select(is_set, build.mul(power, 2.0 ** (1 << bit)), power))
    return power


def bf16_bits(let: Let, x: Expr) -> Expr:
    """Half of the last place that stays is added, less one unit if that place is even."""
    bits = let("bits", build.bitcast(x, U32))
    last = build.bit_and(build.shr(bits, 16), 1)
    nearest = build.shr(build.add(bits, build.add(last, 0x7FFF)), 16)
    is_nan = build.gt(build.bit_and(bits, 0x7FFFFFFF), 0x7F800000)
    return build.select(is_nan, build.bit_or(build.shr(bits, 16), 0x40), nearest)


# ---------------------------------------------------------------- integers


def mul_hi(let: Let, x: Expr, y: Expr) -> Expr:
    """From the halves of both, in the unsigned type. For signed numbers a correction for their signs is subtracted."""
    scalar = scalar_of(x.type)
    unsigned, half = U64 if scalar.bits == 64 else U32, scalar.bits // 2
    mask = (1 << half) - 1
    a, b = let("a", build.bitcast(x, unsigned)), let("b", build.bitcast(y, unsigned))
    a_low, a_high = let("a_low", build.bit_and(a, mask)), let("a_high", build.shr(a, half))
    b_low, b_high = let("b_low", build.bit_and(b, mask)), let("b_high", build.shr(b, half))
    middle = let("middle", build.add(build.mul(a_high, b_low), build.shr(build.mul(a_low, b_low), half)))
    other = build.add(build.mul(a_low, b_high), build.bit_and(middle, mask))
    high: Expr = build.add(build.add(build.mul(a_high, b_high), build.shr(middle, half)), build.shr(other, half))
    if scalar.is_signed:
        high = build.sub(high, build.select(build.lt(x, 0), b, 0))
        high = build.sub(high, build.select(build.lt(y, 0), a, 0))
    return build.bitcast(high, x.type)


def rotate_left(let: Let, x: Expr, count: Expr) -> Expr:
    """Two shifts; the IR takes their counts modulo the width."""
    return _rotate(let, build.shl, build.shr, x, count)


def rotate_right(let: Let, x: Expr, count: Expr) -> Expr:
    """Like rotate_left, in the other direction."""
    return _rotate(let, build.shr, build.shl, x, count)


def _rotate(let: Let, there: Callable[..., Expr], back: Callable[..., Expr], x: Expr, count: Expr) -> Expr:
    unsigned = U64 if scalar_of(x.type).bits == 64 else U32
    bits, places = let("bits", build.bitcast(x, unsigned)), let("places", build.bitcast(count, unsigned))
    return build.bitcast(build.bit_or(there(bits, places), back(bits, build.sub(0, places))), x.type)


def dot4_u8_packed(let: Let, x: Expr, y: Expr) -> Expr:
    """Each byte extracted by shift and mask."""

    def byte(word: Expr, index: int) -> Expr:
        return build.bit_and(build.shr(word, 8 * index), 255)

    return functools.reduce(build.add, [build.mul(byte(x, index), byte(y, index)) for index in range(4)])


def dot4_i8_packed(let: Let, x: Expr, y: Expr) -> Expr:
    """Each byte shifted to the top of an i32 and back down, which sign-extends it."""

    def byte(word: Expr, index: int) -> Expr:
        return build.shr(build.bitcast(build.shl(word, 24 - 8 * index), I32), 24)

    return functools.reduce(build.add, [build.mul(byte(x, index), byte(y, index)) for index in range(4)])
