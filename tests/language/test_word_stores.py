"""Stores of small integers that fill words or parts of them, at any length, beside those of other invocations."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.i8, gp.u8, gp.i16, gp.u16)
SMALL = (np.int8, np.uint8, np.int16, np.uint16)
SIZES = (1, 2, 3, 4, 5, 7, 8, 130, 4099)


def drawn(dtype: type, size: int, seed: int = 1) -> Any:
    ends = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(ends.min, ends.max, size, dtype=dtype, endpoint=True)


@gp.kernel(workgroup_size=32)
def in_fours(x: gp.In[T], y: gp.Out[T]):
    """Four elements of an invocation, where there are four."""
    i = gp.global_id(0)
    first = 4 * i
    if first + 3 < x.size:
        for k in gp.unroll(range(4)):
            y[first + k] = T(x[first + k] + 1)
    else:
        for j in range(first, x.size):
            y[j] = T(x[j] + 1)


@gp.kernel(workgroup_size=32)
def across_words(x: gp.In[T], y: gp.Out[T]):
    """Six elements from the second of a word on: the words at the ends are those of other invocations too."""
    i = gp.global_id(0)
    if i == 0:
        y[0] = x[0]
    if 6 * i + 6 < x.size:
        for k in gp.unroll(range(6)):
            y[6 * i + 1 + k] = x[6 * i + 1 + k]
    else:
        for j in range(6 * i + 1, gp.min(6 * i + 7, x.size)):
            y[j] = x[j]


@gp.kernel(workgroup_size=32)
def in_pairs(x: gp.In[T], y: gp.InOut[T]):
    """Pairs in place, exchanged, the second store to the first element of each counts."""
    i = gp.global_id(0)
    if 2 * i + 1 < x.size:
        y[2 * i] = T(5)
        y[2 * i + 1] = x[2 * i]
        y[2 * i] = T(y[2 * i + 1] + x[2 * i + 1])


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("size", SIZES)
def test_neighbouring_elements(device: gp.Device, dtype: type, size: int) -> None:
    x, before = drawn(dtype, size), drawn(dtype, size, 2)
    given = gp.asarray(x, device=device)
    y = gp.asarray(before, device=device)
    in_fours(given, y, invocations=-(-size // 4))
    np.testing.assert_array_equal(y.numpy(), (x.astype(np.int64) + 1).astype(dtype))
    y.set(before)
    across_words(given, y, invocations=-(-size // 6))
    np.testing.assert_array_equal(y.numpy(), x)
    y.set(before)
    in_pairs(given, y, invocations=max(1, size // 2))
    expected, even = before.copy(), size // 2 * 2
    expected[1:even:2] = x[:even:2]
    expected[:even:2] = (x[:even:2].astype(np.int64) + x[1:even:2]).astype(dtype)
    np.testing.assert_array_equal(y.numpy(), expected)


@pytest.mark.parametrize("first", [0, 1, 2, 3, 256])
def test_slices_that_begin_inside_a_word(device: gp.Device, first: int) -> None:
    x, before = drawn(np.uint8, 61), drawn(np.uint8, 400, 2)
    whole = gp.asarray(before, device=device)
    in_fours(gp.asarray(x, device=device), whole[first : first + 61], invocations=16)
    expected = before.copy()
    expected[first : first + 61] = x + 1
    np.testing.assert_array_equal(whole.numpy(), expected)


@gp.struct
class Rgba:
    r: gp.u8
    g: gp.u8
    b: gp.u8
    a: gp.i8


@gp.struct
class Rgb:
    r: gp.u8
    g: gp.u8
    b: gp.u8


@gp.struct
class Sample:
    time: gp.f32
    left: gp.i16
    right: gp.i16
    level: gp.u8
    flag: gp.i8


@gp.kernel(workgroup_size=(8, 4))
def turned(x: gp.In[Rgba, 2], y: gp.InOut[Rgba, 2], thin: gp.Out[Rgb]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < x.shape[0] and column < x.shape[1]:
        p = x[row, column]
        y[row, column] = Rgba(p.b, p.g, gp.u8(p.r // 2), gp.i8(-gp.i32(p.a)))
        if column % 3 == 1:
            y[row, column].g = gp.u8(255)
            y[row, column].a = gp.i8(-1)
        thin[row * x.shape[1] + column] = Rgb(p.r, p.g, p.b)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (9, 34)])
def test_pixels(device: gp.Device, shape: tuple[int, int]) -> None:
    size = shape[0] * shape[1]
    x = drawn(np.uint8, 4 * size).view(Rgba.dtype).reshape(shape)  # type: ignore[attr-defined]
    y, thin = gp.zeros(shape, Rgba, device=device), gp.zeros(size, Rgb, device=device)
    turned(gp.asarray(x, Rgba, device=device), y, thin, invocations=shape[::-1])
    found, columns = y.numpy(), np.broadcast_to(np.arange(shape[1]) % 3 == 1, shape)
    np.testing.assert_array_equal(found["r"], x["b"])
    np.testing.assert_array_equal(found["g"], np.where(columns, 255, x["g"]))
    np.testing.assert_array_equal(found["b"], x["r"] // 2)
    np.testing.assert_array_equal(found["a"], np.where(columns, -1, -x["a"].astype(np.int64)).astype(np.int8))
    for name in ("r", "g", "b"):
        np.testing.assert_array_equal(thin.numpy()[name], x[name].ravel())


@gp.kernel(workgroup_size=16)
def sampled(y: gp.InOut[Sample], x: gp.In[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        left = x[i]
        y[i].left = gp.i16(left)
        left += 7
        y[i].time = gp.f32(left)
        y[i].right = gp.i16(left)
        y[i].flag = gp.i8(y[i].right)
        y[i].level = gp.u8(left)


@pytest.mark.parametrize("size", [1, 33])
def test_fields_of_several_sizes(device: gp.Device, size: int) -> None:
    """A variable that changes between the stores to a word."""
    x = np.random.default_rng(size).integers(-(2**20), 2**20, size).astype("i4")
    y = gp.zeros(size, Sample, device=device)
    sampled(y, gp.asarray(x, device=device), invocations=size)
    found = y.numpy()
    np.testing.assert_array_equal(found["left"], x.astype(np.int16))
    for name, dtype in (("right", np.int16), ("level", np.uint8), ("flag", np.int8)):
        np.testing.assert_array_equal(found[name], (x + 7).astype(dtype))
    np.testing.assert_array_equal(found["time"], (x + 7).astype(np.float32))


def test_words_that_are_filled_need_no_atomics() -> None:
    for kernel, atomics in ((turned, 10), (sampled, 2), (in_pairs, 4)):
        assert kernel.source("wgsl").count("atomicOr(&") + kernel.source("wgsl").count("atomicAnd(&") == atomics
