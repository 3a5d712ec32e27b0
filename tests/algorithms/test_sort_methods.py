"""Each way to sort, on every device, whichever gp.sort chooses there: whole outputs, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sort_order import DTYPES, Values, any_bits, assert_sorted, bits_of, extremes, in_order, is_supported, numpy_dtype
from sort_ways import argsort_by, shaped, sort_by, stable_order
from turns import Turns

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, ColumnTile, Shapes, shapes_of
from gpucore.algorithms.sort import methods, queue_radix
from gpucore.runtime.protocol import DeviceKind

WHOLE = {"chunks_from": 1 << 30, "whole_bits": 8}
CHUNKS = {"chunks_from": 1, "chunk_bits": 7, "chunk": 100, "chunks": 4, "ahead_from": 2048}
BLOCKS = {"count_up_to": 1024, "merge_block": 256}
COLUMNS = {"columns": (ColumnTile(64, 2),)}  # compiled soonest
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "network": ("bitonic", {}),
    "whole": ("radix", WHOLE),
    "chunks": ("radix", CHUNKS),
    "one bit": ("radix", {**CHUNKS, "chunk_bits": 1, "chunks": 1}),
    "blocks": ("count", BLOCKS),
    "columns": ("columns", COLUMNS),
}
SIZES = (2, 3, 99, 100, 101, 199, 255, 256, 257, 400, 1024, 1025, 2047, 2049, 3001)
SIMULATED_SIZES = (2, 3, 101, 257)
SLOW = ("columns",)
"""The simulator takes seconds for these, and so does PoCL's compiler, which tests of golden texts run."""


def _sorted(method: str, values: Values, device: gp.Device, descending: bool = False) -> Values:
    name, changes = METHODS[method]
    return sort_by(name, gp.asarray(values, device=device), descending, **changes).numpy()


def _refuse(device: gp.Device, dtype: str, method: str = "") -> None:
    if not is_supported(device, dtype):
        pytest.skip(f"{device.id} lacks {dtype}; test_sort_values checks the refusal")
    if method in SLOW and device.backend.name in ("simulator", "opencl"):
        pytest.skip(f"{device.id} takes seconds; test_clean and the tests of golden texts have it")


def _number(dtype: str, method: str) -> int:
    """Of the turn that a method has with a dtype."""
    return DTYPES.index(dtype) + [*METHODS].index(method)


def _sizes(device: gp.Device) -> tuple[int, ...]:
    return SIMULATED_SIZES if device.backend.name == "simulator" else SIZES


@pytest.mark.parametrize(
    ("method", "dtype"),
    [
        *((method, dtype) for dtype in DTYPES[:7] for method in ("network", "whole", "chunks")),
        *(("whole", dtype) for dtype in DTYPES[7:]),
        *((method, "i8") for method in ("blocks", "columns")),
    ],
)
def test_sizes(device: gp.Device, turns: Turns, dtype: str, method: str) -> None:
    _refuse(device, dtype, method)
    if method not in ("blocks", "columns"):  # they have one dtype
        turns.skip_others(_number(dtype, method))
    for number, n in enumerate(_sizes(device)):
        values = any_bits(numpy_dtype(dtype), n)
        for descending in {number % 2 == 0, n > 3000}:  # in turns, and the largest both ways
            assert_sorted(_sorted(method, values, device, descending), values, descending)


PERMUTED = (
    ("blocks", "f32"), ("blocks", "u64"), ("blocks", "u8"), ("columns", "u32"), ("columns", "i64"), ("chunks", "f32"),
    ("chunks", "u64"),
)  # fmt: skip


