"""`gd.LocalDevices`, `gd.devices`, `gd.report`, the cost model, and what an import loads."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import dask.array as da
import numpy as np
import pytest
from distributed import Client, Worker

import gpucore as gp
import gpucore_dask as gd
from gpucore_dask import cost, splitting, worker_device
from gpucore_dask.bounds import STAGES


def test_each_worker_has_its_device_and_a_thread(client: Client) -> None:
    found = gd.devices(client)
    assert len(found) == 2 and set(found) == set(client.scheduler_info()["workers"])
    for device in found.values():
        assert (device.id, device.threads, device.is_gpu) == ("cpu:0", 1, False)
        assert device.name == gp.device("cpu").name
        assert device.largest_array == gp.device("cpu").limits.max_binding_size

    def read() -> tuple[str | None, str | None]:
        return os.environ.get("GPUCORE_BACKEND"), os.environ.get("GPUCORE_CPU_THREADS")

    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert set(client.run(read).values()) == {("cpu:0", str(max(1, processors // 2)))}


def test_a_worker_keeps_its_devices_memory_until_half_of_its_limit_is_taken(client: Client) -> None:
    def frees(limit: float, dask_worker: Worker) -> bool:
        calls: list[int] = []
        used = dask_worker.monitor.get_process_memory()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gp.Device, "free_memory", lambda _: calls.append(1))
            patch.setattr(dask_worker.memory_manager, "memory_limit", int(limit * used) or None)
            patch.setattr(worker_device, "get_worker", lambda: dask_worker)
            worker_device.give_back(worker_device.task_device())
        return bool(calls)

    assert [{*client.run(frees, limit).values()} for limit in (0.0, 1.5, 3.0)] == [{False}, {True}, {False}]


def test_it_listens_on_loopback_alone(client: Client) -> None:
    addresses = [client.scheduler.address, *client.scheduler_info()["workers"], client.dashboard_link]
    assert all("127.0.0.1:" in each for each in addresses)


def test_the_scheduler_knows_the_devices(client: Client) -> None:
    gd.devices(client)

    async def beat(dask_worker: object) -> None:
        await dask_worker.heartbeat()  # type: ignore[attr-defined]

    client.run(beat)
    metrics = [facts["metrics"] for facts in client.scheduler_info()["workers"].values()]
    assert [each["gpucore-device"] for each in metrics] == ["cpu:0", "cpu:0"]


def test_a_device_that_cannot_be_opened_is_an_error_within_the_block() -> None:
    with pytest.raises(RuntimeError, match="failed to start"), gd.LocalDevices(["cpu:7"]):
        pass


def test_a_report_says_how_time_was_spent(client: Client) -> None:
    shown = io.StringIO()
    values = da.random.default_rng(3).random(80_000, chunks=10_000, dtype=np.float32)
    with gd.report(bar=True, stream=shown) as seen:
        gd.sort(values).compute()
    stages = {stage.name: stage for stage in seen.stages}
    assert {name: stage.tasks for name, stage in stages.items()} == {
        "sort-run": 8, "sample": 8, "splitters": 1, "cuts": 8, "bounds": 1, "part": 64, "parted": 8, "ready": 1,
        "merge": 8, "tail": 7, "realign": 8,
    }  # fmt: skip
    assert all(stage.done == stage.tasks for stage in stages.values())
    assert stages["realign"].nbytes == 320_000
    assert set(stages) <= set(STAGES)
    assert seen.devices == ("cpu:0", "cpu:0") and seen.workers_lost == 0
    assert seen.uploaded == seen.downloaded == 2 * 320_000
    assert seen.spent.compute > 0 and seen.spent.link > 0 and seen.wall > 0
    assert sum(seen.spent) == pytest.approx(2 * seen.wall, rel=0.01) or seen.spent.engine == 0
    lines = shown.getvalue().splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [name for name in STAGES if name in stages]
    assert "[########################] 64/64" in shown.getvalue()
    assert lines[-1] == str(seen)


def test_the_cost_model_has_the_numbers_of_its_formulas() -> None:
    """A thousand workers: 1 TB in 1,000 chunks, and a product of 2^20 in blocks of 16384."""
    rates = cost.Rates(sort=6.5e9, flops=43e12, link=10e9, network=2e9, task=0.7e-3)
    sort = gd.sort_cost(250_000_000_000, 4, 1_000, 1_000, rates)
    assert sort.compute == pytest.approx(2 * 250e9 / (1_000 * 6.5e9))
    assert sort.link == pytest.approx(4 * 1e12 / (1_000 * 10e9))
    assert sort.network == pytest.approx((1 - 1 / 1_000 + 0.2) * 1e12 / (1_000 * 2e9))
    assert sort.tasks == 13_002 and sort.engine == pytest.approx(9.1, rel=0.01)
    product = gd.matmul_cost(1 << 20, 16_384, 1_000, rates)
    assert product.compute == pytest.approx(2 * 2**60 / (1_000 * 43e12))
    assert product.network == pytest.approx(8 * 2**40 / (1_000**0.5 * 2e9))
    assert product.tasks == 64**3 // 4
    assert cost.matmul_side(rates) == 17_200
    assert gd.sort_cost(1_000_000, 4, 1, 1, rates).network == 0
    with pytest.raises(gp.ArgumentError, match="the cost model takes a positive workers, not 0"):
        gd.sort_cost(10, 4, 0, 1)


def test_samples_are_no_more_than_the_model_says() -> None:
    for size, chunks in ((10_000, 10), (999, 10), (1_000_000, 37), (4_001, 4)):
        stretch = splitting.stretch_of(size, chunks)
        runs = np.array_split(np.arange(size, dtype=np.uint32), chunks)
        taken = sum(splitting.samples(run, stretch).keys.size for run in runs)
        assert size // stretch <= taken <= cost.num_samples(size, chunks)


def _loaded_after(statement: str) -> set[str]:
    code = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def test_importing_it_loads_nothing_and_using_it_no_device() -> None:
    alone = _loaded_after("import gpucore_dask")
    assert not alone & {"dask", "distributed", "numpy", "gpucore", "cloudpickle"}
    used = _loaded_after("import gpucore_dask as gd\nfor name in gd.__all__: getattr(gd, name)")
    assert "distributed" in used
    assert not used & {"gpucore_cpu", "gpucore_wgpu", "gpucore_opencl", "gpucore_cuda", "llvmlite", "wgpu", "pyopencl"}
    assert not used & {"pandas", "pyarrow", "dask.dataframe"}


def test_tasks_of_users_that_use_gpucore_are_sent() -> None:
    """Also where the program itself has used no name of it yet."""
    _loaded_after(
        "import cloudpickle\nimport gpucore as gp\nimport gpucore_dask as gd\n"
        "def task(): return gp.default_device().id\n"
        "gd.LocalDevices\ncloudpickle.dumps(task)"
    )


def test_its_names_are_listed_and_others_refused() -> None:
    assert set(gd.__all__) <= set(dir(gd))
    with pytest.raises(AttributeError, match="module 'gpucore_dask' has no attribute 'sorted'"):
        gd.sorted  # noqa: B018
