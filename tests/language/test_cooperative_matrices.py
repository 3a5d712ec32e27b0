"""Matrices of a workgroup that are made of cooperative matrices, whose elements only workgroup memory shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import pytest
import test_matrices as matrices

import gpucore as gp
from gpucore.simulator.device import COOPERATIVE_VARIABLE

T = TypeVar("T", gp.f16, gp.f32)
M, N, K, INVOCATIONS = 32, 48, 32, 64


@pytest.fixture(params=[16, 8])
def cooperating(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """The simulator as a device with matrices of so many rows and columns."""
    gp.device("simulator").close()
    monkeypatch.setenv(COOPERATIVE_VARIABLE, str(request.param))
    with gp.device("simulator") as device:
        yield device


def moved(value, row, column):
    return value + gp.f32(row - column)


def half(value):
    return gp.f16(value * 0.5)


def joined(value, other):
    return value - gp.f32(other)


def total_of(a, b):
    return a + b


def make_everything(m: int, n: int, k: int) -> gp.Kernel:
    @gp.kernel(workgroup_size=INVOCATIONS)
    def everything(
        a: gp.In[T, 2], b: gp.In[T, 2], c: gp.In[gp.f32, 2], d: gp.InOut[gp.f32, 2], sums: gp.Out[gp.f32],
        steps: gp.i32,
    ):  # fmt: skip
        left, right, kept = gp.tiles(T, 1, (k, m)), gp.tiles(T, 1, (n, k)), gp.tiles(gp.f32, 1, (m, n))
        gp.copy_tile(left[0], a, 0, 0)
        gp.copy_tile(right[0], b, 0, 0)
        gp.copy_wait()
        total = gp.load_matrix(c, 2, -3, (m, n))
        for step in range(steps):
            if step % 2 == 0:
                total += left[0].T @ right[0].T
            else:
                total = 2 * total - total * 0.5 + gp.matrix(gp.f32, (m, n), 0.25)
        total = gp.map(moved, -(1 - total), indices=True) + 1
        total = gp.map(joined, total, gp.map(half, total * total))
        gp.store_matrix(total, kept[0], 0, 0)
        gp.barrier()
        total = total + gp.load_matrix(kept[0], 0, 0, (m, n))
        found = gp.reduce_rows(total_of, total)
        if gp.local_index() < m:
            sums[gp.local_index()] = found[gp.local_index()]
        gp.store_matrix(total, d, 1, -2)

    return everything


everything = make_everything(M, N, K)


def check_everything(device: gp.Device, name: str) -> None:
    """Against NumPy; the numbers are small whole ones, so that sums are exact."""
    random = np.random.default_rng(1)
    a, b = (random.integers(-2, 3, shape).astype(name) for shape in ((K, M), (N, K)))
    c = random.integers(-2, 3, (20, 37)).astype(np.float32)
    d, sums = gp.zeros((M - 5, N - 7), device=device), gp.empty(M, device=device)
    everything(*(gp.asarray(x, device=device) for x in (a, b, c)), d, sums, 3, workgroups=1)
    total = np.zeros((M, N), np.float32)
    total[:18, 3:40] = c[2:]
    product = a.astype(np.float32).T @ b.astype(np.float32).T
    total = (total + product) * 1.5 + 0.25 + product
    total = total + np.subtract.outer(np.arange(M), np.arange(N))
    total = 2 * (total - (total * total * 0.5).astype(np.float16))
    stored = np.zeros(d.shape, np.float32)
    stored[1:] = total[: M - 6, 2 : N - 5]
    assert np.array_equal(d.numpy(), stored)
    assert np.allclose(sums.numpy(), total.sum(axis=1), rtol=1e-6)


def test_all_that_a_matrix_can_do(cooperating: gp.Device) -> None:
    assert cooperating.supports("cooperative_matrices") and not cooperating.supports("matrix_units")
    check_everything(cooperating, "f2")


def test_f32_of_matrices_of_8(cooperating: gp.Device) -> None:
    """By registers where the device's matrices are of 16 rows."""
    text = everything.ir(device=cooperating, T=gp.f32)
    edge = cooperating.limits.cooperative_edge
    assert ("cooperative multiply_add" in text) == (edge == 8)
    assert cooperating.matrix(gp.f32) == (cooperating.matrix(gp.f16) if edge == 8 else None)
    check_everything(cooperating, "f4")


def test_what_is_multiplied(cooperating: gp.Device) -> None:
    edge, unit = cooperating.limits.cooperative_edge, cooperating.matrix(gp.f16)
    assert unit is not None and (unit.m, unit.n, unit.k, unit.invocations) == (edge, edge, edge, 32)
    assert not unit.copies and unit.memory == cooperating.limits.max_workgroup_memory - 8 * edge * edge * 4
    assert cooperating.matrix(gp.bf16) is None and cooperating.matrix(gp.i8) is None


@pytest.mark.parametrize("name", ["f16", "f32", "i8"])
def test_products_and_transposes(cooperating: gp.Device, name: str) -> None:
    matrices.test_a_product_by_tiles(cooperating, name)
    matrices.test_transposes(cooperating, name, 32, False, True)
    matrices.test_transposes(cooperating, name, 32, True, False)


