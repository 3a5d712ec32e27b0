"""Workers and a scheduler that are started by Dask's command line, and a program that uses them from another folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

import gpucore_dask as gd

PROGRAM = """
from __future__ import annotations

import sys

import dask.array as da
import gpucore as gp
import gpucore_dask as gd
import numpy as np
from distributed import Client

FACTOR = 3.0


def helper(value):
    return value * FACTOR


@gp.kernel
def scale(x: gp.In[gp.f32], a: gp.f32, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * helper(x[i])


def make(offset):
    @gp.kernel(workgroup_size=64)
    def add(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = helper(x[i]) + offset

    return add


client = Client(sys.argv[1])
x = np.arange(1000, dtype=np.float32)
blocks = da.from_array(x, chunks=300)
assert (gd.map_blocks(scale, blocks, 2.0, dtype="f4").compute() == 6 * x).all()
assert (gd.map_blocks(make(1.5), blocks, dtype="f4").compute() == 3 * x + 1.5).all()
assert (gd.sort(da.from_array(x[::-1].copy(), chunks=300)).compute() == x).all()
print("right")
"""


def _dask(*arguments: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("GPUCORE_BACKEND", "PYTHONPATH")}
    command = [sys.executable, "-m", "dask", *arguments]
    return subprocess.Popen(
        command, cwd=folder, env=inherited | environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a scheduler on loopback."""
    folder = tmp_path_factory.mktemp("scheduler")
    place = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(place))
    scheduler = _dask("scheduler", *options, folder=folder)
    try:
        for _ in range(300):
            if place.exists() and place.read_text().strip():
                break
            time.sleep(0.1)
        yield json.loads(place.read_text())["address"]
    finally:
        scheduler.terminate()
        scheduler.communicate()


def _worker(address: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    options = ("--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "20")
    preload = ("--preload", "gpucore_dask.worker_device")
    return _dask("worker", address, *options, *preload, "--no-nanny", folder=folder, **environment)


def test_kernels_of_a_program_run_on_a_worker_elsewhere(address: str, tmp_path: Path) -> None:
    """The worker has neither the program nor its folder, and the scheduler has no driver."""
    elsewhere, own = tmp_path / "elsewhere", tmp_path / "own"
    elsewhere.mkdir()
    own.mkdir()
    (own / "program.py").write_text(PROGRAM)
    worker = _worker(address, elsewhere, GPUCORE_BACKEND="cpu:0", GPUCORE_CPU_THREADS="1")
    try:
        with Client(address) as client:
            client.wait_for_workers(1, timeout=30)
            assert [device.id for device in gd.devices(client).values()] == ["cpu:0"]
            run = subprocess.run(
                [sys.executable, "program.py", address], cwd=own, capture_output=True, text=True, timeout=60
            )
            assert run.returncode == 0, run.stderr
            assert run.stdout == "right\n"
    finally:
        worker.terminate()
        worker.communicate()


@pytest.mark.parametrize(
    ("environment", "message"),
    [({}, "names no device in GPUCORE_BACKEND"), ({"GPUCORE_BACKEND": "cpu:7"}, "cpu:7")],
    ids=["none", "unknown"],
)
def test_a_worker_that_cannot_open_its_device_ends(
    environment: dict[str, str], message: str, address: str, tmp_path: Path
) -> None:
    worker = _worker(address, tmp_path, **environment)
    _, errors = worker.communicate(timeout=30)
    assert worker.returncode != 0
    assert message in errors
    with Client(address) as client:
        assert client.scheduler_info()["workers"] == {}
