"""`gd.report`: a bar for each stage while a computation runs, and how its time was spent.

All numbers are Dask's: states and bytes of groups of tasks from its scheduler, times from the fine metrics of its
workers, in which the tasks of gpucore_dask count uploads, computation and downloads.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import NamedTuple, TextIO

from distributed import Client, Scheduler, Worker

import gpucore as gp
from gpucore_dask.bounds import STAGES
from gpucore_dask.metering import COMPUTE, DOWNLOAD, UPLOAD
from gpucore_dask.refusals import current_client
from gpucore_dask.worker_device import devices

_STAGE = re.compile(r"gpucore-([a-z-]+?)-[0-9a-f]{32}")
_HOST = ("thread-cpu", "thread-noncpu", "disk-read", "disk-write", "serialize", "deserialize", "compress", "decompress")
_PAUSE = 0.2
_WIDTH = 24
_DONE = ("memory", "released", "forgotten", "erred")


class Stage(NamedTuple):
    """What a stage has done."""

    name: str
    done: int
    tasks: int
    nbytes: int
    """Of the results that its tasks have made."""


class Spent(NamedTuple):
    """How the workers spent their time: seconds, summed over all of them."""

    compute: float
    """Kernels, and the wait for them."""
    link: float
    """Uploads and downloads."""
    network: float
    """Receiving what other workers have. It overlaps with tasks."""
    host: float
    """The rest of tasks: copies by NumPy, spilling, pickling."""
    engine: float
    """What is left of wall time x workers: the scheduler, and waits for other workers. Less than the truth by what
    `network` overlaps with tasks."""


class Report:
    """What the block of `gd.report` did. It is complete when the block has ended."""

    def __init__(self, client: Client, bar: bool | None, stream: TextIO) -> None:
        self._client, self._stream = client, stream
        self._shows = stream.isatty() if bar is None else bar
        self._ended = threading.Event()
        self._drawn = 0
        self.devices: tuple[str, ...] = ()
        self.wall = 0.0
        self.stages: tuple[Stage, ...] = ()
        self.spent = Spent(0, 0, 0, 0, 0)
        self.uploaded = self.downloaded = self.sent = self.spilled = 0
        """Bytes: over device links, from workers to others and to the client, and on disk at the end."""
        self.workers_lost = 0

    def __enter__(self) -> Report:
        self._workers = devices(self._client)
        self.devices = tuple(device.id for device in self._workers.values())
        self._client.run(send_metrics)
        self._before = self._client.run_on_scheduler(fine_metrics)
        self._start, self._began = time.perf_counter(), time.time()
        self._watch = threading.Thread(target=self._draw_until_ended, daemon=True)
        if self._shows and self._stream.isatty():
            self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.wall = time.perf_counter() - self._start
        self._ended.set()
        if self._watch.is_alive():
            self._watch.join()
        self._client.run(send_metrics, on_error="ignore")  # of a worker that ends
        after = self._client.run_on_scheduler(fine_metrics)
        self._read({key: value - self._before.get(key, 0) for key, value in after.items()})
        self.stages = self._stages()
        facts = self._client.run_on_scheduler(worker_facts)
        self.workers_lost = len(self._workers.keys() - facts.keys())
        self.spilled = sum(facts.values())
        if self._shows:
            self._draw()
            self._stream.write(f"{self}\n")

    def __str__(self) -> str:
        total = max(sum(self.spent), 1e-9)
        shares = ", ".join(f"{name} {100 * each / total:.0f} %" for name, each in self.spent._asdict().items())
        lost = f", {self.workers_lost} workers lost" if self.workers_lost else ""
        return (
            f"{self.wall:.2f} s on {', '.join(self.devices)}: {shares}; up {_bytes(self.uploaded)}, down "
            f"{_bytes(self.downloaded)}, sent {_bytes(self.sent)}, spilled {_bytes(self.spilled)}{lost}"
        )

    def _read(self, metrics: Mapping[tuple[str, ...], float]) -> None:
        def total(activity: str, *steps: str, unit: str = "seconds") -> float:
            found = (v for k, v in metrics.items() if k[0] == activity and k[-1] == unit and k[-2] in steps)
            return max(sum(found), 0.0)

        compute, link = total("execute", COMPUTE), total("execute", UPLOAD, DOWNLOAD)
        network, host = total("gather-dep", "network"), total("execute", *_HOST)
        left = self.wall * len(self._workers) - compute - link - network - host
        self.spent = Spent(compute, link, network, host, max(left, 0.0))
        self.uploaded = round(total("execute", UPLOAD, unit="bytes"))
        self.downloaded = round(total("execute", DOWNLOAD, unit="bytes"))
        self.sent = round(total("get-data", "memory-read", unit="bytes"))

    def _stages(self) -> tuple[Stage, ...]:
        found: dict[str, Stage] = {}
        for name, states, nbytes in self._client.run_on_scheduler(task_groups, since=self._began):
            match = _STAGE.search(name)
            if match is None:
                continue
            stage = match[1].partition("-gpucore-")[0].partition("-shuffle-transfer")[0]
            old = found.get(stage, Stage(stage, 0, 0, 0))
            done = sum(states.get(state, 0) for state in _DONE)
            found[stage] = Stage(stage, old.done + done, old.tasks + sum(states.values()), old.nbytes + nbytes)
        return tuple(sorted(found.values(), key=lambda each: STAGES.index(each.name) if each.name in STAGES else -1))

    def _draw_until_ended(self) -> None:
        while not self._ended.wait(_PAUSE):
            self.stages = self._stages()
            self._draw()

    def _draw(self) -> None:
        """Write a line for each stage over those that were written before."""
        seconds = max(time.perf_counter() - self._start, 1e-9)
        back = f"\x1b[{self._drawn}A" if self._drawn and self._stream.isatty() else ""
        lines = [f"\x1b[2K{_line(stage, seconds)}" if back else _line(stage, seconds) for stage in self.stages]
        self._drawn = len(lines)
        self._stream.write(back + "".join(f"{line}\n" for line in lines))
        self._stream.flush()


def report(client: Client | None = None, *, bar: bool | None = None, stream: TextIO | None = None) -> Report:
    """A context that watches what is computed in it, on the workers of a client (default: Dask's default client).

        with gd.report() as seen:
            y = gd.sort(x).compute()
        print(seen)                 # devices, wall time, how it was spent, bytes

    `bar` shows a bar for each stage and the summary on `stream`, by default if that is a terminal; `stream` is
    sys.stderr if it is not given. The numbers are those of the whole cluster in that time.
    """
    chosen = current_client("report") if client is None else client
    if bar is not None and not isinstance(bar, bool):
        raise gp.ArgumentError(f"gd.report: bar must be True, False or None, not {bar!r}")
    return Report(chosen, bar, sys.stderr if stream is None else stream)


async def send_metrics(dask_worker: Worker) -> None:
    """Send the metrics of a worker at once, rather than with its next heartbeat. For `client.run`."""
    await dask_worker.heartbeat()


def fine_metrics(dask_scheduler: Scheduler) -> dict[tuple[str, ...], float]:
    """The fine metrics of all workers. For `client.run_on_scheduler`."""
    found = dask_scheduler.cumulative_worker_metrics
    return {key: value for key, value in found.items() if isinstance(key, tuple)}


def worker_facts(dask_scheduler: Scheduler) -> dict[str, int]:
    """Address of each worker -> bytes that it has on disk. For `client.run_on_scheduler`."""
    return {
        address: int(state.metrics.get("spilled_bytes", {}).get("disk", 0))
        for address, state in dask_scheduler.workers.items()
    }


def task_groups(since: float, dask_scheduler: Scheduler) -> list[tuple[str, dict[str, int], int]]:
    """Name, states and bytes of the groups of tasks since a time. For `client.run_on_scheduler`."""
    return [
        (group.name, {str(state): count for state, count in group.states.items()}, group.nbytes_total)
        for computation in dask_scheduler.computations
        if computation.start >= since or computation.stop >= since
        for group in computation.groups
    ]


def _line(stage: Stage, seconds: float) -> str:
    filled = _WIDTH * stage.done // max(stage.tasks, 1)
    bar = "#" * filled + "." * (_WIDTH - filled)
    return (
        f"{stage.name:<12} [{bar}] {stage.done}/{stage.tasks}  {_bytes(stage.nbytes)}  "
        f"{stage.nbytes / seconds / 1e9:.2f} GB/s"
    )


def _bytes(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"
