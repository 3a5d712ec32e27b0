"""Bitcasts. WGSL's own is used between 32-bit scalars and between vectors of them; naga supports no other pair.

The others go through u32s. Halves of f16 go through f32, which keeps their value; a NaN may lose its payload.
"""

from __future__ import annotations

from gpucore.plugin.ir import F16, U32, U64, Type, VectorType, scalar_of
from gpucore_wgpu.functions.library import Functions
from gpucore_wgpu.wgsl_types import type_name

_PAIR = VectorType(U32, 2)


def bitcast(functions: Functions, operand: str, source: Type, target: Type) -> str:
    """`operand` (text that can be an argument) of type `source` with its bits read as `target`."""
    if source == target:
        return f"({operand})"
    if _is_direct(source, target):
        return f"bitcast<{type_name(target)}>({operand})"
    return _from_words(functions, _to_words(functions, operand, source), target)


def _is_direct(source: Type, target: Type) -> bool:
    scalars = scalar_of(source), scalar_of(target)
    same_shape = isinstance(source, VectorType) == isinstance(target, VectorType)
    return same_shape and scalars[0].bits == scalars[1].bits and F16 not in scalars


def _to_words(functions: Functions, operand: str, source: Type) -> str:
    """The bits of `operand` as u32 (4 bytes) or vec2<u32> (8 bytes)."""
    if scalar_of(source) == F16:
        return f"pack2x16float(vec2<f32>({operand}))" if source.nbytes == 4 else _pack_four(operand)
    if scalar_of(source).bits == 64:
        bits = operand if source == U64 else f"bitcast<u64>({operand})"
        return functions.call("split_bits", U64, bits)
    return f"bitcast<{type_name(_PAIR if source.nbytes == 8 else U32)}>({operand})"


def _pack_four(operand: str) -> str:
    return f"vec2<u32>(pack2x16float(vec2<f32>(({operand}).xy)), pack2x16float(vec2<f32>(({operand}).zw)))"


def _from_words(functions: Functions, words: str, target: Type) -> str:
    """The inverse of `_to_words`."""
    if scalar_of(target) == F16:
        if target.nbytes == 4:
            return f"vec2<f16>(unpack2x16float({words}))"
        return f"vec4<f16>(vec2<f16>(unpack2x16float(({words}).x)), vec2<f16>(unpack2x16float(({words}).y)))"
    if scalar_of(target).bits == 64:
        joined = functions.call("join_bits", U64, words)
        return joined if target == U64 else f"bitcast<{target}>({joined})"
    return f"bitcast<{type_name(target)}>({words})"
