"""Kernels that fill an array. Invocation j has block j of the generator's words, for its own two or four elements.

`zero` is that of `gpucore.blocks.rounding`.
"""

from __future__ import annotations

from typing import TypeVar

import gpucore.lang as gp
from gpucore.blocks.rounding import rounded
from gpucore.calls import kernel
from gpucore.hints import Out, f32, f64, i32, i64, u32, u32x2, u32x4, u64
from gpucore.random import distributions
from gpucore.random.generator import philox

T = TypeVar("T", i32, u32)
W = TypeVar("W", i64, u64)


def words_of(key, block):
    """The four words of a block."""
    return philox(key, u32x4(u32(block), 0, 0, 0))


@kernel
def uniform_f32(out: Out[f32], key: u32x2, low: f32, width: f32, greatest: f32, zero: u32):
    """low + width * u, at most `greatest`."""
    block = gp.global_id(0)
    words = words_of(key, block)
    for k in gp.unroll(range(4)):
        if 4 * block + k < out.size:
            product = rounded(distributions.uniform(words[k]) * width, zero)
            out[4 * block + k] = gp.min(low + product, greatest)


@kernel
def uniform_f64(out: Out[f64], key: u32x2, low: f64, width: f64, greatest: f64, zero: u32):
    """low + width * u, at most `greatest`."""
    block = gp.global_id(0)
    words = words_of(key, block)
    for k in gp.unroll(range(2)):
        if 2 * block + k < out.size:
            product = rounded(distributions.uniform_f64(words[2 * k], words[2 * k + 1]) * width, zero)
            out[2 * block + k] = gp.min(low + product, greatest)


@kernel
def normal_f32(out: Out[f32], key: u32x2, mean: f32, std: f32, zero: u32):
    """mean + std * x."""
    block = gp.global_id(0)
    words = words_of(key, block)
    for pair in gp.unroll(range(2)):
        numbers = distributions.normal(words[2 * pair], words[2 * pair + 1])
        for k in gp.unroll(range(2)):
            if 4 * block + 2 * pair + k < out.size:
                out[4 * block + 2 * pair + k] = mean + rounded(numbers[k] * std, zero)


@kernel
def integers_32(out: Out[T], key: u32x2, low: u32, size: u32):
    """low + floor(size * r) of r with 64 bits; a size of 0 means 2**32."""
    block = gp.global_id(0)
    words = words_of(key, block)
    for k in gp.unroll(range(2)):
        if 2 * block + k < out.size:
            out[2 * block + k] = out.dtype(low + distributions.scaled(words[2 * k], words[2 * k + 1], size))


@kernel
def integers_64(out: Out[W], key: u32x2, low: u64, size: u64):
    """low + floor(size * r) of r with 64 bits; a size of 0 means 2**64."""
    block = gp.global_id(0)
    words = words_of(key, block)
    for k in gp.unroll(range(2)):
        if 2 * block + k < out.size:
            bits = (u64(words[2 * k + 1]) << 32) | u64(words[2 * k])
            out[2 * block + k] = out.dtype(low + (bits if size == 0 else gp.mul_hi(bits, size)))
