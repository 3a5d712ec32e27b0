"""What the fuzzers found in NVIDIA's compilers. The kernels run on every device."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest
from agreement import agree

import gpucore as gp

A = TypeVar("A", gp.i32, gp.i64)


@gp.kernel(workgroup_size=4)
def select_after_a_wide_loop(f: gp.In[gp.f32], x: gp.In[gp.i64], y: gp.InOut[gp.i64]):
    i = gp.global_id(0)
    passes = 0
    while passes < 1 and gp.i64(f[0]) < y[i]:
        passes += 1
    y[i] = (1 // x[i] & 1) * 2 + (gp.select(x[i] < 5, x[i], x[i] - 1) & 1)


def test_a_select_after_a_loop_on_a_wide_integer_made_from_a_float() -> None:
    """NVIDIA's Vulkan compiler got the lowest bit of both operands of the sum wrong."""
    x = np.array([3, -9223372036854775807, 9223372036854775807, 32, 1, -1, -3, 2**40], np.int64)
    f = np.array([-395759.0], np.float32)
    expected = (1 // x & 1) * 2 + (np.where(x < 5, x, x - 1) & 1)
    agree(
        select_after_a_wide_loop, expected, lambda: (f, x, np.array([1, 0, 31, -2] * 2, np.int64)),
        gp.Capability.INT64, workgroups=2,
    )  # fmt: skip


@gp.kernel(workgroup_size=4)
def lowest_bits(x: gp.In[gp.i64], y: gp.Out[gp.i64]):
    i = gp.global_id(0)
    quotient = 8 // x[i]
    even = quotient // 2 * 2 == quotient
    chosen = gp.select(x[i] // 3 != 0, x[i], x[i] + 1)
    y[i] = (quotient & 1) * 5 + (x[i] // -3 & 1) * 16 + gp.i64(even) * 32 + (chosen << 63 >> 63)


def test_lowest_bits_in_kernels_that_divide_64_bits() -> None:
    """NVIDIA's Vulkan compiler got all four terms of the sum wrong."""
    x = np.array([1, -9223372036854775807, 9223372036854775807, 32, -1, -2, 3, -3, 7, 12345, 2**40, -(2**40)], np.int64)
    quotient, chosen = 8 // x, np.where(x // 3 != 0, x, x + 1)
    expected = (quotient & 1) * 5 + (x // -3 & 1) * 16 + (quotient % 2 == 0) * 32 - (chosen & 1)
    agree(lowest_bits, expected, lambda: (x, np.zeros(12, np.int64)), gp.Capability.INT64, workgroups=3)


@gp.kernel(workgroup_size=4)
def a_load_from_one_of_two(x: gp.In[gp.f32], n: gp.i32, z: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    z[i] = 1
    chosen = z[i] if i > n else x[0]
    z[i] = chosen + 10


def test_a_load_from_one_of_two() -> None:
    """NVRTC made one load of both, of memory that nobody writes: it read what z held before the kernel."""
    x, z = np.array([5, 3], np.float32), np.array([20, 30, 40, 50], np.float32)
    agree(a_load_from_one_of_two, [15, 15, 11, 11], lambda: (x, 1, z), workgroups=1)


@gp.kernel(workgroup_size=4)
def signs_of_absolute_values(x: gp.In[A], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.select(0 > abs(x[i]) <= 1, 7, 5)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_absolute_value_of_the_least_integer_is_negative(dtype: type[np.signedinteger[Any]]) -> None:
    """The assembler of CUDA 13.0 took it to be at least 0."""
    least = np.iinfo(dtype).min
    x = np.array([least, least + 1, -1, 0, 1, -least - 1, 5, least], dtype)
    needs = (gp.Capability.INT64,) if dtype is np.int64 else ()
    expected = np.where(x == least, 7, 5).astype(np.int32)
    agree(signs_of_absolute_values, expected, lambda: (x, np.zeros(8, np.int32)), *needs, workgroups=2)


@gp.kernel(workgroup_size=4)
def dots_of_bytes(x: gp.In[gp.u32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.dot4_i8_packed(x[i], x[i] * 2) + gp.dot4_i8_packed(x[i], x[i] << 3) * 3
    y[i] += gp.dot4_i8_packed(x[i], gp.u32(gp.i32(x[i]) >> 3)) * 5


def test_dots_of_the_bytes_of_a_shifted_word() -> None:
    """NVIDIA's OpenCL compiler made one instruction of the products, of the word before it was shifted."""
    x = np.random.default_rng(5).integers(0, 2**32, 12, np.uint32)
    x[:3] = 65535, 2147483647, 7

    def bytes_of(words: np.ndarray) -> np.ndarray:
        return words.view(np.int8).reshape(-1, 4).astype(np.int32)

    shifted = bytes_of(x * np.uint32(2)) + 3 * bytes_of(x << np.uint32(3)) + 5 * bytes_of(x.view(np.int32) >> 3)
    expected = (bytes_of(x) * shifted).sum(1)
    agree(dots_of_bytes, expected, lambda: (x, np.zeros(12, np.int32)), workgroups=3)
