"""Functions of vectors of f32 and f64 as vector code, where LLVM would call the C library once for each component.

Each function reduces its argument to a short interval, exactly or nearly so (Cody and Waite), and evaluates there a
polynomial for what follows the first terms of the function's series. The polynomials are the best approximations
(Remez), by tools/fit_polynomials.py; their errors are below 2**-25 of the function in f32, 2**-57 in f64. Rounding
gives the rest of these errors, the largest that were measured in ulp, with and without fused multiplication:

- f32, every third argument: exp 1.1, log 0.9; every 257th: exp2 1.1, log2 1.5, sinh 1.6, cosh 1.5, tanh 1.4, erf 1.3
- f32, millions of pairs: pow 1.1, fmod exact
- f64, millions of arguments: exp 1.1, exp2 1.2, log 0.9, log2 1.4
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gpucore.plugin.ir import F32, F64, MathOp, Type, scalar_of
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.vector_trigonometry import acos, asin, atan, atan2, cos, is_large, sin, tan
from gpucore_cpu.vector_values import Value

# (exp(r) - 1 - r) / r**2 for |r| <= log(2) / 2
_EXP = {
    F32: (0.499999934, 0.166665205, 0.0416683898, 0.00836873584, 0.00138145639),
    F64: (0.5000000000000011, 0.16666666666666408, 0.041666666666530155, 0.008333333333496827, 0.0013888888943661495,
          0.0001984126950199778, 2.480149304126485e-05, 2.755758993818965e-06, 2.7630276078273993e-07,
          2.4999095418878775e-08),
}  # fmt: skip
_EXP_RANGE = {F32: (-104.0, 100.0), F64: (-746.0, 720.0)}  # exp is 0 below, infinite above
_EXP_NORMAL = {F32: 87.0, F64: 708.0}  # up to here exp and 2**k are normal
_LOG_2 = {F32: (0.69317626953125, -2.9088971132296138e-05), F64: (0.6931471806019545, -4.2009150726810846e-11)}
# (log(1 + f) - f + f**2 / 2) / f**3 for 1 + f from sqrt(1/2) to sqrt(2)
_LOG = (0.333333317, -0.25000821, 0.200012268, -0.166233572, 0.142017582, -0.131601849, 0.127615818,
        -0.0763449782)  # fmt: skip
# (2 * atanh(s) - 2 * s) / s**3 of z = s**2, s = f / (2 + f)
_LOG_F64 = (0.6666666666666734, 0.3999999999941555, 0.28571428742211274, 0.22222198588847683, 0.1818356365805873,
            0.1531406377787455, 0.1479585520041449)  # fmt: skip
# log2(1 + f) / f: an f32 power needs more bits than f32 has
_LOG2_OF_POWER = (
    1.4426950408865673, -0.7213475203269994, 0.48089834880740095, -0.3606737932422348, 0.28853879528681065,
    -0.24044642763647203, 0.20610713705517889, -0.18043689876667832, 0.16021651849189125, -0.14249690474621649,
    0.13027563882826748, -0.1346375683090271, 0.13251700829055543, -0.06973233994092715,
)  # fmt: skip
_SINH = (0.166666665, 0.00833335005, 0.000198361602, 2.81695078e-06)  # (sinh(x) - x) / x**3 of x**2 <= 1
_TANH = (-0.33333282, 0.133314432, -0.0537397695, 0.0206391917, -0.0057050444)  # (tanh(x) - x) / x**3, |x| <= 0.625
_ERF = (0.128379166, -0.376126271, 0.112836002, -0.0268544461, 0.00518953758, -0.000802085633,
        7.8891547e-05)  # fmt: skip
# erf(x) / x - 1 of x**2 <= 1, above; log(1 - erf(x)) for 1 <= x <= 4
_LOG_ERFC = (-0.000341518932, -1.12708921, -0.63814481, -0.103106772, 0.0218380712, -0.00294765983, 0.000186379322)


# ---------------------------------------------------------------- exponential functions


def exp(x: Value) -> Value:
    """2**k * exp(r): at most 1.1 ulp."""
    is_far = ~(abs(x) < _EXP_NORMAL[scalar_of(x.type)])
    (result,) = is_far.any_or(lambda: [_scaled(*_exp_parts(_within_range(x, 1.0)))], [_scaled_once(*_exp_parts(x))])
    return result


def exp2(x: Value) -> Value:
    """2**k * exp(r * log(2)), r = x - k: at most 1.2 ulp."""
    is_far = ~(abs(x) < x.format.bias - 1)
    usual = _scaled_once(*_exp2_parts(x))
    (result,) = is_far.any_or(lambda: [_scaled(*_exp2_parts(_within_range(x, 1 / math.log(2))))], [usual])
    return result


def _within_range(x: Value, factor: float) -> Value:
    low, high = _EXP_RANGE[scalar_of(x.type)]
    return x.at_most(high * factor).at_least(low * factor)


def _exp_parts(x: Value) -> tuple[Value, Value]:
    """m from 0.7 to 1.42, and k in the lowest bits of a float, with exp(x) = m * 2**k."""
    shifted = x * (1 / math.log(2)) + x.format.magic
    k = shifted - x.format.magic
    log_2, rest = _LOG_2[scalar_of(x.type)]
    return _exp_near_0(x - k * log_2 - k * rest), shifted


def _exp2_parts(x: Value) -> tuple[Value, Value]:
    """As `_exp_parts`, for 2**x."""
    shifted = x + x.format.magic
    return _exp_near_0((x - (shifted - x.format.magic)) * math.log(2)), shifted


def _exp_near_0(r: Value) -> Value:
    return r * r * r.polynomial(_EXP[scalar_of(r.type)]) + r + 1.0


def _scaled_once(m: Value, shifted: Value, offset: int = 0) -> Value:
    """m * 2**(k + offset) where that power is a normal number."""
    return m * (shifted.bits() + (m.format.bias + offset) << m.format.mantissa).as_floats(scalar_of(m.type))


def _scaled(m: Value, shifted: Value) -> Value:
    """m * 2**k by two factors: only the second product may be subnormal or overflow."""
    scalar, form = scalar_of(m.type), m.format
    k = shifted.bits() - (form.magic_bits - 2 * form.bias - 2)  # above 0, so that shifts need no sign
    half = k >> 1
    first, second = (((part - 1) << form.mantissa).as_floats(scalar) for part in (half, k - half))
    return m * first * second


def sinh(x: Value) -> Value:
    """A series up to 1; then 2 * e - 1 / (8 * e), e = exp(|x|) / 4."""
    a = abs(x)
    z, e = a * a, _quarter_of_exp(a)
    large = e * 2.0 - 0.125 / e
    return (a < 1.0).choose(a * z * z.polynomial(_SINH) + a, large).with_sign_of(x)


def cosh(x: Value) -> Value:
    """2 * e + 1 / (8 * e), e = exp(|x|) / 4."""
    e = _quarter_of_exp(abs(x))
    return e * 2.0 + 0.125 / e


def _quarter_of_exp(x: Value) -> Value:
    """exp(x) / 4 for x >= 0: finite, but infinite when doubled if the f32 result is infinite."""
    return _scaled_once(*_exp_parts(x.at_most(89.7)), offset=-2)


def tanh(x: Value) -> Value:
    """A series up to 0.625; then 1 - 2 / (exp(2 * |x|) + 1), which is 1 from 10."""
    a = abs(x)
    z = a * a
    large = 1.0 - 2.0 / (_scaled_once(*_exp_parts(a.at_most(10.0) * 2.0)) + 1.0)
    return (a < 0.625).choose(a * z * z.polynomial(_TANH) + a, large).with_sign_of(x)


def erf(x: Value) -> Value:
    """A series up to 1; then 1 - exp(a polynomial), which is 1 from 4."""
    a = abs(x)
    z = a * a
    large = 1.0 - _scaled_once(*_exp_parts(a.at_most(4.0).polynomial(_LOG_ERFC)))
    return (a < 1.0).choose(a * z.polynomial(_ERF) + a, large).with_sign_of(x)


# ---------------------------------------------------------------- logarithms


def log(x: Value) -> Value:
    """k * log(2) + log(1 + f), x = 2**k * (1 + f): at most 0.9 ulp."""
    log_2, rest = _LOG_2[scalar_of(x.type)]

    def of_parts(k: Value, f: Value) -> Value:
        return (k * rest + _log_minus(f)) + f + k * log_2

    return _logarithm(x, of_parts)


def log2(x: Value) -> Value:
    """k + log2(1 + f), with the constant 1 / log(2) split into 1 and the rest: at most 1.5 ulp."""
    rest = 1 / math.log(2) - 1

    def of_parts(k: Value, f: Value) -> Value:
        y = _log_minus(f)
        return (y * rest + f * rest + y) + f + k

    return _logarithm(x, of_parts)


def _logarithm(x: Value, of_parts: Callable[[Value, Value], Value]) -> Value:
    """A function of k and f, with x = 2**k * (1 + f): -inf for 0, NaN below, infinity and NaN for themselves."""
    form = x.format

    def rare() -> list[Value]:
        is_small = x < form.min_normal
        k, f = _exponent_and_rest(is_small.choose(x * 2.0**form.mantissa, x))
        result = of_parts(k - is_small.choose(x.constant(form.mantissa), 0.0), f)
        edge = x.equals(0.0).choose(x.constant(-math.inf), (x > 0.0).choose(x, math.nan))
        return [((x > 0.0) & (x < math.inf)).choose(result, edge)]

    (result,) = (~_is_normal_and_positive(x)).any_or(rare, [of_parts(*_exponent_and_rest(x))])
    return result


def _is_normal_and_positive(x: Value) -> Value:
    form = x.format
    count = 2 * form.bias << form.mantissa  # of the numbers
    return (x.bits() - (1 << form.mantissa)) < count


def _exponent_and_rest(x: Value) -> tuple[Value, Value]:
    """k, and f from sqrt(1/2) - 1 to sqrt(2) - 1, with x = 2**k * (1 + f); for normal x > 0."""
    scalar, form = scalar_of(x.type), x.format
    root = _ROOT[scalar]
    above = x.bits() - root
    f = ((above & (1 << form.mantissa) - 1) + root).as_floats(scalar) - 1.0
    if scalar == F32:
        return (above.as_signed() >> form.mantissa).to(F32), f
    biased = above + (form.bias << form.mantissa) >> form.mantissa  # not every processor can convert 64-bit integers
    return (biased + form.magic_bits).as_floats(scalar) - (form.magic + form.bias), f


_ROOT = {F32: 0x3F3504F3, F64: 0x3FE6A09E667F3BCD}  # the bits of sqrt(1/2)


def _log_minus(f: Value) -> Value:
    """log(1 + f) - f."""
    if scalar_of(f.type) == F32:
        return f * f * f.polynomial((-0.5, *_LOG))
    half_square, s = f * f * 0.5, f / (f + 2.0)
    z = s * s
    return s * (half_square + z * z.polynomial(_LOG_F64)) - half_square


# ---------------------------------------------------------------- functions of two arguments


def power(x: Value, y: Value) -> Value:
    """2**(y * log2(x)) with the logarithm in f64; then, for some arguments, the sign and the special cases of C."""

    def rare() -> list[Value]:
        a = abs(x)
        is_small = a < x.format.min_normal
        k, f = _exponent_and_rest(is_small.choose(a * 2.0**x.format.mantissa, a))
        logarithm = _wide_log2(k - is_small.choose(x.constant(x.format.mantissa), 0.0), f)
        edge = a.equals(0.0).choose(logarithm.constant(-math.inf), a.to(F64))
        is_finite = (a > 0.0) & (a < math.inf)
        return [_with_power_edges(x, y, _wide_exp2(y, is_finite.choose(logarithm, edge)))]

    is_usual = _is_normal_and_positive(x) & (abs(y) < math.inf)
    (result,) = (~is_usual).any_or(rare, [_wide_exp2(y, _wide_log2(*_exponent_and_rest(x)))])
    return result


def _wide_log2(k: Value, f: Value) -> Value:
    """k + log2(1 + f) in f64, with an error of 2**-38."""
    wide = f.to(F64)
    return wide * wide.polynomial(_LOG2_OF_POWER) + k.to(F64)


def _wide_exp2(y: Value, logarithm: Value) -> Value:
    """2**(y * logarithm) in f32."""
    exponent = (y.to(F64) * logarithm).at_most(160.0).at_least(-160.0)
    k = (exponent + exponent.format.magic) - exponent.format.magic
    return _scaled(_exp_near_0(((exponent - k) * math.log(2)).to(F32)), k.to(F32) + y.format.magic)


def _with_power_edges(x: Value, y: Value, size: Value) -> Value:
    """The power with its sign, from |x|**y."""
    half = y * 0.5
    is_integer, is_even = y.intrinsic("trunc").equals(y), half.intrinsic("trunc").equals(half)
    signed = (is_integer & ~is_even).choose(size.with_sign_of(x), size)
    is_undefined = (x < 0.0) & (x > -math.inf) & ~is_integer
    is_one = x.equals(1.0) | y.equals(0.0) | (x.equals(-1.0) & abs(y).equals(math.inf))
    return is_one.choose(1.0, is_undefined.choose(math.nan, signed))


def remainder(x: Value, y: Value) -> Value:
    """x - trunc(x / y) * y, exact in f64 for quotients below 2**28; the C library's function for larger ones."""
    wide_x, wide_y = abs(x.to(F64)), abs(y.to(F64))
    quotient = (wide_x / wide_y).intrinsic("trunc")
    rest = wide_x - quotient * wide_y
    rest = (rest < 0.0).choose(rest + wide_y, rest).to(F32)
    return (abs(y).equals(math.inf) & (abs(x) < math.inf)).choose(abs(x), rest).with_sign_of(x)


