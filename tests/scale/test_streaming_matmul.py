"""`gd.stream_matmul`: products of matrices larger than a device's memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from feigned_device import feign_memory
from stream_files import names_in, saved

import gpucore as gp
import gpucore_dask as gd
from gpucore.testing import require_device


def whole_numbers(shape: tuple[int, int], dtype: str, seed: int) -> npt.NDArray[Any]:
    """Small ones, whose products and sums are exact in every order."""
    return np.random.default_rng(seed).integers(-4 if dtype[0] != "u" else 0, 5, shape).astype(dtype)


def exact(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return (a.astype(np.int64) @ b.astype(np.int64)).astype(a.dtype)


def streamed(folder: Path, a: npt.NDArray[Any], b: npt.NDArray[Any], **options: Any) -> tuple[Any, gd.Streamed]:
    paths = saved(folder, a, "a.npy"), saved(folder, b, "b.npy")
    done = gd.stream_matmul(*paths, folder / "c.npy", overwrite=True, **options)
    assert names_in(folder) == ["a.npy", "b.npy", "c.npy"]
    return np.load(folder / "c.npy"), done


SHAPES = [
    (150, 301, 157), (64, 64, 64), (128, 4000, 3), (5, 9000, 7), (130, 1, 90), (1, 300, 400), (3000, 7, 2), (1, 1, 1),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_shapes_that_do_not_divide(tmp_path: Path, shape: tuple[int, int, int], dtype: str) -> None:
    require_device("cpu")
    rows, inner, columns = shape
    a, b = whole_numbers((rows, inner), dtype, 1), whole_numbers((inner, columns), dtype, 2)
    memory = max(200, (a.nbytes + b.nbytes + rows * columns * a.itemsize) // 4)
    found, done = streamed(tmp_path, a, b, device="cpu", memory=memory)
    assert found.dtype == a.dtype and np.array_equal(found, exact(a, b))
    assert done.bytes_written == found.nbytes and done.bytes_read >= a.nbytes + b.nbytes
    assert done.pieces > 1 or rows * inner * columns == 1


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "u4", "i8", "u8"])
def test_every_dtype(tmp_path: Path, dtype: str) -> None:
    require_device("cpu")
    a, b = whole_numbers((90, 70), dtype, 1), whole_numbers((70, 80), dtype, 2)
    found, done = streamed(tmp_path, a, np.asfortranarray(b), device="cpu", memory=a.nbytes)
    assert done.pieces > 4 and np.array_equal(found, exact(a, b))


DEVICES = [("simulator", 6, 2), ("cpu", 300, 4), ("wgpu", 300, 4), ("opencl", 300, 4)]


@pytest.mark.parametrize(("device", "side", "times"), DEVICES)
def test_several_times_the_memory_of_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str, side: int, times: int
) -> None:
    require_device(device)
    a, b = whole_numbers((side, side + 1), "f4", 1), whole_numbers((side + 1, side), "f4", 2)
    memory, slack = 3 * a.nbytes // times, 1 << 14  # for the least sizes of buffers
    peak = feign_memory(monkeypatch, gp.device(device), memory + slack)
    found, done = streamed(tmp_path, a, b, device=device, memory=memory)
    assert np.array_equal(found, exact(a, b))
    assert done.pieces > 4 and 0 < peak() <= memory + slack


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0)])
def test_lengths_of_0(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    require_device("cpu")
    rows, inner, columns = shape
    found, _ = streamed(tmp_path, np.ones((rows, inner), "f4"), np.ones((inner, columns), "f4"), device="cpu")
    assert found.shape == (rows, columns) and not found.any()


def test_what_fits_is_one_product(tmp_path: Path) -> None:
    require_device("cpu")
    random = np.random.default_rng(5)
    a, b = random.standard_normal((60, 90), np.float32), random.standard_normal((90, 50), np.float32)
    found, done = streamed(tmp_path, a, b, device="cpu")
    assert done.pieces == 1 and found.tobytes() == gp.matmul(a, b, device="cpu").tobytes()


def test_sums_are_the_same_again_and_near_those_of_one_product(tmp_path: Path) -> None:
    """With unit roundoff u, a sum of k products is off by k u of the sum of their magnitudes at most, in any order."""
    require_device("cpu")
    random = np.random.default_rng(6)
    a, b = random.standard_normal((70, 2000), np.float32), random.standard_normal((2000, 60), np.float32)
    first, done = streamed(tmp_path, a, b, device="cpu", memory=100_000)
    again, _ = streamed(tmp_path, a, b, device="cpu", memory=100_000)
    assert done.pieces > 10 and first.tobytes() == again.tobytes()
    wide, magnitudes = a.astype(float) @ b.astype(float), np.abs(a).astype(float) @ np.abs(b).astype(float)
    assert (np.abs(first - wide) <= 2001 * 2.0**-24 * magnitudes).all()


def test_sums_of_f16_are_rounded_once(tmp_path: Path) -> None:
    """4096 + 1, again and again: in f16 each 1 would be lost."""
    require_device("cpu")
    a, b = np.ones((3, 2000), np.float16), np.ones((2000, 3), np.float16)
    a[:, 0] = 4096
    found, done = streamed(tmp_path, a, b, device="cpu", memory=2000)
    assert done.pieces > 10 and (found == np.float16(4096 + 1999)).all()


def test_zarr(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr", reason="zarr is not installed")
    require_device("cpu")
    a, b = whole_numbers((90, 70), "f4", 1), whole_numbers((70, 80), "f4", 2)
    left = zarr.create_array(tmp_path / "a.zarr", data=a, chunks=(30, 20))
    zarr.create_array(tmp_path / "b.zarr", data=b, chunks=(16, 16))
    gd.stream_matmul(left, tmp_path / "b.zarr", tmp_path / "c.npy", device="cpu", memory=9000)
    assert np.array_equal(np.load(tmp_path / "c.npy"), exact(a, b))


def test_what_is_refused(tmp_path: Path) -> None:
    require_device("cpu")
    ones, target = np.ones((2, 3), np.float32), tmp_path / "c.npy"
    widths = "stream_matmul takes integers of 32 and 64 bits and floats of 16, 32 and 64; "
    for a, b, options, message in (
        (ones, ones, {}, "stream_matmul takes shapes (m, k) and (k, n); a has (2, 3), and b has (2, 3)"),
        (ones, ones[0], {}, "stream_matmul takes matrices; b has shape (3,)"),
        (ones[None], ones, {}, "stream_matmul takes matrices; a has shape (1, 2, 3)"),
        (ones.astype("i2"), ones, {}, f"{widths}a has int16"),
        (ones, ones.astype(complex), {}, f"{widths}b has complex128"),
        (ones, ones.T.astype("f8"), {}, "stream_matmul takes matrices of one dtype; a has float32, and b has float64"),
        (ones, ones.T, {"memory": 30}, "a memory of 30 bytes is too small for a product of float32"),
        (ones, ones.T, {"memory": -1}, "memory is a number of bytes above 0, not -1"),
    ):  # fmt: skip
        with pytest.raises(gp.ArgumentError) as caught:
            gd.stream_matmul(a, b, target, device="cpu", **options)  # type: ignore[arg-type]
        assert str(caught.value) == message
    with pytest.raises(gp.ArgumentError, match="precision"):
        gd.stream_matmul(ones, ones.T, target, device="cpu", precision="some")
    assert names_in(tmp_path) == []
