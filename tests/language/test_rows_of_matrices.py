"""Rows of matrices: combined, and matrices of one column beside others."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import GROUPS_VARIABLE, SUBGROUP_SIZE_VARIABLE


def add(a, b):
    return a + b


def less(a, b):
    return a - b


def scaled(value, other, row, column):
    return value * gp.f32(other) + gp.f32(100 * row + column)


@functools.cache
def making(rows: int, columns: int, size: int) -> gp.Kernel:
    @gp.kernel(workgroup_size=size)
    def of_rows(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], sums: gp.InOut[gp.f32, 2], again: gp.Out[gp.i32], n: gp.i32):
        c, total = gp.load_matrix(x, 0, 0, (rows, columns)), gp.matrix(gp.f32, (rows, 1), 1)
        for _ in range(n):
            least = gp.reduce_rows(gp.min, c, keepdims=True)
            c = c - least
            total = 2 * total + gp.reduce_rows(add, c, keepdims=True)
            c = gp.map(less, 3 - c, least) + total
        halves = gp.map(gp.i32, total * 0.5)
        c = gp.map(scaled, total * c, halves, indices=True)
        found = gp.reduce_rows(add, halves)
        for row in range(gp.local_index(), rows, size):
            again[row] = found[row]
        gp.store_matrix(c, y, 0, 0)
        gp.store_matrix(total, sums, 0, 1)

    return of_rows


def check(device: gp.Device, rows: int, columns: int, size: int) -> None:
    """All numbers are whole, and exact in f32."""
    x = np.random.default_rng(1).integers(-9, 9, (rows, columns)).astype(np.float32)
    y, sums = gp.empty((rows, columns), device=device), gp.zeros((rows, 3), device=device)
    again = gp.empty(rows, gp.i32, device=device)
    making(rows, columns, size)(gp.asarray(x, device=device), y, sums, again, 2, workgroups=1)
    total = np.ones((rows, 1), np.float32)
    for _ in range(2):
        least = x.min(axis=1, keepdims=True)
        x = x - least
        total = 2 * total + x.sum(axis=1, keepdims=True)
        x = 3 - x - least + total
    halves = (total * 0.5).astype(np.int32)
    wanted = total * x * halves + np.add.outer(100 * np.arange(rows), np.arange(columns))
    assert np.array_equal(sums.numpy(), np.pad(total, ((0, 0), (1, 1))))
    assert np.array_equal(again.numpy(), halves[:, 0])
    assert np.allclose(y.numpy(), wanted, rtol=2e-7)


@pytest.mark.parametrize(("rows", "columns", "size"), [(32, 16, 64), (6, 32, 32), (64, 16, 128)])
def test_columns_beside_matrices(device: gp.Device, rows: int, columns: int, size: int) -> None:
    check(device, rows, columns, size)


def test_columns_of_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each subgroup has whole rows, and where two groups share them."""
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    with gp.device("simulator") as device:
        check(device, 128, 64, 256)
        check(device, 64, 128, 256)


def test_columns_without_subgroups_of_32(monkeypatch: pytest.MonkeyPatch) -> None:
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, "8")
    with gp.device("simulator") as device:
        check(device, 64, 16, 128)


@pytest.mark.parametrize("by_groups", [False, True])
def test_columns_have_no_races(monkeypatch: pytest.MonkeyPatch, by_groups: bool) -> None:
    if by_groups:
        monkeypatch.setenv(GROUPS_VARIABLE, "1")
    x = np.ones((64, 64), np.float32)
    outputs = np.zeros((64, 64), np.float32), np.zeros((64, 3), np.float32), np.zeros(64, np.int32)
    assert not gp.check(making(64, 64, 128), x, *outputs, 2, workgroups=1).findings


@gp.kernel(workgroup_size=32)
def by_one_column(a: gp.In[gp.f32, 2], x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    left, right = gp.tiles(gp.f32, 1, (16, 8)), gp.tiles(gp.f32, 1, (8, 1))
    gp.copy_tile(left[0], a, 0, 0)
    gp.copy_tile(right[0], x, 0, 0)
    gp.copy_wait()
    total = gp.matrix(gp.f32, (16, 1))
    total += left[0] @ right[0]
    gp.store_matrix(gp.reduce_rows(add, total, keepdims=True), y, 0, 0)


def test_the_product_with_one_column(device: gp.Device) -> None:
    random = np.random.default_rng(2)
    a, x = random.integers(-9, 9, (16, 8)).astype("f4"), random.integers(-9, 9, (8, 1)).astype("f4")
    y = gp.empty((16, 1), device=device)
    by_one_column(gp.asarray(a, device=device), gp.asarray(x, device=device), y, workgroups=1)
    assert np.array_equal(y.numpy(), a @ x)


@pytest.mark.parametrize(
    "lines",
    ["c = c + gp.matrix(gp.f32, (32, 1))", "c = c * gp.matrix(gp.i32, (16, 1))", "c = gp.map(gp.max, d, c)",
     "c = gp.map(gp.max, c, gp.matrix(gp.f32, (32, 1)))"],
)  # fmt: skip
def test_refusals(lines: str) -> None:
    text = (
        "def wrong(y: gp.Out[gp.f32, 2]):\n    c, d = gp.matrix(gp.f32, (16, 16)), gp.matrix(gp.f32, (16, 1))\n"
        f"    {lines}\n    gp.store_matrix(c, y, 0, 0)\n"
    )
    with pytest.raises(gp.CompileError, match=r"one shape, or (one of them|the other one) has one column"):
        gp.kernel_from_text(text, workgroup_size=32).source("python")
