"""`gd.sort`, `gd.argsort` and `gd.sort_by_key` on two workers: order, bits and chunks are those of `gp.sort`."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
import pytest
from distributed import Client
from nine_inputs import INPUTS, make

import gpucore as gp
import gpucore_dask as gd
from gpucore_dask import cost, sort_tasks
from gpucore_dask.streams import threads

P, SIZE = 8, 40_003
EXCHANGES = ["tasks", "p2p"]


def _bits(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.view(f"u{array.dtype.itemsize}")


def _chunked(values: npt.NDArray[Any], count: int = P) -> da.Array:
    return da.from_array(values, chunks=-(-len(values) // count))


def _stage(array: da.Array, stage: str) -> list[Any]:
    """The keys of a stage."""
    return [key for key in dict(array.dask) if isinstance(key, tuple) and key[0].startswith(f"gpucore-{stage}-")]


@pytest.mark.parametrize("name", INPUTS)
def test_nine_inputs_have_the_bits_of_sort_and_even_buckets(name: str, client: Client) -> None:
    values = make(name, SIZE)
    made = gd.sort(_chunked(values))
    (bounds,) = client.get(made.dask, _stage(made, "bounds"))
    np.testing.assert_array_equal(_bits(made.compute()), _bits(gp.sort(values, device="cpu")))
    assert np.diff(bounds).sum() == SIZE
    assert np.diff(bounds).max() <= 1.2 * SIZE / P


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["u1", "i2", "u4", "i4", "f4", "u8", "i8", "f8"])
def test_dtypes_and_both_directions(dtype: str, descending: bool, client: Client) -> None:
    values = make("special", 9_001, dtype)
    made = gd.sort(_chunked(values, 3), descending).compute()
    np.testing.assert_array_equal(_bits(made), _bits(gp.sort(values, descending, device="cpu")))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("descending", [False, True])
def test_two_chunks_are_merged(dtype: str, descending: bool, client: Client) -> None:
    """Two runs are merged and not sorted again: also where NaN and both zeros are."""
    values = make("special", 20_001, dtype)
    made = gd.sort(_chunked(values, 2), descending).compute()
    np.testing.assert_array_equal(_bits(made), _bits(gp.sort(values, descending, device="cpu")))


def test_unequal_and_empty_chunks(client: Client) -> None:
    chunks = (1, 30_000, 0, 20_000, 50_002)
    values = make("zipf", sum(chunks), "i4")
    made = gd.sort(da.from_array(values, chunks=(chunks,)))
    (bounds,) = client.get(made.dask, _stage(made, "bounds"))
    np.testing.assert_array_equal(made.compute(), np.sort(values))
    assert np.diff(bounds).max() <= 1.2 * values.size / len(chunks)


def test_chunks_are_known_and_equal_and_nothing_runs_before(client: Client) -> None:
    values = make("normal", 100)
    started: list[int] = []

    def source(block: npt.NDArray[Any]) -> npt.NDArray[Any]:
        started.append(1)
        return block

    made = gd.sort(da.from_array(values, chunks=((3, 60, 0, 37),)).map_blocks(source, meta=values[:0]))
    assert made.chunks == ((25, 25, 25, 25),)
    assert made.dtype == np.float32 and made.shape == (100,)
    assert not started
    assert gd.sort(da.from_array(values[:10], chunks=3)).chunks == ((2, 3, 2, 3),)


@pytest.mark.parametrize("count", [2, 5, 64])
def test_tasks_are_those_of_the_formula(count: int, client: Client) -> None:
    values = da.from_array(np.arange(count * 10, dtype=np.float32), chunks=10)
    made = gd.sort(values)
    own = {key for key in dict(made.dask) if str(key).find("gpucore-") >= 0}
    assert len(own) == count * count + 7 * count + 2 == cost.sort_tasks(count)


def test_p2p_is_chosen_above_64_chunks(client: Client) -> None:
    pytest.importorskip("pyarrow", reason="the extra p2p is not installed")
    made = gd.sort(da.from_array(np.arange(650, dtype=np.float32), chunks=10))
    assert _stage(made, "part") == []
    assert len(_stage(made, "frame")) == 65
    assert len(dict(made.dask)) - 65 == 13 * 65 + 2 == cost.sort_tasks(65)


@pytest.mark.parametrize("name", ["special", "four values"])
def test_tasks_and_p2p_agree(name: str, client: Client) -> None:
    pytest.importorskip("pyarrow", reason="the extra p2p is not installed")
    values = make(name, 9_001)
    made = [gd.sort(_chunked(values, 5), True, exchange=each).compute() for each in EXCHANGES]
    for each in made:
        np.testing.assert_array_equal(_bits(each), _bits(gp.sort(values, True, device="cpu")))


@pytest.mark.parametrize("exchange", EXCHANGES)
@pytest.mark.parametrize("descending", [False, True])
def test_argsort_keeps_the_order_of_equal_elements(exchange: str, descending: bool, client: Client) -> None:
    if exchange == "p2p":
        pytest.importorskip("pyarrow", reason="the extra p2p is not installed")
    values = make("four values", 9_001)
    made = gd.argsort(_chunked(values, 5), descending, exchange=exchange)
    assert made.dtype == np.int64 and made.chunks == gd.sort(_chunked(values, 5)).chunks
    np.testing.assert_array_equal(made.compute(), gp.argsort(values, descending, device="cpu"))


def test_values_move_along_with_keys(client: Client) -> None:
    keys = make("zipf", 5_003, "i4")
    rows = np.random.default_rng(3).integers(0, 9, (5_003, 3)).astype(np.float32)
    wide = np.arange(5_003, dtype=np.float64)
    chunks = 1_100
    made = gd.sort_by_key(
        da.from_array(keys, chunks=chunks),
        da.from_array(rows, chunks=(chunks, 3)),
        da.from_array(wide, chunks=chunks),
        descending=True,
    )
    order = gp.argsort(keys, True, device="cpu")
    for each, whole in zip(made, (keys, rows, wide), strict=True):
        np.testing.assert_array_equal(each.compute(), whole[order])
        assert each.dtype == whole.dtype and each.shape == whole.shape


def test_values_of_rank_1_move_by_p2p(client: Client) -> None:
    pytest.importorskip("pyarrow", reason="the extra p2p is not installed")
    keys, values = make("special", 3_001), make("normal", 3_001, "f8")
    made = gd.sort_by_key(_chunked(keys, 4), _chunked(values, 4), exchange="p2p")
    order = gp.argsort(keys, device="cpu")
    np.testing.assert_array_equal(_bits(made[0].compute()), _bits(keys[order]))
    np.testing.assert_array_equal(made[1].compute(), values[order])


@pytest.mark.parametrize("size", [0, 1, 5])
def test_few_elements(size: int, client: Client) -> None:
    values = np.arange(size, dtype=np.int32)[::-1].copy()
    made = gd.sort(da.from_array(values, chunks=max(size, 1)))
    np.testing.assert_array_equal(made.compute(), np.sort(values))
    split = gd.sort(da.from_array(values, chunks=((1,) * size,))) if size else made
    np.testing.assert_array_equal(split.compute(), np.sort(values))


def test_no_elements_in_several_chunks(client: Client) -> None:
    empty = da.from_array(np.empty(0, np.float32), chunks=((0, 0, 0),))
    assert gd.sort(empty).compute().dtype == np.float32
    keys, values = gd.sort_by_key(empty, empty)
    for made in (gd.sort(empty), gd.argsort(empty), keys, values):
        assert made.chunks == ((0, 0, 0),) and made.compute().shape == (0,)


@pytest.mark.parametrize("exchange", EXCHANGES)
@pytest.mark.parametrize("dtype", ["u8", "i8", "f8", "u4", "f4", "i2"])
def test_keys_of_all_sizes_move_values(dtype: str, exchange: str, client: Client) -> None:
    keys, values = make("special", 3_001, dtype), np.arange(3_001, dtype=np.int64)
    order = gp.argsort(keys, device="cpu")
    assert np.array_equal(gd.argsort(_chunked(keys, 3), exchange=exchange).compute(), order)
    moved = gd.sort_by_key(_chunked(keys, 3), _chunked(values, 3), exchange=exchange)
    np.testing.assert_array_equal(_bits(moved[0].compute()), _bits(keys[order]))
    np.testing.assert_array_equal(moved[1].compute(), order)


def test_parts_and_tails_are_copies_also_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view would keep its whole run in memory."""
    monkeypatch.setattr(threads, "_BYTES_OF_A_THREAD", 64)
    rows = np.arange(30_030).reshape(3_003, 10)
    run, bounds = (np.arange(3_003), rows[:, ::-1], rows.astype(np.float32, order="F")), np.array([100, 3_103])
    tail = sort_tasks.take_tail(run, bounds, 1_100, 0)
    for made, wanted in (
        (sort_tasks.take_part(run, np.array([0, 17, 2_000]), 1), [each[17:2_000] for each in run]),
        (tail, [each[1_000:] for each in run]),
        (sort_tasks.realign(None, run, bounds, 1_100, 0), [each[:1_000] for each in run]),
        (sort_tasks.realign(tail, run, bounds, 150, 0), [np.concatenate([each[1_000:], each[:50]]) for each in run]),
    ):
        for one, other, old in zip(made, wanted, run, strict=True):
            np.testing.assert_array_equal(one, other)
            assert not np.shares_memory(one, old)


def test_equal_calls_have_equal_keys_which_begin_with_their_stage(client: Client) -> None:
    values = _chunked(make("normal", 800), 4)
    one, other = gd.sort(values), gd.sort(values)
    assert set(one.dask) == set(other.dask)
    assert set(gd.sort(values, True).dask) != set(one.dask)
    names = {key[0].rpartition("-")[0] for key in one.dask if str(key[0]).startswith("gpucore-")}
    stages = {"sort-run", "sample", "splitters", "cuts", "bounds", "part", "parted", "ready"}
    stages |= {"merge", "tail", "realign"}
    assert names == {f"gpucore-{stage}" for stage in stages}
