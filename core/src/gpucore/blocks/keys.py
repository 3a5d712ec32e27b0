"""Sort keys: unsigned integers in the order of the values. Every mapping is invertible.

Floats use the usual order-preserving bits (negative: all flipped; else: sign bit set), rotated so that -inf is 0. That
puts every NaN, of either sign, after +inf, as NumPy does; -0.0 comes before 0.0. Source of the bit order: M. Herf,
"Radix tricks" (2001).
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.types import DType, ElementDType, f16, f16x2, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

KEY_TYPES: dict[ElementDType, DType] = {
    u32: u32, i32: u32, f32: u32, f16: u32, u64: u64, i64: u64, f64: u64, u8: u32, i8: u32, u16: u32, i16: u32,
}  # fmt: skip
"""The key type of each sortable dtype. The keys of 8 and 16 bits differ in these low bits only."""


def load_key(source, i, encode, descending):
    """The key of element i: of a value, or, without `encode`, a key."""
    return to_key(source[i], source.dtype, descending) if encode else source[i]


def store_key(target, i, key, decode, descending):
    """Store a key at i: as its value, or, without `decode`, as it is."""
    target[i] = from_key(key, target.dtype, descending) if decode else key


def to_key(value, dtype, descending):
    """The key of a value; complemented for descending order."""
    key = ascending_key(value, dtype)
    return ~key if descending else key


def from_key(key, dtype, descending):
    """The value of a key."""
    return ascending_value(~key if descending else key, dtype)


def ascending_key(value, dtype):
    """The key of a value in ascending order."""
    if dtype is i32:
        return gp.bitcast(u32, value) ^ 0x80000000
    if dtype is i64:
        return gp.bitcast(u64, value) ^ 0x8000000000000000
    if dtype is f32:
        return float_key(gp.bitcast(u32, value), 0x80000000, 0x007FFFFF)
    if dtype is f64:
        return float_key(gp.bitcast(u64, value), 0x8000000000000000, 0x000FFFFFFFFFFFFF)
    if dtype is f16:
        bits = gp.bitcast(u32, f16x2(value, f16(0)))
        ordered = gp.select((bits & 0x8000) != 0, 0xFFFF - bits, bits | 0x8000)
        return (ordered - 0x03FF) & 0xFFFF
    if dtype is i8:
        return u32(i32(value) + 128)
    if dtype is i16:
        return u32(i32(value) + 32768)
    if dtype is u8 or dtype is u16:
        return u32(value)
    return value


def ascending_value(key, dtype):
    """The value of a key in ascending order."""
    if dtype is i32:
        return gp.bitcast(i32, key ^ 0x80000000)
    if dtype is i64:
        return gp.bitcast(i64, key ^ 0x8000000000000000)
    if dtype is f32:
        return gp.bitcast(f32, float_bits(key, 0x80000000, 0x007FFFFF))
    if dtype is f64:
        return gp.bitcast(f64, float_bits(key, 0x8000000000000000, 0x000FFFFFFFFFFFFF))
    if dtype is f16:
        ordered = ((key & 0xFFFF) + 0x03FF) & 0xFFFF
        return gp.bitcast(f16x2, gp.select((ordered & 0x8000) != 0, ordered ^ 0x8000, 0xFFFF - ordered)).x
    if dtype is i8:
        return i8(i32(key & 0xFF) - 128)
    if dtype is i16:
        return i16(i32(key & 0xFFFF) - 32768)
    if dtype is u8 or dtype is u16:
        return dtype(key)
    return key


def float_key(bits, sign, least):
    """Float bits as a key; `least` is the key of -inf before the rotation."""
    return gp.select((bits & sign) != 0, ~bits, bits | sign) - least


def float_bits(key, sign, least):
    """The inverse of `float_key`."""
    ordered = key + least
    return gp.select((ordered & sign) != 0, ordered ^ sign, ~ordered)
