"""Scans, segments, counts and choices against NumPy: each method on each device, whichever is chosen there."""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.scan.launches import plan_look_back
from gpucore.algorithms.shapes import SHAPES, CountingShape, ReduceShape, ScanShape, Shapes, shapes_of
from gpucore.testing.checked_calls import checked_calls

TILES = ScanShape(look_back_from=None, tile=(32, 3), tiles_from=20, single=200, groups=5, columns=64, least=16)
LOOK_BACK = dataclasses.replace(TILES, look_back_from=4, look_back=(64, 2), look_back_with_fallback=(64, 2), patience=3)
COUNTING = CountingShape(invocations=32, chosen=(32, 3), chunk=100, groups=4)
TURNS = ReduceShape(invocations=4, loads=2, rows_from=20, single=60)
"""Workgroups take turns in rows that are reduced, but not where chunks are counted and added up for what follows."""


@pytest.fixture(params=["own", "tiles"])
def method(request: pytest.FixtureRequest, device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> str:
    """The device's own shape, or one as that of GPUs, which on PoCL takes minutes to compile."""
    if request.param == "tiles":
        if device.backend.name == "opencl" and device.kind is gp.DeviceKind.SOFTWARE:
            pytest.skip("PoCL compiles each of these for seconds")
        shapes = dataclasses.replace(shapes_of(device), reduce=TURNS, scan=TILES, counting=COUNTING)
        monkeypatch.setitem(SHAPES, device.kind, shapes)
    return str(request.param)


def sizes(device: gp.Device) -> tuple[int, ...]:
    """Around tiles of 96, chunks and, on the cpu, where arrays are split."""
    if device.backend.name == "simulator":
        return (1, 19, 97, 201, 500)
    return (1, 19, 20, 95, 96, 97, 201, 499, 32_769, 262_200 if device.kind is gp.DeviceKind.CPU else 70_001)


def last_odd(a, b):
    """b, unless only a is odd. Associative, not commutative, and without an identity among all numbers."""
    return a if a % 2 == 1 and b % 2 == 0 else b


def lasts(values: Any) -> Any:
    """What the scan by `last_odd` gives."""
    odd = np.maximum.accumulate(np.where(values % 2 == 1, np.arange(values.size), -1))
    return np.where(odd >= 0, values[odd], values)


@pytest.mark.parametrize("dtype", ["i32", "f32"])
def test_scans_of_whole_arrays(device: gp.Device, method: str, dtype: str) -> None:
    element = getattr(gp, dtype).dtype
    for n in sizes(device):
        values = np.random.default_rng(n).integers(0, 90, n).astype(element)
        values[n // 3 :] -= values[n // 3 :] % 2
        x = gp.asarray(values, device=device)
        sums = values.cumsum(dtype=element)  # exact: all are below 2**24
        assert np.array_equal(gp.cumsum(x).numpy(), sums)
        assert np.array_equal(gp.scan(operator.add, x, exclusive=True, initial=7).numpy(), sums - values + 7)
        if dtype == "i32":
            assert np.array_equal(gp.scan(last_odd, x).numpy(), lasts(values))
            behind = gp.scan(last_odd, x, exclusive=True, initial=8).numpy()
            assert np.array_equal(behind, lasts(np.array([8, *values[:-1]])))
            assert np.array_equal(gp.cumprod(x[:40] + 3).numpy(), (values[:40] + 3).cumprod(dtype="i4"))


@pytest.mark.parametrize("shape", [(7, 130), (130, 7), (3, 50, 4), (1, 1)])
def test_scans_along_axes(device: gp.Device, method: str, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(1).integers(-9, 9, shape).astype("i4")
    x = gp.asarray(values, device=device)
    for axis in range(-1, len(shape)):
        assert np.array_equal(gp.cumsum(x, axis).numpy(), values.cumsum(axis, dtype="i4"))
        behind = values.cumsum(axis, dtype="i4") - values
        assert np.array_equal(gp.scan(operator.add, x, axis=axis, exclusive=True, initial=0).numpy(), behind)
    assert np.array_equal(x.cumsum().numpy(), np.cumsum(values, dtype="i4")) and np.cumsum(x).shape == (values.size,)


def looked_back(device: gp.Device) -> None:
    if not device.supports(gp.Capability.SUBGROUP):
        pytest.skip(f"{device.id} has no subgroups")


@pytest.mark.parametrize("dtype", ["u32", "i32"])
def test_sums_in_one_pass(device: gp.Device, monkeypatch: pytest.MonkeyPatch, dtype: str) -> None:
    looked_back(device)
    monkeypatch.setitem(SHAPES, device.kind, Shapes(scan=LOOK_BACK))
    for n in (4, 5, 511, 512, 514, 1027) if device.backend.name == "simulator" else (4, 6, 511, 512, 513, 9999, 70_003):
        values = np.random.default_rng(n).integers(0, 2**32, n, np.uint32).view(dtype.replace("32", "4"))
        x = gp.asarray(values, device=device)
        sums = values.cumsum(dtype=values.dtype)
        assert np.array_equal(gp.cumsum(x).numpy(), sums)
        assert np.array_equal(gp.scan(operator.add, x, exclusive=True, initial=0).numpy(), sums - values)
        assert gp.cumsum(x).shape == (n,)


@pytest.mark.parametrize(
    ("scan", "chunk"),
    [
        (dataclasses.replace(TILES, tile=(7, 3), single=50), 101),
        (dataclasses.replace(LOOK_BACK, look_back=(16, 1)), 102),
    ],
)
def test_tables_of_odd_numbers(monkeypatch: pytest.MonkeyPatch, scan: ScanShape, chunk: int) -> None:
    """Chunks that are not made of vectors, and a workgroup that is smaller than a subgroup."""
    device, shapes = gp.device("simulator"), Shapes(scan=scan, counting=dataclasses.replace(COUNTING, chunk=chunk))
    monkeypatch.setitem(SHAPES, device.kind, shapes)
    for n in (65, 99, 205, 401):
        values = np.random.default_rng(n).integers(0, 3, n).astype(np.int32)
        x = gp.asarray(values, device=device)
        assert np.array_equal(gp.cumsum(x).numpy(), values.cumsum(dtype="i4"))
        assert np.array_equal(gp.compact(x, x).numpy(), values[values != 0])


@pytest.mark.parametrize("lost", [1, 2, 8])
def test_tiles_that_never_publish_are_added_up_by_others(device: gp.Device, lost: int) -> None:
    looked_back(device)
    n = 3001 if device.backend.name == "simulator" else 20_001
    values = np.random.default_rng(lost).integers(0, 2**32, n, np.uint32)
    got = plan_look_back(n, (n,), gp.u32, False, LOOK_BACK, lost).run(x=gp.asarray(values, device=device))
    assert np.array_equal(got.numpy(), values.cumsum(dtype="u4"))


def test_dtypes_of_scans(device: gp.Device, method: str) -> None:
    values = np.random.default_rng(5).integers(0, 200, 130).astype(np.uint8)
    x = gp.asarray(values, device=device)
    assert np.array_equal(gp.cumsum(x).numpy(), values.cumsum(dtype="u4")) and gp.cumsum(x).dtype is gp.u32
    assert np.array_equal(gp.cumsum(x, dtype=gp.f32).numpy(), values.cumsum(dtype="f4"))
    assert np.array_equal(gp.scan(max, x).numpy(), np.maximum.accumulate(values.astype("u4")))
    if device.supports("int64"):
        assert np.array_equal(gp.cumsum(x, dtype=gp.i64).numpy(), values.cumsum(dtype="i8"))
    else:
        with pytest.raises(gp.CapabilityError):
            gp.cumsum(x, dtype=gp.i64)
    pairs = gp.asarray(values.astype("f4").reshape(65, 2), gp.f32x2, device=device)
    assert np.array_equal(gp.scan(operator.add, pairs).numpy(), values.astype("f4").reshape(65, 2).cumsum(0))


def test_floats_of_scans_are_the_same_in_every_run(device: gp.Device, method: str) -> None:
    x = gp.random.normal(3001, 4, device=device)
    assert len({gp.cumsum(x).numpy().tobytes() for _ in range(3)}) == 1


def test_sums_of_negative_zeros_keep_their_sign(device: gp.Device, method: str) -> None:
    values = np.full(170, -0.0, np.float32)
    assert gp.cumsum(gp.asarray(values, device=device)).numpy().tobytes() == values.tobytes()


@pytest.mark.parametrize("lengths", [(3, 0, 5, 1, 120, 0, 7), (130, 97), (1,) * 30, (0, 0)])
def test_segments(device: gp.Device, method: str, lengths: tuple[int, ...]) -> None:
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = np.random.default_rng(1).integers(1, 50, ends[-1]).astype(np.float32)
    x, offsets = gp.asarray(values, device=device), gp.asarray(ends, device=device)
    parts = np.split(values, ends[1:-1])
    sums = gp.segmented_reduce(operator.add, x, offsets, 3).numpy()
    assert np.array_equal(sums, [part.sum() + 3 for part in parts])
    assert np.array_equal(gp.segmented_reduce(gp.max, x, offsets).numpy(), [part.max(initial=0) for part in parts])
    scanned = gp.segmented_scan(operator.add, x, offsets).numpy()
    assert np.array_equal(scanned, np.concatenate([part.cumsum() for part in parts]))
    scanned = gp.segmented_scan(operator.add, x, offsets, exclusive=True, initial=3).numpy()
    assert np.array_equal(scanned, np.concatenate([3 + part.cumsum() - part for part in parts]))


@pytest.mark.parametrize("dtype", ["i4", "u4"])
def test_offsets_out_of_range(dtype: str) -> None:
    """Those of u32 may be above all i32."""
    x = gp.asarray(np.arange(1, 6), gp.i32, device="cpu")
    most = np.iinfo(dtype).max
    offsets = gp.asarray(np.array([0, 2, most, most, 3, most], dtype), device="cpu")
    assert gp.segmented_reduce(operator.add, x, offsets).tolist() == [3, 12, 0, 0, 9]
    parts = gp.asarray(np.array([0, 2, most], dtype), device="cpu")
    assert gp.segmented_scan(operator.add, x, parts).tolist() == [1, 3, 3, 7, 12]
    if dtype == "u4":
        half = gp.asarray(np.array([0, 2**31, 2**31 + 1], dtype), device="cpu")
        assert gp.segmented_reduce(operator.add, x, half).tolist() == [15, 0]


@pytest.mark.parametrize("dtype", ["f32", "i32", "u8"])
def test_histograms(device: gp.Device, method: str, dtype: str) -> None:
    if dtype != "f32" and device.backend.name != "simulator" and (method == "tiles" or device.backend.name == "opencl"):
        pytest.skip("compiled for other dtypes on other devices")
    for n in (1, 99, 3001 if device.backend.name != "simulator" else 301):
        values = (np.random.default_rng(n).random(n) * 100).astype(getattr(gp, dtype).dtype)
        x = gp.asarray(values, device=device)
        for bins, range in ((10, None), (7, (3, 50)), (200, (0, 100.5)), (5000, (0, 99)), (3, (5, 5))):
            counts, edges = gp.histogram(x, bins, range)
            wanted = np.histogram(values, bins, range)
            assert np.array_equal(counts.numpy(), wanted[0]) and counts.dtype is gp.i32
            assert np.array_equal(edges, wanted[1]) and edges.dtype == wanted[1].dtype


def test_histograms_of_special_numbers(device: gp.Device) -> None:
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 0.5, 0.49999997, 2.0], np.float32)
    counts, _ = gp.histogram(gp.asarray(values, device=device), 2, (0, 1))
    assert counts.numpy().tolist() == [3, 2]
    large = np.array([-(2**31), 2**31 - 1, 0, 2**31 - 64], np.int32)
    assert np.array_equal(gp.histogram(large, 1000, device=device)[0], np.histogram(large, 1000)[0])
    assert gp.histogram(gp.empty(0, device=device), 4)[0].numpy().tolist() == [0] * 4


def test_histograms_beyond_the_numbers_of_a_dtype(device: gp.Device) -> None:
    """Edges above and below all numbers that an element can be."""
    small, wide = np.array([255, 254, 0, 1, 255], np.uint8), np.array([2**31 - 1, -(2**31), 5], np.int32)
    for values, bins, range in (
        *((small, bins, range) for bins, range in (
            (10, (0, 1000)), (3, (300, 400)), (3, (-400, -300)), (3, (-400, 0)), (7, (-1000, 1000)), (2, (255, 300)),
            (3, (0.2, 0.8)), (4, (254.5, 256.5)), (1, (255, 255)), (3, (-300, -0.5)),
        )),
        *((wide, bins, range) for bins, range in ((7, (-1e10, 1e10)), (9, (2**31 - 1, 1e11)), (5, (-1e11, -(2**31))))),
    ):  # fmt: skip
        counts, edges = gp.histogram(values, bins, range, device=device)
        wanted = np.histogram(values, bins, range)
        assert np.array_equal(counts, wanted[0]) and np.array_equal(edges, wanted[1]), (bins, range)


def test_bincount(device: gp.Device, method: str) -> None:
    values = np.random.default_rng(2).integers(0, 50, 901).astype(np.int32)
    x = gp.asarray(values, device=device)
    assert np.array_equal(gp.bincount(x).numpy(), np.bincount(values))
    assert np.array_equal(gp.bincount(x, 6000).numpy(), np.bincount(values, minlength=6000))
    assert gp.bincount(gp.empty(0, gp.u8, device=device), 3).numpy().tolist() == [0, 0, 0]
    with pytest.raises(gp.ArgumentError, match="takes numbers from 0 on, and the least is -1"):
        gp.bincount(x - int(values.min()) - 1)


def test_elements_are_chosen_in_order(device: gp.Device, method: str) -> None:
    for n in (0, 1, 95, 96, 97, 301, *(() if device.backend.name == "simulator" else (40_001,))):
        values = np.random.default_rng(n).integers(0, 100, n).astype(np.float32)
        x = gp.asarray(values, device=device)
        for least in (-1, 40, 98, 1000):
            mask = values > least
            assert np.array_equal(gp.compact(x, x > least).numpy(), values[mask])
            assert np.array_equal(gp.nonzero(x > least)[0].numpy(), np.nonzero(mask)[0])
    matrix = np.random.default_rng(1).integers(0, 2, (7, 11, 5)).astype(np.int32)
    found = gp.nonzero(gp.asarray(matrix, device=device))
    assert all(np.array_equal(a.numpy(), b) for a, b in zip(found, np.nonzero(matrix), strict=True))
    pairs = gp.asarray(np.arange(40, dtype="f4").reshape(20, 2), gp.f32x2, device=device)
    chosen = gp.compact(pairs, gp.asarray([0, 1] * 10, gp.u8, device=device))
    assert np.array_equal(chosen.numpy(), np.arange(40, dtype="f4").reshape(20, 2)[1::2])
    assert np.array_equal(gp.compact(values, values > 40, device=device), values[values > 40])


def test_errors() -> None:
    x = gp.ones((2, 3), device="cpu")
    flat, offsets = x.ravel(), gp.asarray([0, 6], gp.i32, device="cpu")
    calls: dict[str, Any] = {
        "an exclusive scan needs initial": lambda: gp.scan(operator.add, x, exclusive=True),
        "whole number from -2 to 1, not 2": lambda: gp.cumsum(x, 2),
        "cumsum takes numbers": lambda: gp.cumsum(gp.ones(3, gp.f32x2, device="cpu")),
        "a function of two elements first": lambda: gp.scan(3, x),
        "the offsets of segmented_reduce are": lambda: gp.segmented_reduce(max, flat, flat),
        "NumPy arrays or device arrays, and offsets is list$": lambda: gp.segmented_reduce(max, np.ones(3), [0, 3]),
        "and offsets is list; gp.asarray makes": lambda: gp.segmented_reduce(max, flat, [0, 3]),
        "and x is ndarray; gp.asarray makes": lambda: gp.segmented_reduce(max, np.ones(3), offsets),
        "takes an array of rank 1 and offsets": lambda: gp.segmented_reduce(max, x, offsets),
        "the first result of each segment": lambda: gp.segmented_scan(max, flat, offsets, exclusive=True),
        "bins of a histogram is a whole number from 1 to 2147483647, .*, not 0": lambda: gp.histogram(x, 0),
        "the most elements of an array, not 2147483648": lambda: gp.histogram(x, 2**31),
        "a finite range that does not fall, .* is .1, 0.": lambda: gp.histogram(x, 3, (1, 0)),
        "a finite range that does not fall, .* is 5": lambda: gp.histogram(x, 3, 5),
        "a finite range that does not fall, .* is .1, 2, 3.": lambda: gp.histogram(x, 3, (1, 2, 3)),
        "a finite range that does not fall, .* is .'a', 'b'.": lambda: gp.histogram(x, 3, ("a", "b")),
        "histogram of 1000000 bins from 1 to 1.00001": lambda: gp.histogram(x, 10**6, (1, 1.00001)),
        "takes numbers but of 16 bits": lambda: gp.histogram(gp.ones(3, gp.i16, device="cpu")),
        "bincount takes integers": lambda: gp.bincount(x),
        "the minlength of bincount": lambda: gp.bincount(offsets, -1),
        "a mask of the array's shape": lambda: gp.compact(x, flat),
        "reshape this one": lambda: gp.nonzero(gp.ones((), device="cpu")),
        "the arrays are on cpu:0 and simulator": lambda: gp.compact(x, gp.ones((2, 3), device="simulator")),
    }
    for text, call in calls.items():
        with pytest.raises(gp.ArgumentError, match=text):
            call()
    with pytest.raises(gp.CompileError):
        gp.scan(operator.sub, x)


@pytest.mark.parametrize("shape", [TILES, LOOK_BACK])
def test_the_checker_finds_nothing(monkeypatch: pytest.MonkeyPatch, shape: ScanShape) -> None:
    device = gp.device("simulator")
    monkeypatch.setitem(SHAPES, device.kind, Shapes(scan=shape, counting=COUNTING))
    x = gp.arange(411, device=device)
    offsets = gp.asarray([0, 3, 200, 200, 411], gp.i32, device=device)
    with checked_calls(schedules=2) as calls:
        gp.cumsum(x).numpy()
        if shape is TILES:
            gp.scan(last_odd, x.reshape(3, 137), axis=1).numpy()
            gp.histogram(x, 7, (0, 300))[0].numpy()
            gp.compact(x, x % 2).numpy()
            gp.segmented_scan(max, x, offsets).numpy()
            gp.segmented_reduce(max, x, offsets).numpy()
    assert calls.checked >= 2 and not calls.reports, str(calls)
