"""What gp.matmul does besides multiplying: transfers, kinds of arrays, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from driver_traffic import Traffic
from products import assert_is_product, matrices
from turns import Turns

import gpucore as gp
from gpucore.algorithms.matmul import VARIANTS

pytestmark = pytest.mark.usefixtures("small_tiles")

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
    a, b = matrices(F32, 22, 31, 10)  # of no other test: the second product of such shapes is recorded
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    traffic = watch(device)
    c = gp.matmul(left, right, variant=variant)
    assert (traffic.uploads, traffic.downloads, traffic.dispatches) == (0, 0, 1)
    assert c.device is device and c.dtype is gp.f32 and c.shape == (22, 10)
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
    (np.ones((2, 2, 3)), np.ones((3, 3, 1)), r"those of \(2, 2, 3\) and \(3, 3, 1\) do not fit"),
    (np.ones((2, 3, 2)), np.ones((2, 3, 2)), r"\(2, 3, 2\)"),
    (np.ones((2, 3), np.float32), np.ones((3, 2)), "one dtype"),
    (np.ones((2, 3), np.int32), np.ones((3, 2), np.uint32), "one dtype"),
    (np.ones((2, 2), bool), np.ones((2, 2), bool), "bool"),
    (np.ones((2, 2), np.int8), np.ones((2, 2), np.int8), "u64, not gpucore.i8; kernels multiply tiles"),
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
    with pytest.raises(gp.ArgumentError, match=r"takes f32, i32, u32, f16, bf16, f64, i64, u64, not gpucore\.f32x4"):
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


# ---------------------------------------------------------------- batches, transposes, out


SHAPES = [
    ((3, 4, 5), (3, 5, 2)), ((3, 4, 5), (5, 2)), ((4, 5), (3, 5, 2)), ((2, 1, 4, 5), (3, 5, 2)),
    ((2, 3, 4, 5), (1, 5, 2)), ((1, 4, 5), (1, 5, 2)), ((0, 4, 5), (5, 2)), ((3, 4, 0), (3, 0, 2)),
    ((3, 0, 5), (3, 5, 2)), ((1, 1), (2, 2, 1, 1)),
]  # fmt: skip


def integers(shape: tuple[int, ...], seed: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.random.default_rng(seed).integers(-100, 100, shape, dtype=np.int32)


SWAPS = [(False, False), (True, False), (False, True), (True, True)]


@pytest.mark.parametrize("swaps", SWAPS)
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_batches_and_transposes(
    device: gp.Device, turns: Turns, first: tuple[int, ...], second: tuple[int, ...], swaps: tuple[bool, bool]
) -> None:
    """Three calls: the first is planned, the second recorded, and the third replayed with other arrays."""
    turns.skip_others(SHAPES.index((first, second)) + SWAPS.index(swaps), 2)
    for seed in range(3):
        a, b = integers(first, seed), integers(second, seed + 10)
        given = [
            np.ascontiguousarray(np.swapaxes(x, -1, -2)) if swap else x for x, swap in zip((a, b), swaps, strict=True)
        ]
        left, right = (gp.asarray(x, device=device) for x in given)
        got = gp.matmul(left, right, transpose_a=swaps[0], transpose_b=swaps[1])
        want = a @ b
        assert got.shape == want.shape and got.dtype is gp.i32
        assert np.array_equal(got.numpy(), want)
        assert np.array_equal(left.numpy(), given[0]) and np.array_equal(right.numpy(), given[1])
    out, host = gp.full(want.shape, 77, gp.i32, device=device), np.full(want.shape, 77, np.int32)
    assert gp.matmul(left, right, out=out, transpose_a=swaps[0], transpose_b=swaps[1]) is out
    assert np.array_equal(out.numpy(), want)
    assert gp.matmul(*given, out=host, transpose_a=swaps[0], transpose_b=swaps[1], device=device) is host
    assert np.array_equal(host, want)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_version_multiplies_batches_into_an_array(device: gp.Device, turns: Turns, variant: str) -> None:
    turns.skip_others(VARIANTS.index(variant), 2)
    a, b = integers((2, 7, 9), 1), integers((2, 9, 5), 2)
    out = gp.full((2, 7, 5), 77, gp.i32, device=device)
    assert gp.matmul(gp.asarray(a, device=device), gp.asarray(b, device=device), out=out, variant=variant) is out
    assert np.array_equal(out.numpy(), a @ b)


def test_a_product_goes_to_a_part_of_an_array(device: gp.Device) -> None:
    """It begins at any element, in whole tiles and others."""
    for shape in ((17, 9, 33), (1, 1, 1)) if device.backend.name == ON else ((64, 32, 128), (17, 9, 33)):
        (m, k, n), first = shape, 3
        a, b = integers((m, k), 1), integers((k, n), 2)
        whole = gp.full(m * n + 7, 77, gp.i32, device=device)
        out = whole[first : first + m * n].reshape(m, n)
        left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
        assert gp.matmul(left, right, out=out) is out
        assert np.array_equal(out.numpy(), a @ b)
        gp.matmul(left, right, out=out, beta=2)
        assert np.array_equal(out.numpy(), 3 * (a @ b))
        assert whole[:first].tolist() == [77] * first and set(whole[first + m * n :].tolist()) == {77}


def test_calls_that_mean_the_same_are_planned_once(device: gp.Device) -> None:
    """Also with floats, with a device, and from NumPy: nothing that is recorded is lost."""
    a, b = matrices(F32, 5, 7, 3)
    left, right = gp.asarray(a, device=device), gp.asarray(b, device=device)
    for _ in range(3):
        gp.matmul(left, right)
    known = {key: graph for key, graph in device.sequences.items() if graph}
    for options in ({"alpha": 1.0}, {"beta": 0.0}, {"alpha": np.float32(1)}, {"device": device}):
        for _ in range(3):
            assert_is_product(gp.matmul(left, right, **options).numpy(), a, b)  # type: ignore[arg-type]  # all are right
    for _ in range(70):
        gp.matmul(a, b, device=device)
    assert {key: graph for key, graph in device.sequences.items() if graph} == known


@pytest.mark.parametrize("flag", ["no", 1, None, np.array([True])])
def test_flags_are_true_or_false(flag: Any) -> None:
    square = np.ones((2, 2), np.float32)
    with pytest.raises(gp.ArgumentError, match="transpose_b is True or False, not"):
        gp.matmul(square, square, transpose_b=flag, device=ON)


def test_arrays_that_cannot_take_the_product_are_refused() -> None:
    device = gp.device(ON)
    a, b, right = gp.ones((2, 3), device=device), gp.ones((3, 4), device=device), gp.empty((2, 4), device=device)
    for _ in range(2):  # planned, then known
        for out, message in (
            (
                gp.empty((4, 2), device=device),
                r"out is gpucore.f32 of shape \(4, 2\), and the product is",
            ),
            (gp.empty((2, 4), gp.i32, device=device), "out is gpucore.i32"),
            (np.empty((2, 4), np.float32), "a product of device arrays in another one, not in ndarray"),
            (3, "not in int"),
        ):
            with pytest.raises(gp.ArgumentError, match=message):
                gp.matmul(a, b, out=out)
        assert gp.matmul(a, b, out=right) is right
    square = gp.ones((3, 3), device=device)
    with pytest.raises(gp.ArgumentError, match="out is in the memory of an array that is read"):
        gp.matmul(square, square, out=square)
    host = np.ones((2, 2), np.float32)
    for given in (np.empty((2, 2), np.float64), np.empty((2, 3), np.float32), right):
        with pytest.raises(gp.ArgumentError, match=r"out is|not in Array"):
            gp.matmul(host, host, out=given, device=device)
    fixed = np.empty((2, 2), np.float32)
    fixed.flags.writeable = False
    for given, message in ((fixed, "out is read-only"), (np.ma.zeros((2, 2), np.float32), "out is a masked array")):
        with pytest.raises(gp.ArgumentError, match=message):
            gp.matmul(host, host, out=given, device=device)
    with gp.empty((2, 4), device=device) as closed:
        pass
    with pytest.raises(gp.ClosedError):
        gp.matmul(a, b, out=closed)


def test_a_product_in_an_array_of_another_device_is_refused(device: gp.Device) -> None:
    if device.backend.name == ON:
        pytest.skip("takes another device than the simulator")
    here, there = gp.ones((2, 2), device=device), gp.empty((2, 2), device=ON)
    with pytest.raises(gp.ArgumentError, match=r"and out is on simulator:0; move it with \.to"):
        gp.matmul(here, here, out=there)
