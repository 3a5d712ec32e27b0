"""f16 in CUDA C without the CUDA headers, which NVRTC's wheel lacks: a struct with PTX instructions."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.plugin.ir import F32, F64, I32, I64, U32, U64, ScalarType, Type

_QUALIFIERS = "__device__ __forceinline__"
# The PTX name of each type, and its constraint letter in inline assembly.
_PTX = {
    I32: ("s32", "r"),
    U32: ("u32", "r"),
    I64: ("s64", "l"),
    U64: ("u64", "l"),
    F32: ("f32", "f"),
    F64: ("f64", "d"),
}


def _function(result: str, name: str, parameters: str, body: str) -> str:
    return f"{_QUALIFIERS} {result} {name}({parameters}) {{ {body} }}\n"


def _instruction(name: str, parameters: str, instruction: str, inputs: str) -> str:
    """A function that is one PTX instruction with an f16 result."""
    operands = ", ".join(f"%{index}" for index in range(inputs.count('"') // 2 + 1))
    assembly = f'asm("{instruction} {operands};" : "=h"(result.bits) : {inputs});'
    return _function("gpucore_f16", name, parameters, f"gpucore_f16 result; {assembly} return result;")


def _arithmetic(symbol: str, instruction: str) -> str:
    return _instruction(f"operator{symbol}", "gpucore_f16 a, gpucore_f16 b", instruction, '"h"(a.bits), "h"(b.bits)')


def _through_f32(result: str, symbol: str) -> str:
    value = f"gpucore_f16_to_f32(a) {symbol} gpucore_f16_to_f32(b)"
    returned = value if result == "bool" else f"gpucore_f32_to_f16({value})"
    return _function(result, f"operator{symbol}", "gpucore_f16 a, gpucore_f16 b", f"return {returned};")


def _to_f16(source: ScalarType, type_name: str) -> str:
    suffix, constraint = _PTX[source]
    return _instruction(f"gpucore_{source}_to_f16", f"{type_name} x", f"cvt.rn.f16.{suffix}", f'"{constraint}"(x)')


HALF_HEADER = "".join(
    [
        "struct __align__(2) gpucore_f16 { unsigned short bits; };\n",
        _function(
            "gpucore_f16", "gpucore_f16_from_bits", "unsigned int bits", "return gpucore_f16{(unsigned short)bits};"
        ),
        _function(
            "float",
            "gpucore_f16_to_f32",
            "gpucore_f16 x",
            'float result; asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits)); return result;',
        ),
        _to_f16(F32, "float"),
        # Sums and products without a rounding mode may be contracted, as for the other types.
        _arithmetic("+", "add.f16"),
        _arithmetic("-", "sub.f16"),
        _arithmetic("*", "mul.f16"),
        # A quotient rounded to f32 and then to f16 is correctly rounded: f32 has more than twice the digits.
        _through_f32("gpucore_f16", "/"),
        _function("gpucore_f16", "operator-", "gpucore_f16 a", "return gpucore_f16_from_bits(a.bits ^ 0x8000u);"),
        *(_through_f32("bool", symbol) for symbol in ("==", "!=", "<", "<=", ">", ">=")),
    ]
)
"""Definitions for every kernel with f16."""


def half_functions(type_names: Mapping[Type, str]) -> dict[str, str]:
    """Further functions by name, written only if used. `type_names` is the dialect's table."""
    items = {f"gpucore_{source}_to_f16": _to_f16(source, type_names[source]) for source in _PTX if source != F32}
    items["gpucore_fma_f16"] = _instruction(
        "gpucore_fma_f16",
        "gpucore_f16 a, gpucore_f16 b, gpucore_f16 c",
        "fma.rn.f16",
        '"h"(a.bits), "h"(b.bits), "h"(c.bits)',
    )
    return items
