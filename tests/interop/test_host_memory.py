"""Arrays in memory that NumPy, PyTorch (on the CPU) and JAX own, and theirs in that of arrays, through DLPack."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore import dlpack

SCALARS = [gp.i8, gp.u8, gp.i16, gp.u16, gp.i32, gp.u32, gp.i64, gp.u64, gp.f16, gp.f32, gp.f64]


@gp.kernel(workgroup_size=32)
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@gp.kernel(workgroup_size=32)
def add_vectors(x: gp.In[gp.f32x4], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += x[i]


@gp.kernel(workgroup_size=32)
def swap_rows(x: gp.In[gp.f32x3], y: gp.Out[gp.f32x3]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i].zyx


@gp.struct
class Pair:
    first: gp.f32
    second: gp.i32


@pytest.fixture(params=["cpu", "simulator"])
def host_device(request: pytest.FixtureRequest) -> gp.Device:
    return gp.device(request.param)


@pytest.fixture(params=["numpy", "torch", "jax.numpy"])
def library(request: pytest.FixtureRequest) -> Any:
    if request.param == "numpy":
        return np
    os.environ.setdefault("JAX_PLATFORMS", "cpu")  # or it takes most of a GPU's memory from the tests beside
    return pytest.importorskip(request.param, reason=f"{request.param} is not installed")


def numbers(size: int) -> Any:
    return np.random.default_rng(size).random(size, np.float32)


@pytest.mark.parametrize("first", [0, 1, 3, 4, 16])
def test_kernels_read_and_write_memory_of_numpy(host_device: gp.Device, first: int) -> None:
    """At every alignment that an element can have."""
    source, target = numbers(117), numbers(118)
    expected = target.copy()
    expected[first : first + 101] = 2 * source[first : first + 101]
    x = gp.from_dlpack(source[first : first + 101], device=host_device, copy=False)
    y = gp.from_dlpack(target[first : first + 101], device=host_device, copy=False)
    double(x, y)
    host_device.synchronize()
    np.testing.assert_array_equal(target, expected)
    y[3:50] = 7.0
    y.fill(3)
    y[50] = 5
    host_device.synchronize()
    expected[first : first + 101] = 3
    expected[first + 50] = 5
    np.testing.assert_array_equal(target, expected)
    np.testing.assert_array_equal(y.copy().numpy(), expected[first : first + 101])


@pytest.mark.parametrize("dtype", SCALARS, ids=str)
def test_every_dtype_goes_both_ways(host_device: gp.Device, library: Any, dtype: Any) -> None:
    host = np.arange(30, dtype=dtype.dtype).reshape(2, 3, 5)
    x = gp.asarray(host, device=host_device)
    if library.__name__ == "jax.numpy" and dtype.itemsize == 8:
        pytest.skip("JAX converts 64-bit numbers to 32 bits unless it is configured otherwise")
    theirs = library.from_dlpack(x)
    np.testing.assert_array_equal(np.asarray(theirs), host, strict=True)
    is_jax = library.__name__ == "jax.numpy"
    back = gp.from_dlpack(theirs, device=host_device, copy=True if is_jax else None)
    assert back.dtype is dtype and back.shape == host.shape
    np.testing.assert_array_equal(back.numpy(), host, strict=True)
    assert x.overlaps(back) != is_jax


def test_memory_is_shared_with_the_library(host_device: gp.Device, library: Any) -> None:
    if library.__name__ == "jax.numpy":
        with pytest.raises(gp.ArgumentError, match="arrays of JAX never change"):
            gp.from_dlpack(library.arange(5), device=host_device)
        return
    x = gp.asarray(numbers(100), device=host_device)
    theirs = library.from_dlpack(x)
    theirs[7] = -1.0
    assert x[7] == -1
    double(x, x2 := gp.empty_like(x))
    host_device.synchronize()
    np.testing.assert_array_equal(np.asarray(library.from_dlpack(x2)), 2 * np.asarray(theirs))


def test_export_waits_for_queued_work(host_device: gp.Device) -> None:
    host = numbers(20_000_000 if host_device.id == "cpu:0" else 100)
    x, y = gp.asarray(host, device=host_device), gp.zeros(host.size, device=host_device)
    host_device.synchronize()
    double(x, y)
    last = np.from_dlpack(y)[-100:].copy()
    np.testing.assert_array_equal(last, 2 * host[-100:])


def test_slices_vectors_and_empty_arrays(host_device: gp.Device) -> None:
    x = gp.asarray(numbers(60), device=host_device).reshape(3, 20)
    np.testing.assert_array_equal(np.from_dlpack(x[1, 5:9]), x.numpy()[1, 5:9])
    vectors = gp.asarray(numbers(40).reshape(10, 4), gp.f32x4, device=host_device)
    np.testing.assert_array_equal(np.from_dlpack(vectors), vectors.numpy(), strict=True)
    assert np.from_dlpack(gp.empty((0, 3), device=host_device)).shape == (0, 3)
    assert gp.from_dlpack(np.zeros((0, 3)), device=host_device).shape == (0, 3)
    assert gp.from_dlpack(np.float32(3)[None][0:1].reshape(()), device=host_device, copy=True).shape == ()
    host = numbers(80)
    y = gp.from_dlpack(host[4:44], device=host_device)
    add_vectors(gp.from_dlpack(host[44:], device=host_device)[:36], y[:36])
    expected = numbers(80)
    expected[4:40] += expected[44:80]
    host_device.synchronize()
    np.testing.assert_array_equal(host, expected)
    shifted = gp.from_dlpack(host[-host.ctypes.data % 16 // 4 + 1 :][:40], device=host_device)
    with pytest.raises(gp.ArgumentError, match=r"begins at element \d+ of its memory"):
        add_vectors(shifted, gp.zeros(40, device=host_device))


def test_overlaps_are_found_across_libraries(host_device: gp.Device) -> None:
    host = numbers(100)
    x, y = (gp.from_dlpack(host[first : first + 50], device=host_device) for first in (0, 49))
    z = gp.from_dlpack(host[50:], device=host_device)
    for _ in range(2):
        with pytest.raises(gp.ArgumentError, match="'y' shares memory with 'x', and the kernel writes to it"):
            double(x, y)
        double(x, z)
    host_device.synchronize()
    np.testing.assert_array_equal(host[50:], 2 * host[:50])
    own = gp.asarray(numbers(10), device=host_device)
    again = gp.from_dlpack(np.from_dlpack(own), device=host_device)
    assert again.overlaps(own) and own.overlaps(again[9:]) and not again[:5].overlaps(own[5:])
    with pytest.raises(gp.ArgumentError, match="'y' shares memory with 'x'"):
        double(own, again)


@pytest.mark.parametrize("stored", ["first", "second"])
def test_stores_to_the_same_memory_are_in_queue_order(host_device: gp.Device, stored: str) -> None:
    """Through an array of the device's own memory, and another array in the same memory."""

    @gp.kernel
    def approach(x: gp.InOut[gp.f32], steps: gp.i32):
        i = gp.global_id(0)
        if i < x.size:
            value = x[i]
            for _ in range(steps):
                value = value * 0.999 + 1.0
            x[i] = value

    first = gp.zeros(1 << 14 if host_device.id == "cpu:0" else 16, device=host_device)
    view = np.from_dlpack(first)
    second = gp.from_dlpack(view, device=host_device)
    running, other = (second, first) if stored == "first" else (first, second)
    for number, store in enumerate((lambda: other.fill(0.0), lambda: other.set(np.ones(other.shape)))):
        approach(running, 20000 if host_device.id == "cpu:0" else 20)
        store()
        host_device.synchronize()
        np.testing.assert_array_equal(view, np.full(view.shape, number, np.float32))


