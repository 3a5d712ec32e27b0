"""Copies that end later, and page-locked arrays."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device


@gp.struct
class Pair:
    a: gp.f32
    b: gp.i32


@pytest.fixture(params=["simulator", "cpu", "wgpu", "opencl", "cuda"])
def device(request: pytest.FixtureRequest) -> gp.Device:
    return require_device(request.param)


@pytest.mark.parametrize("size", [1, 2, 3, 1001, 2_500_001])
@pytest.mark.parametrize("dtype", [gp.u8, gp.i16, gp.f32])
def test_copies_take_all_elements_there_and_back(device: gp.Device, size: int, dtype: Any) -> None:
    if size > 10_000 and device.info.backend == "simulator":
        size = 10_001
    host = np.random.default_rng(size).integers(0, 100, size).astype(dtype.dtype)
    x = gp.empty(size, dtype, device=device)
    sent = x.copy_from(host)
    back = np.zeros_like(host)
    received = x.copy_to(back)
    received.wait()
    assert sent.is_done() and (back == host).all()
    assert (x.numpy() == host).all()


def test_slices_vectors_and_structs_are_copied(device: gp.Device) -> None:
    x = gp.zeros((40, 3), device=device)
    host = np.random.default_rng(1).random((7, 3), dtype=np.float32)
    x[5:12].copy_from(host)
    v = gp.zeros(9, gp.f32x4, device=device)
    v.copy_from(np.arange(36, dtype=np.float32).reshape(9, 4))
    s = gp.empty(3, Pair, device=device)
    s.copy_from(np.array([(1, 2), (3, 4), (5, 6)], Pair.dtype))
    expected = np.zeros((40, 3), np.float32)
    expected[5:12] = host
    assert (x.numpy() == expected).all()
    assert v.numpy().ravel().tolist() == list(range(36))
    assert [s[at]["b"] for at in range(3)] == [2, 4, 6]
    part = np.empty((2, 3), np.float32)
    x[6:8].copy_to(part).wait()
    assert (part == host[1:3]).all()


def test_odd_slices_of_bytes_are_copied_exactly(device: gp.Device) -> None:
    x = gp.full(21, 9, gp.u8, device=device)
    x[3:8].copy_from(np.arange(5, dtype=np.uint8))
    assert x.tolist() == [9] * 3 + [0, 1, 2, 3, 4] + [9] * 13
    out = np.zeros(7, np.uint8)
    x[2:9].copy_to(out).wait()
    assert out.tolist() == [9, 0, 1, 2, 3, 4, 9]


def test_empty_arrays_are_copied(device: gp.Device) -> None:
    x = gp.empty((0, 4), device=device)
    host = np.empty((0, 4), np.float32)
    x.copy_from(host).wait()
    x.copy_to(host).wait()


def test_the_hosts_memory_is_kept_until_it_was_read(device: gp.Device) -> None:
    count = 20 if device.info.backend == "simulator" else 200
    arrays = [gp.empty(3001, gp.i32, device=device) for _ in range(4)]
    for turn in range(count):
        arrays[turn % 4].copy_from(np.full(3001, turn, np.int32))  # nothing else refers to it
        gc.collect(0)
    for at in range(4):
        assert set(arrays[at].tolist()) == {count - 4 + at}


def test_pinned_arrays_are_numpy_arrays(device: gp.Device) -> None:
    x = gp.empty_pinned((3, 5), gp.i32, device=device)
    x[...] = np.arange(15).reshape(3, 5)
    assert x.shape == (3, 5) and x.dtype == np.int32 and x.flags.c_contiguous and x.flags.writeable
    y = gp.asarray(x, device=device)
    x[...] = -1
    y.copy_to(x).wait()
    assert x.ravel().tolist() == list(range(15))
    assert gp.empty_pinned(4, gp.f32x2, device=device).shape == (4, 2)
    assert gp.empty_pinned(0, device=device).size == 0
    assert gp.empty_pinned(2, Pair, device=device).dtype == Pair.dtype


def test_a_pinned_array_outlives_its_device() -> None:
    for name in ("cpu", "opencl", "cuda"):
        try:
            device = require_device(name)
        except pytest.skip.Exception:
            continue
        pinned = gp.empty_pinned(100_000, gp.i32, device=device)
        x = gp.ones(100_000, gp.i32, device=device)
        x.copy_to(pinned).wait()
        view = pinned[50:]
        device.close()
        del pinned
        view += 1
        assert set(view.tolist()) == {2}
        with gp.device(name):
            del view
            gc.collect()
            gp.empty_pinned(10, device=name)


def test_what_cannot_be_copied_is_refused(device: gp.Device) -> None:
    x = gp.zeros((4, 6), device=device)
    for wrong in (np.zeros(24, np.float32), np.zeros((4, 6)), [[0.0] * 6] * 4):
        with pytest.raises(gp.ArgumentError, match=r"must be a NumPy array of shape \(4, 6\), float32"):
            x.copy_from(wrong)
        with pytest.raises(gp.ArgumentError, match=r"must be a NumPy array of shape \(4, 6\), float32"):
            x.copy_to(wrong)
    masked = np.ma.zeros((4, 6), np.float32)
    for copy in (x.copy_from, x.copy_to, lambda host: x.numpy(out=host)):
        with pytest.raises(gp.ArgumentError, match="no masked arrays"):
            copy(masked)
    with pytest.raises(gp.ArgumentError, match="do not follow each other"):
        x.copy_from(np.zeros((6, 4), np.float32).T)
    read_only = np.zeros((4, 6), np.float32)
    read_only.flags.writeable = False
    x.copy_from(read_only).wait()
    with pytest.raises(gp.ArgumentError, match="read-only"):
        x.copy_to(read_only)
    with pytest.raises(gp.ArgumentError, match="cannot be recorded"), device.record():
        x.copy_from(np.zeros((4, 6), np.float32))
    x.close()
    with pytest.raises(gp.ClosedError):
        x.copy_to(np.zeros((4, 6), np.float32))


def test_wrong_pinned_arrays_are_refused(device: gp.Device) -> None:
    with pytest.raises(gp.ArgumentError):
        gp.empty_pinned(-1, device=device)
    with pytest.raises(gp.ArgumentError):
        gp.empty_pinned(3, bool, device=device)
