"""Atomics on f32 on every device, native or made of compare-exchange; on 64 bits where the device has them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp

T = TypeVar("T", gp.i64, gp.u64)


@gp.kernel(workgroup_size=32)
def float_atomics(x: gp.In[gp.f32], sums: gp.InOut[gp.f32, 2], taken: gp.Out[gp.f32], cell: gp.InOut[gp.f32]):
    total = gp.workgroup_array(gp.f32, 2)
    i, l = gp.global_id(0), gp.local_id(0)
    if l < 2:
        gp.atomic_store(total, l, 0.0)
    gp.barrier()
    if i < x.size:
        gp.atomic_add(total, l % 2, x[i])
        gp.atomic_sub(sums, (1, i % 3), x[i])
        taken[i] = gp.atomic_exchange(cell, 0, x[i])
    gp.barrier()
    if l < 2:
        gp.atomic_add(sums, (0, l), gp.atomic_load(total, l))


def test_atomics_on_f32(device: gp.Device) -> None:
    # Whole numbers: exact in any order. Different ones: what is exchanged can be told apart.
    x = np.random.default_rng(6).permutation(107).astype(np.float32) + 1
    sums, taken = gp.zeros((2, 3), device=device), gp.zeros(107, device=device)
    cell = gp.full(1, -1.0, device=device)
    float_atomics(gp.asarray(x, device=device), sums, taken, cell, invocations=107)
    place = np.arange(107) % 32 % 2
    expected = [[x[place == 0].sum(), x[place == 1].sum(), 0], [-x[k::3].sum() for k in range(3)]]
    np.testing.assert_array_equal(sums.numpy(), expected)
    assert sorted([*taken.numpy(), *cell.numpy()]) == sorted([*x, -1.0])


@gp.kernel(workgroup_size=32)
def wide_atomics(x: gp.In[T], made: gp.InOut[T]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(made, 0, x[i])
        gp.atomic_max(made, 1, x[i])
        gp.atomic_min(made, 2, x[i])
        gp.atomic_xor(made, 3, x[i])
        gp.atomic_or(made, 4, x[i])
        gp.atomic_compare_exchange(made, 5, T(0), T(1) + x[0] * T(0))


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_atomics_on_64_bits(device: gp.Device, dtype: type) -> None:
    low = 0 if dtype is np.uint64 else -(2**60)
    x = np.random.default_rng(7).integers(low, 2**60, 75).astype(dtype)
    start = np.array([5, x[0], x[0], 9, 2, 0], dtype)
    values, made = gp.asarray(x, device=device), gp.asarray(start, device=device)

    def call() -> None:
        wide_atomics(values, made, invocations=75)

    if is_refused(device, "int64" if not device.supports("int64") else "atomic_int64", call):
        return
    call()
    with np.errstate(over="ignore"):
        total = x.sum(dtype=dtype) + dtype(5)
    expected = [total, x.max(), x.min(), np.bitwise_xor.reduce(x) ^ dtype(9), np.bitwise_or.reduce(x) | dtype(2), 1]
    np.testing.assert_array_equal(made.numpy(), np.array(expected, dtype))