def test_a_store_leaves_the_bytes_beside_it_to_their_owner(host_device: gp.Device) -> None:
    """Here another thread, which has stored to them meanwhile."""
    host = np.zeros(8, np.uint8)
    x = gp.from_dlpack(host[1:6], device=host_device)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def store() -> None:
        for _ in range(1000):
            x[1:3] = 9

    storing = threading.Thread(target=store)
    storing.start()
    lost = 0
    while storing.is_alive():
        host[[0, 7]] = number = (host[0] + 1) % 250
        time.sleep(0)
        lost += host[0] != number or host[7] != number
    storing.join()
    sys.setswitchinterval(interval)
    host_device.synchronize()
    assert not lost
    assert host[1:7].tolist() == [0, 9, 9, 0, 0, 0]


def test_memory_lives_as_long_as_it_is_used(host_device: gp.Device) -> None:
    host = numbers(1000)
    count = sys.getrefcount(host)
    x = gp.from_dlpack(host, device=host_device)
    y = x[10:20]
    assert sys.getrefcount(host) > count
    del x
    gc.collect()
    host_device.synchronize()
    assert sys.getrefcount(host) > count
    y.close()
    host_device.synchronize()
    assert sys.getrefcount(host) == count
    own = gp.asarray(host, device=host_device)
    seen, view = weakref.ref(own), np.from_dlpack(own)
    del own
    gc.collect()
    np.testing.assert_array_equal(view, host)
    assert seen() is not None
    ended = threading.Thread(target=lambda owners=[view]: owners.clear())  # type: ignore[misc]
    del view
    ended.start()
    ended.join()
    assert seen() is None


