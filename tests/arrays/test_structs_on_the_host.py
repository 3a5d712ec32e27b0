"""Structs, vectors and bytes as values of the host: in lists, for all elements, and in assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpucore as gp


@gp.struct
class Pair:
    a: gp.f32
    b: gp.u8


@gp.struct
class Body:
    pair: Pair
    place: gp.f32x3
    spin: gp.i32x2


@gp.kernel
def total(bodies: gp.In[Body], sums: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < sums.size:
        body = bodies[i]
        sums[i] = body.pair.a + gp.f32(body.pair.b) + body.place.z + gp.f32(body.spin.y)


def test_lists_of_structs_and_tuples(device: gp.Device) -> None:
    expected = np.array([(1.5, 2), (3, 4), (5, 255)], Pair.dtype)
    for values in (
        [Pair(1.5, 2), Pair(3, 4), Pair(5, 255)],
        [(1.5, 2), (3.0, np.uint8(4)), (np.float64(5), 255)],
        [Pair(1.5, 2), (3, 4), expected[2]],
        np.array([Pair(1.5, 2), Pair(3, 4), Pair(5, 255)], object),
        expected,
        expected[::-1].copy()[::-1],
    ):
        x = gp.asarray(values, Pair, device=device)
        assert x.dtype is Pair
        np.testing.assert_array_equal(x.numpy(), expected, strict=True)
    matrix = gp.asarray([[Pair(1.5, 2), (3, 4)], [(5, 6), (7, 8)]], device=device)
    assert matrix.shape == (2, 2) and matrix.dtype is Pair
    assert matrix.tolist() == [[(1.5, 2), (3, 4)], [(5, 6), (7, 8)]]
    one = gp.asarray(Pair(1.5, 2), device=device)
    assert one.shape == () and one.tolist() == (1.5, 2)
    assert gp.asarray([], Pair, device=device).shape == (0,)


def test_nested_structs_with_vectors_reach_kernels(device: gp.Device) -> None:
    bodies = gp.asarray(
        [Body(Pair(0.5, 200), (1, 2, 3), (4, 5)), (Pair(1, 2), np.arange(3), [7, -8])], Body, device=device
    )
    sums = gp.empty(2, device=device)
    total(bodies, sums)
    assert sums.tolist() == [0.5 + 200 + 3 + 5, 1 + 2 + 2 - 8]
    np.testing.assert_array_equal(bodies.numpy()["place"], np.float32([[1, 2, 3], [0, 1, 2]]))
    np.testing.assert_array_equal(bodies.numpy()["spin"], np.int32([[4, 5], [7, -8]]))


@pytest.mark.parametrize("count", [1, 3, 1003])
def test_one_value_for_all_elements(device: gp.Device, count: int) -> None:
    for value in (Pair(1.5, 2), (1.5, 2), np.array((1.5, 2), Pair.dtype)):
        np.testing.assert_array_equal(
            gp.full(count, value, Pair, device=device).numpy(), np.full(count, np.array((1.5, 2), Pair.dtype))
        )
    vectors = gp.full(count, (1, 2, 3, 4), gp.u32x4, device=device)
    np.testing.assert_array_equal(vectors.numpy(), np.tile(np.uint32([1, 2, 3, 4]), (count, 1)), strict=True)
    triples = gp.full_like(vectors, np.float32([1, 2.5, 3]), dtype=gp.f32x3)
    np.testing.assert_array_equal(triples.numpy(), np.tile(np.float32([1, 2.5, 3]), (count, 1)), strict=True)
    triples.fill(7)
    np.testing.assert_array_equal(triples.numpy(), np.full((count, 3), 7, np.float32), strict=True)
    bodies = gp.full(count, 0, Body, device=device)
    assert not bodies.numpy().tobytes().strip(b"\0")
    bodies[...] = Body(Pair(1, 255), (1, 2, 3), (4, 5))
    used = np.zeros(1, Body.dtype)
    used["pair"]["a"], used["pair"]["b"], used["place"], used["spin"] = 1, 255, (1, 2, 3), (4, 5)
    assert bodies.numpy().tobytes() == count * used.tobytes(), "the bytes between fields are 0"


def test_assignments(device: gp.Device) -> None:
    x = gp.zeros(5, Pair, device=device)
    x[1] = Pair(7, 8)
    x[2] = (3, 4)
    x[3:5] = [(1, 2), Pair(5, 6)]
    x[0] = x[3]
    assert x.tolist() == [(1, 2), (7, 8), (3, 4), (1, 2), (5, 6)]
    x[1:3] = Pair(9, 9)
    x[::2] = (0.5, 1)
    assert x.tolist() == [(0.5, 1), (9, 9), (0.5, 1), (1, 2), (0.5, 1)]
    x.set([(n, n) for n in range(5)])
    assert x.tolist() == [(n, n) for n in range(5)]
    v = gp.zeros(3, gp.f32x2, device=device)
    v[1] = (3, 4)
    v[2] = 5
    assert v.tolist() == [[0, 0], [3, 4], [5, 5]]


def test_bytes_are_u8(device: gp.Device) -> None:
    for values in (b"abc", bytearray(b"abc"), memoryview(b"abc")):
        x = gp.asarray(values, device=device)
        assert x.dtype is gp.u8 and x.tolist() == [97, 98, 99]
    assert gp.asarray(b"\xff\0", gp.u32, device=device).tolist() == [255, 0]
    assert gp.asarray(b"", device=device).shape == (0,)
    x[:2] = b"xy"
    assert x.numpy().tobytes() == b"xyc"


LOSSES: dict[str, tuple[Callable[[], Any], str]] = {
    "an integer out of range": (
        lambda: gp.asarray([(1, 2), (1, 300)], Pair),
        "the value at index 1, field 'b', cannot be stored: 300 does not fit gpucore.u8",
    ),
    "a fraction": (
        lambda: gp.asarray([[Pair(1, 1.5)]]),  # type: ignore[arg-type]
        "the value at index (0, 0), field 'b', cannot be stored: 1.5 does not fit gpucore.u8",
    ),
    "too large a float": (
        lambda: gp.full(2, (1e60, 1), Pair),
        "the value, field 'a', cannot be stored: 1e+60 does not fit gpucore.f32",
    ),
    "a component": (
        lambda: gp.asarray([((1, 2), (1, 2, 3), (1, 2.5))], Body),
        "the value at index 0, field 'spin', cannot be stored: the value 2.5 at index 1 does not fit gpucore.i32x2, "
        "which holds whole numbers; round the values first, as with numpy.rint, or give a float dtype",
    ),
    "a field of a field": (
        lambda: gp.asarray([((1, -2), (1, 2, 3), (1, 2))], Body),
        "the value at index 0, field 'pair', field 'b', cannot be stored: -2 does not fit gpucore.u8",
    ),
    "too few components": (
        lambda: gp.asarray([((1, 2), (1, 2), (1, 2))], Body),
        "the value at index 0, field 'place', cannot be stored: gpucore.f32x3 takes a last axis of 3 components; the "
        "shape is (2,)",
    ),
    "too many fields": (
        lambda: gp.asarray([(1, 2, 3)], Pair),
        "the value at index 0 must be Pair(a, b), or a tuple of these fields, not (1, 2, 3)",
    ),
    "lists in place of tuples": (
        lambda: gp.asarray([[1, 2]], Pair),
        "the value at index (0, 0) must be Pair(a, b), or a tuple of these fields, not 1",
    ),
    "another struct": (
        lambda: gp.asarray([Body(Pair(1, 2), (1, 2, 3), (1, 2)), Pair(1, 2)], Body),
        "the value at index 1 must be Body(pair, place, spin), or a tuple of these fields, not Pair(a=1, b=2)",
    ),
    "lists of different lengths": (
        lambda: gp.asarray([[(1, 2)], [(1, 2), (3, 4)]], Pair),
        "the lists of structs differ in length or depth",
    ),
    "an array of numbers": (
        lambda: gp.asarray(np.zeros((2, 2)), Pair),
        "an array of Pair is made from Pair(...) or tuples of its fields, in lists, or from a NumPy array of Pair.dtype"
        ", not of float64; convert it with astype(Pair.dtype)",
    ),
    "ones": (lambda: gp.ones(2, Pair), "the value must be Pair(a, b), or a tuple of these fields, not 1"),
    "a vector that is too short": (
        lambda: gp.full(2, (1, 2, 3), gp.u32x4),
        "gpucore.u32x4 takes a last axis of 4 components; the shape is (3,)",
    ),
    "values in place of a value": (
        lambda: gp.full((2, 2), [[1, 2], [3, 4]]),
        "these are values of shape (2, 2), and one is stored in all elements; gp.asarray(values) makes an array of "
        "them, and x.set(values) stores them",
    ),
    "text": (lambda: gp.asarray("abc"), "devices have no text; give its bytes, as in text.encode(), which are u8"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_nothing_is_lost_silently(name: str) -> None:
    call, expected = LOSSES[name]
    with gp.use("simulator"), pytest.raises(gp.ArgumentError) as caught:
        call()
    assert str(caught.value) == expected