def loops(text: str) -> list[str]:
    """The bodies of the outermost loops of a kernel's IR."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("  for "):
            found.append([])
        elif found and line.startswith("    "):
            found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def test_sums_stay_where_they_are_in_a_loop(cooperating: gp.Device) -> None:
    text = matrices.product.ir(device=cooperating, T=gp.f16, S=gp.f32, stages=3)
    assert "cooperative store" in text  # the result, after the loop
    (body,) = (loop for loop in loops(text) if "cooperative multiply_add" in loop)
    assert "cooperative store" not in body and "matrix_scratch" not in body


def test_all_calls_share_one_place_in_memory(cooperating: gp.Device) -> None:
    text = everything.ir(device=cooperating, T=gp.f16)
    assert len([line for line in text.splitlines() if "workgroup matrix_scratch" in line]) == 1


@pytest.mark.parametrize("kernel", [matrices.elements, matrices.by_rows])
def test_a_kernel_without_products_has_registers(cooperating: gp.Device, kernel: gp.Kernel) -> None:
    assert "cooperative" not in kernel.ir(device=cooperating)


@gp.kernel(workgroup_size=64)
def of_both(a: gp.In[gp.f16, 2], b: gp.In[gp.f64, 2], c: gp.Out[gp.f32, 2], d: gp.Out[gp.f64, 2], k: gp.Const[int]):
    halves, doubles = gp.tiles(gp.f16, 2, (32, k)), gp.tiles(gp.f64, 1, (32, 32))
    gp.copy_tile(halves[0], a, 0, 0)
    gp.copy_tile(halves[1], a, 0, 0)
    gp.copy_tile(doubles[0], b, 0, 0)
    gp.copy_wait()
    of_doubles = gp.multiply_add(doubles[0], doubles[0], gp.matrix(gp.f64, (32, 32)))
    gp.store_matrix(gp.multiply_add(halves[0], halves[1].T, gp.matrix(gp.f32, (32, 32))), c, 0, 0)
    gp.store_matrix(of_doubles, d, 0, 0)


@pytest.mark.parametrize(("k", "fits"), [(32, True), (12, False)])
def test_products_of_other_dtypes_and_lengths(cooperating: gp.Device, k: int, fits: bool) -> None:
    """Of doubles in registers. An inner length that is no multiple puts the others there, too."""
    random = np.random.default_rng(2)
    a, b = random.integers(-3, 4, (32, k)).astype(np.float16), random.integers(-3, 4, (32, 32)).astype(np.float64)
    c, d = gp.empty((32, 32), device=cooperating), gp.empty((32, 32), gp.f64, device=cooperating)
    of_both(*(gp.asarray(x, device=cooperating) for x in (a, b)), c, d, k, workgroups=1)
    assert np.array_equal(c.numpy(), a.astype("f4") @ a.astype("f4").T) and np.array_equal(d.numpy(), b @ b)
    assert ("cooperative" in of_both.ir(device=cooperating, k=k)) == fits


def test_the_check_finds_nothing_in_a_right_kernel(cooperating: gp.Device) -> None:
    """Of smaller matrices: each has two of the device's at least."""
    m, n, k = 16, 32, 16
    arguments: tuple[Any, ...] = (
        np.ones((k, m), "f2"), np.ones((n, k), "f2"), np.ones((20, 37), "f4"), np.zeros((m, n), "f4"),
        np.zeros(m, "f4"),
    )  # fmt: skip
    report = gp.check(make_everything(m, n, k), *arguments, 1, workgroups=1, schedules=1)
    assert report.ok, str(report)


def test_the_check_finds_a_tile_that_is_read_before_it_is_ordered(cooperating: gp.Device) -> None:
    a = np.ones((16, 16), np.float16)
    report = gp.check(unordered, a, np.zeros((16, 16), np.float32), workgroups=1)
    assert any("'left'" in finding.message for finding in report.findings), str(report)


@gp.kernel(workgroup_size=64)
def unordered(a: gp.In[gp.f16, 2], c: gp.Out[gp.f32, 2]):
    left, right = gp.tiles(gp.f16, 1, (16, 16)), gp.tiles(gp.f16, 1, (16, 32))
    gp.copy_tile(right[0], a, 0, 0)
    gp.copy_wait()
    gp.copy_tile(left[0], a, 0, 0)
    gp.store_matrix(gp.multiply_add(left[0], right[0], gp.matrix(gp.f32, (16, 32))), c, 0, 0)


def test_matmul(cooperating: gp.Device) -> None:
    a, b = matrices.drawn("f16", (45, 70), 1), matrices.drawn("f16", (70, 37), 2)
    found = gp.matmul(a, b, variant="matrix_units", device=cooperating)
    wide = a.astype(np.float64), b.astype(np.float64)
    assert np.allclose(found, wide[0] @ wide[1], rtol=2.0**-10, atol=1e-3)


def test_a_device_whose_subgroups_are_others_multiplies_in_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    gp.device("simulator").close()
    monkeypatch.setenv(COOPERATIVE_VARIABLE, "16")
    monkeypatch.setenv(matrices.SUBGROUP_SIZE_VARIABLE, "16")
    with gp.device("simulator") as device:
        assert device.matrix(gp.f16) is None and "cooperative" not in everything.ir(device=device, T=gp.f16)
        check_everything(device, "f2")
