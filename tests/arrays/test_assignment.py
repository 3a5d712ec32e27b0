"""Assignment to elements and regions, copies of regions, and conversions, against NumPy."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import gpucore as gp

KEYS: list[Any] = [
    ..., 2, (1, 2), (1, 2, 0), slice(1, 4), slice(None, None, 2), slice(None, None, -1), (slice(None), 3),
    (slice(None), slice(1, 5)), (slice(4, 0, -2), slice(None), 0), (..., slice(1, None, 3)), slice(2, 2),
    (slice(1, 3), slice(6, None, -3), slice(0, 1)),
]  # fmt: skip


def make(device: gp.Device, dtype: Any = np.int32) -> tuple[Any, gp.Array]:
    host = np.arange(5 * 7 * 3).reshape(5, 7, 3).astype(dtype)
    return host, gp.asarray(host, device=device)


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_regions_are_copied_and_assigned(device: gp.Device, key: Any) -> None:
    host, x = make(device)
    np.testing.assert_array_equal(x.copied[key].numpy(), host[key])
    x[key] = -5
    host[key] = -5
    np.testing.assert_array_equal(x.numpy(), host)
    values = np.arange(host[key].size, dtype=np.int32).reshape(np.shape(host[key])) + 1000
    x[key] = values
    host[key] = values
    np.testing.assert_array_equal(x.numpy(), host)
    x[key] = gp.asarray(values + 1, device=device)
    host[key] = values + 1
    np.testing.assert_array_equal(x.numpy(), host)


@pytest.mark.parametrize("dtype", ["i1", "u2", "f2", "f4", "f8", "i8"])
def test_odd_parts_of_each_dtype(device: gp.Device, dtype: str) -> None:
    """Bytes beside a part of a word are kept."""
    host = np.arange(23).astype(dtype)
    x = gp.asarray(host, device=device)
    for key, values in ((slice(3, 8), [1, 2, 3, 4, 5]), (9, 77), (slice(10, 13), 9), (slice(21, 23), [5, 6]), (0, 1)):
        x[key] = values
        host[key] = values
        np.testing.assert_array_equal(x.numpy(), host)
    out = np.zeros(5, dtype)
    assert x[2:7].numpy(out=out) is out
    np.testing.assert_array_equal(out, host[2:7])


def test_values_are_broadcast_and_converted(device: gp.Device) -> None:
    host, x = make(device, np.float32)
    x[1:3] = np.arange(3)
    x[:, 2] = np.ones((5, 1), np.int64)
    x[0] = gp.asarray(np.arange(7, dtype=np.float32).reshape(7, 1), device=device)
    x[4, 6, 2] = x[4, 6, 1:2]
    x[4, 6, 1] = [[3.0]]
    host[4, 6, 2], host[4, 6, 1] = host[4, 6, 1], 3
    host[1:3], host[:, 2], host[0] = np.arange(3), 1, np.arange(7).reshape(7, 1)
    np.testing.assert_array_equal(x.numpy(), host)
    for values, message in (
        ([1.0, 2.0], r"values of shape \(2,\) cannot be broadcast to the shape \(5, 7, 3\)"),
        (gp.zeros(2, device=device), r"values of shape \(2,\) cannot be broadcast"),
        (gp.zeros(3, gp.i32, device=device), "values of gpucore.i32 cannot be stored in an array of gpucore.f32"),
        (1e300, "beyond|does not fit|infinite"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            x[...] = values
    np.testing.assert_array_equal(x.numpy(), host)


def test_what_numpy_cannot_convert_is_an_argument_error(device: gp.Device) -> None:
    class Recording:
        """As PyTorch's tensors that record gradients."""

        def __array__(self, *_: object) -> Any:
            raise RuntimeError("use detach() first")

    ragged: Any = [[1], [1, 2]]
    for x in (gp.zeros(2, device=device), gp.zeros(2, gp.f32x3, device=device)):
        for values, message in ((ragged, "inhomogeneous"), (Recording(), r"use detach\(\) first")):
            for take in (functools.partial(x.__setitem__, ...), x.set, gp.asarray):
                with pytest.raises(gp.ArgumentError, match=f"NumPy cannot make an array of this value: .*{message}"):
                    take(values)


def test_nothing_but_nan_is_taken_without_a_warning(device: gp.Device) -> None:
    x = gp.asarray([np.nan, np.nan], gp.f32, device=device)
    np.testing.assert_array_equal(x.numpy(), np.float32([np.nan, np.nan]))
    x[0], x[1] = 1, float("nan")
    np.testing.assert_array_equal(x.numpy(), np.float32([1, np.nan]))


