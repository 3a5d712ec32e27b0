"""Workers that are killed, memory that does not suffice, devices that differ."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, SchedulerPlugin, wait
from distributed.client import FutureCancelledError
from nine_inputs import make
from stream_files import saved

import gpucore as gp
import gpucore_dask as gd
from gpucore.testing import require_device

STAGES = ["sort-run", "sample", "splitters", "cuts", "bounds", "part", "merge", "tail", "realign"]


class KillOnce(SchedulerPlugin):
    """Kills the worker that has finished the first task of a stage, before it can give the result away."""

    name = "kill-once"

    def __init__(self, stage: str, processes: dict[str, int]) -> None:
        self.stage, self.processes = stage, processes
        self.killed = ""

    def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
        name = str(key[0]) if isinstance(key, tuple) else str(key)
        if finish == "memory" and f"gpucore-{self.stage}-" in name and not self.killed:
            self.killed = kwargs["worker"]
            os.kill(self.processes[self.killed], signal.SIGKILL)


@contextlib.contextmanager
def _killing(client: Client, stage: str) -> Iterator[KillOnce]:
    client.wait_for_workers(2, timeout=30)
    plugin = KillOnce(stage, client.run(os.getpid))
    scheduler = client.cluster.scheduler
    scheduler.add_plugin(plugin)
    try:
        yield plugin
    finally:
        scheduler.remove_plugin(plugin.name)


@pytest.fixture(scope="module")
def mortals() -> Iterator[Client]:
    """Two workers that tests kill. A worker that is lost twice within this time is given up by Dask for good."""
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with patient, gd.LocalDevices(["cpu:0", "cpu:0"]) as made:
        yield made


@pytest.mark.parametrize("stage", STAGES)
def test_a_worker_killed_in_a_stage_of_a_sort_loses_nothing(stage: str, mortals: Client) -> None:
    values = make("special", 30_000, seed=STAGES.index(stage))
    made = gd.sort(da.from_array(values, chunks=7_500))
    with _killing(mortals, stage) as plugin:
        result = made.compute()
    assert plugin.killed
    np.testing.assert_array_equal(result.view("u4"), gp.sort(values, device="cpu").view("u4"))


def test_a_worker_killed_in_a_product_loses_nothing(mortals: Client) -> None:
    random = np.random.default_rng(5)
    a, b = (random.integers(-9, 10, (96, 96)).astype(np.float32) for _ in range(2))
    made = gd.matmul(da.from_array(a, chunks=16), da.from_array(b, chunks=16))
    with _killing(mortals, "panel") as plugin, gd.report() as seen:
        result = made.compute()
    assert plugin.killed and seen.workers_lost == 1
    np.testing.assert_array_equal(result, a @ b)


def test_a_worker_killed_in_a_product_of_files_loses_nothing(tmp_path: Path, mortals: Client) -> None:
    random = np.random.default_rng(5)
    a, b = (random.integers(-9, 10, (96, 96)).astype(np.float32) for _ in range(2))
    made = gd.matmul(saved(tmp_path, a, "a.npy"), saved(tmp_path, b, "b.npy"), block=32)
    with _killing(mortals, "tile") as plugin:
        result = made.compute()
    assert plugin.killed
    np.testing.assert_array_equal(result, a @ b)


def test_scattered_data_is_not_made_again(mortals: Client) -> None:
    """It has no recipe: an error, not a wrong result."""
    mortals.wait_for_workers(2, timeout=30)
    values = make("normal", 8_000)
    futures = mortals.scatter(np.array_split(values, 4))
    arrays = [da.from_delayed(future, (2_000,), np.float32) for future in futures]
    made = gd.sort(da.concatenate(arrays))
    with _killing(mortals, "sort-run"), pytest.raises(FutureCancelledError):
        made.compute()


def _spilled(client: Client) -> int:
    def read(dask_worker: Any) -> int:
        return int(dask_worker.data.spilled_total.disk)

    return sum(client.run(read).values())


def test_what_does_not_fit_is_spilled() -> None:
    """Workers keep 6 MB each in memory, and the array has 16 MB: on disk at the end is what a result needs."""
    memory = {"target": 0.02, "spill": False, "pause": False, "terminate": False, "max-spill": "2 GiB"}
    early = dask.config.set({f"distributed.worker.memory.{name}": value for name, value in memory.items()})
    with early, gd.LocalDevices(["cpu:0", "cpu:0"], memory_limit="300MB") as client:
        values = da.random.default_rng(8).random(4_000_000, chunks=500_000, dtype=np.float32)
        made = gd.sort(values).persist()
        wait(made)
        assert _spilled(client) > 2e6
        np.testing.assert_array_equal(made.compute(), np.sort(values.compute()))


def test_two_devices_give_the_same_bits() -> None:
    """A processor, and the same by OpenCL: sorts agree, sums of floats need not."""
    require_device("opencl")
    with gd.LocalDevices(["cpu:0", "opencl:0"]) as client:
        assert sorted(device.id for device in gd.devices(client).values()) == ["cpu:0", "opencl:0"]
        values = make("special", 20_000)
        result = gd.sort(da.from_array(values, chunks=5_000)).compute()
        np.testing.assert_array_equal(result.view("u4"), gp.sort(values, device="cpu").view("u4"))
        a = np.arange(48, dtype=np.float32).reshape(6, 8)
        left, right = da.from_array(a, chunks=4), da.from_array(a.T.copy(), chunks=4)
        with pytest.raises(gp.ArgumentError) as raised:
            gd.matmul(left, right)
        assert str(raised.value).startswith(
            "gd.matmul: the workers have devices of several models, whose sums of floats differ in their last bits: "
        )
        assert str(raised.value).endswith("; use workers of one model, or pass mixed=True")
        np.testing.assert_array_equal(gd.matmul(left, right, mixed=True).compute(), a @ a.T)


@pytest.mark.large
def test_a_product_whose_matrices_do_not_fit() -> None:
    """972 MiB of matrices in two workers of 400 MiB: whole numbers, of which sums are exact; some rows are checked."""
    side, block = 9_216, 1_024
    with gd.LocalDevices(["cpu:0", "cpu:0"], memory_limit="400MiB") as client:
        a, b = (
            da.random.default_rng(seed).integers(-3, 4, (side, side), chunks=block).astype(np.float32)
            for seed in (1, 2)
        )
        made = gd.matmul(a, b).persist()
        wait(made)
        assert _spilled(client) > 0
        rows = a[:2].compute().astype(np.float64)
        wanted = da.dot(da.from_array(rows, chunks=(2, block)), b.astype(np.float64)).compute()
        np.testing.assert_array_equal(made[:2].compute(), wanted)


@pytest.mark.large
def test_a_product_of_a_file_of_four_times_the_memory_of_both_workers(tmp_path: Path) -> None:
    """3.2 GB in two workers of 400 MiB: whole numbers, of which sums are exact."""
    rows, inner, columns, step = 8_192, 102_400, 200, 1_024
    a = np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.float32, (rows, inner))
    random = np.random.default_rng(3)
    b = random.integers(-3, 4, (inner, columns)).astype(np.float32)
    wanted = np.empty((rows, columns), np.float32)
    for start in range(0, rows, step):
        band = random.integers(-3, 4, (step, inner), dtype=np.int8).astype(np.float32)
        a[start : start + step], wanted[start : start + step] = band, band @ b
    del a
    with gd.LocalDevices(["cpu:0", "cpu:0"], memory_limit="400MiB") as client:
        with gd.report() as seen:
            made = gd.matmul(tmp_path / "a.npy", saved(tmp_path, b, "b.npy"), block=step).persist()
            wait(made)
        assert seen.workers_lost == 0 and len(gd.devices(client)) == 2
        np.testing.assert_array_equal(made.compute(), wanted)


@pytest.mark.large
def test_a_sort_of_four_times_the_memory_of_both_workers(tmp_path: Path) -> None:
    """8 GiB in two workers of 1 GiB: four minutes, and 24 GB on disk. The result is in order, with the same sum."""
    if shutil.disk_usage(tmp_path).free < 32 << 30:
        pytest.skip("the folder of temporary files has less than 32 GiB free")
    with gd.LocalDevices(["cpu:0", "cpu:0"], memory_limit="1GiB", local_directory=str(tmp_path)) as client:
        random = da.random.default_rng(8)
        values = random.integers(0, 1 << 32, 1 << 31, chunks=12 << 20, dtype=np.uint32)
        made = gd.sort(values, exchange="tasks").persist()
        wait(made)
        falls = da.map_overlap(
            lambda x: np.atleast_1d((x[1:] < x[:-1]).any()), made, depth=1, boundary="none", trim=False, dtype=bool,
            chunks=((1,) * made.npartitions,),
        )  # fmt: skip
        assert not bool(falls.any().compute())
        assert int(made.sum(dtype=np.uint64).compute()) == int(values.sum(dtype=np.uint64).compute())
        assert len(client.scheduler_info()["workers"]) == 2
