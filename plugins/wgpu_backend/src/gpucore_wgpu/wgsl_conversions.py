"""Conversions between number types, as the IR defines them."""

from __future__ import annotations

from gpucore.plugin.ir import F16, F32, I64, U32, U64, ScalarKind, ScalarType, Type, scalar_of, with_scalar
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.functions.library import Functions
from gpucore_wgpu.wgsl_types import full, type_name


def convert(functions: Functions, operand: str, source: Type, target: Type) -> str:
    """`operand` (text that can be an argument) of type `source`, converted to `target`."""
    from_scalar, to_scalar = scalar_of(source), scalar_of(target)
    if from_scalar == to_scalar:
        return f"({operand})"
    if to_scalar.kind is ScalarKind.BOOL:
        # not `!=`, which naga evaluates to false for NaN
        return f"(!(({operand}) == {full(source, 0)}))"
    if from_scalar.kind is ScalarKind.BOOL:
        return f"select({full(target, 0)}, {full(target, 1)}, {operand})"
    if from_scalar.is_float and to_scalar.is_integer:
        return _float_to_integer(functions, operand, source, to_scalar)
    if from_scalar.is_integer and to_scalar.is_integer:
        return _integer_to_integer(functions, operand, from_scalar, target)
    if from_scalar.bits == 64 and to_scalar == F16:
        return f"{type_name(target)}({type_name(with_scalar(target, F32))}({operand}))"
    return f"{type_name(target)}({operand})"


def _float_to_integer(functions: Functions, operand: str, source: Type, target: ScalarType) -> str:
    if scalar_of(source) == F16:
        source = with_scalar(source, F32)
        operand = f"{type_name(source)}({operand})"
    return functions.call(f"to_{target}", source, operand)


def _integer_to_integer(functions: Functions, operand: str, source: ScalarType, target: Type) -> str:
    """Equal widths keep the bits. An i32 becomes a u64 by way of i64: naga does not extend its sign."""
    scalar = scalar_of(target)
    if scalar.bits <= source.bits:
        return f"{type_name(target)}({operand})"
    if not source.is_signed:
        wide = f"{type_name(with_scalar(target, U64))}({operand})"
    elif Defect.SIGN_EXTENSION in functions.defects:
        wide = _sign_extended(operand, target)
    else:
        wide = f"{type_name(with_scalar(target, I64))}({operand})"
    return wide if source.is_signed == scalar.is_signed else f"bitcast<{type_name(target)}>({wide})"


def _sign_extended(operand: str, target: Type) -> str:
    """An i32 as i64, without a sign extension: plus 2**31 it is widened as u64, from which 2**31 is subtracted."""
    unsigned, signed = with_scalar(target, U32), with_scalar(target, I64)
    shifted = f"{type_name(unsigned)}({operand}) ^ {full(unsigned, 1 << 31)}"
    wide = f"bitcast<{type_name(signed)}>({type_name(with_scalar(target, U64))}({shifted}))"
    return f"({wide} - {full(signed, 1 << 31)})"
