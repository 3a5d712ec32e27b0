"""The names of annotations: those of `gpucore.types` at run time, and for type checkers what `hints.pyi` declares."""

from gpucore.types import (
    Const,
    In,
    InOut,
    Out,
    bf16,
    bool_,
    f16,
    f16x2,
    f16x3,
    f16x4,
    f32,
    f32x2,
    f32x3,
    f32x4,
    f64,
    i8,
    i16,
    i32,
    i32x2,
    i32x3,
    i32x4,
    i64,
    u8,
    u16,
    u32,
    u32x2,
    u32x3,
    u32x4,
    u64,
)  # fmt: skip

__all__ = [
    "Const", "In", "InOut", "Out", "bf16", "bool_", "f16", "f16x2", "f16x3", "f16x4", "f32", "f32x2", "f32x3", "f32x4",
    "f64", "i16", "i32", "i32x2", "i32x3", "i32x4", "i64", "i8", "u16", "u32", "u32x2", "u32x3", "u32x4", "u64", "u8",
]  # fmt: skip