def test_closing_what_others_still_use(host_device: gp.Device) -> None:
    """The array cannot be used any more; its memory stays until the last of them has dropped it."""
    with gp.asarray(numbers(1000), device=host_device) as x:
        view = np.from_dlpack(x)
    others = [gp.full(1000, 7.0, device=host_device) for _ in range(5)]
    with pytest.raises(gp.ClosedError):
        x.numpy()
    np.testing.assert_array_equal(view, numbers(1000))
    view[:] = 5
    gp.synchronize()
    for each in others:
        np.testing.assert_array_equal(each.numpy(), np.full(1000, 7, np.float32))


def test_unused_and_used_capsules() -> None:
    x = gp.asarray(numbers(5), device="cpu")
    seen, capsule = weakref.ref(x), x.__dlpack__()
    assert '"dltensor"' in repr(capsule)
    is_new = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)
    for array in (x, x.to("wgpu")):  # of that a copy on the host
        versioned = array.__dlpack__(max_version=(1, 3), dl_device=(1, 0))
        assert ('"dltensor_versioned"' in repr(versioned)) == is_new
        assert '"dltensor"' in repr(array.__dlpack__(dl_device=(1, 0)))
    memory = dlpack.take(capsule, "x")
    assert '"used_dltensor"' in repr(capsule)
    with pytest.raises(gp.ArgumentError, match="not an unused DLPack capsule"):
        dlpack.take(capsule, "x")
    assert memory.shape == (5,) and memory.space == (1, 0)
    del capsule, x
    gc.collect()
    assert seen() is not None
    del memory
    assert seen() is None
    x = gp.asarray(numbers(5), device="cpu")
    seen = weakref.ref(x)
    x.__dlpack__()  # dropped unused
    del x
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("print(x.__dlpack__(), 1 // 0)", "ZeroDivisionError"),
        ("numpy.from_dlpack(Elsewhere())", "Error: Unsupported device"),
        ("sys.kept = x.__dlpack__()", ""),
        ("sys.kept = numpy.from_dlpack(x); sys.memory = dlpack.take(x.__dlpack__(), 'x')", ""),
    ],
)
def test_capsules_are_dropped_at_any_time(program: str, error: str) -> None:
    """While an exception is on its way, and at the end of the process."""
    text = f"""
import sys, numpy, gpucore as gp
from gpucore import dlpack
x = gp.zeros(5, device="cpu")
class Elsewhere:
    def __dlpack_device__(self): return (1, 0)
    def __dlpack__(self, **_): return dlpack.export(x, x.buffer.address, x.shape, x.dtype, (2, 0), None)
{program}
"""
    done = subprocess.run([sys.executable, "-c", text], timeout=60, capture_output=True, text=True)
    assert done.returncode == (1 if error else 0) and error in done.stderr


def test_copies_to_and_from_other_devices() -> None:
    host = numbers(33)
    there = gp.from_dlpack(host, device="wgpu")
    host[0] = 9
    assert there.device.id.startswith("wgpu") and there[0] == numbers(33)[0]
    with pytest.raises(BufferError, match=r"memory of wgpu:.* has no address that another library could use; x.numpy"):
        np.from_dlpack(there)
    with pytest.raises(BufferError, match="the host needs a copy"):
        there.__dlpack__(dl_device=(1, 0), copy=False)
    assert dlpack.take(there.__dlpack__(dl_device=(1, 0)), "x").shape == (33,)
    copied = gp.from_dlpack(host, device="cpu", copy=True)
    host[1] = 9
    assert copied[1] == numbers(33)[1]
    exported = dlpack.take(copied.__dlpack__(copy=True), "x")
    assert exported.address != copied.buffer.address
    assert not hasattr(copied, "__cuda_array_interface__")


