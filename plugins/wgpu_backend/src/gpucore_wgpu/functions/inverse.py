"""Inverse trigonometric functions, implemented in WGSL.

WGSL's own are inaccurate, because drivers' are: Vulkan allows atan an error of 4096 ulp, and the others follow from it;
lavapipe's asin has an error of 4e-4. Their results for NaN are undefined. These are within 4 ulp if division is within
2.5 and sqrt within 1. The polynomials are fitted for minimal relative error, of (f(t) / t - 1) / t**2 in t**2.
"""

from __future__ import annotations

import math

from gpucore.plugin.ir import I32, U32, Type, with_scalar
from gpucore_wgpu.functions.library import Builder, Functions, define, nan, polynomial
from gpucore_wgpu.wgsl_types import full, type_name

_ASIN = (0.166667521, 0.0749529749, 0.0454703756, 0.0241795164, 0.0421663038)  # up to t = 1/2: error 5e-9
_ATAN = (  # up to t = 1: error 3e-9
    -0.333332986, 0.199985489, -0.142642409, 0.109521851, -0.0840344876, 0.0579575635, -0.0311778169, 0.0109145902,
    -0.00179361831,
)  # fmt: skip
_ONE_BITS = 0x3F800000
_SIGN_BIT = 0x8000_0000


def _with_sign(functions: Functions, identifier: str, type: Type) -> list[str]:
    """A nonnegative `x` with the sign of `y`, which may be a negative zero."""
    bits = type_name(with_scalar(type, U32))
    sign = f"(bitcast<{bits}>(y) & {full(with_scalar(type, U32), _SIGN_BIT)})"
    result = f"bitcast<{type_name(type)}>(bitcast<{bits}>(x) | {sign})"
    return define(identifier, f"x: {type_name(type)}, y: {type_name(type)}", type, f"return {result};")


def _asin_part(functions: Functions, identifier: str, type: Type) -> list[str]:
    """asin(|x|) up to 1/2; beyond that asin(sqrt((1 - |x|) / 2)), which is half of acos(|x|)."""
    half, one = full(type, 0.5), full(type, 1)
    return define(
        identifier, f"x: {type_name(type)}", type,
        "let a = abs(x);",
        f"let z = select(a * a, ({one} - a) * {half}, a > {half});",
        f"let s = select(a, sqrt(z), a > {half});",
        *polynomial(type, _ASIN, "return s + s * (z * p);"),
    )  # fmt: skip


def _unless_beyond_one(functions: Functions, type: Type, result: str) -> str:
    """`result`, or NaN if |x| > 1 or x is NaN. It tests the bits: a WGSL compiler may assume that there is no NaN."""
    bits = with_scalar(type, U32)
    magnitude = f"(bitcast<{type_name(bits)}>(x) & {full(bits, _SIGN_BIT - 1)})"
    return f"return select({result}, {nan(functions, type)}, {magnitude} > {full(bits, _ONE_BITS)});"


def _asin(functions: Functions, identifier: str, type: Type) -> list[str]:
    t, half = type_name(type), full(type, 0.5)
    signed = functions.call("with_sign", type, f"select(p, {full(type, math.pi / 2)} - (p + p), abs(x) > {half})", "x")
    return define(
        identifier, f"x: {t}", type,
        f"let p = {functions.call('asin_part', type, 'x')};",
        _unless_beyond_one(functions, type, signed),
    )  # fmt: skip


def _acos(functions: Functions, identifier: str, type: Type) -> list[str]:
    t, half, zero = type_name(type), full(type, 0.5), full(type, 0)
    near_zero = f"{full(type, math.pi / 2)} - {functions.call('with_sign', type, 'p', 'x')}"
    return define(
        identifier, f"x: {t}", type,
        f"let p = {functions.call('asin_part', type, 'x')};",
        f"let far = select(p + p, {full(type, math.pi)} - (p + p), x < {zero});",
        _unless_beyond_one(functions, type, f"select({near_zero}, far, abs(x) > {half})"),
    )  # fmt: skip


def _atan_part(functions: Functions, identifier: str, type: Type) -> list[str]:
    """atan of a number from 0 to 1."""
    tail = "return t + t * (z * p);"
    return define(identifier, f"t: {type_name(type)}", type, "let z = t * t;", *polynomial(type, _ATAN, tail))


def _atan(functions: Functions, identifier: str, type: Type) -> list[str]:
    """Above 1 from the reciprocal, with x limited to 2**30: not every driver can divide by much greater numbers."""
    t, one = type_name(type), full(type, 1)
    signed = functions.call("with_sign", type, f"select(r, {full(type, math.pi / 2)} - r, a > {one})", "x")
    return define(
        identifier, f"x: {t}", type,
        "let a = abs(x);",
        f"let r = {functions.call('atan_part', type, f'select(a, {one} / min(a, {full(type, 2.0**30)}), a > {one})')};",
        f"return select({signed}, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


def _atan2(functions: Functions, identifier: str, type: Type) -> list[str]:
    """From the smaller magnitude divided by the larger. Both are scaled first if the larger is huge or tiny."""
    t, zero, one, integers = type_name(type), full(type, 0), full(type, 1), with_scalar(type, I32)
    huge, tiny, shrink, grow = (full(type, 2.0**power) for power in (100, -100, -60, 60))
    unknown = f"{functions.call('is_nan', type, 'y')} | {functions.call('is_nan', type, 'x')}"
    return define(
        identifier, f"y: {t}, x: {t}", type,
        "let steep = abs(y) > abs(x);",
        "let greater = select(abs(x), abs(y), steep);",
        "let smaller = select(abs(y), abs(x), steep);",
        f"let scale = select(select({one}, {grow}, greater < {tiny}), {shrink}, greater > {huge});",
        "let divisor = greater * scale;",
        f"let divides = (divisor > {zero}) & (divisor <= {huge});",  # not by zero or infinity
        f"let quotient = select({zero}, smaller * scale / divisor, divides);",
        f"let t = select(quotient, {one}, (smaller == greater) & (greater > {zero}));",
        f"let q = {functions.call('atan_part', type, 't')};",
        f"let r = select(q, {full(type, math.pi / 2)} - q, steep);",
        f"let turned = select(r, {full(type, math.pi)} - r, bitcast<{type_name(integers)}>(x) < {full(integers, 0)});",
        f"return select({functions.call('with_sign', type, 'turned', 'y')}, {nan(functions, type)}, {unknown});",
    )  # fmt: skip


INVERSE_FUNCTIONS: dict[str, Builder] = {
    "with_sign": _with_sign,
    "asin_part": _asin_part,
    "atan_part": _atan_part,
    "asin": _asin,
    "acos": _acos,
    "atan": _atan,
    "atan2": _atan2,
}
