"""Functions that generated kernels call: each is the meaning of one operation of the IR on one scalar.

Integers are Python ints in the range of their type, floats are NumPy scalars. No function raises, whatever its
arguments. The device silences NumPy's warnings about overflow and NaN for a whole dispatch.

The transcendental functions compute f16 and f32 in double precision and round once: except in a few cases in a billion
the result is the nearest value of the type, whatever the host's vector unit.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gpucore.ir import FUNCTIONS, MathOp, ScalarType
from gpucore.ir.ops import Operation, meaning

Float = Any  # a np.float16, np.float32 or np.float64

f16, f32, f64 = np.float16, np.float32, np.float64


def dtype_of(scalar: ScalarType) -> np.dtype[Any]:
    """The NumPy dtype of one scalar in memory; a bool is stored as u32."""
    if scalar.is_float:
        return np.dtype(f"f{scalar.nbytes}")
    return np.dtype(f"{'i' if scalar.is_signed else 'u'}{scalar.nbytes}")


# ---------------------------------------------------------------- the texts of the table


@functools.cache
def evaluator(op: Operation, type: ScalarType, *, wraps: bool = True) -> Callable[..., Any]:
    """The meaning of an operation on scalars of the type, as a Python function; without `wraps`, before wrapping."""
    names = _names(type) | ({} if wraps else {"wrap": int})
    text = f"lambda a, b=None, c=None: {meaning(op, type)}"
    return cast(Callable[..., Any], eval(text, globals() | names))  # noqa: S307 - a text of core's own table


def bounds(op: MathOp, type: ScalarType) -> tuple[int, int] | None:
    """The least and the greatest result of a function of integers of the type, if the table has them."""
    text = FUNCTIONS[op].bounds
    return cast("tuple[int, int]", eval(text, _names(type))) if text else None  # noqa: S307 - as above


def _names(type: ScalarType) -> dict[str, Any]:
    """What the names in capitals and `wrap` mean for a scalar type."""
    if type.is_float:
        kind = dtype_of(type).type
        return {"ZERO": kind(0), "ONE": kind(1)}
    return {
        "wrap": functools.partial(wrap, type=type),
        "BITS": type.bits,
        "LAST": type.bits - 1,
        "MASK": (1 << type.bits) - 1,
        "LOW": type.min_value,
        "HIGH": type.max_value,
    }


# ---------------------------------------------------------------- integers


def wrap(value: int, type: ScalarType) -> int:
    """`value` modulo 2**bits, in the range of the integer `type`."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.is_signed and value >> (type.bits - 1) else value


def trunc_div(a: int, b: int) -> int:
    """a / b toward zero; a for b = 0. The caller wraps INT_MIN / -1."""
    if not b:
        return a
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def trunc_rem(a: int, b: int) -> int:
    """The remainder of trunc_div, with the sign of a; 0 for b = 0."""
    if not b:
        return 0
    remainder = abs(a) % abs(b)
    return -remainder if a < 0 else remainder


def reverse_bits(a: int, bits: int) -> int:
    """The lowest `bits` bits of a non-negative integer in reverse order."""
    return int(f"{a:0{bits}b}"[::-1], 2)