def _has_large_quotient(x: Value, y: Value) -> Value:
    quotient = abs(x.to(F64)) / abs(y.to(F64))
    return (quotient > 2.0**28) & (quotient < math.inf)


# ---------------------------------------------------------------- operations

_F32_AND_F64: dict[MathOp, Callable[..., Value]] = {
    MathOp.EXP: exp, MathOp.EXP2: exp2, MathOp.LOG: log, MathOp.LOG2: log2, MathOp.SIN: sin, MathOp.COS: cos,
}  # fmt: skip
_F32: dict[MathOp, Callable[..., Value]] = {
    MathOp.TAN: tan, MathOp.ASIN: asin, MathOp.ACOS: acos, MathOp.ATAN: atan, MathOp.ATAN2: atan2,
    MathOp.SINH: sinh, MathOp.COSH: cosh, MathOp.TANH: tanh, MathOp.ERF: erf, MathOp.POW: power,
    MathOp.FMOD: remainder,
}  # fmt: skip
_OUTSIDE: dict[tuple[MathOp, Type], Callable[..., Value]] = {
    (MathOp.SIN, F64): is_large, (MathOp.COS, F64): is_large, (MathOp.FMOD, F32): _has_large_quotient,
}  # fmt: skip


VECTORISED = _F32_AND_F64.keys() | _F32.keys()
"""The operations with code for vectors, which may branch on whether an operand is in the usual range."""


def has_vector_code(op: MathOp, type: Type) -> bool:
    """Whether `write` has code for an operation on vectors of floats."""
    return op in _F32_AND_F64 or (op in _F32 and scalar_of(type) == F32)


def write(op: MathOp, arithmetic: Arithmetic, type: Type, arguments: list[str], library: Callable[[], str]) -> str:
    """The operand with the result. `library` writes calls of the C library, which compute the whole vector if an
    argument is outside the range of the vector code."""
    values = [Value(arithmetic, type, argument) for argument in arguments]
    result = {**_F32_AND_F64, **_F32}[op](*values)
    outside = _OUTSIDE.get((op, scalar_of(type)))
    if outside is None:
        return result.text
    (result,) = outside(*values).any_or(lambda: [Value(arithmetic, type, library())], [result])
    return result.text
