"""What operators give on constants: the numeric contract of `gpucore.ir.ops`, on Python numbers.

A float travels as a Python float that already is a value of its type. Each float operation is done by NumPy in the
type itself, so it rounds as a device does; f64 serves for functions that are allowed an error. Where a result would
depend on the device (the bits of a NaN, fused or not) the answer is None: leave the operation alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.ir import BOOL, F16, F32, F64, BinaryOp, MathOp, ScalarType, UnaryOp

Number = bool | int | float

_FLOAT: dict[str, Any] = {F16.name: np.float16, F32.name: np.float32, F64.name: np.float64}
_PRECISION = {F16.name: 11, F32.name: 24, F64.name: 53}


def wrap(value: int, type: ScalarType) -> int:
    """`value` modulo 2**bits, in the range of the integer `type`."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.is_signed and value >> (type.bits - 1) else value


def round_float(value: float, type: ScalarType) -> float:
    """`value` rounded to the nearest value of the float `type`, ties to even."""
    with np.errstate(all="ignore"):
        return float(_FLOAT[type.name](value))


def convert(value: Number, source: ScalarType, target: ScalarType) -> Number:
    """A Convert of a constant."""
    if target == BOOL:
        return value != 0
    if target.is_float:
        return round_float(value, target) if source.is_float else _integer_to_float(int(value), target)
    if not source.is_float:
        return wrap(int(value), target)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return target.max_value if value > 0 else target.min_value
    return min(max(int(value), target.min_value), target.max_value)


def _integer_to_float(value: int, type: ScalarType) -> float:
    """Rounded once: through a Python float, a 64-bit integer would be rounded twice."""
    magnitude = abs(value)
    excess = magnitude.bit_length() - _PRECISION[type.name]
    if excess > 0:
        kept, rest = magnitude >> excess, magnitude & ((1 << excess) - 1)
        half = 1 << (excess - 1)
        kept += rest > half or (rest == half and kept & 1)
        magnitude = kept << excess
    return round_float(float(-magnitude if value < 0 else magnitude), type)


def bitcast(value: Number, source: ScalarType, target: ScalarType) -> Number | None:
    """A Bitcast of a constant; None where a NaN is involved, whose bits a Python float does not keep."""
    if BOOL in (source, target) or source.bits != target.bits or value != value:
        return None
    result: Number = np.array([value], dtype=_dtype(source)).view(_dtype(target))[0].item()
    return None if result != result else result


def _dtype(type: ScalarType) -> Any:
    letter = "f" if type.is_float else "i" if type.is_signed else "u"
    return np.dtype(f"{letter}{type.nbytes}")


def unary(op: UnaryOp, value: Number, type: ScalarType) -> Number:
    """A Unary of a constant of `type`."""
    if op is UnaryOp.NOT:
        return not value
    if op is UnaryOp.INVERT:
        return wrap(~int(value), type)
    return -value if type.is_float else wrap(-int(value), type)


# ---------------------------------------------------------------- operators

_COMPARE: dict[BinaryOp, Callable[[Any, Any], bool]] = {
    BinaryOp.EQ: lambda a, b: a == b,
    BinaryOp.NE: lambda a, b: a != b,
    BinaryOp.LT: lambda a, b: a < b,
    BinaryOp.LE: lambda a, b: a <= b,
    BinaryOp.GT: lambda a, b: a > b,
    BinaryOp.GE: lambda a, b: a >= b,
}

_BOOL: dict[BinaryOp, Callable[[bool, bool], bool]] = {
    BinaryOp.AND: lambda a, b: a and b,
    BinaryOp.OR: lambda a, b: a or b,
    BinaryOp.BIT_AND: lambda a, b: a and b,
    BinaryOp.BIT_OR: lambda a, b: a or b,
    BinaryOp.BIT_XOR: lambda a, b: a is not b,
}

_FLOAT_ARITHMETIC: dict[BinaryOp, Callable[[Any, Any], Any]] = {
    BinaryOp.ADD: lambda a, b: a + b,
    BinaryOp.SUB: lambda a, b: a - b,
    BinaryOp.MUL: lambda a, b: a * b,
    BinaryOp.DIV: lambda a, b: a / b,
}

_INTEGER: dict[BinaryOp, Callable[[int, int, int], int]] = {  # exact results; the third argument is the width
    BinaryOp.ADD: lambda a, b, _: a + b,
    BinaryOp.SUB: lambda a, b, _: a - b,
    BinaryOp.MUL: lambda a, b, _: a * b,
    BinaryOp.FLOOR_DIV: lambda a, b, _: a // b if b else a,
    BinaryOp.FLOOR_MOD: lambda a, b, _: a % b if b else 0,
    BinaryOp.TRUNC_DIV: lambda a, b, _: trunc_div(a, b) if b else a,
    BinaryOp.TRUNC_REM: lambda a, b, _: a - b * trunc_div(a, b) if b else 0,
    BinaryOp.BIT_AND: lambda a, b, _: a & b,
    BinaryOp.BIT_OR: lambda a, b, _: a | b,
    BinaryOp.BIT_XOR: lambda a, b, _: a ^ b,
    BinaryOp.SHL: lambda a, b, width: a << (b % width),
    BinaryOp.SHR: lambda a, b, width: a >> (b % width),
}


