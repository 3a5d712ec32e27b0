"""Axes, rows, segments, permutations and values: on every device, whole outputs against NumPy's stable sorts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sort_order import assert_sorted, bits_of, in_order, numpy_dtype
from sort_ways import shaped, stable_order
from turns import Turns

import gpucore as gp

SHAPES = ((0,), (1,), (3, 4), (4, 1), (2, 0), (7, 33), (3, 5, 6))
LARGE_SHAPES = ((40, 33), (2, 1025), (6, 700))


@gp.struct
class Body:
    mass: gp.f32
    number: gp.i32
    kind: gp.u8


def numbers(shape: Any, dtype: str = "f32", most: int = 50) -> Any:
    return np.random.default_rng(0).integers(0, most, shape).astype(numpy_dtype(dtype))


def flipped(values: Any, axis: int | None, descending: bool) -> Any:
    return np.flip(values, -1 if axis is None else axis) if descending else values


def check_axes(device: gp.Device, turns: Turns, values: Any, number: int) -> None:
    """Every axis, in both orders; software devices take the orders of an axis by turns."""
    for axis in (*range(-1, values.ndim - 1), None):
        for descending in (False, True):
            if not turns.has((0 if axis is None else axis) + number + descending, 2):
                continue
            got = gp.sort(values, descending, axis=axis, device=device)
            assert np.array_equal(got, flipped(np.sort(values, axis=axis), axis, descending))
            got = gp.argsort(values, descending, axis=axis, device=device)
            key = values.astype(np.int64) * (-1 if descending else 1)
            assert got.dtype == np.int32
            assert np.array_equal(got, np.argsort(key, axis=axis, kind="stable"))


@pytest.mark.parametrize("dtype", ["f32", "u8"])
def test_axes(device: gp.Device, turns: Turns, dtype: str) -> None:
    for shape in SHAPES:
        check_axes(device, turns, numbers(shape, dtype), dtype == "u8")


def test_longer_rows(device: gp.Device) -> None:
    """Counted in workgroup memory, by two sorts, and one by one."""
    if device.backend.name == "simulator":
        return
    for shape in LARGE_SHAPES:
        values = numbers(shape)
        for changes in ({}, {"rows_counted_up_to": 0, "rows_one_by_one": 0}, {"row_by_row_from": 0}):
            if changes and shape == LARGE_SHAPES[1]:
                continue
            with shaped(device, **{"rows_one_by_one": 3, **changes}):
                assert np.array_equal(gp.sort(values, device=device), np.sort(values))
                got = gp.argsort(values, device=device)
                assert np.array_equal(got, np.argsort(values, kind="stable"))


def test_values_of_every_kind_move_with_their_keys(device: gp.Device) -> None:
    n = 60 if device.backend.name == "simulator" else 1000
    keys = numbers(n, "i32", 9)
    order = np.argsort(keys, kind="stable")
    values = [np.arange(n, dtype="f4"), np.arange(n).astype("u1"), np.arange(3 * n, dtype="i2").reshape(n, 3)]
    sorted_keys, *moved = gp.sort_by_key(keys, *values, device=device)
    assert np.array_equal(sorted_keys, keys[order])
    for got, want in zip(moved, values, strict=True):
        assert got.dtype == want.dtype and np.array_equal(got, want[order])
    assert np.array_equal(gp.sort_by_key(keys, values[0], device=device)[1], values[0][order])
    bodies = np.zeros(n, Body.dtype)
    bodies["number"] = np.arange(n)
    x, y = gp.asarray(keys, device=device), gp.asarray(bodies, Body, device=device)
    result = gp.sort_by_key(x, y, descending=True, out=(x, y))
    assert result[0] is x and result[1] is y
    assert np.array_equal(x.numpy(), np.sort(keys)[::-1])
    assert np.array_equal(y.numpy()["number"], np.argsort(-keys, kind="stable"))


@pytest.mark.parametrize("limit", [0, 1000])
def test_segments(device: gp.Device, limit: int) -> None:
    """In place, and by two sorts."""
    n = 40 if device.backend.name == "simulator" else 600
    x = numbers(n, "f32")
    with shaped(device, segments_in_place_up_to=limit):
        for edges in ([0, 10, 10, 37, n], [5, 20], [0], [], [0, n], [3, n - 3]):
            want = x.copy()
            for first, last in pairwise(edges):
                want[first:last] = np.sort(x[first:last])
            assert np.array_equal(gp.segmented_sort(x, edges, device=device), want), edges


def test_out(device: gp.Device) -> None:
    values = numbers((4, 9))
    x, y = gp.asarray(values, device=device), gp.empty((4, 9), device=device)
    assert gp.sort(x, out=y) is y
    assert np.array_equal(y.numpy(), np.sort(values))
    assert gp.sort(x, axis=0, out=y) is y
    assert np.array_equal(y.numpy(), np.sort(values, axis=0))
    assert gp.sort(x[:3], True, out=x[:3]).shape == (3, 9)
    assert np.array_equal(x.numpy(), [*np.sort(values[:3])[:, ::-1], values[3]])
    host = np.empty_like(values)
    assert gp.sort(values, out=host, device=device) is host
    assert np.array_equal(host, np.sort(values))
    flat = x.ravel()
    before = flat.numpy()
    gp.sort(flat[1:30], out=flat[4:33])  # they overlap
    assert np.array_equal(flat.numpy()[4:33], np.sort(before[1:30]))


X = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"axis": 2}, "sort: an axis of this array is a whole number from -2 to 1, not 2"),
    ({"axis": True}, "an axis of this array is a whole number from -2 to 1, not True"),
    ({"axis": np.array([0, 1])}, r"an axis of this array is a whole number from -2 to 1, not array\(\[0, 1\]\)"),
    ({"axis": 0.5}, "an axis of this array is a whole number"), ({"descending": 0}, "the axis is a keyword"),
    ({"variant": ["count"]}, r"variant must be one of count, .*, or None, not \['count'\]"),
    ({"stable": np.array([True, False])}, "stable must be True, False or None, not array"),
    ({"variant": "quick"}, "variant must be one of count, radix, onesweep, reduce_then_scan, columns, bitonic"),
    ({"variant": "bitonic", "stable": True}, "'bitonic' is not stable"), ({"stable": 1.5}, "stable must be"),
    ({"out": np.zeros((3, 2), np.float32)}, "out has shape"), ({"out": np.zeros((2, 3))}, "out has shape"),
    ({"out": [0]}, "out must be a NumPy array"), ({"axis": None, "out": X.copy()}, "out has shape"),
])  # fmt: skip
def test_sorts_that_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(gp.ArgumentError, match=message):
        gp.sort(X, device="simulator", **arguments)


def test_other_calls_that_are_refused() -> None:
    keys, many = np.arange(4), gp.arange(9, device="simulator")
    for call, message in (
        (lambda: gp.sort_by_key(keys, keys[:3], device="simulator"), "there are 4 keys"),
        (lambda: gp.sort_by_key(X, device="simulator"), "keys of rank 1"),
        (lambda: gp.sort_by_key(keys, gp.zeros(4, device="simulator")), "gp.asarray makes a device array"),
        (lambda: gp.sort_by_key(keys, keys, out=(keys,), device="simulator"), "a tuple of 2 arrays"),
        (lambda: gp.sort_by_key(keys, keys, out=(keys, keys), device="simulator"), "two arrays of out share memory"),
        (lambda: gp.sort_by_key(many[:4], many[:4], out=(many[2:6], many[5:9])), "two arrays of out share memory"),
        (lambda: gp.argsort(keys, variant="bitonic", device="simulator"), "cannot sort stably"),
        (lambda: gp.segmented_sort(keys, [2, 1], device="simulator"), "offsets must rise"),
        (lambda: gp.segmented_sort(keys, [0, 5], device="simulator"), "offsets must rise"),
        (lambda: gp.segmented_sort(keys, [0.5], device="simulator"), "offsets must be whole numbers"),
        (lambda: gp.segmented_sort(keys, [[0], [0, 1]], device="simulator"), r"of rank 1, not \[\[0\], \[0, 1\]\]"),
        (lambda: gp.sort(np.array(1.0), device="simulator"), "array of rank 0 has none"),
        (lambda: gp.segmented_sort(X, [0], device="simulator"), "rank 1"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_any_permutation(data: st.DataObject) -> None:
    dtype = np.dtype(data.draw(st.sampled_from(["f4", "u1", "i8"])))
    bits = data.draw(st.lists(st.sampled_from([0, 1, 127, 128, 255, 0x7FC00000, 0x80000000, 0xFF800000]), max_size=40))
    values = (
        (np.array(bits, np.uint64) & ((1 << 8 * min(dtype.itemsize, 4)) - 1)).astype(f"u{dtype.itemsize}").view(dtype)
    )
    descending = data.draw(st.booleans())
    got = gp.argsort(values, descending, device="cpu")
    assert np.array_equal(got, stable_order(values, in_order(values, descending)))
    assert_sorted(values[got], values, descending)
    assert np.array_equal(bits_of(gp.sort(values, descending, device="cpu")), bits_of(values[got]))
