"""The device of a worker: one process, one thread, one device, which the environment of the process names.

`dask worker tcp://... --nthreads 1 --preload gpucore_dask.worker_device` opens the device before the worker joins, and
ends the worker if it cannot be opened. `gpucore_dask.LocalDevices` starts its workers so.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from distributed import Client, Worker, WorkerPlugin, get_worker

import gpucore as gp

VARIABLE = "GPUCORE_BACKEND"
METRIC = "gpucore-device"
"""Of a worker, as the scheduler has it: its device."""
_EXAMPLE = f"{VARIABLE}=cuda:0 dask worker tcp://... --nthreads 1 --preload gpucore_dask.worker_device"


class WorkerDevice(NamedTuple):
    """The device of one worker."""

    id: str
    name: str
    driver: str
    memory: int
    """Bytes of the device's memory; 0 if its backend does not know."""
    largest_array: int
    """Bytes that a kernel can bind."""
    is_gpu: bool
    threads: int
    """Tasks that the worker runs at a time."""
    memory_limit: int = 0
    """Bytes of the host's memory that the worker may take; 0 without a limit."""

    @property
    def model(self) -> tuple[str, str, str]:
        """What decides the bits of floats: the backend, the adapter and its driver."""
        return self.id.partition(":")[0], self.name, self.driver


def task_device() -> gp.Device:
    """The device of the worker that runs this task. ArgumentError if its environment names none."""
    if not os.environ.get(VARIABLE):
        raise gp.ArgumentError(
            f"this process, {os.getpid()}, names no device in {VARIABLE}; tasks of gpucore_dask run on workers with a "
            f"device each: start them by gd.LocalDevices([...]), or by `{_EXAMPLE}`"
        )
    return gp.default_device()


def give_back(device: gp.Device) -> None:
    """Free what a device keeps for the next task where it is memory of the host, which the worker's limit counts. A
    worker that has taken less than half of its limit keeps it: new memory costs the next task a fault for each page."""
    if device.kind is not gp.DeviceKind.GPU and _is_half_full():
        device.free_memory()


def _is_half_full() -> bool:
    try:
        worker = get_worker()
    except ValueError:  # not in a task
        return True
    limit = getattr(worker.memory_manager, "memory_limit", None)
    return limit is not None and worker.monitor.get_process_memory() > limit / 2


def describe_device(dask_worker: Worker) -> WorkerDevice:
    """The device of a worker, which opens it. For `client.run`."""
    device = task_device()
    return WorkerDevice(
        device.id,
        device.name,
        device.info.driver,
        device.info.memory,
        device.limits.max_binding_size,
        device.kind.value == "gpu",
        dask_worker.state.nthreads,
        getattr(dask_worker.memory_manager, "memory_limit", None) or 0,
    )


def devices(client: Client) -> dict[str, WorkerDevice]:
    """Address of each worker -> its device. ArgumentError if a worker has none, or runs several tasks at a time."""
    if client.asynchronous:
        raise gp.ArgumentError("gpucore_dask takes a Client that is not asynchronous: Client(address)")
    found: dict[str, WorkerDevice] = client.run(describe_device)
    for address, device in found.items():
        if device.threads != 1:
            raise gp.ArgumentError(
                f"the worker {address} has {device.threads} threads, which would share {device.id}; start it with "
                "--nthreads 1: a task has the device and its memory for itself"
            )
    return found


class DevicePlugin(WorkerPlugin):
    """Opens the device of each worker as it starts, and reports its id to the scheduler, with the worker's other
    metrics. A worker that cannot open it is closed.

    `client.register_plugin(gd.DevicePlugin())` is for clusters whose workers are started without the preload.
    """

    name = "gpucore-device"

    async def setup(self, worker: Worker) -> None:
        """Open the device."""
        try:
            _open(worker)
        except gp.GpucoreError as error:
            await worker.close(reason=f"gpucore-device: {error}")
            raise


def _open(worker: Worker) -> None:
    device = task_device()
    worker.metrics[METRIC] = lambda _: device.id


def dask_setup(worker: Any) -> None:
    """Called by `--preload gpucore_dask.worker_device` before the worker joins. Ends the process if the device cannot
    be opened: Dask would log another exception of a preload, and go on."""
    if isinstance(worker, Worker):  # not a nanny or a scheduler
        try:
            _open(worker)
        except gp.GpucoreError as error:
            raise SystemExit(f"gpucore_dask: this worker ends: {error}") from None
