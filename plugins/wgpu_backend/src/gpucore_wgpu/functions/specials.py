"""exp, exp2, cosh, log, log2 and sqrt of f32 for drivers that do not give IEEE 754's results for NaN, infinities,
zeros, numbers beyond their range and negative ones. WGSL promises none of these."""

from __future__ import annotations

from gpucore.plugin.ir import F32, Type, VectorType
from gpucore_wgpu.functions.library import Builder, Functions, define, nan
from gpucore_wgpu.wgsl_types import full, type_name

_LEAST_NORMAL = 2.0**-126


def _infinity(functions: Functions, type: Type, *, negative: bool = False) -> str:
    text = functions.call("bits", F32, "0xff800000u" if negative else "0x7f800000u")
    return f"{type_name(type)}({text})" if isinstance(type, VectorType) else text


def _power(name: str, greatest: float, least: float) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        """Infinity from `greatest` on, 0 below `least`."""
        infinity, zero = _infinity(functions, type), full(type, 0)
        return define(
            identifier, f"x: {type_name(type)}", type,
            f"let y = select({name}(x), {infinity}, x >= {full(type, greatest)});",
            f"return select(select(y, {zero}, x < {full(type, least)}), x, {functions.call('is_nan', type, 'x')});",
        )  # fmt: skip

    return build


def _cosh(functions: Functions, identifier: str, type: Type) -> list[str]:
    infinity, greatest = _infinity(functions, type), full(type, 89.41599)
    return define(
        identifier, f"x: {type_name(type)}", type,
        f"let y = select(cosh(x), {infinity}, abs(x) >= {greatest});",
        f"return select(y, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


def _logarithm(name: str) -> Builder:
    def build(functions: Functions, identifier: str, type: Type) -> list[str]:
        """Subnormal numbers are taken for 0."""
        infinity = _infinity(functions, type)
        return define(
            identifier, f"x: {type_name(type)}", type,
            f"let y = select({name}(x), {_infinity(functions, type, negative=True)}, x < {full(type, _LEAST_NORMAL)});",
            f"let z = select(y, x, x == {infinity});",
            f"let w = select(z, {nan(functions, type)}, x <= {full(type, -_LEAST_NORMAL)});",
            f"return select(w, x, {functions.call('is_nan', type, 'x')});",
        )  # fmt: skip

    return build


def _sqrt(functions: Functions, identifier: str, type: Type) -> list[str]:
    """That of -0.0 is -0.0."""
    zero, infinity = full(type, 0), _infinity(functions, type)
    return define(
        identifier, f"x: {type_name(type)}", type,
        f"let y = select(select(sqrt(x), x, (x == {infinity}) | (x == {zero})), {nan(functions, type)}, x < {zero});",
        f"return select(y, x, {functions.call('is_nan', type, 'x')});",
    )  # fmt: skip


SPECIAL_FUNCTIONS: dict[str, Builder] = {
    "exp": _power("exp", 88.72284, -104.0),
    "exp2": _power("exp2", 128.0, -150.0),
    "cosh": _cosh,
    "log": _logarithm("log"),
    "log2": _logarithm("log2"),
    "sqrt": _sqrt,
}
