"""The splitters of sorted runs: where they fall, how even the buckets are, and that order and bits are `gp.sort`'s."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nine_inputs import INPUTS, make

import gpucore as gp
from gpucore_dask import splitting

P = 8
DTYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]


def _by_buckets(chunks: list[npt.NDArray[Any]], descending: bool) -> tuple[npt.NDArray[Any], list[int]]:
    """All elements in order, and the ranks of the splitters."""
    num, size = len(chunks), sum(chunk.size for chunk in chunks)
    runs = [chunk[np.argsort(splitting.to_keys(chunk, descending), kind="stable")] for chunk in chunks]
    keys = [splitting.to_keys(run, descending) for run in runs]
    stretch = splitting.stretch_of(size, num)
    ranks = splitting.wanted_ranks(size, num)
    chosen = splitting.splitters([splitting.samples(each, stretch) for each in keys], ranks)
    edges = [[0, *splitting.cuts(each, chunk, chosen), each.size] for chunk, each in enumerate(keys)]
    parts = []
    for begin in range(num):
        part = np.concatenate([run[edge[begin] : edge[begin + 1]] for run, edge in zip(runs, edges, strict=True)])
        parts.append(part[np.argsort(splitting.to_keys(part, descending), kind="stable")])
    return np.concatenate(parts), [sum(edge[place] for edge in edges) for place in range(1, num)]


def _bits(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array.view(f"u{array.dtype.itemsize}")


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("name", INPUTS)
def test_nine_inputs(name: str, descending: bool) -> None:
    values = make(name, 400_000)
    made, ranks = _by_buckets(np.array_split(values, P), descending)
    expected = gp.sort(values, descending, device="cpu")
    np.testing.assert_array_equal(_bits(made), _bits(expected))
    sizes = np.diff([0, *ranks, values.size])
    assert sizes.max() <= 1.2 * values.size / P


@pytest.mark.parametrize("name", INPUTS)
def test_unequal_and_empty_chunks(name: str) -> None:
    values = make(name, 300_000, "i4")
    chunks = np.split(values, [1, 90_000, 90_000, 150_000])
    made, ranks = _by_buckets(chunks, False)
    np.testing.assert_array_equal(made, np.sort(values))
    assert np.diff([0, *ranks, values.size]).max() <= 1.2 * values.size / len(chunks)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_keys_have_the_order_of_sort(dtype: str, descending: bool) -> None:
    """Values of random bits, so NaN of both signs too. The simulator has every dtype."""
    random = np.random.default_rng(7)
    itemsize = np.dtype(dtype).itemsize
    values = random.integers(0, 256, 600 * itemsize, np.uint8).view(dtype)
    if dtype == "f4":
        values = np.concatenate([values, make("special", 400)])
    keys = splitting.to_keys(values, descending)
    assert keys.dtype == np.dtype(f"u{itemsize}")
    expected = gp.sort(values, descending, device="simulator")
    np.testing.assert_array_equal(_bits(values[np.argsort(keys, kind="stable")]), _bits(expected))
    assert np.unique(keys).size == np.unique(_bits(values)).size


def test_a_dtype_without_keys_is_refused() -> None:
    with pytest.raises(TypeError, match="an array of complex64 has no keys"):
        splitting.to_keys(np.zeros(3, np.complex64))


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=60), min_size=1, max_size=6),
    st.integers(1, 7),
)
def test_a_rank_is_off_by_less_than_the_bound(lists: list[list[int]], stretch: int) -> None:
    """0 <= R - r <= p (w - 1) for each wanted rank, whatever the chunks, keys and stretch are."""
    runs = [np.sort(np.array(each, np.uint32)) for each in lists]
    size = sum(run.size for run in runs)
    if size == 0:
        return
    ranks = list(range(1, size + 1))
    chosen = splitting.splitters([splitting.samples(run, stretch) for run in runs], ranks)
    found = np.sum([splitting.cuts(run, chunk, chosen) for chunk, run in enumerate(runs)], axis=0)
    off = found - np.array(ranks)
    assert off.min() >= 0
    assert off.max() <= len(runs) * (stretch - 1)
    assert all(low <= high for low, high in pairwise(found))


def test_samples_stand_for_every_element() -> None:
    run = np.arange(103, dtype=np.uint64)
    found = splitting.samples(run, 10)
    assert found.lengths.sum() == run.size
    assert found.places.tolist() == [9, 19, 29, 39, 49, 59, 69, 79, 89, 99, 102]
    assert splitting.samples(run[:0], 10).keys.size == 0
