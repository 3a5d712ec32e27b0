"""Tensors of PyTorch, and arrays of CuPy and Numba, on a CUDA GPU: in kernels and algorithms, without a copy."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device
from gpucore.testing.checked_calls import checked_calls

SCALARS = [gp.i8, gp.u8, gp.i16, gp.u16, gp.i32, gp.u32, gp.i64, gp.u64, gp.f16, gp.f32, gp.f64]
N = 1_000_003


@gp.kernel
def axpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += a * x[i]


@gp.kernel(workgroup_size=(16, 16))
def turn(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        y[row, column] = x[column, row]


@gp.kernel(workgroup_size=32)
def add_vectors(x: gp.In[gp.f32x4], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += x[i]


@pytest.fixture(autouse=True)
def device() -> gp.Device:
    return require_device("cuda")


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture
def cupy() -> Any:
    return pytest.importorskip("cupy", reason="CuPy is not installed")


def numbers(size: int) -> Any:
    return np.random.default_rng(size).random(size, np.float32)


def test_a_tensor_goes_through_a_kernel_in_place(torch: Any) -> None:
    x, y = torch.rand(N, device="cuda"), torch.rand(N, device="cuda")
    expected = (y + 2.5 * x).cpu().numpy()
    before = torch.cuda.memory_allocated()
    where = y.data_ptr()
    axpy(2.5, x, y)
    assert y.data_ptr() == where and torch.cuda.memory_allocated() == before
    np.testing.assert_allclose(y.cpu().numpy(), expected, rtol=1e-6)
    matrix, turned = x[:1000].reshape(20, 50), torch.empty(50, 20, device="cuda")
    turn(matrix, turned)
    turn(matrix, turned, invocations=turned)
    assert torch.equal(turned, matrix.T)


def test_pointers_are_the_same_both_ways(torch: Any, device: gp.Device) -> None:
    tensor = torch.arange(100, device="cuda", dtype=torch.float32)
    x = gp.asarray(tensor)
    assert x.device is device
    assert x.__cuda_array_interface__["data"][0] == tensor.data_ptr()
    assert gp.from_dlpack(tensor[3:]).__cuda_array_interface__["data"][0] == tensor.data_ptr() + 12
    again = torch.from_dlpack(x)
    assert again.data_ptr() == tensor.data_ptr()
    own = gp.asarray(numbers(100), device=device)
    theirs = torch.from_dlpack(own[7:])
    assert theirs.data_ptr() == own.__cuda_array_interface__["data"][0] + 28
    theirs += 1
    np.testing.assert_array_equal(own.numpy()[7:], numbers(100)[7:] + np.float32(1))
    assert torch.as_tensor(own, device="cuda").data_ptr() == theirs.data_ptr() - 28


@pytest.mark.parametrize("dtype", SCALARS, ids=str)
def test_every_dtype_makes_the_round_trip(torch: Any, device: gp.Device, dtype: Any) -> None:
    host = np.arange(30, dtype=dtype.dtype).reshape(2, 3, 5)
    x = gp.asarray(host, device=device)
    theirs = torch.from_dlpack(x)
    np.testing.assert_array_equal(theirs.cpu().numpy(), host, strict=True)
    back = gp.from_dlpack(theirs)
    assert back.dtype is dtype and back.shape == host.shape and back.overlaps(x)
    np.testing.assert_array_equal(back.numpy(), host, strict=True)


def test_sort_and_matmul_take_tensors(torch: Any) -> None:
    keys = torch.randint(-(2**31), 2**31 - 1, (N,), device="cuda", dtype=torch.int32)
    before = torch.cuda.memory_allocated()
    ordered = gp.sort(keys)
    assert torch.cuda.memory_allocated() == before
    assert torch.equal(torch.from_dlpack(ordered), torch.sort(keys).values)
    a, b = torch.rand(100, 70, device="cuda"), torch.rand(70, 90, device="cuda")
    product = torch.from_dlpack(gp.matmul(a, b))
    np.testing.assert_allclose(product.cpu().numpy(), (a.double() @ b.double()).cpu().numpy(), rtol=1e-5)


class Exported:
    """An array as any library shows it."""

    def __init__(self, array: gp.Array) -> None:
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self.shape = array.shape
        self.array = array


@pytest.mark.parametrize("grid", ["none", "array", "count"])
def test_check_takes_memory_of_other_libraries(device: gp.Device, grid: str) -> None:
    """In every form of the call, each of which `checked_calls` checks once; the memory is not modified by a check."""
    x, y = (gp.asarray(numbers(n)[:50], device=device) for n in (50, 51))
    theirs, written = Exported(x), Exported(y)
    counts: dict[str, Any] = {"none": {}, "array": {"invocations": written}, "count": {"invocations": 50}}[grid]
    assert gp.check(axpy, 2.0, theirs, written, **counts).ok
    np.testing.assert_array_equal(y.numpy(), numbers(51)[:50])
    with checked_calls(schedules=1) as calls:
        axpy(2.0, theirs, y=written, **counts)
    assert (calls.checked, calls.reports) == (1, [])
    np.testing.assert_allclose(y.numpy(), numbers(51)[:50] + 2 * numbers(50), rtol=1e-6)


def busy(torch: Any, stream: Any) -> None:
    """Queue about 100 ms of work in a stream."""
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)


def test_calls_are_in_order_of_torchs_current_stream(torch: Any) -> None:
    """The kernel sees what was queued in the stream before it, and the stream sees what the kernel wrote."""
    stream = torch.cuda.Stream()
    x, y = torch.zeros(N, device="cuda"), torch.zeros(N, device="cuda")
    torch.cuda.synchronize()
    busy(torch, stream)
    with torch.cuda.stream(stream):
        x.fill_(3.0)
        y.fill_(1.0)
        axpy(2.0, x, y)
        axpy(1.0, y.clone(), x)
        result = x + y
    stream.synchronize()
    assert bool((result == 17).all())


def test_streams_by_hand_and_through_dlpack(torch: Any, device: gp.Device) -> None:
    stream = torch.cuda.Stream()
    tensor = torch.zeros(N, device="cuda")
    torch.cuda.synchronize()
    x, ones = gp.asarray(tensor), gp.ones(N, device=device)
    busy(torch, stream)
    with torch.cuda.stream(stream):
        tensor.fill_(5.0)
        device.wait_for_stream(stream)
        axpy(1.0, ones, x)
        device.block_stream(stream.cuda_stream)
        result = tensor * 2
    stream.synchronize()
    assert bool((result == 12).all())
    busy(torch, torch.cuda.default_stream())
    axpy(1.0, ones, x)
    with torch.cuda.stream(stream):
        seen = torch.from_dlpack(x) + 0  # hands this stream to the array
    stream.synchronize()
    assert bool((seen == 7).all())


def test_memory_is_not_reused_while_another_stream_reads_it(torch: Any, device: gp.Device) -> None:
    stream = torch.cuda.Stream()
    x = gp.full(N, 4.0, device=device)
    with torch.cuda.stream(stream):
        theirs = torch.from_dlpack(x)
        busy(torch, stream)
        result = theirs + 1
    del theirs, x
    gc.collect()
    for _ in range(8):
        gp.full(N, -1.0, device=device)
    stream.synchronize()
    assert bool((result == 5).all())


def test_tensors_live_until_the_kernel_has_run(torch: Any, device: gp.Device) -> None:
    y = gp.zeros(N, device=device)
    for _ in range(20):
        axpy(1.0, torch.ones(N, device="cuda"), y)
    assert bool((torch.from_dlpack(y) == 20).all())
    x = gp.asarray(torch.ones(N, device="cuda"))
    before = torch.cuda.memory_allocated()
    del x
    gp.synchronize()
    assert torch.cuda.memory_allocated() < before


def test_cupy_and_numba(cupy: Any, device: gp.Device) -> None:
    x, y = cupy.arange(N, dtype=cupy.float32), cupy.ones(N, dtype=cupy.float32)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        y *= 2
        axpy(0.5, x, y)
        y += 1
        stream.synchronize()
    np.testing.assert_array_equal(y.get(), np.arange(N, dtype=np.float32) * np.float32(0.5) + 3)
    own = gp.asarray(numbers(50).reshape(5, 10), device=device)
    theirs = cupy.asarray(own)
    assert theirs.data.ptr == own.__cuda_array_interface__["data"][0] == cupy.from_dlpack(own).data.ptr
    np.testing.assert_array_equal(theirs.get(), own.numpy())
    assert gp.from_dlpack(theirs).__cuda_array_interface__["data"][0] == theirs.data.ptr
    cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")
    third = cuda.to_device(numbers(40))
    x2 = gp.asarray(third)
    assert x2.__cuda_array_interface__["data"][0] == third.__cuda_array_interface__["data"][0]
    np.testing.assert_array_equal(x2.numpy(), numbers(40))
    np.testing.assert_array_equal(cuda.as_cuda_array(own).copy_to_host(), own.numpy())
    with pytest.raises(gp.ArgumentError, match="do not follow each other in memory"):
        gp.asarray(third[::2])


def test_what_cannot_be_shared_is_refused_or_copied(torch: Any, device: gp.Device) -> None:
    x = torch.rand(40, device="cuda")
    with pytest.raises(gp.ArgumentError, match=r"'x' shares memory with|'y' shares memory with 'x'"):
        axpy(1.0, x, x)
    for values in (x[::2], x.reshape(5, 8).T):
        with pytest.raises(gp.ArgumentError, match=r"the torch\.Tensor, of shape .* do not follow each other"):
            gp.asarray(values)
    with pytest.raises(gp.ArgumentError, match="holds bool8, which gpucore has no arrays of"):
        gp.asarray(x > 0)
    with pytest.raises(gp.ArgumentError, match=r"this device array is gpucore\.f32"):
        gp.asarray(x, gp.f64)
    with pytest.raises(gp.ArgumentError, match=r"begins at element \d+ of its memory"):
        add_vectors(x[1:37], gp.zeros(36, device=device))
    add_vectors(x[4:36], x[:4].repeat(8))
    there = gp.asarray(x, device="cpu")
    assert there.device.id == "cpu:0"
    np.testing.assert_array_equal(there.numpy(), x.cpu().numpy())
    with pytest.raises(gp.ArgumentError, match="so an array on cpu:0 is a copy"):
        gp.from_dlpack(x, device="cpu", copy=False)
    copied = gp.from_dlpack(x, copy=True)
    assert copied.__cuda_array_interface__["data"][0] != x.data_ptr()
    with pytest.raises(gp.ArgumentError, match="must be a device array, not Tensor"):
        axpy(1.0, x.cpu(), x)
    with pytest.raises(gp.ArgumentError, match="a stream is an object of PyTorch or CuPy, or an address"):
        device.block_stream("main")
    assert gp.asarray(torch.empty(0, 3, device="cuda")).shape == (0, 3)
