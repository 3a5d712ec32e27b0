"""Sizes that people have, on every device but the simulator: `pytest tests/algorithms/test_large.py --run-large -rP`.

Each test prints the seconds of the first call, which compiles, and of the second, both from NumPy to NumPy. All
together take two minutes on two CPU cores, and up to 2 GB of memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from products import assert_is_product, matrices
from sort_order import any_bits, assert_sorted, bits_of, in_order

import gpucore as gp

pytestmark = pytest.mark.large

Record = Callable[[str, Any], None]


def _timed(call: Callable[[], Any], record_property: Record, name: str) -> Any:
    for attempt in ("first", "second"):
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        record_property(f"{name}, {attempt}", seconds)
        print(f"{name}, {attempt} call: {seconds:.3f} s")
    return result


def _not_simulated(device: gp.Device) -> None:
    if device.backend.name == "simulator":
        pytest.skip("the simulator would take hours")


@pytest.mark.parametrize("descending", [False, True])
def test_ten_million_floats(device: gp.Device, record_property: Record, descending: bool) -> None:
    _not_simulated(device)
    values = any_bits(np.dtype(np.float32), 10_000_000)
    got = _timed(
        lambda: gp.sort(values, descending, device=device), record_property, f"sort 10,000,000 f32 on {device.id}"
    )
    assert_sorted(got, values, descending)


def test_more_floats_than_a_power_of_two(device: gp.Device, record_property: Record) -> None:
    """Plain numbers, as users have them, one more than 2**23."""
    _not_simulated(device)
    values = np.random.default_rng(5).standard_normal(2**23 + 1).astype(np.float32)
    got = _timed(lambda: gp.sort(values, device=device), record_property, f"sort 2**23 + 1 f32 on {device.id}")
    assert np.array_equal(bits_of(got), bits_of(in_order(values, False)))


@pytest.mark.parametrize("shape", [(1000, 999, 1001), (4096, 4096, 64), (4096, 64, 4096), (2048, 2048, 2048)])
def test_large_products(device: gp.Device, record_property: Record, shape: tuple[int, int, int]) -> None:
    _not_simulated(device)
    a, b = matrices(np.dtype(np.float32), *shape)
    got = _timed(
        lambda: gp.matmul(a, b, device=device), record_property, f"matmul m, k, n = {shape} f32 on {device.id}"
    )
    assert_is_product(got, a, b)


def test_large_integer_products(device: gp.Device, record_property: Record) -> None:
    _not_simulated(device)
    a, b = matrices(np.dtype(np.int32), 1000, 999, 1001)
    got = _timed(lambda: gp.matmul(a, b, device=device), record_property, f"matmul 1000, 999, 1001 i32 on {device.id}")
    assert_is_product(got, a, b)
