"""No false report: on kernels that are right, and on those of the library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from clean import GALLERY

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS
from gpucore.algorithms.matmul.tiled import VECTORS, make_kernels
from gpucore.algorithms.shapes import SortShape, Tile
from gpucore.algorithms.sort.methods import sort_by_digits, sort_by_network
from gpucore.testing.checked_calls import CheckedCalls, checked_calls


@pytest.mark.parametrize("name", GALLERY.cases)
@pytest.mark.parametrize("subgroup_size", [1, 5, 32])
def test_nothing_is_found(name: str, subgroup_size: int) -> None:
    report = GALLERY.cases[name].check(subgroup_size=subgroup_size, schedules=4)
    assert report.ok, str(report)
    assert report and str(report).startswith(f"{name}: no findings")


def test_the_gallery_is_large() -> None:
    assert len(GALLERY.cases) >= 20


def assert_clean(calls: CheckedCalls, least: int = 1) -> None:
    assert calls.checked >= least and calls.too_large == 0
    assert not calls.reports, str(calls)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("shape", [(5, 1, 5), (17, 5, 19), (1, 33, 1)])
def test_matmul(variant: str, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    a, b = np.arange(m * k, dtype="i4").reshape(m, k), np.arange(k * n, dtype="i4").reshape(k, n)
    with checked_calls(schedules=2) as calls:
        product = gp.matmul(a, b, variant=variant, device="simulator")
    assert np.array_equal(product, a @ b)
    assert_clean(calls)


@pytest.mark.parametrize(("n", "dtype"), [*itertools.product([2, 100], ["f4", "i4", "u4"]), (300, "f4")])
def test_sort(dtype: str, n: int) -> None:
    values = np.random.default_rng(n).integers(0, 50, n).astype(dtype)
    array = gp.asarray(values, device="simulator")
    split = SortShape(split_from=1, bucket_bits=4, buckets=3, chunk=50)
    with checked_calls(schedules=2, most_invocations=100_000) as calls:
        results = [
            sort_by_network(array, False),
            sort_by_digits(array, False, SortShape(whole_bits=6)),
            sort_by_digits(array, False, split),
            gp.sort(array),
        ]
    for result in results:
        assert np.array_equal(result.numpy(), np.sort(values))
    assert_clean(calls, least=6)


@pytest.mark.parametrize("is_guarded", [False, True])
@pytest.mark.parametrize("gang", [0, 2])
def test_tiles_of_registers(is_guarded: bool, gang: int) -> None:
    """The products that GPUs and CPUs run, with tiles small enough for the simulator, in two ranges of k."""
    tile = Tile(16, 16, 8, 4, 4, width=1 if gang else 4, gang=gang, parts=4 if gang else 1, padding=gang)
    of_vectors, of_elements = make_kernels(tile)
    vector = VECTORS[gp.i32] if tile.width == 4 else gp.i32
    kernel, constants = (
        (of_elements, (vector, tile, is_guarded)) if is_guarded or gang else (of_vectors, (vector, tile))
    )
    m, k, n = (17, 13, 20) if is_guarded else (32, 24, 16)
    a, b = np.arange(m * k, dtype="i4").reshape(m, k), np.arange(k * n, dtype="i4").reshape(k, n)
    left, right = gp.asarray(a, device="simulator"), gp.asarray(b, device="simulator")
    product = gp.empty((m, n), gp.i32, device="simulator")
    tiles = -(-m // tile.tile_m) * -(-n // tile.tile_n)
    with checked_calls() as calls:
        for first, last in ((0, tile.tile_k), (tile.tile_k, k)):
            kernel(left, right, product, first, last, *constants, workgroups=tiles)
    assert np.array_equal(product.numpy(), a @ b)
    assert_clean(calls, 2)