def wrap_i32(a: int) -> int:
    """Any integer modulo 2 ** 32, as i32."""
    return (a + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def wrap_u32(a: int) -> int:
    """Any integer modulo 2 ** 32, as u32."""
    return a & 0xFFFFFFFF


def dot_of_bytes(a: int, b: int, signed: bool) -> int:
    """The sum of the products of the four bytes of two words."""
    kind = np.dtype("<i1" if signed else "<u1")
    left, right = (np.frombuffer(word.to_bytes(4, "little"), kind).astype(int) for word in (a, b))
    return int(left @ right)


# ---------------------------------------------------------------- conversions


def int_from_float(a: Float, low: int, high: int) -> int:
    """Truncates toward zero, saturates at `low` and `high`; NaN gives 0."""
    value = float(a)
    if low <= value <= high:  # Python compares int and float exactly
        return int(value)
    if value != value:
        return 0
    return low if value < 0 else high


def f32_from_int(a: int) -> Float:
    """A 64-bit integer rounded once. `f32(a)` would round to double before."""
    return np.uint64(a).astype(f32) if a >= 0 else np.int64(a).astype(f32)


def bits_of(a: Float) -> int:
    """The bits of a float as a non-negative integer."""
    return int(a.view(f"u{a.itemsize}"))


def bf16_bits(a: Float) -> int:
    """The bits of the nearest bf16 of an f32, ties to even; a NaN becomes quiet."""
    bits = bits_of(a)
    return bits >> 16 | 0x40 if a != a else bits + 0x7FFF + (bits >> 16 & 1) >> 16


def f16_from_bits(a: int) -> Float:
    return np.uint16(a).view(f16)


def f32_from_bits(a: int) -> Float:
    return np.uint32(a).view(f32)


def f64_from_bits(a: int) -> Float:
    return np.uint64(a).view(f64)


def reinterpret(values: tuple[Any, ...], source: str, target: str) -> tuple[Any, ...]:
    """The bytes of scalars of one dtype ("f2", "u4") as scalars of another; for bitcasts that change widths."""
    seen = np.array(values, dtype=source).view(target)
    return tuple(seen) if seen.dtype.kind == "f" else tuple(seen.tolist())


# ---------------------------------------------------------------- floats


def float_min(a: Float, b: Float) -> Float:
    """The smaller; if one is NaN, the other one."""
    return a if a < b or b != b else b


def float_max(a: Float, b: Float) -> Float:
    """The larger; if one is NaN, the other one."""
    return a if a > b or b != b else b


def sign(a: Float) -> Float:
    """-1, 0 or 1; 0 for NaN and for either zero."""
    return type(a)(int(a > 0) - int(a < 0))


def isinf(a: Float) -> bool:
    return math.isinf(a)


def fma(a: Float, b: Float, c: Float) -> Float:
    """a * b + c, rounded once."""
    kind = type(a)
    if kind is f64:
        return f64(_fma_double(float(a), float(b), float(c)))
    product, addend = float(a) * float(b), float(c)  # the product of two f32 is exact in double
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)  # Knuth's TwoSum: product + addend = total + error exactly
    if error and math.isfinite(total):
        total = _round_to_odd(total, error)
    return kind(total)


def _round_to_odd(total: float, error: float) -> float:
    """`total + error` with a sticky last bit, which makes a second rounding to at most 51 bits safe.

    Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", IEEE Transactions on Computers 57(4), 2008.
    """
    if bits_of(f64(total)) & 1:
        return total
    return math.nextafter(total, math.inf if error > 0 else -math.inf)


def _fma_double(a: float, b: float, c: float) -> float:
    plain = a * b + c
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)) or not a or not b:
        return plain
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:
        return 0.0
    try:
        return exact.numerator / exact.denominator  # Python rounds the quotient of two ints correctly
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _rounded(function: Callable[..., Any]) -> Callable[..., Float]:
    """`function` computed in double precision and rounded to the type of the first argument."""

    def apply(*arguments: Float) -> Float:
        return type(arguments[0])(function(*map(f64, arguments)))

    return apply


floor: Callable[[Float], Float] = np.floor
ceil: Callable[[Float], Float] = np.ceil
rint: Callable[[Float], Float] = np.rint  # to nearest, ties to even
trunc: Callable[[Float], Float] = np.trunc
sqrt: Callable[[Float], Float] = np.sqrt  # correctly rounded in every type
exp = _rounded(np.exp)
exp2 = _rounded(np.exp2)
log = _rounded(np.log)
log2 = _rounded(np.log2)
log10 = _rounded(np.log10)
power = _rounded(np.float_power)  # np.power computes the exponent 0.5 as a root: wrong for -inf and -0.0
sin = _rounded(np.sin)
cos = _rounded(np.cos)
tan = _rounded(np.tan)
arcsin = _rounded(np.arcsin)
arccos = _rounded(np.arccos)
arctan = _rounded(np.arctan)
arctan2 = _rounded(np.arctan2)
fmod = np.fmod  # exact in every type
sinh = _rounded(np.sinh)
cosh = _rounded(np.cosh)
tanh = _rounded(np.tanh)
erf = _rounded(math.erf)
hypot = _rounded(np.hypot)
log1p = _rounded(np.log1p)
expm1 = _rounded(np.expm1)
cbrt = _rounded(np.cbrt)
copysign: Callable[[Float, Float], Float] = np.copysign
ldexp: Callable[[Float, int], Float] = np.ldexp


# ---------------------------------------------------------------- diagnostics


def shown(values: tuple[Any, ...]) -> str:
    """A vector as print shows it: (1.0, 2.5)."""
    return f"({', '.join(map(str, values))})"
