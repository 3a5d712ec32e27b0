"""Floats to integers: truncated, and clamped to the integer's range; NaN gives 0.

WGSL's own conversions clamp to the greatest float that fits, so 1e20 would give 2147483520, and for NaN they are
undefined. A conversion to 64 bits is made of two to 32 bits, which is exact: WGSL's own to 64 bits would be affected by
`Defect.DIVISION_OF_64_BITS`.
"""

from __future__ import annotations

from gpucore.plugin.ir import I32, I64, U32, U64, ScalarType, Type, with_scalar
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.functions.library import Builder, Functions, define
from gpucore_wgpu.wgsl_types import full, type_name


def _to_narrow(target: ScalarType) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        result = with_scalar(type, target)
        beyond, least = full(type, float(target.max_value + 1)), full(type, float(target.min_value))
        most, unknown = full(result, target.max_value), functions.call("is_nan", type, "x")
        whole, guards = f"{type_name(result)}(x)", []
        if Defect.UNDEFINED_DIVISION in functions.defects:
            guards = [f"let inside = select({full(type, 0)}, x, (x >= {least}) & (x < {beyond}));"]
            whole = f"select({type_name(result)}(inside), {full(result, target.min_value)}, x < {least})"
        return define(
            identifier, f"x: {type_name(type)}", result, *guards,
            f"let whole = select({whole}, {most}, x >= {beyond});",
            f"return select(whole, {full(result, 0)}, {unknown});",
        )  # fmt: skip

    return build


def _to_u64(functions: Functions, identifier: str, type: Type) -> list[str]:
    """What remains of `x` without the high half is exact, and negative if `x` is: then the low half is 0."""
    result, halves = with_scalar(type, U64), type_name(with_scalar(type, U32))
    high = functions.call("to_u32", type, f"x * {full(type, 2.0**-32)}")
    low = functions.call("to_u32", type, f"x - {type_name(type)}(high) * {full(type, 2.0**32)}")
    whole = f"({type_name(result)}(high) << {halves}(32u)) | {type_name(result)}(low)"
    return define(
        identifier, f"x: {type_name(type)}", result, f"let high = {high};", f"let low = {low};",
        f"return select({whole}, {full(result, U64.max_value)}, x >= {full(type, 2.0**64)});",
    )  # fmt: skip


def _to_i64(functions: Functions, identifier: str, type: Type) -> list[str]:
    result = with_scalar(type, I64)
    magnitude = functions.call("to_u64", type, "abs(x)")
    return define(
        identifier, f"x: {type_name(type)}", result,
        f"let magnitude = bitcast<{type_name(result)}>({magnitude});",
        f"let whole = select(magnitude, -magnitude, x < {full(type, 0)});",
        f"let most = select(whole, {full(result, I64.max_value)}, x >= {full(type, 2.0**63)});",
        f"return select(most, {full(result, I64.min_value)}, x <= {full(type, -(2.0**63))});",
    )  # fmt: skip


TRUNCATIONS: dict[str, Builder] = {
    "to_i32": _to_narrow(I32),
    "to_u32": _to_narrow(U32),
    "to_i64": _to_i64,
    "to_u64": _to_u64,
}
