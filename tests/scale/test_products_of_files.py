"""`gd.matmul` of matrices in files, on two workers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
import pytest
from distributed import Client, wait
from stream_files import saved

import gpucore as gp
import gpucore_dask as gd
from gpucore_dask.file_products import matmul_of_files
from gpucore_dask.file_tiles import TileMemory, tile_sides
from gpucore_dask.worker_device import WorkerDevice

SHAPE = 150, 2333, 77
"""More columns than a panel has."""


def _integers(shape: tuple[int, int], dtype: str = "f4", seed: int = 1) -> npt.NDArray[Any]:
    """Whole numbers, of which every sum is exact."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype(dtype)


def _pair(folder: Path, dtype: str = "f4", shape: tuple[int, int, int] = SHAPE) -> tuple[Any, ...]:
    m, k, n = shape
    a, b = _integers((m, k), dtype), _integers((k, n), dtype, seed=2)
    return a, b, saved(folder, a, "a.npy"), saved(folder, b, "b.npy")


@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_a_product_is_that_of_the_whole(dtype: str, tmp_path: Path, client: Client) -> None:
    a, b, left, right = _pair(tmp_path, dtype)
    made = gd.matmul(left, right)
    assert made.chunks == ((128, 22), (77,)) and made.dtype == a.dtype  # one for each worker
    np.testing.assert_array_equal(made.compute(), a @ b)


def test_tiles_of_a_side(tmp_path: Path, client: Client) -> None:
    a, b, left, right = _pair(tmp_path)
    made = gd.matmul(str(left), right, block=40)
    assert made.chunks == ((40, 40, 40, 30), (40, 37))
    np.testing.assert_array_equal(made.compute(), a @ b)


def test_workers_send_each_other_nothing(tmp_path: Path, client: Client) -> None:
    a, b, left, right = _pair(tmp_path)
    with gd.report() as seen:
        made = gd.matmul(left, right, block=64).persist()
        wait(made)
    assert [(stage.name, stage.tasks) for stage in seen.stages] == [("tile", 6)]
    assert seen.sent == 0 and seen.downloaded == made.nbytes
    assert seen.uploaded == 2 * a.nbytes + 3 * b.nbytes  # by columns and by rows of tiles


def test_stores_other_orders_and_other_bytes(tmp_path: Path, client: Client) -> None:
    zarr = pytest.importorskip("zarr", reason="zarr is in requirements-dev.txt")
    a, b = _integers((50, 60)), _integers((60, 70), seed=2)
    zarr.save_array(str(tmp_path / "a.zarr"), a)
    for name, values in (("columns", np.asfortranarray(b)), ("swapped", b.astype(">f4"))):
        made = gd.matmul(tmp_path / "a.zarr", saved(tmp_path, values, f"{name}.npy"))
        assert made.dtype == np.float32
        np.testing.assert_array_equal(made.compute(), a @ b)


def test_sums_of_f16_are_f32_until_the_end(tmp_path: Path, client: Client) -> None:
    """2,333 times 3 is 6,999, of which f16 has every eighth number only: it is rounded once."""
    left = saved(tmp_path, np.full((3, 2333), 3, np.float16), "a.npy")
    right = saved(tmp_path, np.ones((2333, 2), np.float16), "b.npy")
    try:
        made = gd.matmul(left, right).compute()
    except gp.CapabilityError as error:
        pytest.skip(f"the cpu device has no f16: {error}")
    np.testing.assert_array_equal(made, np.full((3, 2), 6999, np.float16))


@pytest.mark.parametrize("shape", [(0, 5, 4), (3, 0, 4), (3, 5, 0), (1, 1, 1)])
def test_lengths_of_0_and_1(shape: tuple[int, int, int], tmp_path: Path, client: Client) -> None:
    a, b, left, right = _pair(tmp_path, shape=shape)
    np.testing.assert_array_equal(gd.matmul(left, right).compute(), a @ b)


def test_equal_products_have_equal_keys_until_a_file_changes(tmp_path: Path, client: Client) -> None:
    a, _, left, right = _pair(tmp_path)
    name = gd.matmul(left, right).name
    assert gd.matmul(left, right).name == name
    np.save(left, a + 1)
    os.utime(left, ns=(1, 1))
    assert gd.matmul(left, right).name != name


def test_a_file_of_another_shape_by_the_time_it_is_read(tmp_path: Path, client: Client) -> None:
    a, _, left, right = _pair(tmp_path)
    made = gd.matmul(left, right)
    np.save(left, a[:-1])
    with pytest.raises(gp.ArgumentError, match=r"a\.npy has changed .* to shape \(149, 2333\) and dtype f"):
        made.compute()


