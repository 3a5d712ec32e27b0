"""What gp.matmul does besides multiplying: transfers, kinds of arrays, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from products import assert_is_product, matrices

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS

Watch = Callable[[gp.Device], Traffic]
F32 = np.dtype(np.float32)


def test_numpy_arrays_are_uploaded_once_and_the_product_downloaded_once(device: gp.Device, watch: Watch) -> None:
    a, b = matrices(F32, 20, 30, 10)
    traffic = watch(device)
    got = gp.matmul(a, b, device=device)
    assert (traffic.uploads, traffic.downloads) == (2, 1)
    assert isinstance(got, np.ndarray)
    assert_is_product(got, a, b)


@pytest.mark.parametrize("variant", VARIANTS)
def test_device_arrays_stay_on_their_device(device: gp.Device, watch: Watch, variant: str) -> None:
    a, b = matrices(F32, 20, 30, 10)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    traffic = watch(device)
    c = gp.matmul(left, right, variant=variant)
    assert (traffic.uploads, traffic.downloads, traffic.dispatches) == (0, 0, 1)
    assert c.device is device and c.dtype is gp.f32 and c.shape == (20, 10)
    assert_is_product(c.numpy(), a, b)
    assert np.array_equal(left.numpy(), a) and np.array_equal(right.numpy(), b)


def test_products_can_be_chained_on_the_device(device: gp.Device) -> None:
    a, b = matrices(np.dtype(np.int32), 12, 9, 12)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    c = gp.matmul(gp.matmul(left, right), gp.matmul(left, right))
    assert np.array_equal(c.numpy(), (a @ b) @ (a @ b))


def test_a_matrix_times_itself(device: gp.Device) -> None:
    a, _ = matrices(np.dtype(np.int32), 40, 40, 1)
    array = gp.asarray(a, device=device)
    assert np.array_equal(gp.matmul(array, array).numpy(), a @ a)


def test_numpy_arrays_of_any_layout(device: gp.Device) -> None:
    a, b = matrices(F32, 24, 40, 12)
    for left, right in (
        (a[::2], b),
        (a.T, a),
        (np.asfortranarray(a), b[:, ::-1]),
        (a.astype(">f4"), b),
        (a[:, :0], b[:0]),
    ):
        got = gp.matmul(left, right, device=device)
        assert got.dtype.isnative
        assert_is_product(got, left.astype(np.float32), right.astype(np.float32))


ON = "simulator"


@pytest.mark.parametrize(("a", "b", "message"), [
    (np.ones((2, 3)), np.ones((2, 3)), r"\(2, 3\) and \(2, 3\)"), (np.ones(3), np.ones((3, 1)), r"\(3,\)"),
    (np.ones((1, 2, 3)), np.ones((3, 1)), r"\(1, 2, 3\)"), (np.ones((2, 3), np.float32), np.ones((3, 2)), "one dtype"),
    (np.ones((2, 3), np.int32), np.ones((3, 2), np.uint32), "one dtype"),
    (np.ones((2, 2), bool), np.ones((2, 2), bool), "bool"),
    (np.ones((2, 2), np.int8), np.ones((2, 2), np.int8), "numbers, not gpucore.i8"),
    (np.ones((2, 2), complex), np.ones((2, 2), complex), "complex128"),
    ([[1.0]], np.ones((1, 1)), "list"), (np.ones((1, 1)), None, "NoneType"),
])  # fmt: skip
def test_what_cannot_be_multiplied_is_refused(a: Any, b: Any, message: str, watch: Watch) -> None:
    device = gp.device(ON)
    traffic = watch(device)
    with pytest.raises(gp.ArgumentError, match=message):
        gp.matmul(a, b, device=device)
    assert not traffic.counts


@pytest.mark.parametrize("variant", ["fastest", "", None, 1, "AUTO"])
def test_unknown_versions_are_refused(variant: Any) -> None:
    with pytest.raises(gp.ArgumentError, match="variant must be one of auto, naive"):
        gp.matmul(np.ones((1, 1)), np.ones((1, 1)), variant=variant, device=ON)


def test_a_device_array_and_a_numpy_array_are_not_mixed() -> None:
    with pytest.raises(gp.ArgumentError, match="two NumPy arrays or two device arrays"):
        gp.matmul(gp.ones((2, 2), device=ON), np.ones((2, 2), np.float32))


def test_device_arrays_of_vectors_are_refused() -> None:
    vectors = gp.empty((2, 2), gp.f32x4, device=ON)
    with pytest.raises(gp.ArgumentError, match="takes numbers"):
        gp.matmul(vectors, vectors)


def test_arrays_on_two_devices_are_refused(device: gp.Device) -> None:
    if device.backend.name == ON:
        pytest.skip("takes another device than the simulator")
    here, there = gp.ones((2, 2), device=device), gp.ones((2, 2), device=ON)
    with pytest.raises(gp.ArgumentError, match=r"move one with \.to"):
        gp.matmul(here, there)
    with pytest.raises(gp.ArgumentError, match=r"move them with \.to"):
        gp.matmul(there, there, device=device)
    with pytest.raises(gp.ArgumentError, match=r"move it with \.to"):
        gp.sort(gp.ones(3, device=ON), device=device)