def trunc_div(a: int, b: int) -> int:
    """a / b rounded toward zero, exactly."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def binary(op: BinaryOp, left: Number, right: Number, type: ScalarType) -> Number:
    """A Binary of two constants of `type`; a comparison gives a bool."""
    if op in _COMPARE:
        return bool(_COMPARE[op](left, right))
    if type == BOOL:
        return _BOOL[op](bool(left), bool(right))
    if type.is_integer:
        return wrap(_INTEGER[op](int(left), int(right), type.bits), type)
    scalar = _FLOAT[type.name]
    with np.errstate(all="ignore"):
        return float(_FLOAT_ARITHMETIC[op](scalar(left), scalar(right)))


# ---------------------------------------------------------------- functions


def _sign(x: Any) -> Any:
    return (x > 0) * 1.0 - (x < 0) * 1.0


_FLOAT_EXACT: dict[MathOp, Callable[..., Any]] = {
    MathOp.ABS: np.abs,
    MathOp.MIN: np.fmin,  # if one argument is NaN, the other
    MathOp.MAX: np.fmax,
    MathOp.CLAMP: lambda x, low, high: np.fmin(np.fmax(x, low), high),
    MathOp.FLOOR: np.floor,
    MathOp.CEIL: np.ceil,
    MathOp.ROUND: np.rint,
    MathOp.TRUNC: np.trunc,
    MathOp.FRACT: lambda x: x - np.floor(x),
    MathOp.SQRT: np.sqrt,
    MathOp.SIGN: _sign,
    MathOp.FMOD: np.fmod,
    MathOp.STEP: lambda edge, x: 1.0 if x >= edge else 0.0,
    MathOp.MIX: lambda a, b, t: a * (type(t)(1) - t) + b * t,
}

_FLOAT_NEAR: dict[MathOp, Callable[..., Any]] = {  # done in f64, then rounded
    MathOp.RSQRT: lambda x: 1.0 / np.sqrt(x),
    MathOp.EXP: np.exp,
    MathOp.EXP2: np.exp2,
    MathOp.LOG: np.log,
    MathOp.LOG2: np.log2,
    MathOp.POW: np.float_power,  # np.power takes a root for the exponent 0.5: NaN of -inf, and -0.0 of -0.0
    MathOp.SIN: np.sin,
    MathOp.COS: np.cos,
    MathOp.TAN: np.tan,
    MathOp.ASIN: np.arcsin,
    MathOp.ACOS: np.arccos,
    MathOp.ATAN: np.arctan,
    MathOp.ATAN2: np.arctan2,
    MathOp.SINH: np.sinh,
    MathOp.COSH: np.cosh,
    MathOp.TANH: np.tanh,
}


def call(op: MathOp, args: list[Number], type: ScalarType) -> Number | None:
    """A Call on constants of `type`; None where it is left to the device."""
    if type.is_integer:
        return _integer_call(op, [int(a) for a in args], type)
    if not type.is_float:
        return None
    if op is MathOp.ISNAN:
        return math.isnan(args[0])
    if op is MathOp.ISINF:
        return math.isinf(args[0])
    with np.errstate(all="ignore"):
        if op in _FLOAT_EXACT:
            scalar = _FLOAT[type.name]
            return float(_FLOAT_EXACT[op](*(scalar(a) for a in args)))
        if op in _FLOAT_NEAR and all(map(math.isfinite, args)):
            result = round_float(float(_FLOAT_NEAR[op](*(np.float64(a) for a in args))), type)
            return result if math.isfinite(result) else None
    return None


def _integer_call(op: MathOp, args: list[int], type: ScalarType) -> int | None:
    x, bits = args[0], args[0] & ((1 << type.bits) - 1)
    match op:
        case MathOp.ABS:
            return wrap(abs(x), type)
        case MathOp.MIN:
            return min(args)
        case MathOp.MAX:
            return max(args)
        case MathOp.CLAMP:
            return min(max(x, args[1]), args[2])
        case MathOp.SIGN:
            return (x > 0) - (x < 0)
        case MathOp.POPCOUNT:
            return bits.bit_count()
        case MathOp.CLZ:
            return type.bits - bits.bit_length()
        case MathOp.CTZ:
            return (bits & -bits).bit_length() - 1 if bits else type.bits
        case MathOp.REVERSE_BITS:
            return wrap(int(f"{bits:0{type.bits}b}"[::-1], 2), type)
        case _:
            return None