def test_a_file_that_is_written_again_is_not_read_twice(tmp_path: Path, client: Client) -> None:
    """Its tiles would be of two files."""
    a, _, left, right = _pair(tmp_path)
    made = gd.matmul(left, right)
    made.blocks[0].compute()
    np.save(left, a + 1)
    os.utime(left, ns=(1, 1))
    with pytest.raises(gp.ArgumentError, match=r"a\.npy has changed since the product was asked for; "):
        made.compute()


def test_what_is_refused(tmp_path: Path, client: Client) -> None:
    _, _, left, right = _pair(tmp_path)
    for arguments, message in (
        ((left, da.ones((2333, 5), dtype="f4")), "gd.matmul takes two dask.arrays or two files; make the file a "),
        ((left, left), r"gd.matmul takes shapes \(m, k\) and \(k, n\); "),
        ((left, tmp_path / "none.npy"), r"none\.npy cannot be read: "),
        ((left, saved(tmp_path, np.ones((2333, 5), "f8"), "f8.npy")), "gd.matmul takes matrices of one dtype; "),
        ((left, saved(tmp_path, np.ones(5, "f4"), "flat.npy")), "gd.matmul takes matrices; .*flat.npy has shape "),
    ):
        with pytest.raises(gp.ArgumentError, match=message):
            gd.matmul(*arguments)
    with pytest.raises(gp.ArgumentError, match="block must be a positive integer"):
        gd.matmul(left, right, block=0)


@pytest.mark.parametrize(
    ("rows", "columns", "workers", "most", "sides"),
    [
        (65536, 65536, 2, (1 << 31) - 1, (32768, 32768)),
        (65536, 65536, 1, (1 << 31) - 1, (21888, 65536)),
        (65536, 65536, 4, (1 << 31) - 1, (32768, 32768)),
        (1000, 10, 3, 1 << 20, (384, 10)),
        (10, 1000, 3, 1 << 20, (10, 384)),
        (1000, 1, 10, 1 << 20, (100, 1)),
        (1, 1, 5, 1 << 20, (1, 1)),
        (1000, 1000, 2, 100, (10, 10)),
        (1000, 1000, 2, 0, (0, 0)),
    ],
)
def test_sides_of_tiles(rows: int, columns: int, workers: int, most: int, sides: tuple[int, int]) -> None:
    assert tile_sides(rows, columns, workers, lambda height, width: height * width <= most) == sides


GPU = WorkerDevice("cuda:0", "any", "1", 100_000_000, 1 << 40, True, 1, 0)


@pytest.mark.parametrize(
    ("device", "dtype", "rows"),
    [
        (GPU, "f4", 3422),  # 80 % of the memory, and 8 / 9 of it: 4 bytes for an element, 16 for one of two panels
        (GPU._replace(memory=0, largest_array=5_000_000), "f8", 610),  # a panel of 1,024 columns
        (GPU._replace(memory=0, memory_limit=1 << 30), "f4", 20_823),  # 40 % of what the process leaves of the host's
        (GPU._replace(is_gpu=False), "f4", 132),  # 20 %, with the result and three buffers of the host
    ],
)
def test_tiles_fit_a_worker(device: WorkerDevice, dtype: str, rows: int) -> None:
    memory = TileMemory(5000, np.dtype(dtype), {"tcp://127.0.0.1:1": device})
    assert memory.fits(rows, 500) and not memory.fits(rows + 1, 500)


def test_workers_that_share_a_device_share_its_memory() -> None:
    where = {f"tcp://127.0.0.1:{port}": GPU for port in (1, 2)}
    assert not TileMemory(5000, np.dtype("f4"), where).fits(3422, 500)
    where["tcp://127.0.0.2:1"] = where.pop("tcp://127.0.0.1:2")
    assert TileMemory(5000, np.dtype("f4"), where).fits(3422, 500)


def test_a_side_that_is_too_large_names_one_that_fits(tmp_path: Path) -> None:
    _, _, left, right = _pair(tmp_path, shape=(4096, 8, 4096))
    where = {"tcp://127.0.0.1:1": GPU._replace(memory=10_000_000)}
    with pytest.raises(
        gp.ArgumentError, match=r"tiles of 4096 x 4096 are too large for cuda:0 of .*as in block=(\d+)"
    ) as seen:
        matmul_of_files(left, right, 4096, where)
    fitting = int(str(seen.value).rpartition("=")[2])
    assert matmul_of_files(left, right, fitting, where).chunksize == (fitting, fitting)
    with pytest.raises(gp.ArgumentError, match=r"too large .*more memory"):
        matmul_of_files(left, right, None, {"tcp://127.0.0.1:1": GPU._replace(memory=100)})


def test_no_worker_yet(tmp_path: Path) -> None:
    _, _, left, right = _pair(tmp_path)
    with pytest.raises(gp.ArgumentError, match=r"there is no worker.*wait_for_workers\(1\) before, or pass block="):
        matmul_of_files(left, right, None, {})
    assert matmul_of_files(left, right, 100, {}).chunks == ((100, 50), (77,))
