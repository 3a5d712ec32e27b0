"""Circular functions of vectors and their inverses, as vector code.

Errors in ulp, measured as `vector_mathematics` says: in f32, sin and cos 1.6, tan 2.8, asin 2.3, acos 1.1, atan 1.6,
atan2 1.7; in f64, sin and cos 1.6.
"""

from __future__ import annotations

import math

from gpucore.plugin.ir import F32, F64, U32, U64, scalar_of
from gpucore_cpu.vector_values import Value

# Of z = x**2: (sin(x) - x) / x**3, (cos(x) - 1 + z / 2) / z**2, (tan(x) - x) / x**3 up to pi / 4
_SIN = {
    F32: (-0.166666526, 0.00833203637, -0.000194984891),
    F64: (-0.16666666666666619, 0.008333333333318899, -0.00019841269826978316, 2.7557312707041223e-06,
          -2.5050603671813475e-08, 1.5887843081794996e-10),
}  # fmt: skip
_COS = {
    F32: (0.0416666422, -0.00138871483, 2.44140386e-05),
    F64: (0.04166666666666657, -0.0013888888888868463, 2.4801587285977057e-05, -2.7557313348476247e-07,
          2.0875588030220463e-09, -1.1352709119164345e-11),
}  # fmt: skip
_TAN = (0.333330812, 0.133407561, 0.0532498091, 0.0250036155, 0.00220563402, 0.0099227243)
_ASIN = (0.166667524, 0.0749530027, 0.0454701218, 0.0241804317, 0.0421652281)  # (asin(x) - x) / x**3, x**2 <= 1/4
_ATAN = (-0.333332991, 0.199985484, -0.142642424, 0.109521886, -0.0840345602, 0.0579576549, -0.0311778782,
         0.0109146108, -0.00179362062)  # (atan(x) - x) / x**3, x**2 <= 1  # fmt: skip
# pi / 2 in parts: products of all but the last with integers up to 2**13 (f32), 2**21 (f64) are exact
_HALF_PI = {
    F32: (1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5633440682570896e-12),
    F64: (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21),
}
_LIMIT = {F32: 12800.0, F64: 2.0**21}  # of |x| for the reduction by them
_HALF_PI_ROUNDED, _HALF_PI_REST = 1.5707963705062866, -4.371138828673793e-08  # in f32


# ---------------------------------------------------------------- circular


def sin(x: Value) -> Value:
    """The sine or cosine of the rest, by the number of the quadrant: at most 1.6 ulp."""
    number, r = _quadrant_and_rest(x)
    return _sine(number, r)


def cos(x: Value) -> Value:
    """The sine, one quadrant further: at most 1.6 ulp."""
    number, r = _quadrant_and_rest(x)
    return _sine(number + 1, r)


def tan(x: Value) -> Value:
    """The tangent of the rest, or -1 / tangent in odd quadrants: at most 2.8 ulp."""
    number, r = _quadrant_and_rest(x)
    z = r * r
    t = (r * z * z.polynomial(_TAN) + r).with_sign_of(r)
    return (number & 1).equals(0).choose(t, -1.0 / t)


def is_large(x: Value) -> Value:
    """Whether sin and cos of f64 are wrong, because x has too many quadrants."""
    a = abs(x)
    return (a > _LIMIT[F64]) & (a < math.inf)


def _quadrant_and_rest(x: Value) -> tuple[Value, Value]:
    """The number of the quadrant in the lowest bits of an integer, and x - number * pi / 2, at most pi / 4."""
    scalar = scalar_of(x.type)
    shifted = x * (2 / math.pi) + x.format.magic
    number, (*first, second, third) = shifted - x.format.magic, _HALF_PI[scalar]
    rest = x
    for part in first:
        rest = rest - number * part  # exact
    close = rest - number * second
    lost = (rest - close) - number * second  # by rounding
    rest = close - (number * third - lost)
    if scalar == F64:
        return shifted.bits(), rest
    is_far, usual = abs(x) > _LIMIT[F32], [shifted.bits(), rest]

    def rare() -> list[Value]:
        return [is_far.choose(far, near) for far, near in zip(_reduce_by_table(x), usual, strict=True)]

    bits, rest = is_far.any_or(rare, usual)
    return bits, rest


_FIRST_EXPONENT, _LAST_EXPONENT = 127 + 13, 254  # of the f32 arguments that the table is for
_NUM_BITS = 224
_TWO_OVER_PI = 0xA2F9836E4E441529FC2757D1F534DDC0DB6295993C439041FE5163AB  # with 224 bits after the point


