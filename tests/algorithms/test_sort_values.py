"""gp.sort gives the right values on every device: whole outputs, bit for bit, at the sizes where its parts meet."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as numpy_strategies
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sort_order import DTYPES, Values, any_bits, assert_sorted, bits_of, extremes, in_order, is_supported, numpy_dtype
from turns import Turns

import gpucore as gp

SIZES = (0, 1, 2, 3, 7, 8, 9, 255, 256, 257, 2047, 2048, 2049, 4097, 10_007, 100_003, 131_071, 131_072)
SMALL = ("u8", "i8", "u16", "i16")
SMALL_SIZES = (1, 3, 257, 4097)  # other kernels load and store them, and nothing else
SIMULATED_SIZES = (0, 1, 2, 3, 7, 8, 9, 255, 257)
ORDERS = (False, True)


@pytest.mark.parametrize("descending", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_sizes(device: gp.Device, turns: Turns, dtype: str, descending: bool) -> None:
    """Each dtype on every device, in one of the orders."""
    if not is_supported(device, dtype):
        with pytest.raises(gp.CapabilityError, match=dtype):
            gp.sort(any_bits(numpy_dtype(dtype), 10), descending, device=device)
        return
    if dtype in SMALL and descending:
        return
    if dtype not in SMALL:
        turns.skip_others(DTYPES.index(dtype) + descending, 2)
    sizes = SIMULATED_SIZES if device.backend.name == "simulator" else SMALL_SIZES if dtype in SMALL else SIZES
    for n in sizes:
        values = any_bits(numpy_dtype(dtype), n)
        assert_sorted(gp.sort(values, descending, device=device), values, descending)


def _patterns(n: int, dtype: np.dtype[Any]) -> dict[str, Values]:
    random = np.random.default_rng(n)
    few = random.integers(0, 3, n).astype(dtype)
    rising = in_order(any_bits(dtype, n), False)
    return {
        "all equal": np.full(n, 7, dtype),
        "two values": (random.integers(0, 2, n) * 1000).astype(dtype),
        "few values": few,
        "sorted": rising,
        "reversed": rising[::-1].copy(),
        "rising and falling": np.concatenate([rising[: n // 2], rising[n // 2 :][::-1]]),
        "sorted but for the last": np.concatenate([rising[1:], rising[:1]]),
        "greatest of all": np.full(n, extremes(dtype)[np.argmax(bits_of(in_order(extremes(dtype), False)))], dtype),
    }


@pytest.mark.parametrize("descending", ORDERS)
@pytest.mark.parametrize("dtype", ["u32", "i32", "f32"])
def test_patterns(device: gp.Device, turns: Turns, dtype: str, descending: bool) -> None:
    turns.skip_others(DTYPES.index(dtype) + descending, 2)
    n = 300 if device.backend.name == "simulator" else 6000
    for name, values in _patterns(n, numpy_dtype(dtype)).items():
        print(name)  # shown when it fails
        assert_sorted(gp.sort(values, descending, device=device), values, descending)


@pytest.mark.parametrize("descending", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_extremes_in_every_place(device: gp.Device, turns: Turns, dtype: str, descending: bool) -> None:
    """Each edge value appears once, among ordinary ones and alone."""
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sizes checks the refusal")
    if dtype in SMALL and device.backend.name != "cpu":
        return
    if dtype not in SMALL:
        turns.skip_others(DTYPES.index(dtype) + descending, 2)
    edges = extremes(numpy_dtype(dtype))
    for values in (edges, edges[::-1], np.concatenate([np.arange(100).astype(edges.dtype), edges])):
        assert_sorted(gp.sort(values, descending, device=device), values, descending)


def test_the_order_of_floats_is_written_out(device: gp.Device) -> None:
    """The same order as `sort_order` computes, by hand."""
    nan, payload, negative_nan = 0x7FC00000, 0x7FC00001, 0xFFC00000
    order = [
        0xFF800000,
        0xBF800000,
        0x80000001,
        0x80000000,
        0,
        1,
        0x3F800000,
        0x7F800000,
        nan,
        payload,
        0xFFC00001,
        negative_nan,
    ]
    values = np.array(order, np.uint32)[[7, 3, 10, 0, 9, 4, 11, 6, 1, 8, 2, 5]].view(np.float32)
    assert bits_of(gp.sort(values, device=device)).tolist() == order
    assert bits_of(gp.sort(values, gp.SortOrder.DESCENDING, device=device)).tolist() == order[::-1]


def _bits(dtype: np.dtype[Any]) -> st.SearchStrategy[Values]:
    width = dtype.itemsize
    elements = st.one_of(st.sampled_from(bits_of(extremes(dtype)).tolist()), st.integers(0, 2 ** (8 * width) - 1))
    unsigned = np.dtype(f"u{width}")
    return numpy_strategies.arrays(unsigned, st.integers(0, 300), elements=elements).map(lambda bits: bits.view(dtype))


@settings(max_examples=25, deadline=None)
@given(
    values=st.sampled_from(["f32", "i32", "u32"]).flatmap(lambda name: _bits(numpy_dtype(name))),
    descending=st.booleans(),
)
def test_any_values(device: gp.Device, values: Values, descending: bool) -> None:
    assert_sorted(gp.sort(values, descending, device=device), values, descending)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(2049, 40_000), seed=st.integers(0, 1000), descending=st.booleans())
def test_any_size_beyond_a_tile(device: gp.Device, n: int, seed: int, descending: bool) -> None:
    n = 2049 + n % 1000 if device.backend.name == "simulator" else n
    if device.backend.name == "simulator" and seed % 5:
        return
    values = any_bits(np.dtype(np.float32), n, seed)
    assert_sorted(gp.sort(values, descending, device=device), values, descending)
