"""Views of the same bytes as another dtype, products of matrices, and errors of slices that share no memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp


@gp.struct
class Sample:
    weight: gp.f32
    place: gp.f32x3


@gp.kernel
def add_one(x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] += 1


@gp.kernel
def pack(x: gp.In[gp.u32], y: gp.Out[gp.u8]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.u8(x[i] >> 8)


@pytest.mark.parametrize(
    ("shape", "have", "want"),
    [
        ((37,), gp.f32, gp.u32), ((36,), gp.u8, gp.u32), ((3, 8), gp.u8, gp.u16), ((5, 3), gp.u32, gp.u8),
        ((2, 6), gp.i32, gp.f64), ((4, 3), gp.u64, gp.i32), ((8,), gp.f16, gp.u32), ((), gp.f32, gp.i32),
        ((0,), gp.u8, gp.f64), ((3, 0), gp.i32, gp.u8), ((3,), gp.i8, gp.u8), ((4,), gp.f32, gp.f32),
    ],
)  # fmt: skip
def test_the_bytes_are_those_of_numpy(device: gp.Device, shape: tuple[int, ...], have: Any, want: Any) -> None:
    count = int(np.prod(shape)) * have.itemsize
    host = np.random.default_rng(3).integers(0, 255, count, np.uint8).view(have.dtype).reshape(shape)
    x = gp.asarray(host, have, device=device)
    viewed = x.view(want)
    expected = host.view(want.dtype)
    assert viewed.shape == expected.shape and viewed.dtype is want
    assert viewed.numpy().tobytes() == expected.tobytes()
    assert viewed.overlaps(x) or not viewed.size
    back = viewed.view(have)
    assert back.shape == x.shape and back.numpy().tobytes() == host.tobytes()


def test_kernels_take_views(device: gp.Device) -> None:
    host = np.arange(40, dtype=np.uint8)
    x = gp.asarray(host, device=device)
    for first, last in ((0, 40), (0, 40), (8, 24), (4, 8)):
        add_one(x[first:last].view(gp.u32))
        host[first:last].view(np.uint32)[...] += 1
        np.testing.assert_array_equal(x.numpy(), host)
    bits = gp.asarray([1.0, -2.5, 0.0], gp.f32, device=device).view(gp.u32)
    np.testing.assert_array_equal((bits >> 23).numpy(), np.float32([1.0, -2.5, 0.0]).view(np.uint32) >> 23)
    words = gp.asarray([0x12345678, 0x9ABCDEF0], gp.u32, device=device)
    target = gp.zeros(2, gp.u32, device=device)
    pack(words, target.view(np.uint8)[3:5], invocations=2)
    assert target.tolist() == [0x56 << 24, 0xDE]


def test_views_of_vectors_and_structs(device: gp.Device) -> None:
    host = np.arange(48, dtype=np.float32).reshape(3, 16)
    x = gp.asarray(host, device=device)
    assert x.view(gp.f32x4).shape == (3, 4)
    np.testing.assert_array_equal(x.view(gp.f32x4).numpy(), host.reshape(3, 4, 4))
    np.testing.assert_array_equal(x.ravel().view(gp.f32x3).numpy(), host.reshape(16, 3))
    np.testing.assert_array_equal(x.ravel().view(gp.f32x3).view(gp.f32).numpy(), host.ravel())
    samples = x.view(Sample)
    assert samples.shape == (3, 4)
    np.testing.assert_array_equal(samples.numpy()["weight"], host[:, ::4])
    np.testing.assert_array_equal(samples[1, 2]["place"], host[1, 9:12])


def test_what_cannot_be_viewed(device: gp.Device) -> None:
    x = gp.zeros((4, 6), gp.u8, device=device)
    for call, message in (
        (
            lambda: x.view(gp.u32),
            r"shape \(4, 6\) of gpucore\.u8 cannot .* gpucore\.u32: its last axis has 6 bytes, and",
        ),
        (lambda: gp.zeros((), gp.f32, device=device).view(gp.u8), "its last axis has 4 bytes, and an element 1"),
        (lambda: x.ravel()[1:9].view(gp.u32), r"begins at byte 1 of its memory, .* multiples of 4; view a \.copy\(\)"),
        (lambda: x.view(bool), "cannot hold bool"),
        (lambda: x.view("nothing"), "'nothing' is not a dtype"),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()
    assert x.ravel()[1:9].copy().view(gp.u32).tolist() == [0, 0]
    x.close()
    with pytest.raises(gp.ClosedError):
        x.view(gp.u16)


def test_products_of_matrices(device: gp.Device) -> None:
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(12, dtype=np.float32).reshape(3, 4)
    x, y = gp.asarray(a, device=device), gp.asarray(b, device=device)
    made = x @ y
    assert made.device is device
    np.testing.assert_array_equal(made.numpy(), a @ b, strict=True)
    square = gp.asarray([[1, 2], [3, 4]], gp.i32, device=device)
    same = square
    square @= square.T
    assert square is same and square.tolist() == [[5, 11], [11, 25]]
    vector = x[0]
    for call, message in (
        (lambda: x @ b, "not Array and ndarray; gp.asarray makes a device array of one"),
        (lambda: a.T @ x, "not ndarray and Array; gp.asarray makes a device array of one"),
        (lambda: x @ 2, "not Array and int; gp.asarray"),
        (lambda: x @ x, r"takes shapes \(..., m, k\) and \(..., k, n\), not \(2, 3\) and \(2, 3\)$"),
        (
            lambda: vector @ y,
            r"not \(3,\) and \(3, 4\); reshape a vector to a row, x\.reshape\(1, -1\), or to a column",
        ),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            call()
    np.testing.assert_array_equal((vector.reshape(1, -1) @ y).numpy(), a[:1] @ b)


def test_errors_of_slices_with_gaps_show_what_works(device: gp.Device) -> None:
    x = gp.arange(6, device=device)
    with pytest.raises(gp.ArgumentError) as caught:
        x[::2] += 1
    assert str(caught.value) == (
        "the elements x[::2] of an array of shape (6,) do not follow each other in memory, so they cannot be an array "
        "that shares it; x.copied[::2] is a copy of them, and an assignment stores to them: write x[::2] = "
        "x.copied[::2] + 1, not x[::2] += 1"
    )
    with pytest.raises(TypeError) as caught_type:
        x.copied[1:5:2, ...] += 1
    assert str(caught_type.value) == (
        "x.copied[1:5:2, ...] is a copy, so nothing can be stored to x through it; write x[1:5:2, ...] = ..., as in "
        "x[1:5:2, ...] = x.copied[1:5:2, ...] + 1"
    )
    x[::2] = x.copied[::2] + 1
    assert x.tolist() == [1, 1, 3, 3, 5, 5]