def test_what_cannot_be_shared_is_refused() -> None:
    host = numbers(40)
    for values, match in (
        (host[::2], r"shape \(20,\) and strides \(2,\), do not follow each other in memory"),
        (host.reshape(5, 8).T, "do not follow each other"),
        (host.astype(complex), "holds complex128, which gpucore has no arrays of"),
        (host > 0, "holds bool8, which"),
        ([1, 2], "list has no __dlpack__; gp.asarray copies"),
    ):
        with pytest.raises(gp.ArgumentError, match=match):
            gp.from_dlpack(values, device="cpu")
    np.testing.assert_array_equal(gp.from_dlpack(host[::2], device="cpu", copy=True).numpy(), host[::2])
    host.flags.writeable = False
    with pytest.raises(gp.ArgumentError, match=r"the numpy\.ndarray is read-only, and arrays of gpucore are not"):
        gp.from_dlpack(host, device="cpu")
    with pytest.raises(gp.ArgumentError, match=r"so an array on wgpu:.* is a copy"):
        gp.from_dlpack(host, device="wgpu", copy=False)
    with pytest.raises(gp.ArgumentError, match="copy must be True, False or None"):
        gp.from_dlpack(host, copy=1)  # type: ignore[arg-type]
    pairs = gp.zeros(3, Pair, device="cpu")
    with pytest.raises(BufferError, match="DLPack has no structs; this array holds"):
        np.from_dlpack(pairs)
    odd = np.zeros(41, np.uint8)[1:].view(np.float32)
    with pytest.raises(gp.ArgumentError, match="not at a multiple of their 4 bytes"):
        gp.from_dlpack(odd[:9] if odd.ctypes.data % 4 else np.zeros(42, np.uint8)[2:].view(np.float32), device="cpu")
    with pytest.raises(gp.ArgumentError, match="has no streams that other libraries could use"):
        gp.device("cpu").wait_for_stream(1)
    closed = gp.zeros(3, device="cpu")
    closed.close()
    with pytest.raises(gp.ClosedError):
        closed.__dlpack__()


def test_memory_is_given_back_when_the_device_is_closed() -> None:
    host = numbers(64)
    count = sys.getrefcount(host)
    with gp.device("simulator") as device:
        x = gp.from_dlpack(host, device=device)
        assert sys.getrefcount(host) > count
    assert sys.getrefcount(host) == count
    with pytest.raises(gp.GpucoreError):
        x.numpy()


def test_memory_that_others_see_outlives_the_device(host_device: gp.Device) -> None:
    host = numbers(1000)
    seen = weakref.ref(host)
    with host_device:
        view = np.from_dlpack(gp.from_dlpack(host, device=host_device))
    del host, host_device
    gc.collect()
    assert seen() is not None
    np.testing.assert_array_equal(view, numbers(1000))


def test_what_a_library_refuses_is_an_argument_error() -> None:
    host = numbers(12)
    swapped = host.astype(host.dtype.newbyteorder())
    np.testing.assert_array_equal(gp.from_dlpack(swapped, device="cpu", copy=True).numpy(), host)
    for values in (swapped, np.zeros(3, [("a", "f4")]), np.zeros(3, np.longdouble), np.array(["a"])):
        with pytest.raises(gp.ArgumentError, match=r"does not hand over its memory|holds"):
            gp.from_dlpack(values, device="cpu")
    with pytest.raises(gp.ArgumentError, match="has a mask, and device arrays have none"):
        gp.from_dlpack(np.ma.masked_array(host, host > 0.5), device="cpu")
    huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (0, 2**31), (0, 1))
    with pytest.raises(gp.ArgumentError, match=r"at most 2\*\*31 - 1"):
        gp.from_dlpack(huge, device="cpu")


def test_rows_of_three_at_every_alignment(host_device: gp.Device) -> None:
    points = numbers(99).reshape(33, 3)
    for first in range(6):
        rows = gp.from_dlpack(points[first:].reshape(-1), device=host_device)
        y = gp.zeros(33 - first, gp.f32x3, device=host_device)
        swap_rows(rows, y)
        np.testing.assert_array_equal(y.numpy(), points[first:, ::-1])
