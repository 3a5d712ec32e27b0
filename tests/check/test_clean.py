"""No false report: on kernels that are right, and on those of the library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from clean import GALLERY
from clean_teams import GALLERY as TEAMS

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS, staged
from gpucore.algorithms.matmul.tiled import VECTORS, make_kernels
from gpucore.algorithms.shapes import SHAPES, ColumnTile, MergeShape, SelectShape, Shapes, SortShape, Tile
from gpucore.algorithms.sort import columns
from gpucore.testing.checked_calls import CheckedCalls, checked_calls

CASES = GALLERY.cases | TEAMS.cases


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("subgroup_size", [1, 5, 32])
def test_nothing_is_found(name: str, subgroup_size: int) -> None:
    report = CASES[name].check(subgroup_size=subgroup_size, schedules=4)
    assert report.ok, str(report)
    assert report and str(report).startswith(f"{name}: no findings")


def test_the_gallery_is_large() -> None:
    assert len(CASES) >= 20


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


SORTS = {
    "bitonic": SortShape(),
    "radix": SortShape(chunks_from=50, chunk_bits=6, whole_bits=6, chunk=50, ahead_from=200),
    "count": SortShape(count_up_to=1024, merge_block=256),
}


LONG = [
    pytest.param(variant, 100, dtype, marks=[pytest.mark.large] * (number != place))
    for number, variant in enumerate(SORTS)
    for place, dtype in enumerate(("f4", "i4", "u4"))
]
"""Each method has another dtype, and all of them have all at the smallest size."""


@pytest.mark.parametrize(
    ("variant", "n", "dtype"),
    [*itertools.product(SORTS, [2], ["f4", "i4", "u4"]), *itertools.product(SORTS, [300], ["f4"]), *LONG],
)
def test_sort(dtype: str, n: int, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(n).integers(0, 50, n).astype(dtype)
    array = gp.asarray(values, device="simulator")
    monkeypatch.setitem(SHAPES, array.device.kind, Shapes(sort=SORTS[variant]))
    with checked_calls(schedules=2, most_invocations=100_000) as calls:
        result = gp.sort(array, variant=variant)
        if variant in ("count", "columns") and n != 2:
            assert np.array_equal(
                gp.argsort(values, variant=variant, device="simulator"), values.argsort(kind="stable")
            )
    assert np.array_equal(result.numpy(), np.sort(values))
    assert_clean(calls)


def test_merged_blocks_rows_and_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("simulator")
    values = np.random.default_rng(0).integers(0, 50, 1100).astype("u4")
    with checked_calls(schedules=1, most_invocations=100_000) as calls:
        assert np.array_equal(gp.sort(values[:70].reshape(2, 35), device=device), np.sort(values[:70].reshape(2, 35)))
        assert np.array_equal(gp.sort(values[:70].reshape(7, 10), device=device), np.sort(values[:70].reshape(7, 10)))
        assert np.array_equal(gp.segmented_sort(values[:20], [0, 7, 20], device=device)[:7], np.sort(values[:7]))
        monkeypatch.setitem(SHAPES, device.kind, Shapes(sort=SORTS["count"]))
        got = gp.sort_by_key(values, np.arange(1100, dtype="f8"), variant="count", device=device)
    assert np.array_equal(got[1], values.argsort(kind="stable"))
    assert_clean(calls, 5)


def test_columns() -> None:
    """One digit of two tiles, and of the scan two of its 256 workgroups."""
    tile, device, n = ColumnTile(64, 2), gp.device("simulator"), 200
    values = np.random.default_rng(0).integers(0, 250, n).astype("u4")
    counts, totals, bases = (gp.empty(size, gp.u32, device=device) for size in (512, 2, 256))
    x, moved, target = gp.asarray(values, device=device), *(gp.empty(n, gp.u32, device=device) for _ in range(2))
    kernels = columns.make_kernels(tile.invocations)
    with checked_calls(schedules=1) as calls:
        kernels.upsweep(x, counts, 0, tile, True, False, workgroups=2)
        found = np.stack([np.bincount(part, minlength=256) for part in (values[:128], values[128:])], 1)
        assert np.array_equal(counts.numpy(), found.ravel())
        columns.find_bases(gp.asarray(found.sum(1).astype("u4"), device=device), bases, workgroups=1)
        columns.scan(counts, totals, 2, workgroups=2)
        places = gp.asarray((found.cumsum(1) - found).astype("u4").ravel(), device=device)
        constants = 0, tile, gp.u32, True, True, True, False
        kernels.scatter_pairs(x, x, target, moved, places, bases, *constants, workgroups=2)
    assert np.array_equal(moved.numpy(), values.argsort(kind="stable"))
    assert np.array_equal(target.numpy(), np.sort(values))
    assert np.array_equal(counts.numpy()[:4], places.numpy()[:4])
    assert_clean(calls, 4)


SELECTIONS = {
    "invocations": {"invocations": 1, "moved": (1, 1)},
    "workgroups": {"invocations": 32, "moved": (16, 2)},
}


@pytest.mark.parametrize("form", SELECTIONS)
def test_selections(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("simulator")
    sizes = {"topk_from": 1, "topk_part": 1, "ranks_from": 1, "bits": 5, "chunk": 64, "groups": 3}
    monkeypatch.setitem(SHAPES, device.kind, Shapes(select=SelectShape(**SELECTIONS[form], **sizes)))
    x = np.random.default_rng(0).integers(0, 40, 110).astype("u2")
    with checked_calls(schedules=1, most_invocations=100_000) as calls:
        assert np.array_equal(gp.topk(x, 9, device=device)[1], np.argsort(-x.astype("i4"), kind="stable")[:9])
        assert np.array_equal(gp.partition(x, [99, 30], device=device)[[30, 99]], np.sort(x)[[30, 99]])
        assert gp.median(x, device=device) == np.median(x)
        assert gp.percentile(x, 30, method="lower", device=device) == np.percentile(x, 30, method="lower")
    assert_clean(calls, 25)


@pytest.mark.parametrize("tile", [(1, 9), (32, 4)])
def test_merges_and_distinct_elements(tile: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("simulator")
    monkeypatch.setitem(SHAPES, device.kind, Shapes(merge=MergeShape(tiles_from=1, tile=tile)))
    x = np.sort(np.random.default_rng(0).integers(0, 40, 140).astype("f4"))
    with checked_calls(schedules=2, most_invocations=100_000) as calls:
        assert np.array_equal(gp.merge(x[::2], x[1::2], device=device), x)
        options = {"return_index": True, "return_inverse": True, "return_counts": True}
        for got, want in zip(gp.unique(x, **options, device=device), np.unique(x, **options), strict=True):
            assert np.array_equal(got, want)
    assert_clean(calls, 8)


@pytest.mark.parametrize("columns", [20, 19])
def test_tiles_whose_copies_end_later(columns: int) -> None:
    """The product of GPUs that copy while a kernel goes on, in tiles with slices."""
    tile = Tile(16, 16, 8, 4, 4, stages=3, slices=2, padding=4)
    a, b = np.arange(17 * 21, dtype="i4").reshape(17, 21), np.arange(21 * columns, dtype="i4").reshape(21, columns)
    left, right = gp.asarray(a, device="simulator"), gp.asarray(b, device="simulator")
    product = gp.empty((17, columns), gp.i32, device="simulator")
    seen = [right, product] if columns % 4 else [each.view(gp.i32x4) for each in (right, product)]
    with checked_calls() as calls:
        staged.make_kernel(tile)(left, *seen, 0, columns, tile, workgroups=4)
    assert np.array_equal(product.numpy(), a @ b)
    assert_clean(calls, 1)


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
