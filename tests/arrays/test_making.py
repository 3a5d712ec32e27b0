"""Functions that make arrays, their text, `with`, and launches with an array as the grid."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=(4, 8))
def turn(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = x[column, row]


@gp.kernel
def split(x: gp.In[gp.f32], low: gp.Out[gp.f32], high: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        low[i], high[i] = gp.min(x[i], 0.0), gp.max(x[i], 0.0)


@gp.kernel(workgroup_size=1)
def xorshift(x: gp.Out[gp.u32], count: gp.i32):
    state = gp.u32(1)
    for _ in range(count):  # llvmpipe allows 65,535 turns
        for _ in gp.unroll(range(32)):
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
    x[0] = state


def test_arrays_like_others(device: gp.Device) -> None:
    x = gp.asarray(np.arange(6, dtype=np.int32).reshape(2, 3), device=device)
    for made, value in ((gp.zeros_like(x), 0), (gp.ones_like(x), 1), (gp.full_like(x, -7), -7)):
        assert made.device is device and made.dtype is gp.i32
        np.testing.assert_array_equal(made.numpy(), np.full((2, 3), value))
    other = gp.empty_like(x, dtype=gp.f32, device="simulator")
    assert (other.shape, other.dtype, other.device.id) == ((2, 3), gp.f32, "simulator:0")


@pytest.mark.parametrize(
    "z",
    [
        np.array([1 + 2j, 3 - 1j, 4], np.complex64),
        np.array([[1 + 2j, 3 - 1j, 4], [0, -1j, 0.5]]),
        np.array([[1 + 2j, 3 - 1j, 4], [0, -1j, 0.5]], np.complex64).T,
        np.array([1 + 2j, 3], ">c8"),
        np.zeros((0, 3), np.complex64),
    ],
    ids=["vector", "complex128", "columns", "byte order", "empty"],
)
def test_complex_numbers_are_vectors_of_two(z: np.ndarray, device: gp.Device) -> None:
    """What the error says to write gives the same numbers on the device, and docs/arrays.md the way back."""
    with pytest.raises(gp.ArgumentError, match="a vector of two holds a complex number") as caught:
        gp.asarray(z, device=device)
    fix = str(caught.value).partition("complex number: ")[2]
    with gp.use(device):
        x = eval(fix, {"gp": gp, "np": np, "z": z})  # noqa: S307 (the text is ours)
    assert x.shape == z.shape and x.dtype is gp.f32x2
    back = x.numpy().view(np.complex64)[..., 0]
    assert back.dtype == np.complex64
    np.testing.assert_array_equal(back, z)


def test_linspace(device: gp.Device) -> None:
    np.testing.assert_array_equal(gp.linspace(-1, 2, 7, device=device).numpy(), np.linspace(-1, 2, 7, dtype=np.float32))
    open_end = gp.linspace(0, 1, 10, endpoint=False, device=device)
    np.testing.assert_array_equal(open_end.numpy(), np.linspace(0, 1, 10, endpoint=False, dtype=np.float32))
    assert gp.linspace(0, 1, 0, device=device).shape == (0,)
    with pytest.raises(gp.ArgumentError, match="linspace makes floats"):
        gp.linspace(0, 1, dtype=gp.i32, device=device)
    for end in ("1", [0, 1], 1j, np.inf, np.nan, 10**400):
        with pytest.raises(gp.ArgumentError, match="linspace takes finite numbers; its stop is"):
            gp.linspace(0, end, 3, device=device)  # type: ignore[arg-type]
    with pytest.raises(gp.ArgumentError, match="a shape consists of whole numbers"):
        gp.linspace(0, 1, 2.5, device=device)  # type: ignore[arg-type]


def test_an_array_that_is_ready_shows_its_ends() -> None:
    x = gp.arange(10, device="simulator")
    assert repr(x) == "<gpucore array: shape (10,), gpucore.i32, on simulator:0, [0, 1, 2, ..., 7, 8, 9]>"
    assert repr(x[2:4]) == "<gpucore array: shape (2,), gpucore.i32, on simulator:0, [2, 3]>"
    assert "<td>[0, 1, 2, ..., 7, 8, 9]</td>" in x._repr_html_()
    x.close()
    assert repr(x) == "<gpucore array: shape (10,), gpucore.i32, on simulator:0, closed>"


def test_with_closes(device: gp.Device) -> None:
    with gp.zeros(4, device=device) as x:
        assert x.tolist() == [0.0] * 4
    assert x.is_closed
    with gp.device("simulator") as opened:
        y = gp.zeros(4, device=opened)
    with pytest.raises(gp.GpucoreError):
        y.numpy()
    assert gp.zeros(2, device="simulator").tolist() == [0.0, 0.0]


def test_synchronize_waits_for_every_device(device: gp.Device) -> None:
    """The work takes milliseconds: a mark after it is not done after a few polls, unless somebody waited."""
    count = 10 if device.id.startswith("simulator") else 40_000
    x = gp.zeros(1, gp.u32, device=device)
    xorshift(x, count, invocations=1)
    mark = device.driver_device.mark()
    gp.synchronize()
    assert any(mark.is_done() for _ in range(5))
    state = 1
    for _ in range(32 * count):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
    assert x[0] == state


def test_the_grid_of_an_array(device: gp.Device) -> None:
    """One invocation for each element, the last axis as x; by default for the only array that is written."""
    host = np.random.default_rng(2).random((13, 37), np.float32)
    x = gp.asarray(host, device=device)
    for grid in ({}, {}, {"invocations": "y"}):
        y = gp.zeros((37, 13), device=device)
        turn(x, y, **({"invocations": y} if grid else {}))
        np.testing.assert_array_equal(y.numpy(), host.T)
        y = gp.zeros((37, 13), device=device)
        turn(x, y=y)
        np.testing.assert_array_equal(y.numpy(), host.T)
    low, high = gp.zeros(5, device=device), gp.zeros(5, device=device)
    with pytest.raises(gp.ArgumentError, match="writes one array, and this one writes low, high"):
        split(x.ravel()[:5], low, high)
    split(x.ravel()[:5], low, high, invocations=low)
    np.testing.assert_array_equal(high.numpy(), host.ravel()[:5])
