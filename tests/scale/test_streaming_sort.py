"""`gd.stream_sort`: arrays larger than a device's memory, bit for bit as `gp.sort`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from feigned_device import feign_memory
from nine_inputs import INPUTS, make
from stream_files import names_in, saved

import gpucore as gp
import gpucore_dask as gd
from gpucore.testing import require_device
from gpucore_dask.streams.memory import Budget
from gpucore_dask.streams.pipeline import make_buffers
from gpucore_dask.streams.sorting import capacity_of

DTYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")


def random_bits(size: int, dtype: str) -> npt.NDArray[Any]:
    """Values of all bits: of floats infinities, both zeros, and NaN of any payload, too."""
    width = np.dtype(dtype).itemsize
    values = np.random.default_rng(4).integers(0, 256, size * width, np.uint8).view(dtype)
    if values.dtype.kind == "f":
        values[:7] = [-0.0, 0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0]
        values[7:14] = values[:7]
    return values


def check_sort(
    folder: Path, values: npt.NDArray[Any], device: str, memory: int | None, descending: bool = False,
    expected: npt.NDArray[Any] | None = None,
) -> gd.Streamed:  # fmt: skip
    """Stream it, and compare the bits with those of `gp.sort`."""
    if expected is None:
        expected = gp.sort(values, descending, device="cpu")
    source, target = saved(folder, values), folder / "out.npy"
    done = gd.stream_sort(source, target, device=device, memory=memory, descending=descending, overwrite=True)
    found = np.load(target)
    assert found.dtype == values.dtype and found.tobytes() == expected.tobytes()
    assert names_in(folder) == ["in.npy", "out.npy"]
    return done


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_with_every_bit(tmp_path: Path, dtype: str) -> None:
    require_device("cpu")
    values = random_bits(5003, dtype)
    for descending in (False, True):
        done = check_sort(tmp_path, values, "cpu", values.nbytes * 2, descending)
        assert done.pieces > 4


@pytest.mark.parametrize("name", INPUTS)
def test_inputs_of_all_kinds(tmp_path: Path, name: str) -> None:
    require_device("cpu")
    values = make(name, 100_003)
    check_sort(tmp_path, values, "cpu", values.nbytes, descending=name in ("special", "four values"))


@pytest.mark.parametrize(
    ("device", "size"), [("simulator", 403), ("cpu", 200_003), ("wgpu", 200_003), ("opencl", 200_003)]
)
@pytest.mark.parametrize("dtype", ["u4", "f4"])
def test_four_times_the_memory_of_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str, size: int, dtype: str
) -> None:
    require_device(device)
    values = random_bits(size, dtype)
    expected = gp.sort(values, device="cpu")
    slack = 1 << 18  # tables of the sort's own, whose size does not depend on that of the array
    memory = values.nbytes // 4
    peak = feign_memory(monkeypatch, gp.device(device), memory + slack)
    done = check_sort(tmp_path, values, device, memory, expected=expected)
    assert done.pieces > 8 and 0 < peak() <= memory + slack


@pytest.mark.parametrize("size", [0, 1, 2, 999, 1000, 1001])
def test_sizes_around_what_fits(tmp_path: Path, size: int) -> None:
    """1000 elements fit, 1001 do not."""
    require_device("cpu")
    memory = 1000 * 8 * 4 * 9 // 8  # eight arrays of u32, and an eighth
    done = check_sort(tmp_path, random_bits(size, "u4"), "cpu", memory)
    assert done.pieces == (0 if size == 0 else 1 if size <= 1000 else 4)
    assert done.bytes_uploaded == (4 * size if size <= 1000 else 8 * size)


def test_the_memory_of_the_device_by_default(tmp_path: Path) -> None:
    require_device("cpu")
    assert check_sort(tmp_path, random_bits(1001, "i8"), "cpu", None).pieces == 1


def test_pieces_of_a_gpu_by_default() -> None:
    """What does not depend on the arrays: a share of its memory, and pieces of 2 GiB at most. (CI has no GPU.)"""
    for gibibytes, most in ((80, (1 << 31) // 4), (8, int(int((8 << 30) * 0.8) * 8 / 9) // 32)):
        info = SimpleNamespace(memory=gibibytes << 30)
        limits = SimpleNamespace(max_buffer_size=1 << 40, max_binding_size=1 << 40)
        gpu: Any = SimpleNamespace(info=info, limits=limits, kind=SimpleNamespace(value="gpu"))
        assert capacity_of(Budget(gpu, None), np.dtype(np.uint32)) == most


def test_buffers_of_the_largest_pieces() -> None:
    """They have more bytes than an array may have elements. Nothing touches their pages."""
    require_device("cpu")
    assert [buffer.nbytes for buffer in make_buffers(1 << 31, gp.device("cpu"))] == [1 << 31] * 3


def test_a_device_with_less_memory_than_was_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_device("cpu")
    values = random_bits(50_000, "u4")
    source, device = saved(tmp_path, values), gp.device("cpu")
    with monkeypatch.context() as patched:
        feign_memory(patched, device, values.nbytes)
        with pytest.raises(gp.OutOfMemoryError):
            gd.stream_sort(source, tmp_path / "out.npy", device=device, memory=8 * values.nbytes)
    assert names_in(tmp_path) == ["in.npy"]
    check_sort(tmp_path, values, "cpu", values.nbytes)


def test_what_is_counted(tmp_path: Path) -> None:
    require_device("cpu")
    values = random_bits(50_000, "u4")
    done = check_sort(tmp_path, values, "cpu", values.nbytes)
    counts = done.bytes_read, done.bytes_uploaded, done.bytes_downloaded, done.bytes_written
    assert counts == (2 * values.nbytes,) * 4
    assert set(done.seconds) == {"read", "upload", "compute", "download", "write"}
    assert all(seconds > 0 for seconds in done.seconds.values())
    assert done.overlap == sum(done.seconds.values()) / done.wall
    assert done.rate("read") == done.bytes_read / done.seconds["read"] / 1e9
    assert done.device == "cpu:0" and str(done).splitlines()[-1].startswith(f"cpu:0, {done.pieces} pieces, ")


def test_arrays_of_all_kinds(tmp_path: Path) -> None:
    """Memmaps, arrays with steps and of the other byte order, and a file in Fortran's order of one axis."""
    require_device("cpu")
    values = random_bits(3000, "i4")
    path = saved(tmp_path, values)
    expected = np.sort(values)
    for given in (
        str(path), np.load(path, mmap_mode="r"), values, np.repeat(values, 2)[::2], values.astype(">i4"),
        saved(tmp_path, values.astype(">i4"), "big.npy"),
    ):  # fmt: skip
        gd.stream_sort(given, tmp_path / "out.npy", device="cpu", memory=20_000, overwrite=True)
        assert np.array_equal(np.load(tmp_path / "out.npy"), expected)


