"""Both ways to sort, on every device, whichever gp.sort chooses there: whole outputs, bit for bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from sort_order import DTYPES, Values, any_bits, assert_sorted, bits_of, extremes, in_order, is_supported, numpy_dtype

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, Shapes, SortShape, shapes_of
from gpucore.algorithms.sort import methods
from gpucore.runtime.protocol import DeviceKind

WHOLE = SortShape(split_from=1 << 30, whole_bits=8)
SPLIT = SortShape(split_from=1, bucket_bits=5, buckets=7, chunk=100, chunks=4)
METHODS: dict[str, Callable[[gp.Array, bool], gp.Array]] = {
    "network": methods.sort_by_network,
    "whole": lambda x, descending: methods.sort_by_digits(x, descending, WHOLE),
    "split": lambda x, descending: methods.sort_by_digits(x, descending, SPLIT),
    "one bucket": lambda x, descending: methods.sort_by_digits(x, descending, dataclasses.replace(SPLIT, buckets=1)),
    "one bit": lambda x, descending: methods.sort_by_digits(x, descending, dataclasses.replace(SPLIT, bucket_bits=1)),
}
SIZES = (2, 3, 99, 100, 101, 199, 255, 256, 257, 400, 2047, 2049, 3001)
SIMULATED_SIZES = (2, 3, 101, 257)


def _sizes(device: gp.Device) -> tuple[int, ...]:
    return SIMULATED_SIZES if device.backend.name == "simulator" else SIZES


@pytest.mark.parametrize("method", ["network", "whole", "split"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sizes(device: gp.Device, dtype: str, method: str) -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    for descending in (False, True):
        for n in _sizes(device):
            values = any_bits(numpy_dtype(dtype), n)
            got = METHODS[method](gp.asarray(values, device=device), descending).numpy()
            assert_sorted(got, values, descending)


def _distributions(n: int, dtype: np.dtype[np.generic]) -> dict[str, Values]:
    """What makes buckets unequal, and digits that all keys share."""
    random = np.random.default_rng(n)
    least, greatest = in_order(extremes(dtype), False)[[0, -1]]
    small = random.integers(0, 100, n).astype(dtype)
    rising = in_order(any_bits(dtype, n), False)
    outliers = small.copy()
    outliers[random.integers(0, n, 1 + n // 50)] = greatest
    return {
        "all least": np.full(n, least, dtype),
        "all greatest": np.full(n, greatest, dtype),
        "least and greatest": np.where(random.integers(0, 2, n) == 0, least, greatest),
        "small numbers": small,
        "of both signs": small - dtype.type(50),
        "few outliers": outliers,
        "all but one equal": np.concatenate([small[:1], np.full(n - 1, dtype.type(7))]),
        "one bit": (random.integers(0, 2, n).astype(np.uint32) << 20).astype(dtype),
        "squares": (random.random(n) ** 8 * 1e6).astype(dtype),
        "rising": rising,
        "falling": rising[::-1].copy(),
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["u32", "i32", "f32", "u64"])
def test_distributions(device: gp.Device, dtype: str, method: str) -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    n = 300 if device.backend.name == "simulator" else 1999
    for name, values in _distributions(n, numpy_dtype(dtype)).items():
        print(name)  # shown when it fails
        for descending in (False, True):
            got = METHODS[method](gp.asarray(values, device=device), descending).numpy()
            assert_sorted(got, values, descending)


def test_every_key_of_a_permutation_is_found_once(device: gp.Device) -> None:
    n = 300 if device.backend.name == "simulator" else 4000
    for seed in range(3):
        values = np.random.default_rng(seed).permutation(n).astype(np.uint32)
        for name in ("network", "whole", "split"):
            got = METHODS[name](gp.asarray(values, device=device), False).numpy()
            assert np.array_equal(bits_of(got), np.arange(n)), name


def test_a_large_array_is_split(device: gp.Device) -> None:
    """The shape of CPUs, at the sizes where its chunks meet."""
    shape = SHAPES[DeviceKind.CPU].sort
    if device.limits.max_loop_iterations is not None or device.backend.name == "simulator":
        pytest.skip(f"{device.id} limits the iterations of an invocation, or takes minutes")
    for n in (shape.split_from, 2 * shape.chunk + 1, 3 * shape.chunk - 1, 5 * shape.chunk + 12_345):
        for dtype in ("u32", "f32"):
            values = any_bits(numpy_dtype(dtype), n)
            got = methods.sort_by_digits(gp.asarray(values, device=device), True, shape).numpy()
            assert_sorted(got, values, True)


def test_the_table_chooses_the_method(monkeypatch: pytest.MonkeyPatch) -> None:
    device = gp.device("simulator")
    monkeypatch.setitem(SHAPES, device.kind, Shapes(sort=SortShape(radix_from=50, split_from=60, buckets=3, chunk=20)))
    assert shapes_of(device).sort.radix_from == 50
    chosen: list[int] = []
    by_digits = methods.sort_by_digits

    def record(x: gp.Array, descending: bool, shape: SortShape) -> gp.Array:
        chosen.append(x.size)
        return by_digits(x, descending, shape)

    monkeypatch.setattr(methods, "sort_by_digits", record)
    for n in (49, 50, 59, 60, 61):
        values = any_bits(np.dtype(np.float32), n)
        assert_sorted(gp.sort(values, device=device), values, False)
    assert chosen == [50, 59, 60, 61]
    monkeypatch.setitem(SHAPES, device.kind, Shapes(sort=SortShape(radix_from=None)))
    gp.sort(any_bits(np.dtype(np.float32), 70), device=device)
    assert len(chosen) == 4


def test_a_device_that_limits_loops_sorts_with_the_network(device: gp.Device) -> None:
    x = gp.empty(1000, gp.u32, device=device)
    allowed = device.limits.max_loop_iterations is None
    assert methods.is_sorted_by_digits(x, SortShape(radix_from=1000)) is allowed
    assert not methods.is_sorted_by_digits(x, SortShape(radix_from=1001))
    assert not methods.is_sorted_by_digits(x, SortShape(radix_from=None))


def test_every_kind_of_device_has_shapes() -> None:
    assert SHAPES.keys() == set(DeviceKind)
    assert SHAPES[DeviceKind.GPU] == SHAPES[DeviceKind.IGPU] == Shapes()
    assert SHAPES[DeviceKind.GPU].sort.radix_from is None