def test_the_way_to_another_dtype_exists(device: gp.Device) -> None:
    @gp.struct
    class Point:
        at: gp.f32x3

    numbers, vectors = gp.ones((2, 3), device=device), gp.zeros(2, gp.f32x3, device=device)
    points = gp.zeros(2, Point, device=device)
    view = r"; values\.view\(gp\.{}\) is the same memory with that dtype, and another last axis$"
    for x, values, fix in (
        (numbers, numbers.astype(gp.i32), "; convert them with astype$"),
        (vectors, numbers, view.format("f32x3")),
        (numbers, vectors, view.format("f32")),
        (vectors, numbers.astype(gp.i32), "; make them of that dtype$"),
        (points, vectors, "; make them of that dtype$"),
        (vectors, points, "; make them of that dtype$"),
    ):
        with pytest.raises(gp.ArgumentError, match=f"^values of .* cannot be stored in an array of .*{fix}"):
            x[...] = values
    vectors[...] = numbers.view(gp.f32x3).ravel()
    assert vectors.tolist() == [[1, 1, 1]] * 2


def test_overlapping_regions_are_copied_as_if_at_once(device: gp.Device) -> None:
    host, x = make(device)
    x[1:5] = x[0:4]
    host[1:5] = host[0:4].copy()
    x[0, ::-1] = x[0]
    host[0, ::-1] = host[0].copy()
    np.testing.assert_array_equal(x.numpy(), host)


def test_arrays_of_another_device_are_assigned_through_the_host(device: gp.Device) -> None:
    host, x = make(device)
    x[2] = gp.full((7, 3), 9, gp.i32, device="simulator")
    host[2] = 9
    np.testing.assert_array_equal(x.numpy(), host)


def test_set_fill_and_out(device: gp.Device) -> None:
    host, x = make(device)
    x.set(host + 1)
    np.testing.assert_array_equal(x.numpy(), host + 1)
    x[1:3].fill(4)
    expected = host + 1
    expected[1:3] = 4
    np.testing.assert_array_equal(x.numpy(), expected)
    turned = np.zeros((3, 7, 5), np.int32).T
    np.testing.assert_array_equal(x.numpy(out=turned), expected)
    with pytest.raises(gp.ArgumentError, match=r"the values have shape \(2,\), and the array has \(5, 7, 3\)"):
        x.set([1, 2])
    with pytest.raises(gp.ArgumentError, match=r"out must be a NumPy array of shape \(5, 7, 3\), int32, not shape"):
        x.numpy(out=np.zeros(3))
    fixed = np.zeros((5, 7, 3), np.int32)
    fixed.flags.writeable = False
    with pytest.raises(gp.ArgumentError, match="out is read-only"):
        x.numpy(out=fixed)


def test_axes_are_turned(device: gp.Device) -> None:
    host, x = make(device)
    np.testing.assert_array_equal(x.T.numpy(), host.T)
    for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1), (1, 2, 0)):
        np.testing.assert_array_equal(x.transpose(order).numpy(), host.transpose(order))
        np.testing.assert_array_equal(x.transpose(*order).numpy(), host.transpose(order))
    deep = np.arange(2**7).reshape((2,) * 7).astype(np.float32)
    np.testing.assert_array_equal(gp.asarray(deep, device=device).T.numpy(), deep.T)
    with pytest.raises(gp.ArgumentError, match="transpose takes each axis from 0 to 2 once"):
        x.transpose(0, 0, 1)


def test_dtypes_are_converted_on_the_device(device: gp.Device) -> None:
    values = np.array([-3e9, -1.5, -0.0, 0.5, 1.5, 2.5, 7e9, np.nan], np.float32)
    x = gp.asarray(values, device=device)
    least, most = -(2**31), 2**31 - 1
    np.testing.assert_array_equal(x.astype(gp.i32).numpy(), np.array([least, -1, 0, 0, 1, 2, most, 0], np.int32))
    unsigned = x.astype(np.uint32)
    assert unsigned.dtype is gp.u32
    np.testing.assert_array_equal(unsigned.numpy(), np.array([0, 0, 0, 0, 1, 2, 2**32 - 1, 0], np.uint32))
    np.testing.assert_array_equal(unsigned.astype(gp.f32).numpy(), np.float32([0, 0, 0, 0, 1, 2, 2**32, 0]))
    np.testing.assert_array_equal(x.astype(gp.f32).numpy(), values)
    with pytest.raises(gp.ArgumentError, match="astype converts scalars"):
        x.astype(gp.f32x2)
    with pytest.raises(gp.ArgumentError, match="cannot hold bool"):
        x.astype(bool)


def test_long_runs_of_elements(device: gp.Device) -> None:
    """They are copied by another kernel than other regions."""
    size = 70_000
    host = np.arange(size, dtype=np.uint32)
    source, target = gp.asarray(host, device=device), gp.zeros(size, gp.u32, device=device)
    for first, second, count in ((0, 0, size), (3, 4, size - 4), (64, 129, 1 << 16)):
        expected = target.numpy()
        target[second : second + count] = source[first : first + count]
        expected[second : second + count] = host[first : first + count]
        np.testing.assert_array_equal(target.numpy(), expected)
