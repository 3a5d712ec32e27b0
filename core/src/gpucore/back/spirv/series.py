"""Inverse trigonometric and hyperbolic functions and erf of f32, by polynomials.

They are fitted for minimal relative error: of (f(t) / t - 1) / t**2 in t**2, for erf as said there. The inverse
functions are within 4 ulp if division is within 2.5 and sqrt within 1; the others have the bounds of exp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpucore.back.spirv.terms import Terms
from gpucore.ir import I32, U32, Expr, MathOp, build, with_scalar

_ASIN = (0.166667521, 0.0749529749, 0.0454703756, 0.0241795164, 0.0421663038)  # up to t = 1/2: error 5e-9
_ATAN = (  # up to t = 1: error 3e-9
    -0.333332986, 0.199985489, -0.142642409, 0.109521851, -0.0840344876, 0.0579575635, -0.0311778169, 0.0109145902,
    -0.00179361831,
)  # fmt: skip
_SINH = (0.166666672, 0.00833333284, 0.000198412949, 2.75521415e-06, 2.55266261e-08)  # up to 1: error 1e-13
_TANH = (-0.333333313, 0.133332059, -0.0539467633, 0.0217007082, -0.00817741174, 0.00214297371)  # 0.625: error 2e-10
_ERF = (0.128379166, -0.37612626, 0.112835854, -0.026853811, 0.00518832728, -0.000801019196, 7.85385564e-05)
"""erf(x) / x - 1 in x**2 up to 1, with an error of 1.2e-9."""
_ERF_FAR = (
    0.000406952982, -0.00217818655, 0.00544566056, -0.00835174788, 0.00862280838, -0.00610918086, 0.00279699685,
    -0.000560258108, -0.00025800732, 0.000270546647, -8.15798776e-05, -1.77359761e-05, 1.58765597e-05, -5.01748616e-07,
    -9.10369693e-07,
)  # fmt: skip
"""1 - erf(x) in x - 2.5 from 1 to 4, with an error of 9.7e-9. Above 4 erf rounds to 1."""


def _polynomial(z: Expr, coefficients: Sequence[float]) -> Expr:
    *rest, last = coefficients
    total: Expr = build.constant(last, z.type)
    for coefficient in reversed(rest):
        total = build.add(build.mul(total, z), coefficient)
    return total


def _odd(terms: Terms, t: Expr, coefficients: Sequence[float]) -> Expr:
    """t + t * (z * p(z)) with z = t * t."""
    z = terms.let(build.mul(t, t))
    return build.add(t, build.mul(t, build.mul(z, _polynomial(z, coefficients))))


def _abs(x: Expr) -> Expr:
    return build.call(MathOp.ABS, x)


def _with_sign(x: Expr, y: Expr) -> Expr:
    """A nonnegative `x` with the sign of `y`, which may be a negative zero."""
    bits = with_scalar(x.type, U32)
    sign = build.bit_and(build.bitcast(y, bits), 1 << 31)
    return build.bitcast(build.bit_or(build.bitcast(x, bits), sign), x.type)


def _unless_nan(result: Expr, x: Expr) -> Expr:
    return build.select(build.call(MathOp.ISNAN, x), x, result)


# ---------------------------------------------------------------- inverse functions


def _asin_part(terms: Terms, a: Expr) -> Expr:
    """asin(a) up to 1/2; beyond that asin(sqrt((1 - a) / 2)), which is half of acos(a)."""
    is_far = terms.let(build.gt(a, 0.5))
    far = build.mul(build.sub(build.constant(1.0, a.type), a), 0.5)
    z = terms.let(build.select(is_far, far, build.mul(a, a)))
    s = terms.let(build.select(is_far, build.call(MathOp.SQRT, z), a))
    return build.add(s, build.mul(s, build.mul(z, _polynomial(z, _ASIN))))


def _unless_beyond_one(result: Expr, x: Expr) -> Expr:
    """`result`, or NaN if |x| > 1 or x is NaN."""
    is_inside = build.le(_abs(x), 1.0)
    return build.select(is_inside, result, math.nan)


def asin(terms: Terms, x: Expr) -> Expr:
    """The angle whose sine is x."""
    a = terms.let(_abs(x))
    part = terms.let(_asin_part(terms, a))
    far = build.sub(build.constant(math.pi / 2, x.type), build.add(part, part))
    return _unless_beyond_one(_with_sign(build.select(build.gt(a, 0.5), far, part), x), x)


def acos(terms: Terms, x: Expr) -> Expr:
    """The angle whose cosine is x."""
    a = terms.let(_abs(x))
    part = terms.let(_asin_part(terms, a))
    near = build.sub(build.constant(math.pi / 2, x.type), _with_sign(part, x))
    double = terms.let(build.add(part, part))
    far = build.select(build.lt(x, 0.0), build.sub(build.constant(math.pi, x.type), double), double)
    return _unless_beyond_one(build.select(build.gt(a, 0.5), far, near), x)


def atan(terms: Terms, x: Expr) -> Expr:
    """Above 1 from the reciprocal, with x limited to 2**30: not every device can divide by much greater numbers."""
    a, one = terms.let(_abs(x)), build.constant(1.0, x.type)
    is_far = terms.let(build.gt(a, one))
    t = terms.let(build.select(is_far, build.div(one, build.call(MathOp.MIN, a, 2.0**30)), a))
    r = terms.let(_odd(terms, t, _ATAN))
    return _unless_nan(_with_sign(build.select(is_far, build.sub(build.constant(math.pi / 2, x.type), r), r), x), x)


def atan2(terms: Terms, y: Expr, x: Expr) -> Expr:
    """From the smaller magnitude divided by the larger. Both are scaled first if the larger is huge or tiny."""
    one, zero = build.constant(1.0, x.type), build.constant(0.0, x.type)
    of_y, of_x = terms.let(_abs(y)), terms.let(_abs(x))
    steep = terms.let(build.gt(of_y, of_x))
    greater, smaller = (terms.let(build.select(steep, a, b)) for a, b in ((of_y, of_x), (of_x, of_y)))
    grown = build.select(build.lt(greater, 2.0**-100), 2.0**60, one)
    scale = terms.let(build.select(build.gt(greater, 2.0**100), 2.0**-60, grown))
    divisor = terms.let(build.mul(greater, scale))
    divides = build.logical_and(build.gt(divisor, 0.0), build.le(divisor, 2.0**100))  # not by zero or infinity
    quotient = build.select(divides, build.div(build.mul(smaller, scale), divisor), zero)
    is_diagonal = build.logical_and(build.eq(smaller, greater), build.gt(greater, 0.0))
    t = terms.let(build.select(is_diagonal, one, quotient))
    q = terms.let(_odd(terms, t, _ATAN))
    r = terms.let(build.select(steep, build.sub(build.constant(math.pi / 2, x.type), q), q))
    is_left = build.lt(build.bitcast(x, with_scalar(x.type, I32)), 0)
    turned = build.select(is_left, build.sub(build.constant(math.pi, x.type), r), r)
    unknown = build.logical_or(build.call(MathOp.ISNAN, y), build.call(MathOp.ISNAN, x))
    return build.select(unknown, math.nan, _with_sign(turned, y))


# ---------------------------------------------------------------- hyperbolic functions, erf


def sinh(terms: Terms, x: Expr) -> Expr:
    """Above 1 from e**(|x| - 1): the argument is exact, so the result overflows exactly where sinh does."""
    a = terms.let(_abs(x))
    e = terms.let(build.mul(build.call(MathOp.EXP, build.sub(a, 1.0)), math.e / 2))
    large = build.sub(e, build.div(build.constant(0.25, x.type), build.call(MathOp.MIN, e, 2.0**60)))
    small = _odd(terms, terms.let(build.call(MathOp.MIN, a, 1.0)), _SINH)
    return _unless_nan(_with_sign(build.select(build.gt(a, 1.0), large, small), x), x)


def tanh(terms: Terms, x: Expr) -> Expr:
    """Above 0.625 from 1 - 2 / (e**(2 |x|) + 1), which rounds to 1 from 10 on."""
    a, one, two = terms.let(_abs(x)), build.constant(1.0, x.type), build.constant(2.0, x.type)
    power = build.call(MathOp.EXP, build.mul(two, build.call(MathOp.MIN, a, 10.0)))
    large = build.sub(one, build.div(two, build.add(power, one)))
    small = _odd(terms, terms.let(build.call(MathOp.MIN, a, 0.625)), _TANH)
    return _unless_nan(_with_sign(build.select(build.gt(a, 0.625), large, small), x), x)


def erf(terms: Terms, x: Expr) -> Expr:
    """With the rounding of f32 within 1.3 ulp."""
    a, one = terms.let(_abs(x)), build.constant(1.0, x.type)
    inner = terms.let(build.call(MathOp.MIN, a, 1.0))
    square = terms.let(build.mul(inner, inner))
    near = build.add(inner, build.mul(inner, _polynomial(square, _ERF)))
    shifted = terms.let(build.sub(build.call(MathOp.MIN, a, 4.0), 2.5))
    far = build.sub(one, _polynomial(shifted, _ERF_FAR))
    part = build.select(build.ge(a, 4.0), one, build.select(build.gt(a, 1.0), far, near))
    return _unless_nan(_with_sign(part, x), x)
