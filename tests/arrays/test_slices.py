"""Elements and slices of device arrays: what they hold, and that slices share memory, in kernels too."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import gpucore as gp


@gp.kernel(workgroup_size=32)
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@gp.kernel(workgroup_size=32)
def add_pairs(x: gp.In[gp.f32x4], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += x[i]


@gp.kernel(workgroup_size=8)
def count(x: gp.InOut[gp.u32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        gp.atomic_add(x, i % x.size, gp.u32(1))


@gp.kernel
def store(y: gp.Out[gp.f32], at: gp.i32):
    y[at] = 99.0


@gp.kernel
def raise_both(x: gp.InOut[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        x[i] += 2.0
        y[i] += 1.0


@gp.struct
class Sample:
    weight: gp.f32
    number: gp.i32
    place: gp.f32x2


def numbers(size: int, device: gp.Device) -> tuple[Any, gp.Array]:
    host = np.random.default_rng(size).random(size, np.float32)
    return host, gp.asarray(host, device=device)


def test_an_element_is_a_numpy_scalar(device: gp.Device) -> None:
    host, x = numbers(105, device)
    matrix = x.reshape(5, 21)
    assert isinstance(x[3], np.float32) and x[3] == host[3] and x[-1] == host[-1]
    assert matrix[2, 20] == host[62] and matrix[-5, -21] == host[0]
    assert x.item(7) == float(host[7]) and matrix.item(1, 2) == float(host[23])
    assert float(x[9:10]) == float(host[9]) and int(gp.full(1, 42, gp.i32, device=device)) == 42
    assert list(x) == list(host) and x.tolist() == host.tolist()
    np.testing.assert_array_equal(np.array([row.numpy() for row in matrix]), host.reshape(5, 21))


@pytest.mark.parametrize("first", [0, 1, 3, 8, 31, 64, 100])
def test_kernels_read_and_write_slices(device: gp.Device, first: int) -> None:
    """Slices at every kind of offset: aligned and not; two launches take the slow and the fast path."""
    host, x = numbers(1000, device)
    source, target = x[first : first + 67], x[first + 67 : first + 134]
    for _ in range(2):
        double(source, target, invocations=67)
    host[first + 67 : first + 134] = 2 * host[first : first + 67]
    np.testing.assert_array_equal(x.numpy(), host)
    np.testing.assert_array_equal(target.numpy(), host[first + 67 : first + 134])


def test_the_same_kernel_runs_on_slices_of_other_offsets(device: gp.Device) -> None:
    host, x = numbers(500, device)
    y = gp.zeros(500, device=device)
    for first in (0, 1, 2, 64, 65, 0, 128, 130):
        double(x[first : first + 50], y[first + 7 : first + 57], invocations=50)
        np.testing.assert_array_equal(y[first + 7 : first + 57].numpy(), 2 * host[first : first + 50])


def test_slices_of_slices_rows_and_planes(device: gp.Device) -> None:
    host = np.arange(7 * 11 * 13, dtype=np.int32).reshape(7, 11, 13)
    x = gp.asarray(host, device=device)
    for key in (2, (2, 3), (slice(1, 4),), (slice(3, 4), slice(2, 5)), (4, slice(2, 9)), (1, 2, slice(3, 7)), -1, ...):
        np.testing.assert_array_equal(x[key].numpy(), host[key], strict=True)
    inner = x[2:5][1][3:7].reshape(-1)[5:20]
    np.testing.assert_array_equal(inner.numpy(), host[2:5][1][3:7].reshape(-1)[5:20])
    inner[2:4] = -1
    assert x[3, 3, 7] == -1 and x[3, 3, 8] == -1


def test_slices_viewed_as_vectors(device: gp.Device) -> None:
    host, x = numbers(256, device)
    add_pairs(x[4:84], x[84:164], invocations=20)
    host[84:164] += host[4:84]
    np.testing.assert_array_equal(x.numpy(), host)
    for _ in range(2):
        with pytest.raises(gp.ArgumentError, match="begins at element 5 of its memory, and a buffer of f32x4 begins"):
            add_pairs(x[5:85], gp.zeros(80, device=device), invocations=20)


def test_slices_of_vectors_and_structs(device: gp.Device) -> None:
    host = np.zeros(19, Sample.dtype)
    host["weight"], host["place"][:, 1] = np.arange(19), 5
    x = gp.asarray(host, Sample, device=device)
    assert x[3] == host[3]
    np.testing.assert_array_equal(x[5:9].numpy(), host[5:9])
    vectors = gp.asarray(np.arange(40, dtype=np.float32).reshape(10, 4), gp.f32x4, device=device)
    np.testing.assert_array_equal(vectors[3], [12, 13, 14, 15])
    np.testing.assert_array_equal(vectors[2:4].numpy(), [[8, 9, 10, 11], [12, 13, 14, 15]])


def test_atomics_and_indices_out_of_range_stay_in_a_slice(device: gp.Device) -> None:
    x = gp.zeros(40, gp.u32, device=device)
    count(x[5:12], 71, invocations=71)
    expected = np.zeros(40, np.uint32)
    np.add.at(expected, 5 + np.arange(71) % 7, 1)
    np.testing.assert_array_equal(x.numpy(), expected)


def test_overlapping_slices_are_refused_if_one_is_written(device: gp.Device) -> None:
    _, x = numbers(100, device)
    for _ in range(2):
        with pytest.raises(gp.ArgumentError, match="'y' shares memory with 'x', and the kernel writes to it"):
            double(x[0:50], x[49:99], invocations=50)
        with pytest.raises(gp.ArgumentError, match="'y' is the same memory as 'x'"):
            double(x[3:50], x[3:50], invocations=47)


def test_debug_finds_indices_beyond_a_slice(device: gp.Device) -> None:
    @gp.kernel(workgroup_size=8, debug=True)
    def shift(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = x[i + 1]

    _, x = numbers(100, device)
    y = gp.zeros(10, device=device)

    def run() -> None:  # the simulator raises at the call
        shift(x[21:31], y, invocations=10)
        y.numpy()

    with pytest.raises(gp.OutOfRangeError, match="index 10 is out of range"):
        run()


def test_check_takes_slices() -> None:
    _, x = numbers(100, gp.device("simulator"))
    assert not gp.check(double, x[3:40], x[60:97]).findings


def test_slices_live_longer_than_their_array_and_close_with_it(device: gp.Device) -> None:
    host, x = numbers(100, device)
    y = x[7:19]
    del x
    np.testing.assert_array_equal(y.numpy(), host[7:19])
    y.close()
    with pytest.raises(gp.ClosedError):
        y[0]


def test_what_cannot_be_a_slice(device: gp.Device) -> None:
    _, x = numbers(60, device)
    matrix = x.reshape(6, 10)
    for key in ((slice(None), slice(2, 5)), slice(None, None, 2), slice(None, None, -1), (slice(None), 3)):
        with pytest.raises(gp.ArgumentError, match=r"x\.copied\[.*\] is a copy of them"):
            matrix[key]
    for key, error in ((6, "out of range for an axis of 6"), ((0, 10), "out of range"), ((0, 0, 0), "3 indices")):
        with pytest.raises(IndexError, match=error):
            matrix[key]
    for key in ([1, 2], 1.5, "x", True, None, np.array([1, 2])):
        with pytest.raises(TypeError, match="a device array cannot be indexed with"):
            matrix[key]


def test_a_matmul_and_a_sort_of_slices(device: gp.Device) -> None:
    host = np.random.default_rng(1).random(1 + 64 * 64, np.float32)
    x = gp.asarray(host, device=device)
    matrix = x[1:].reshape(64, 64)
    expected = host[1:].reshape(64, 64).astype(np.float64)
    np.testing.assert_allclose(gp.matmul(matrix, matrix).numpy(), expected @ expected, rtol=1e-4)
    np.testing.assert_array_equal(gp.sort(x[5:300]).numpy(), np.sort(host[5:300]))


def test_an_empty_slice_has_no_element_of_its_array(device: gp.Device) -> None:
    x = gp.zeros(10, device=device)
    if device.info.kernels_share_memory and device.backend.name != "simulator":
        store(x[5:5], 0, invocations=1)  # the index is clamped
    double(x[3:3], x[3:3], invocations=0)
    double(x[3:3], x, invocations=0)
    assert x.tolist() == [0.0] * 10


def test_slices_closer_than_the_alignment_of_a_device(device: gp.Device) -> None:
    x = gp.zeros(10, device=device)
    raise_both(x[0:1], x[1:2], invocations=1)
    raise_both(x[4:7], x[7:10], invocations=3)
    double(x[0:2], x[2:4], invocations=2)
    assert x.tolist() == [2.0, 1.0, 4.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0]


def test_threads_store_to_neighbouring_bytes(device: gp.Device) -> None:
    x = gp.zeros(4, gp.u8, device=device)

    def count(at: int) -> None:
        for number in range(41):
            x[at] = number

    threads = [threading.Thread(target=count, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.tolist() == [40] * 4


def test_item_takes_one_index_or_one_for_each_axis(device: gp.Device) -> None:
    x = gp.arange(24, device=device).reshape(2, 3, 4)
    assert x.item(17) == 17 and x.item(-1) == 23 and x.item(1, 2, 3) == 23
    with pytest.raises(gp.ArgumentError, match="one element; this one has 24"):
        x.item()
    with pytest.raises(gp.ArgumentError, match="one for each of the 3 axes, not 2"):
        x.item(1, 2)