def test_a_file_onto_itself(tmp_path: Path) -> None:
    require_device("cpu")
    path = saved(tmp_path, random_bits(3000, "u4"))
    expected = np.sort(np.load(path))
    gd.stream_sort(path, path, device="cpu", memory=20_000, overwrite=True)
    assert np.array_equal(np.load(path), expected)


def test_zarr_arrays_and_stores(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr", reason="zarr is not installed")
    require_device("cpu")
    values = random_bits(5000, "f4")
    stored = zarr.create_array(tmp_path / "in.zarr", data=values, chunks=(700,))
    for given in (tmp_path / "in.zarr", stored):
        gd.stream_sort(given, tmp_path / "out.npy", device="cpu", memory=20_000, overwrite=True)
        assert np.load(tmp_path / "out.npy").tobytes() == gp.sort(values, device="cpu").tobytes()
    (tmp_path / "empty").mkdir()
    with pytest.raises(gp.ArgumentError, match="empty is a folder, and no zarr array: "):
        gd.stream_sort(tmp_path / "empty", tmp_path / "other.npy", device="cpu")


def test_what_is_refused(tmp_path: Path) -> None:
    require_device("cpu")
    path, target = saved(tmp_path, np.arange(10_000, dtype=np.uint32)), tmp_path / "out.npy"
    matrix = saved(tmp_path, np.ones((2, 3)), "matrix.npy")
    flags = saved(tmp_path, np.ones(3, bool), "flags.npy")
    long = "stream_sort takes integers of 8 to 64 bits and floats of 16, 32 and 64; "
    for given, options, message in (
        (matrix, {}, f"stream_sort takes an array of rank 1; {matrix} has shape (2, 3)"),
        (np.float32(1)[None].reshape(()), {}, "stream_sort takes an array of rank 1; source has shape ()"),
        (flags, {}, f"{long}{flags} has bool"),
        (np.ones(3, complex), {}, f"{long}source has complex128"),
        (np.ones(3, np.longdouble), {}, f"{long}source has {np.dtype(np.longdouble)}"),
        (
            np.ma.masked_array(np.ones(3), [0, 1, 0]), {},
            "source is a masked array, whose mask would be lost; pass source.filled(...)",
        ),
        (3, {}, "stream_sort takes paths of .npy files and zarr stores, zarr arrays and NumPy arrays; source is a int"),
        (path, {"memory": 0}, "memory is a number of bytes above 0, not 0"),
        (path, {"memory": 1.5}, "memory is a number of bytes above 0, not 1.5"),
        (path, {"memory": True}, "memory is a number of bytes above 0, not True"),
        (path, {"descending": "no"}, "descending must be True or False, not 'no'"),
        (path, {"scratch": path}, f"scratch is a folder, and there is none {path}"),
        (
            path, {"memory": 100},
            "10,000 elements would be sorted in more than 2,000 runs, since 2 fit into the memory that may be used; "
            "6 must fit",
        ),
    ):  # fmt: skip
        with pytest.raises(gp.ArgumentError) as caught:
            gd.stream_sort(given, target, device="cpu", **options)  # type: ignore[arg-type]
        assert str(caught.value) == message
    assert not target.exists()


def test_a_dtype_that_the_device_lacks(tmp_path: Path) -> None:
    require_device("opencl")
    if gp.device("opencl").supports("f16"):
        pytest.skip("this OpenCL device has f16")
    with pytest.raises(gp.CapabilityError, match="sort was given elements of type f16, which opencl:0"):
        gd.stream_sort(saved(tmp_path, np.ones(4, np.float16)), tmp_path / "out.npy", device="opencl")
    assert names_in(tmp_path) == ["in.npy"]
