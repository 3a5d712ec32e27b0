"""Types of the IR as LLVM types, in registers and in memory, and constants as LLVM text."""

from __future__ import annotations

import math
import struct

from gpucore.plugin import EmitError
from gpucore.plugin.ir import Constant, ScalarKind, ScalarType, Type, VectorType, num_components, scalar_of

_REGISTER = {"bool": "i1", "i8": "i8", "u8": "i8", "i16": "i16", "u16": "i16", "i32": "i32", "u32": "i32", "i64": "i64",
             "u64": "i64", "f16": "half", "f32": "float", "f64": "double"}  # fmt: skip


def llvm_type(type: Type) -> str:
    """The type of a value in a register: bool is i1. Raises EmitError for an unsupported type."""
    name = scalar_of(type).name
    if name not in _REGISTER:
        raise EmitError("GP601", f"the cpu backend has no type {name}")
    scalar = _REGISTER[name]
    return f"<{type.width} x {scalar}>" if isinstance(type, VectorType) else scalar


def memory_type(type: Type) -> str:
    """The type of an element in memory internal to this backend: bool is i8, all others as in a register."""
    if scalar_of(type).kind is not ScalarKind.BOOL:
        return llvm_type(type)
    return f"<{type.width} x i8>" if isinstance(type, VectorType) else "i8"


def memory_nbytes(type: Type) -> int:
    """Bytes of one element in memory, which is also its alignment."""
    return num_components(type) * (1 if scalar_of(type).kind is ScalarKind.BOOL else scalar_of(type).nbytes)


def suffix(type: Type) -> str:
    """The suffix of an overloaded intrinsic: "f32", "v4i32"."""
    scalar = scalar_of(type)
    name = "i1" if scalar.kind is ScalarKind.BOOL else f"{'f' if scalar.is_float else 'i'}{scalar.bits}"
    return f"v{type.width}{name}" if isinstance(type, VectorType) else name


def literal(value: bool | int | float, type: Type) -> str:
    """A constant; for a vector type, with `value` in every component."""
    if isinstance(type, VectorType):
        component = f"{llvm_type(type.element)} {literal(value, type.element)}"
        return "<" + ", ".join([component] * type.width) + ">"
    if type.kind is ScalarKind.BOOL:
        return "true" if value else "false"
    if type.is_float:
        return _float_literal(float(value), type)
    wrapped = int(value) & ((1 << type.bits) - 1)
    return str(wrapped - (1 << type.bits) if wrapped >> (type.bits - 1) else wrapped)


def _float_literal(value: float, type: ScalarType) -> str:
    """LLVM takes the bits: of an f16 as 0xH, of f32 and f64 both as those of a double."""
    if math.isnan(value):
        return "0xH7E00" if type.bits == 16 else "0x7FF8000000000000"
    if type.bits == 16:
        return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def constant_operand(constant: Constant) -> str:
    """The operand of a Constant."""
    return literal(constant.value, constant.type)
