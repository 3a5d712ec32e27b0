"""Types and constants of the IR as WGSL text."""

from __future__ import annotations

import math
import struct

from gpucore.plugin import EmitError
from gpucore.plugin.ir import (
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    CooperativeType,
    MatrixRole,
    ScalarKind,
    ScalarType,
    Type,
    VectorType,
    scalar_of,
)

_ROLES = {MatrixRole.LEFT: "A", MatrixRole.RIGHT: "B", MatrixRole.SUMS: "C"}
_INTEGER_SUFFIX = {I32: "", U32: "u", I64: "li", U64: "lu"}
_FLOAT_SUFFIX = {F16: "h", F32: "", F64: "lf"}
_PACKING = {F16: ("<e", 3, 5), F32: ("<f", 6, 9)}  # format for struct.pack, minimum and maximum number of digits
_GREATEST = {F16: 65504.0, F32: (2 - 2**-23) * 2.0**127}
_NONFINITE_F32 = {"inf": 0x7F800000, "-inf": 0xFF800000, "nan": 0x7FC00000}
_NONFINITE_F64 = {"inf": 0x7FF0 << 48, "-inf": 0xFFF0 << 48, "nan": 0x7FF8 << 48}


def type_name(type: Type) -> str:
    """The WGSL name of a type."""
    if isinstance(type, CooperativeType):
        return f"coop_mat{type.edge}x{type.edge}<{type.element.name}, {_ROLES[type.role]}>"
    if isinstance(type, VectorType):
        return f"vec{type.width}<{type.element.name}>"
    return type.name


def needs_bits(value: bool | int | float) -> bool:
    """Whether a constant is a NaN or an infinity, for which WGSL has no literal."""
    return isinstance(value, float) and not math.isfinite(value)


def nonfinite_bits(value: float, type: ScalarType) -> int:
    """The bits of a NaN or infinity as an f64 (for f64) or an f32 (for f32 and f16)."""
    return (_NONFINITE_F64 if type == F64 else _NONFINITE_F32)[str(value)]


def literal(value: bool | int | float, type: ScalarType) -> str:
    """A finite constant. The minimum i32 and i64 have no literal and are written as expressions."""
    if type.kind is ScalarKind.BOOL:
        return "true" if value else "false"
    if type not in _INTEGER_SUFFIX and type not in _FLOAT_SUFFIX:
        raise EmitError("GP601", f"WGSL has no constants of type {type}", fix="run the kernel on another backend")
    if type.is_integer:
        return _integer_literal(int(value), type)
    return _float_digits(float(value), type) + _FLOAT_SUFFIX[type]


def full(type: Type, value: float) -> str:
    """A finite `value` in every component of `type`."""
    scalar = scalar_of(type)
    text = literal(float(value) if scalar.is_float else int(value), scalar)
    return f"{type_name(type)}({text})" if isinstance(type, VectorType) else text


def _integer_literal(value: int, type: ScalarType) -> str:
    suffix = _INTEGER_SUFFIX[type]
    if type == I32 and value == type.min_value:
        return f"i32({value})"  # "-2147483648i" would negate 2147483648i, which is out of range
    if type == I64 and value == type.min_value:
        return f"(-{type.max_value}{suffix} - 1{suffix})"
    return f"{value}{suffix}"


def _float_digits(value: float, type: ScalarType) -> str:
    """The shortest decimal that rounds to `value` and is in the range of its type, as WGSL wants it, with a point or an
    exponent."""
    text = repr(value)
    if type in _PACKING:
        code, fewest, most = _PACKING[type]
        packed = struct.pack(code, value)
        candidates = (f"{value:.{digits}g}" for digits in range(fewest, most + 1))
        greatest = _GREATEST[type]
        text = next((c for c in candidates if abs(float(c)) <= greatest and _packs_to(float(c), code, packed)), text)
    return text if any(mark in text for mark in ".en") else text + ".0"


def _packs_to(value: float, code: str, packed: bytes) -> bool:
    try:
        return struct.pack(code, value) == packed
    except OverflowError:  # rounded up beyond the greatest value of the type
        return False
