"""The functions of numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from gpucore.lang.outside import outside

_F = TypeVar("_F", bound=Callable[..., Any])

MATH: dict[str, Callable[..., Any]] = {}
"""They by name: those of `ir.FUNCTIONS`, and those of vectors that are made of them."""


def _math(function: _F) -> _F:
    @functools.wraps(function)
    def on_host(*args: Any) -> Any:
        for arg in args:
            if hasattr(type(arg), "apply_function"):  # a device array
                return type(arg).apply_function(on_host, args)
        outside(function.__name__)

    MATH[function.__name__] = on_host
    return on_host  # type: ignore[return-value]  # it has the signature of the function


@_math
def abs(x: Any, /) -> Any:
    """Absolute value; abs of the smallest signed integer is itself."""


@_math
def min(x: Any, y: Any, /) -> Any:
    """The smaller; if one float is NaN, the other."""


@_math
def max(x: Any, y: Any, /) -> Any:
    """The larger; if one float is NaN, the other."""


@_math
def clamp(x: Any, low: Any, high: Any, /) -> Any:
    """min(max(x, low), high)."""


@_math
def floor(x: Any, /) -> Any:
    """The largest whole number not above x."""


@_math
def ceil(x: Any, /) -> Any:
    """The smallest whole number not below x."""


@_math
def round(x: Any, /) -> Any:
    """Nearest whole number, ties to even."""


@_math
def trunc(x: Any, /) -> Any:
    """Whole part of x."""


@_math
def fract(x: Any, /) -> Any:
    """x - floor(x)."""


@_math
def sqrt(x: Any, /) -> Any:
    """Square root."""


@_math
def rsqrt(x: Any, /) -> Any:
    """1 / sqrt(x)."""


@_math
def exp(x: Any, /) -> Any:
    """e to the x."""


@_math
def exp2(x: Any, /) -> Any:
    """2 to the x."""


@_math
def log(x: Any, /) -> Any:
    """Natural logarithm."""


@_math
def log2(x: Any, /) -> Any:
    """Logarithm to base 2."""


@_math
def log10(x: Any, /) -> Any:
    """Logarithm to base 10."""


@_math
def pow(x: Any, y: Any, /) -> Any:
    """x to the y."""


@_math
def sin(x: Any, /) -> Any:
    """Sine of radians."""


@_math
def cos(x: Any, /) -> Any:
    """Cosine of radians."""


@_math
def tan(x: Any, /) -> Any:
    """Tangent of radians."""


@_math
def asin(x: Any, /) -> Any:
    """Arc sine, radians."""


@_math
def acos(x: Any, /) -> Any:
    """Arc cosine, radians."""


@_math
def atan(x: Any, /) -> Any:
    """Arc tangent, radians."""


@_math
def atan2(y: Any, x: Any, /) -> Any:
    """Angle of the point (x, y), radians."""


@_math
def sinh(x: Any, /) -> Any:
    """Hyperbolic sine."""


@_math
def cosh(x: Any, /) -> Any:
    """Hyperbolic cosine."""


@_math
def tanh(x: Any, /) -> Any:
    """Hyperbolic tangent."""


@_math
def fma(a: Any, b: Any, c: Any, /) -> Any:
    """a * b + c, rounded once if the device has a fused multiply-add."""


@_math
def sign(x: Any, /) -> Any:
    """-1, 0 or 1 with the sign of x; 0 for NaN."""


@_math
def mix(a: Any, b: Any, t: Any, /) -> Any:
    """a * (1 - t) + b * t."""


@_math
def step(edge: Any, x: Any, /) -> Any:
    """1 where x >= edge, else 0."""


@_math
def dot(v: Any, w: Any, /) -> Any:
    """Sum of the products of two vectors' components."""


@_math
def popcount(x: Any, /) -> Any:
    """Number of 1 bits of an integer."""


@_math
def clz(x: Any, /) -> Any:
    """Number of leading zero bits of an integer."""


@_math
def ctz(x: Any, /) -> Any:
    """Number of trailing zero bits of an integer."""


@_math
def reverse_bits(x: Any, /) -> Any:
    """The bits of an integer in reverse order."""


@_math
def erf(x: Any, /) -> Any:
    """Error function."""


@_math
def hypot(x: Any, y: Any, /) -> Any:
    """sqrt(x * x + y * y), without overflow of the squares."""


@_math
def log1p(x: Any, /) -> Any:
    """log(1 + x), accurate near 0."""


@_math
def expm1(x: Any, /) -> Any:
    """exp(x) - 1, accurate near 0."""


@_math
def cbrt(x: Any, /) -> Any:
    """Cube root, also of negative numbers."""


@_math
def copysign(x: Any, y: Any, /) -> Any:
    """The magnitude of x with the sign of y."""


@_math
def ldexp(x: Any, n: Any, /) -> Any:
    """x * 2 ** n, rounded once; n is an i32."""


@_math
def mul_hi(x: Any, y: Any, /) -> Any:
    """The upper half of the double-width product of two integers."""


@_math
def rotate_left(x: Any, n: Any, /) -> Any:
    """The bits of an integer rotated left by n."""


@_math
def rotate_right(x: Any, n: Any, /) -> Any:
    """The bits of an integer rotated right by n."""


@_math
def dot4_u8_packed(x: Any, y: Any, /) -> Any:
    """Sum of the products of the four bytes of two u32: u32."""


@_math
def dot4_i8_packed(x: Any, y: Any, /) -> Any:
    """Sum of the products of the four bytes of two u32, as signed i8: i32."""


@_math
def length(v: Any, /) -> Any:
    """Euclidean length of a vector; abs of a scalar."""


@_math
def distance(v: Any, w: Any, /) -> Any:
    """distance(v, w): the length of v - w."""


@_math
def normalize(v: Any, /) -> Any:
    """The vector of length 1 with the direction of v: v / length(v). NaN for a zero vector."""


@_math
def cross(v: Any, w: Any, /) -> Any:
    """cross(v, w): the cross product of two vectors of three."""


@_math
def reflect(v: Any, normal: Any, /) -> Any:
    """reflect(v, normal): v reflected at a plane whose normal has length 1: v - 2 * dot(v, normal) * normal."""


@_math
def isnan(x: Any, /) -> Any:
    """Whether a float is NaN."""


@_math
def isinf(x: Any, /) -> Any:
    """Whether a float is an infinity."""
