"""Products by units for matrices whose elements have 8 bytes, or one."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.groups import Products


@functools.cache
def multiplying_doubles(m: int, n: int, k: int, invocations: int, of_left: bool, of_right: bool) -> gp.Kernel:
    """3 - 2 left @ right, and the least of each row."""

    @gp.kernel(workgroup_size=invocations)
    def multiply(a: gp.In[gp.f64, 2], b: gp.In[gp.f64, 2], c: gp.Out[gp.f64, 2], least: gp.Out[gp.f64]):
        left = gp.tiles(gp.f64, 2, (k, m) if of_left else (m, k))
        right = gp.tiles(gp.f64, 2, (n, k) if of_right else (k, n))
        gp.copy_tile(left[1], a, 0, 0)
        gp.copy_tile(right[1], b, 0, 0)
        gp.copy_wait()
        x = left[1].T if of_left else left[1]
        y = right[1].T if of_right else right[1]
        total = gp.matrix(gp.f64, (m, n))
        for _ in range(2):
            total += x @ y
        total = 3 - total
        of_rows = gp.reduce_rows(gp.min, total)
        for row in range(gp.local_index(), m, invocations):
            least[row] = of_rows[row]
        gp.store_matrix(total, c, 0, 0)

    return multiply


OTHER_SHAPES = [(16, 16, 4, 32), (16, 48, 20, 96), (64, 32, 8, 128), (64, 64, 16, 128)]
BOTH_OR_NEITHER = [(False, False), (True, True)]
EACH = [*BOTH_OR_NEITHER, (False, True), (True, False)]
"""Which operands are transposed."""


@pytest.mark.parametrize(
    ("m", "n", "k", "invocations", "of_left", "of_right"),
    [
        *((*shape, *turns) for shape in [(32, 32, 16, 32), (16, 16, 6, 32)] for turns in EACH),
        *((*shape, *turns) for shape in OTHER_SHAPES for turns in BOTH_OR_NEITHER),
    ],
)
def test_products_of_doubles(
    device: gp.Device, m: int, n: int, k: int, invocations: int, of_left: bool, of_right: bool
) -> None:
    """By units where the device has some, of 4, 8 or 16 of the inner length at once; of 6 by registers. The last shape
    is that of a group where the device has groups, which do not multiply f64."""
    if not device.supports(gp.Capability.F64):
        pytest.skip(f"{device.id} has no f64")
    if 16 * (m + n) * (k + 4) > device.limits.max_workgroup_memory:
        pytest.skip(f"{device.id} has no room for the tiles")
    random = np.random.default_rng(m + k)
    a, b = random.normal(size=(m, k)), random.normal(size=(k, n))
    given = [np.ascontiguousarray(x.T) if is_transposed else x for x, is_transposed in ((a, of_left), (b, of_right))]
    c, least = gp.empty((m, n), gp.f64, device=device), gp.empty(m, gp.f64, device=device)
    kernel = multiplying_doubles(m, n, k, invocations, of_left, of_right)
    kernel(*(gp.asarray(x, device=device) for x in given), c, least, workgroups=1)
    bound = 2.0**-53 * (4 * k * (np.abs(a) @ np.abs(b)) + 10)
    assert (np.abs(c.numpy() - (3 - 2 * (a @ b))) <= bound).all()
    assert np.array_equal(least.numpy(), c.numpy().min(axis=1))


@gp.kernel(workgroup_size=32)
def too_early(a: gp.In[gp.f64, 2], c: gp.Out[gp.f64, 2], waits: gp.Const[bool]):
    tile = gp.tiles(gp.f64, 1, (16, 16))
    gp.copy_tile(tile[0], a, 0, 0)
    gp.copy_group()
    if waits:
        gp.copy_wait()
    else:
        gp.barrier()
    gp.store_matrix(gp.multiply_add(tile[0], tile[0].T, gp.matrix(gp.f64, (16, 16))), c, 0, 0)


@pytest.mark.parametrize("waits", [False, True])
def test_the_check_finds_a_tile_of_doubles_that_is_read_before_the_wait(waits: bool) -> None:
    a = np.random.default_rng(1).normal(size=(16, 16))
    report = gp.check(too_early, a, np.zeros((16, 16)), waits, workgroups=1)
    assert report.ok == waits
    assert waits or any("while a copy to it is under way" in finding.message for finding in report.findings)


# ---------------------------------------------------------------- bytes by groups


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the simulator's groups multiply, one for each product."""
    gp.device("simulator").close()
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    begun: list[str] = []
    begin = Products._begin

    def count(self: Products, number: int, products: Any) -> None:
        begun.append(products[0].inputs)
        begin(self, number, products)

    monkeypatch.setattr(Products, "_begin", count)
    yield begun
    gp.device("simulator").close()