def _reduce_by_table(x: Value) -> list[Value]:
    """The same for large f32, by the bits of 2 / pi that matter for the exponent (Payne and Hanek).

    |x| = m * 2**e, with an integer m < 2**24. An entry for e has 96 bits of 2**(e - 2) * 2 / pi modulo 1, so that m
    times these, modulo 1, is the angle in turns."""
    bits = x.bits() & 0x7FFFFFFF
    exponent = bits >> 23
    has_entry = (exponent > _FIRST_EXPONENT - 1) & (exponent < _LAST_EXPONENT + 1)
    index = has_entry.choose(exponent - _FIRST_EXPONENT, 0)
    mantissa = (bits & 0x7FFFFF | 0x800000).to(U64)
    entries = [_two_over_pi(exponent - 150) for exponent in range(_FIRST_EXPONENT, _LAST_EXPONENT + 1)]
    high = index.entry_of("gpucore_pi_high", [entry >> 32 for entry in entries])
    low = index.entry_of("gpucore_pi_low", [entry & 0xFFFFFFFF for entry in entries])
    turns = mantissa * high + (mantissa * low >> 32)  # in 2**-64
    number = turns + (1 << 61) >> 62
    rest = (turns - (number << 62)).as_signed().to(F64) * (math.pi / 2 * 2.0**-62)
    is_negative = x < 0.0
    small = number.to(U32)
    signed_number = is_negative.choose(small.constant(0) - small, small)
    angle = is_negative.choose(-rest, rest).to(F32)
    return [signed_number, has_entry.choose(angle, math.nan)]


def _two_over_pi(exponent: int) -> int:
    """96 bits of 2**(exponent - 2) * 2 / pi modulo 1, as an integer."""
    shift = _NUM_BITS - 96 - (exponent - 2)
    return (_TWO_OVER_PI >> shift) % (1 << 96)


def _sine(number: Value, r: Value) -> Value:
    """The sine of number * pi / 2 + r."""
    scalar = scalar_of(r.type)
    z = r * r
    sine = (r * z * z.polynomial(_SIN[scalar]) + r).with_sign_of(r)  # for -0
    cosine = z * z * z.polynomial(_COS[scalar]) + (1.0 - z * 0.5)
    result = (number & 1).equals(0).choose(sine, cosine)
    sign = (number & 2) << scalar.bits - 2
    return (result.bits() ^ sign).as_floats(scalar)


# ---------------------------------------------------------------- inverse


def asin(x: Value) -> Value:
    """A series up to 1/2; then pi / 2 - 2 * asin(sqrt((1 - x) / 2)): at most 2.3 ulp."""
    a = abs(x)
    is_small, p = _asin_core(a)
    large = _HALF_PI_ROUNDED - (p * 2.0 - _HALF_PI_REST)
    return is_small.choose(p, large).with_sign_of(x)


def acos(x: Value) -> Value:
    """pi / 2 - asin(x), or for |x| > 1/2 the double of asin(sqrt((1 - |x|) / 2)), or pi less that."""
    is_small, p = _asin_core(abs(x))
    near_0 = _HALF_PI_ROUNDED - (p.with_sign_of(x) - _HALF_PI_REST)
    double = p * 2.0
    near_1 = (x < 0.0).choose(2 * _HALF_PI_ROUNDED - (double - 2 * _HALF_PI_REST), double)
    return is_small.choose(near_0, near_1)


def _asin_core(a: Value) -> tuple[Value, Value]:
    """Whether a <= 1/2, and the arc sine of a, or else of sqrt((1 - a) / 2)."""
    is_small = a <= 0.5
    z = is_small.choose(a * a, (1.0 - a) * 0.5)
    s = is_small.choose(a, z.intrinsic("sqrt"))
    return is_small, s * z * z.polynomial(_ASIN) + s


def atan(x: Value) -> Value:
    """A series up to 1; then pi / 2 - atan(1 / x): at most 1.6 ulp."""
    a = abs(x)
    is_large = a > 1.0
    t = is_large.choose(1.0 / a, a)
    return _atan_core(t, is_large).with_sign_of(x)


def atan2(y: Value, x: Value) -> Value:
    """The series of the lesser magnitude over the greater one, moved to the octant; two zeros count as 0 / 1, two
    infinities as 1 / 1."""
    a, b = abs(y), abs(x)
    is_steep = a > b
    low, high = is_steep.choose(b, a), is_steep.choose(a, b)
    t = low.equals(high).choose(high.equals(0.0).choose(low, 1.0), low / high)
    angle = _atan_core(t, is_steep)
    left = 2 * _HALF_PI_ROUNDED - (angle - 2 * _HALF_PI_REST)
    is_left = (x.bits() >> 31).differs(0)
    return is_left.choose(left, angle).with_sign_of(y)


def _atan_core(t: Value, is_complement: Value) -> Value:
    """atan(t) for t from 0 to 1, or pi / 2 less that."""
    z = t * t
    p = t * z * z.polynomial(_ATAN) + t
    return is_complement.choose(_HALF_PI_ROUNDED - (p - _HALF_PI_REST), p)