@pytest.mark.parametrize(("method", "dtype"), PERMUTED)
def test_permutations(device: gp.Device, turns: Turns, dtype: str, method: str) -> None:
    """Those of a stable sort, with many equal keys."""
    _refuse(device, dtype, method)
    if method not in SLOW:  # half of the devices refuse those
        turns.skip_others(PERMUTED.index((method, dtype)), 2)
    name, changes = METHODS[method]
    if method == "chunks" and device.limits.max_loop_iterations is not None:
        pytest.skip(f"{device.id} limits the iterations of an invocation")
    for descending in (False, True) if method not in SLOW else (True,):
        for n in (257,) if device.backend.name == "simulator" else (2, 1023, 1025, 2999):
            values = any_bits(numpy_dtype(dtype), n)
            values[1::2] = values[: n // 2]
            got = argsort_by(name, gp.asarray(values, device=device), descending, **changes).numpy()
            assert np.array_equal(got, stable_order(values, in_order(values, descending)))


@pytest.mark.parametrize("method", ["count", "columns", "radix"])
def test_values_move_along(method: str) -> None:
    device = gp.device("cpu")
    values = any_bits(np.dtype(np.uint32), 1500) % 100
    x, carried = gp.asarray(values, device=device), gp.arange(1500, 3000, dtype=gp.u32, device=device)
    for given in (carried, x):
        target, moved = gp.empty_like(x), gp.empty_like(x)
        with shaped(device, **BLOCKS, **COLUMNS, **CHUNKS):
            for _ in range(3):  # recorded, and replayed
                methods.METHODS[method].sort(x, target, False, values=given, moved=moved)
        assert np.array_equal(moved.numpy(), given.numpy()[np.argsort(values, kind="stable")])
        assert np.array_equal(target.numpy(), np.sort(values))


def _distributions(n: int, dtype: np.dtype[np.generic]) -> dict[str, Values]:
    """What makes bins unequal, and digits that all keys share."""
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
def test_distributions(device: gp.Device, turns: Turns, dtype: str, method: str) -> None:
    if method in ("blocks", "columns") and dtype != "f32":
        pytest.skip("test_sizes and test_permutations have other dtypes")
    _refuse(device, dtype, method)
    if method not in ("blocks", "columns"):
        turns.skip_others(_number(dtype, method))
    n = 300 if device.backend.name == "simulator" else 1999
    for name, values in _distributions(n, numpy_dtype(dtype)).items():
        print(name)  # shown when it fails
        for descending in (False, True):
            assert_sorted(_sorted(method, values, device, descending), values, descending)


def test_every_key_of_a_permutation_is_found_once(device: gp.Device) -> None:
    n = 300 if device.backend.name == "simulator" else 4000
    for seed in range(3):
        values = np.random.default_rng(seed).permutation(n).astype(np.uint32)
        for name in ("network", "whole", "chunks"):
            assert np.array_equal(bits_of(_sorted(name, values, device)), np.arange(n)), name


def test_the_shape_of_cpus(device: gp.Device) -> None:
    """At sizes where its chunks meet."""
    shape = SHAPES[DeviceKind.CPU].sort
    if device.limits.max_loop_iterations is not None or device.backend.name == "simulator":
        pytest.skip(f"{device.id} limits the iterations of an invocation, or takes minutes")
    for n in (shape.chunks_from, shape.ahead_from, 2 * shape.chunk + 1, 3 * shape.chunk - 1, 5 * shape.chunk + 12_345):
        for dtype in ("u32", "f32"):
            values = any_bits(numpy_dtype(dtype), n)
            got = sort_by("radix", gp.asarray(values, device=device), True).numpy()
            assert_sorted(got, values, True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"radix_from": 50, "merge_up_to": 0, "network_up_to": 0}, {49: "columns", 50: "radix", 60: "radix"}),
        ({"radix_from": None, "merge_up_to": 50, "network_up_to": 0}, {2: "count", 50: "count", 51: "columns"}),
        ({"radix_from": None, "merge_up_to": 50, "network_up_to": 60}, {50: "count", 51: "bitonic", 61: "columns"}),
    ],
)
def test_the_table_chooses_the_method(changes: dict[str, Any], expected: dict[int, str]) -> None:
    device = gp.device("simulator")
    with shaped(device, **changes):
        found = {n: methods.choose(gp.empty(n, device=device), False) for n in expected}
        assert methods.choose(gp.empty(55, device=device), True) is not methods.METHODS["bitonic"]
    assert found == {n: methods.METHODS[name] for n, name in expected.items()}


def test_a_device_that_limits_loops_does_not_sort_in_one_invocation(device: gp.Device) -> None:
    x = gp.empty(1000, gp.u32, device=device)
    assert queue_radix.fits(x, shapes_of(device).sort, False) is (device.limits.max_loop_iterations is None)


def test_every_kind_of_device_has_shapes() -> None:
    assert SHAPES.keys() == set(DeviceKind)
    assert SHAPES[DeviceKind.GPU] == SHAPES[DeviceKind.IGPU] == Shapes()
    assert SHAPES[DeviceKind.GPU].sort.radix_from is None
