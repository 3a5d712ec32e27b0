"""A cluster on this machine: a worker process for each device."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import dask
from dask.utils import parse_bytes
from distributed import Client, Nanny, Scheduler, SpecCluster
from distributed.system import MEMORY_LIMIT

import gpucore as gp
from gpucore_dask.bounds import PROCESS
from gpucore_dask.worker_device import VARIABLE

LOOPBACK = "127.0.0.1"
_TARGET, _DEFAULT_TARGET, _LEAST_TARGET = "distributed.worker.memory.target", 0.6, 0.1
_KEPT = 2 * PROCESS
"""Bytes of a worker's limit that no spilling frees: of the process and of a task."""


class LocalDevices:
    """A cluster on this machine, with one worker process and thread for each device, on loopback.

        with gd.LocalDevices(["cuda:0", "cuda:1"]) as client:
            ...

    Devices are named as for `gp.device`; a name may come several times. `memory_limit` is for the host memory of each
    worker: above it, it spills to `local_directory` (default: Dask's); by default the machine's memory is divided.
    `threads` are those of each worker on the cpu device; by default the processors are divided among these. The
    dashboard of Dask is at `client.dashboard_link`.

    Raises RuntimeError if a worker cannot open its device.
    """

    def __init__(
        self,
        devices: Sequence[str],
        *,
        memory_limit: int | str | None = None,
        local_directory: str | None = None,
        threads: int | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        if isinstance(devices, str) or not devices or not all(isinstance(each, str) for each in devices):
            raise gp.ArgumentError(f'LocalDevices takes a list of ids, as ["cuda:0", "cuda:1"], not {devices!r}')
        self.devices = tuple(devices)
        on_cpu = sum(_is_cpu(each) for each in devices)
        shared = {"GPUCORE_CPU_THREADS": str(threads or max(1, num_processors() // max(on_cpu, 1)))}
        options = {
            "nthreads": 1,
            "host": LOOPBACK,
            **_memory(int(MEMORY_LIMIT / len(devices)) if memory_limit in (None, "auto") else memory_limit),
            "local_directory": local_directory,
            "preload": ["gpucore_dask.worker_device"],
            "dashboard_address": f"{LOOPBACK}:0",
            "silence_logs": logging.WARNING,
        }
        self._workers = {
            number: {"cls": Nanny, "options": options | {"env": shared | {VARIABLE: each} | (environment or {})}}
            for number, each in enumerate(devices)
        }
        self.cluster: SpecCluster | None = None
        self.client: Client | None = None

    def __enter__(self) -> Client:
        """Start the workers. Returns a client, which is Dask's default in the block."""
        scheduler = {"cls": Scheduler, "options": {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0"}}
        self.cluster = SpecCluster(
            scheduler=scheduler, workers=self._workers, name="gpucore", silence_logs=logging.WARNING
        )
        try:
            self.client = Client(self.cluster)
            self.client.wait_for_workers(len(self.devices), timeout=60)
        except BaseException:
            self.close()
            raise
        return self.client

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        for each in (self.client, self.cluster):
            if each is not None:
                each.close()
        self.client = self.cluster = None


def _memory(limit: int | str) -> dict[str, Any]:
    """A worker's limit, and the part of it above which results are spilled. By Dask's default it is 60 %, and the
    process beside it may be more than the rest of a small limit."""
    try:
        nbytes = -1 if isinstance(limit, (bool, float)) else parse_bytes(limit)
    except (TypeError, ValueError, AttributeError):
        nbytes = -1
    if nbytes < 0:
        raise gp.ArgumentError(
            f'LocalDevices: memory_limit is bytes for each worker, as 4 << 30 or "4GiB" (0: no limit), not {limit!r}'
        )
    chosen = dask.config.get(_TARGET)
    if chosen == _DEFAULT_TARGET and nbytes:
        chosen = _DEFAULT_TARGET * max(_LEAST_TARGET, 1 - _KEPT / nbytes)
    return {"memory_limit": limit, "config": {_TARGET: chosen}}


def _is_cpu(device: str) -> bool:
    return device.partition(":")[0] == "cpu"


def num_processors() -> int:
    """That this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
