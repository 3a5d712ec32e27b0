"""gp.searchsorted, gp.merge and gp.topk of sorted arrays, against NumPy on every device."""

from __future__ import annotations

import numpy as np
import pytest
from sort_order import any_bits, bits_of, in_order, is_supported, numpy_dtype
from sort_ways import reshaped

import gpucore as gp


def numbers(n: int, dtype: str = "f4") -> np.ndarray:
    return np.random.default_rng(n).integers(0, 20, n).astype(dtype)


def test_places_in_a_sorted_array(device: gp.Device) -> None:
    for n, shape in ((0, (3,)), (1, (2, 3)), (100, (7, 11)), (257, (0,))):
        keys, values = np.sort(numbers(n)), numbers(int(np.prod(shape))).reshape(shape) - np.float32(0.5)
        values.ravel()[::2] += np.float32(0.5)
        for side in ("left", "right"):
            got = gp.searchsorted(keys, values, side, device=device)
            assert got.dtype == np.int32 and got.shape == shape
            assert np.array_equal(got, np.searchsorted(keys, values, side))


def test_two_sorted_arrays(device: gp.Device) -> None:
    for n, m in ((0, 0), (0, 3), (5, 0), (100, 1), (70, 257)):
        a, b = np.sort(numbers(n)), np.sort(numbers(m))
        got = gp.merge(a, b, device=device)
        assert np.array_equal(got, np.sort(np.concatenate([a, b]))) and got.dtype == np.float32
    special = np.array([-np.inf, -0.0, 0.0, np.nan], np.float32)
    merged = gp.merge(special, special, device=device)
    assert np.array_equal(merged.view("u4"), np.repeat(special.view("u4"), 2))


@pytest.mark.parametrize("tile", [(1, 9), (32, 4)])
@pytest.mark.parametrize("dtype", ["f32", "u64", "i8"])
def test_long_arrays_are_merged_in_parts(device: gp.Device, dtype: str, tile: tuple[int, int]) -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    if device.backend.name == "opencl" and dtype == "u64":
        pytest.skip(f"{device.id} takes seconds")
    sizes = [(130, 77)] if device.backend.name == "simulator" else [(0, 5), (1, 1), (130, 77), (500, 3), (3, 509)]
    with reshaped(device, "merge", tiles_from=1, tile=tile):
        for n, m in (*sizes, (128, 0)):
            a, b = (in_order(any_bits(numpy_dtype(dtype), size), False) for size in (n, m))
            got = gp.merge(a, b, device=device)
            assert np.array_equal(bits_of(got), bits_of(in_order(np.concatenate([a, b]), False)))
        unsorted = any_bits(numpy_dtype(dtype), 300)  # is not checked, and harms nothing
        assert gp.merge(unsorted, unsorted[::-1].copy(), device=device).shape == (600,)


def test_the_largest_and_the_smallest(device: gp.Device) -> None:
    for n, k in ((1, 1), (60, 7), (60, 60), (60, 0), (0, 0)):
        x = numbers(n)
        for largest in (True, False):
            values, indices = gp.topk(x, k, largest=largest, device=device)
            order = np.argsort(-x if largest else x, kind="stable")[:k]
            assert indices.dtype == np.int32 and np.array_equal(indices, order)
            assert np.array_equal(values, x[order])


def test_what_is_refused() -> None:
    x = numbers(4)
    for call, message in (
        (lambda: gp.searchsorted(x, x, "middle", device="simulator"), "side must be"),
        (lambda: gp.searchsorted(x, x.astype("i4"), device="simulator"), "of one dtype"),
        (lambda: gp.searchsorted(x.reshape(2, 2), x, device="simulator"), "x must be of rank 1"),
        (lambda: gp.merge(x, x.reshape(2, 2), device="simulator"), "b must be of rank 1"),
        (lambda: gp.merge(x, gp.zeros(4, device="simulator")), "gp.asarray makes a device array"),
        (lambda: gp.topk(x, 5, device="simulator"), "from 0 to 4"),
        (lambda: gp.topk(x, True, device="simulator"), "from 0 to 4"),
        (lambda: gp.topk(x.reshape(2, 2), 1, device="simulator"), "rank 1"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()
