"""Copies to tiles where groups multiply: of parts of arrays whose rows are multiples of 16 bytes, and of others."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.f16, gp.i8)


@gp.kernel(workgroup_size=64)
def of_matrix(x: gp.In[T, 2], y: gp.Out[T, 2], row: gp.i32, column: gp.i32):
    tile = gp.tiles(T, 2, (16, 128))
    gp.copy_tile(tile[1], x, row, column)
    gp.copy_wait()
    for place in range(gp.local_index(), 16 * 128, 64):
        y[place // 128, place % 128] = tile[1, place // 128, place % 128]


@gp.kernel(workgroup_size=64)
def of_one_of_several(x: gp.In[T, 3], y: gp.Out[T, 2], which: gp.i32, row: gp.i32, column: gp.i32):
    tile = gp.tiles(T, 1, (16, 128))
    gp.copy_tile(tile[0], x[which], row, column)
    gp.copy_wait()
    for place in range(gp.local_index(), 16 * 128, 64):
        y[place // 128, place % 128] = tile[0, place // 128, place % 128]


def part_of(x: np.ndarray, row: int, column: int) -> np.ndarray:
    """16 rows and 128 columns, with zeros beyond the edges."""
    around = np.zeros((x.shape[0] + 400, x.shape[1] + 800), x.dtype)
    around[200 : 200 + x.shape[0], 400 : 400 + x.shape[1]] = x
    return around[200 + row : 216 + row, 400 + column : 528 + column]


@pytest.mark.parametrize("dtype", [np.float16, np.int8])
@pytest.mark.parametrize("shape", [(20, 144), (3, 64), (16, 133), (40, 7)])
@pytest.mark.parametrize("place", [(0, 0), (-3, -8), (5, 3), (15, 120), (-16, 0), (0, -200)])
def test_parts_of_a_matrix(
    simulator_with_groups: gp.Device, shape: tuple[int, int], place: tuple[int, int], dtype: type[np.generic]
) -> None:
    """With lengths that are multiples of 16 bytes and others, at any place."""
    x = np.random.default_rng(1).integers(-99, 99, shape).astype(dtype)
    y = gp.zeros((16, 128), dtype, device=simulator_with_groups)
    of_matrix(gp.asarray(x, device=simulator_with_groups), y, *place, workgroups=1)
    assert np.array_equal(y.numpy(), part_of(x, *place))


@pytest.mark.parametrize("columns", [128, 130])
@pytest.mark.parametrize("which", [0, 2])
def test_parts_of_one_of_several_matrices(simulator_with_groups: gp.Device, which: int, columns: int) -> None:
    x = np.random.default_rng(2).integers(-99, 99, (3, 10, columns)).astype(np.float16)
    y = gp.full((16, 128), 7, gp.f16, device=simulator_with_groups)
    of_one_of_several(gp.asarray(x, device=simulator_with_groups), y, which, -2, 8, workgroups=1)
    assert np.array_equal(y.numpy(), part_of(x[which], -2, 8))


def test_rows_that_change_from_call_to_call(simulator_with_groups: gp.Device) -> None:
    """A kernel compiled for rows of multiples of 16 bytes is not used for others, nor for arrays without elements."""
    for columns in (128, 130, 128, 0, 136, 131, 131, 128):
        x = np.random.default_rng(columns).integers(-99, 99, (5, columns)).astype(np.float16)
        y = gp.full((16, 128), 7, gp.f16, device=simulator_with_groups)
        of_matrix(gp.asarray(x, device=simulator_with_groups), y, 0, 0, workgroups=1)
        assert np.array_equal(y.numpy(), part_of(x, 0, 0))
    rows = gp.asarray(np.arange(1000, dtype=np.float16), device=simulator_with_groups)
    for first in (0, 1, 8, 4):  # at multiples of 16 bytes, and in between
        x = rows[first : first + 640].reshape(5, 128)
        of_matrix(x, y, 0, 0, workgroups=1)
        assert np.array_equal(y.numpy(), part_of(x.numpy(), 0, 0))
