"""`gd.matmul` and `gd.map_blocks` on two workers."""

from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
import pytest
from distributed import Client

import gpucore as gp
import gpucore_dask as gd

SCALE = 3.0


def _integers(shape: tuple[int, int], dtype: str = "f4", seed: int = 1) -> npt.NDArray[Any]:
    """Whole numbers, of which every sum is exact."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["f4", "i4", pytest.param("f8", marks=pytest.mark.large)])
def test_a_product_is_that_of_the_whole(dtype: str, client: Client) -> None:
    a, b = _integers((150, 333), dtype), _integers((333, 77), dtype, seed=2)
    made = gd.matmul(da.from_array(a, chunks=(64, 30)), da.from_array(b, chunks=(100, 50)))
    assert made.chunks == ((64, 64, 22), (50, 27)) and made.dtype == a.dtype
    np.testing.assert_array_equal(made.compute(), a @ b)


def test_panels_are_those_of_the_formula(client: Client) -> None:
    a, b = da.zeros((6, 50), chunks=(2, 5), dtype="f4"), da.zeros((50, 4), chunks=(5, 2), dtype="f4")
    made = gd.matmul(a, b)
    panels = [key for key in dict(made.dask) if str(key[0]).startswith("gpucore-panel-")]
    assert len(panels) == 3 * 2 * math.ceil(10 / 4)


def test_blocks_of_a_side(client: Client) -> None:
    a, b = _integers((100, 90)), _integers((90, 80))
    made = gd.matmul(da.from_array(a, chunks=7), da.from_array(b, chunks=11), block=40)
    assert made.chunks == ((40, 40, 20), (40, 40))
    np.testing.assert_array_equal(made.compute(), a @ b)
    whole = gd.matmul(da.from_array(a, chunks=7), da.from_array(b, chunks=11), block="auto")
    assert whole.chunks == ((100,), (80,))  # 1024 on cpus


@pytest.mark.parametrize("shape", [(0, 5, 4), (3, 0, 4), (3, 5, 0), (1, 1, 1)])
def test_lengths_of_0_and_1(shape: tuple[int, int, int], client: Client) -> None:
    m, k, n = shape
    made = gd.matmul(da.ones((m, k), dtype="f4"), da.ones((k, n), dtype="f4"))
    np.testing.assert_array_equal(made.compute(), np.full((m, n), k, np.float32))


def _helper(value: Any) -> Any:
    return value * SCALE + 1.0


@gp.kernel
def scale_by_helper(x: gp.In[gp.f32], a: gp.f32, y: gp.Out[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * _helper(x[i])


@gp.kernel
def look_up(table: gp.In[gp.f32], x: gp.In[gp.i32, 2], y: gp.Out[gp.f32, 2]) -> None:
    i, j = gp.global_id(1), gp.global_id(0)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] = table[x[i, j]]


def test_a_kernel_runs_on_each_block(client: Client) -> None:
    x = np.arange(1_000, dtype=np.float32)
    made = gd.map_blocks(scale_by_helper, da.from_array(x, chunks=300), 2.0, dtype=np.float32)
    assert made.chunks == ((300, 300, 300, 100),)
    np.testing.assert_array_equal(made.compute(), 2 * (3 * x + 1))


def test_a_kernel_of_a_closure(client: Client) -> None:
    offset = 2.5

    @gp.kernel(workgroup_size=64)
    def add(x: gp.In[gp.f32], y: gp.Out[gp.f32]) -> None:
        i = gp.global_id(0)
        if i < y.size:
            y[i] = _helper(x[i]) + offset

    x = np.arange(100, dtype=np.float32)
    made = gd.map_blocks(add, da.from_array(x, chunks=30), dtype="f4")
    np.testing.assert_array_equal(made.compute(), 3 * x + 3.5)


def test_a_numpy_array_goes_to_every_block_whole(client: Client) -> None:
    table = np.array([5, 7, 9], np.float32)
    x = np.random.default_rng(1).integers(0, 3, (40, 30)).astype(np.int32)
    made = gd.map_blocks(look_up, table, da.from_array(x, chunks=(16, 30)), dtype="f4")
    np.testing.assert_array_equal(made.compute(), table[x])


def test_equal_kernels_have_equal_keys(client: Client) -> None:
    x = da.ones(10, chunks=5, dtype="f4")
    one, other = (gd.map_blocks(scale_by_helper, x, 2.0, dtype="f4") for _ in range(2))
    assert one.name == other.name
    assert gd.map_blocks(scale_by_helper, x, 3.0, dtype="f4").name != one.name


def test_a_shipped_kernel_is_one_kernel_in_a_process() -> None:
    shipped = gd.ship(scale_by_helper)
    assert shipped.kernel() is gd.ship(scale_by_helper).kernel()
    x, y = gp.asarray(np.ones(4, np.float32), device="cpu"), gp.zeros(4, gp.f32, device="cpu")
    shipped.kernel()(x, 2.0, y)
    assert y.numpy().tolist() == [8.0] * 4
