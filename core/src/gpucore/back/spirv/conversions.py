"""Conversions between number types. Integers of 8 and 16 bits are in registers of 32, always in their range."""

from __future__ import annotations

from gpucore import ir
from gpucore.back.spirv.terms import Terms
from gpucore.ir import BOOL, F16, F32, I32, I64, U32, U64, ScalarKind, ScalarType, Type, build, scalar_of, with_scalar


def convert(terms: Terms, operand: ir.Expr, target: Type) -> ir.Expr:
    """A number in another type."""
    source, scalar = scalar_of(operand.type), scalar_of(target)
    if source == scalar:
        return operand
    if scalar.kind is ScalarKind.BOOL:
        return build.ne(operand, build.zero(operand.type))
    if source == BOOL:
        one: ir.Expr = build.constant(1.0 if scalar.is_float else 1, with_scalar(target, _register(scalar)))
        return terms.let(build.select(operand, one, build.zero(one.type)))
    if source.is_float and scalar.is_float:
        return terms.raw("OpFConvert", target, operand)
    if source.is_float:
        return _saturated(terms, operand, target)
    if scalar.is_float:
        if source.bits == 64 and scalar == F16:  # by way of f32: few devices convert 64 bits to 16
            return build.convert(build.convert(operand, with_scalar(target, F32)), target)
        return terms.raw("OpConvertSToF" if source.is_signed else "OpConvertUToF", target, operand)
    return _wrapped(terms, operand, target)


def _register(scalar: ScalarType) -> ScalarType:
    """The type that an integer has in registers."""
    if not scalar.is_storage:
        return scalar
    return I32 if scalar.is_signed else U32


def _saturated(terms: Terms, operand: ir.Expr, target: Type) -> ir.Expr:
    """A float truncated to an integer. SPIR-V leaves it undefined beyond the integer's range, and for NaN."""
    scalar = scalar_of(target)
    if scalar_of(operand.type) == F16:
        operand = terms.let(build.convert(operand, with_scalar(operand.type, F32)))
    least, beyond = float(scalar.min_value), float(scalar.max_value + 1)
    is_inside = build.logical_and(build.ge(operand, least), build.lt(operand, beyond))
    inside = build.select(is_inside, operand, build.zero(operand.type))
    register = with_scalar(target, _register(scalar))
    whole: ir.Expr = terms.raw("OpConvertFToS" if scalar.is_signed else "OpConvertFToU", register, inside)
    whole = build.select(build.ge(operand, beyond), build.constant(scalar.max_value, register), whole)
    whole = build.select(build.lt(operand, least), build.constant(scalar.min_value, register), whole)
    return terms.let(whole)


def _wrapped(terms: Terms, operand: ir.Expr, target: Type) -> ir.Expr:
    """An integer modulo 2 to the number of bits."""
    source, scalar = scalar_of(operand.type), scalar_of(target)
    held, register = _register(source), _register(scalar)
    result: ir.Expr = terms.as_type(operand, with_scalar(operand.type, held))
    if register.bits > held.bits:
        wide = with_scalar(target, I64 if held.is_signed else U64)
        result = terms.raw("OpSConvert" if held.is_signed else "OpUConvert", wide, result)
    elif register.bits < held.bits:
        result = terms.raw("OpUConvert", with_scalar(target, U32), result)
    result = build.bitcast(result, with_scalar(target, register))
    is_held = scalar.min_value <= source.min_value and source.max_value <= scalar.max_value
    if not scalar.is_storage or is_held:
        return result
    if not scalar.is_signed:
        return build.bit_and(result, scalar.max_value)
    unused = 32 - scalar.bits
    return build.shr(build.shl(result, unused), unused)
