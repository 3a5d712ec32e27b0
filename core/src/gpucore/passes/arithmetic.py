"""Evaluation of operators on constants: the numeric rules of `gpucore.ir.ops`, on Python numbers.

A float is a Python float whose value is representable in its type. NumPy does each float operation in the type itself,
so it rounds as a device does. If a result would depend on the device (the bits of a NaN, fused or not), the answer is
None: the operation is left alone. Functions are evaluated by their meaning in the table of `ir.ops`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gpucore.ir import BOOL, F16, F32, F64, FUNCTIONS, BinaryOp, MathOp, ScalarType, UnaryOp
from gpucore.ir.arithmetic import evaluator, wrap
from gpucore.ir.ops import Folding, Operation

Number = bool | int | float

_FLOAT: dict[str, Any] = {F16.name: np.float16, F32.name: np.float32, F64.name: np.float64}
_PRECISION = {F16.name: 11, F32.name: 24, F64.name: 53}


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
    """Rounded once: going through a Python float would round a 64-bit integer twice."""
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
    return _computed(op, type, value)


def binary(op: BinaryOp, left: Number, right: Number, type: ScalarType) -> Number:
    """A Binary of two constants of `type`; a comparison gives a bool."""
    return _computed(op, type, left, right)


def call(op: MathOp, args: list[Number], type: ScalarType) -> Number | None:
    """A Call on constants, the first of the given type; None if it is left to the device."""
    folding = FUNCTIONS[op].folding
    if folding is Folding.NEVER or (folding is Folding.NEAR and not all(map(math.isfinite, args))):
        return None
    if op is MathOp.COPYSIGN and args[1] != args[1]:  # a Python float does not keep the bits of a NaN
        return None
    result = _computed(op, type, *args)
    return None if folding is Folding.NEAR and not math.isfinite(result) else result


def _computed(op: Operation, type: ScalarType, *values: Number) -> Number:
    """The operation on numbers; those that are floats are values of the float type."""
    operands = [_FLOAT[type.name](value) if isinstance(value, float) else value for value in values]
    with np.errstate(all="ignore"):
        result = evaluator(op, type)(*operands)
    return result if isinstance(result, (bool, int)) else float(result)
