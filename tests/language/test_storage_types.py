"""Integers of 8 and 16 bits, f16, f64 and 64-bit integers: where the device has them, and the error where not."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp

T = TypeVar("T", gp.i8, gp.u8, gp.i16, gp.u16)
W = TypeVar("W", gp.f16, gp.f64, gp.i64, gp.u64)
SMALL = (np.int8, np.uint8, np.int16, np.uint16)
WIDE = {np.float16: "f16", np.float64: "f64", np.int64: "int64", np.uint64: "int64"}


@gp.kernel(workgroup_size=32)
def through_small(x: gp.In[T], by: T, sums: gp.Out[gp.i32], wrapped: gp.Out[T], turned: gp.Out[T]):
    """Arithmetic is in 32 bits; a conversion wraps; workgroup and private arrays hold the small type."""
    tile = gp.workgroup_array(T, 32)
    pair = gp.private_array(T, 2)
    i, l = gp.global_id(0), gp.local_id(0)
    mine = x[min(i, x.size - 1)]
    tile[l] = mine
    gp.barrier()
    pair[i % 2] = tile[31 - l]
    if i < x.size:
        total = gp.i32(mine) + gp.i32(by)
        sums[i] = total
        wrapped[i] = T(total)
        turned[i] = pair[i % 2]


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("size", [1, 75])
def test_small_integers(device: gp.Device, dtype: type, size: int) -> None:
    ends = np.iinfo(dtype)
    x = np.random.default_rng(1).integers(ends.min, ends.max + 1, size).astype(dtype)
    by = int(ends.max) - 3
    source = gp.asarray(x, device=device)
    sums = gp.zeros(size, gp.i32, device=device)
    wrapped, turned = (gp.zeros(size, source.dtype, device=device) for _ in range(2))
    through_small(source, by, sums, wrapped, turned, invocations=size)
    expected = x.astype(np.int32) + by
    np.testing.assert_array_equal(sums.numpy(), expected)
    np.testing.assert_array_equal(wrapped.numpy(), expected.astype(dtype))
    padded = np.concatenate([x, np.full(-size % 32, x[-1], dtype)]).reshape(-1, 32)[:, ::-1].reshape(-1)[:size]
    np.testing.assert_array_equal(turned.numpy(), padded)


@gp.kernel(workgroup_size=32)
def powers_of_small(x: gp.In[gp.i8], y: gp.Out[gp.i32, 2]):
    i = gp.global_id(0)
    if i < x.size:
        y[0, i] = x[i] ** 0
        y[1, i] = x[i] ** 1
        y[2, i] = x[i] ** 2
        y[3, i] = x[i] ** 3


def test_powers_of_small_integers(device: gp.Device) -> None:
    x = np.array([-128, -3, 0, 1, 100, 127], np.int8)
    y = gp.zeros((4, x.size), gp.i32, device=device)
    powers_of_small(gp.asarray(x, device=device), y, invocations=x.size)
    np.testing.assert_array_equal(y.numpy(), np.stack([x.astype(np.int32) ** n for n in range(4)]))


@gp.kernel(workgroup_size=32)
def through_wide(x: gp.In[W], by: W, y: gp.Out[W]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = x[i] * W(3) - by


@pytest.mark.parametrize("dtype", WIDE)
def test_wide_and_half(device: gp.Device, dtype: type) -> None:
    # Whole numbers that every type holds exactly, f16 with its eleven bits too; those of 64 bits beyond 32.
    x = np.arange(70).astype(dtype)
    by = 7
    if dtype in (np.int64, np.uint64):
        x, by = x + dtype(2**40), 2**33 + 1
    source, y = gp.asarray(x, device=device), gp.zeros(70, x.dtype, device=device)

    def call() -> None:
        through_wide(source, by, y, invocations=70)

    if is_refused(device, WIDE[dtype], call):
        return
    call()
    np.testing.assert_array_equal(y.numpy(), x * dtype(3) - dtype(by))