@functools.cache
def multiplying_bytes(
    dtype: Any, sums: Any, m: int, n: int, k: int, invocations: int, first: int, of_left: bool, of_right: bool
) -> gp.Kernel:
    """first + left @ right."""

    @gp.kernel(workgroup_size=invocations)
    def multiply(a: gp.In[dtype, 2], b: gp.In[dtype, 2], c: gp.Out[sums, 2]):
        left = gp.tiles(dtype, 1, (k, m) if of_left else (m, k))
        right = gp.tiles(dtype, 2, (n, k) if of_right else (k, n))
        gp.copy_tile(left[0], a, 0, 0)
        gp.copy_tile(right[1], b, 0, 0)
        gp.copy_wait()
        x = left[0].T if of_left else left[0]
        y = right[1].T if of_right else right[1]
        gp.store_matrix(gp.multiply_add(x, y, gp.matrix(sums, (m, n), first)), c, 0, 0)

    return multiply


@pytest.mark.parametrize(
    ("m", "n", "k", "invocations", "of_left", "of_right", "by_groups"),
    [(64, 64, 128, 128, False, True, 1), (128, 128, 128, 256, False, True, 2), (64, 128, 256, 128, False, True, 1),
     (128, 64, 128, 128, False, True, 2), (64, 64, 128, 128, False, False, 0), (64, 128, 128, 128, True, True, 0),
     (64, 64, 96, 128, False, True, 0), (64, 64, 128, 96, False, True, 0)],
)  # fmt: skip
@pytest.mark.parametrize("name", ["i8", "u8"])
def test_products_of_bytes(
    groups: list[str], name: str, m: int, n: int, k: int, invocations: int, of_left: bool, of_right: bool,
    by_groups: int,
) -> None:  # fmt: skip
    """Sums wrap. Groups multiply rows of whole panels; for other tiles, and tiles that are turned otherwise, there are
    subgroups and registers."""
    if invocations == 96:
        m = n = 48
    dtype, sums = (gp.i8, gp.i32) if name == "i8" else (gp.u8, gp.u32)
    info, last = np.iinfo(dtype.dtype), np.iinfo(sums.dtype).max - 3
    random = np.random.default_rng(k)
    a, b = (random.integers(info.min, info.max, shape, info.dtype, endpoint=True) for shape in ((m, k), (k, n)))
    given = [np.ascontiguousarray(x.T) if is_transposed else x for x, is_transposed in ((a, of_left), (b, of_right))]
    with gp.device("simulator") as device:
        c = gp.empty((m, n), sums, device=device)
        kernel = multiplying_bytes(dtype, sums, m, n, k, invocations, int(last), of_left, of_right)
        kernel(*(gp.asarray(x, device=device) for x in given), c, workgroups=1)
        wanted = int(last) + a.astype(np.int64) @ b.astype(np.int64)
        assert np.array_equal(c.numpy(), wanted.astype(sums.dtype))
        assert groups == [name] * by_groups


def test_the_check_of_bytes_by_groups(groups: list[str]) -> None:
    a, b = np.random.default_rng(1).integers(-128, 128, (2, 64, 128)).astype(np.int8)
    kernel = multiplying_bytes(gp.i8, gp.i32, 64, 64, 128, 128, 0, False, True)
    report = gp.check(kernel, a, b, np.zeros((64, 64), np.int32), workgroups=1, schedules=1)
    assert report.ok, str(report)
