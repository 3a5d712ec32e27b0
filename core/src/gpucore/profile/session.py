"""`gp.profile`: measures what the devices do while a block runs."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterable
from typing import Any

from gpucore import observer
from gpucore.device import Device, open_devices
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError, GpucoreError
from gpucore.host import host_only
from gpucore.profile.queue import Queue, Work
from gpucore.profile.results import KERNEL, ProfileRow, Total, lines_under, table_of, text_of, timestamps_of
from gpucore.profile.trace import Trace
from gpucore.runtime.protocol import DeviceInfo
from gpucore.version import __version__

_starting = threading.Lock()


@host_only
def profile(device: str | DeviceInfo | Device | Iterable[str | DeviceInfo | Device] | None = None) -> Profile:
    """Measure the kernels, copies and compilations of a `with` block, in all threads.

        with gp.profile() as profile:
            gp.sort(gp.random.uniform(1000, seed=1))
        print(profile)
        profile.save("trace.json")

    `device` names one device or several, as for `gp.device`; without it all that are open, or are opened in the block,
    are measured. The order of the work and its results stay the same; launches take longer (docs/profiling.md).

    Raises at the start of the block ArgumentError if a profile is on already, as there is one at a time in a process,
    and what `gp.device` raises. The end of the block waits for the devices, and raises DeviceError if work failed and
    nothing in the block has waited for it.
    """
    return Profile(device)


class Profile:
    """What a block did on devices. `print` shows a table: a row for each kernel, and one for each kind of copy, on each
    device, the most device time first. Made by `gp.profile`."""

    def __init__(self, device: Any = None) -> None:
        self._named = device
        self._ids: set[str] | None = None  # of the devices; None for all
        self._lock = threading.RLock()
        self._mine = threading.local()
        self._began = self._ended = 0.0
        self._totals: dict[tuple[str, str, str], Total] = {}
        self._queues: list[Queue] = []  # while it is on
        self._devices: dict[str, DeviceInfo] = {}
        self._trace = Trace(0.0)

    def __enter__(self) -> Profile:
        named = self._named
        if named is not None:
            several = isinstance(named, Iterable) and not isinstance(named, str)
            devices = [open_device(each) for each in (named if several else [named])]
            self._ids = {each.id for each in devices}
        with _starting:
            if observer.current is not None:
                raise ArgumentError(
                    "a profile is on already, in this thread or another one; there is one at a time in a process: end "
                    "its `with` block first, or use its results"
                )
            if self._began:
                raise ArgumentError("this profile has been used; make another one with gp.profile()")
            self._began = time.perf_counter()
            self._trace = Trace(self._began)
            observer.current = self
        try:
            for each in devices if named is not None else open_devices():
                self.opened(each)
        except BaseException:
            self._detach()
            raise
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if observer.current is not self:  # in a forked child
            return
        self._detach()
        failure: GpucoreError | None = None
        try:
            for queue in self._queues:
                if queue.device.driver_device.is_usable:
                    with queue.device.lock:
                        queue.end()
                        failure = failure or queue.take_failure()
        finally:
            self._ended = time.perf_counter()
            self._queues.clear()  # which would keep devices that are closed
        if failure is not None and error is None:
            raise failure
        if failure is not None and error is not None:
            error.add_note(f"work in the profiled block failed, too: {failure}")

    def _detach(self) -> None:
        """Measure nothing that is queued from now on."""
        observer.current = None
        with self._lock:
            queues = [*self._queues]
        for queue in queues:
            with queue.device.lock:
                queue.device.driver_device.profiler = None

    # ---------------------------------------------------------------- results

    @property
    def seconds(self) -> float:
        """Seconds from the start of the block to the end of its work; 0 before the block."""
        return (self._ended or time.perf_counter()) - self._began if self._began else 0.0

    @property
    def kernels(self) -> list[ProfileRow]:
        """A row for each kernel on each device, the most device time first."""
        return [row for row in self._rows() if row.kind == KERNEL]

    @property
    def transfers(self) -> list[ProfileRow]:
        """A row for the uploads, one for the downloads, and one for the copies on the device, of each device."""
        return [row for row in self._rows() if row.kind != KERNEL]

    def _rows(self) -> list[ProfileRow]:
        with self._lock:
            seconds = sum(total.seconds for total in self._totals.values())
            rows = [
                total.row(kind, name, device, timestamps_of(self._devices[device]), seconds)
                for (kind, name, device), total in self._totals.items()
            ]
        return sorted(rows, key=lambda row: (-row.seconds, -row.compile_seconds))

    def _busy(self) -> dict[str, float]:
        """The device time of each device."""
        busy = dict.fromkeys(self._devices, 0.0)
        for row in self._rows():
            busy[row.device] += row.seconds
        return busy

    def __str__(self) -> str:
        cells, lines = self.table()
        return "\n".join([text_of(cells), "", *lines])

    def __repr__(self) -> str:
        rows = self._rows()
        calls = sum(row.calls for row in rows if row.kind == KERNEL)
        return f"<profile: {calls} calls of {len(self.kernels)} kernels in {self.seconds:.3g} s>"

    def table(self) -> tuple[list[list[str]], list[str]]:
        """The cells of the table, and the lines under it."""
        rows = self._rows()
        has_host_times = any(row.timestamps == "host" for row in rows)
        return table_of(rows), lines_under(self.seconds, self._busy(), has_host_times)

    def to_json(self) -> dict[str, Any]:
        """The table as plain data: `seconds`, and lists of dicts: `devices` (id, name, timestamps, seconds of device
        time), `kernels` and `transfers` with the fields of a row."""
        busy = self._busy()
        return {
            "gpucore": __version__,
            "seconds": self.seconds,
            "devices": [
                {"id": id, "name": info.name, "timestamps": timestamps_of(info), "seconds": busy[id]}
                for id, info in self._devices.items()
            ],
            "kernels": [row.to_json() for row in self.kernels],
            "transfers": [row.to_json() for row in self.transfers],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a trace in the Chrome trace event format, for https://ui.perfetto.dev or chrome://tracing: a lane for
        each host thread (launches, compilations, waits, copies), and one for the queue of each device. Raises OSError
        if the file cannot be written."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._trace.to_json(), file)

    # ---------------------------------------------------------------- what is told to a profile that is on

    def opened(self, device: Device) -> None:
        """Measure a device, if it is one of those that were named."""
        with self._lock:
            is_known = any(queue.device is device for queue in self._queues)
            if is_known or not (self._ids is None or device.id in self._ids) or not device.driver_device.is_usable:
                return
            queue = Queue(device, self)
            self._trace.add_device(device.id, device.name)
            self._devices[device.id] = device.info
            self._queues.append(queue)
        with device.lock:
            if observer.current is self:  # it may have ended meanwhile
                device.driver_device.profiler = queue

    def queued(self, device: str, work: Work, began: float, ended: float) -> None:
        """This thread has queued work."""
        facts = {"device": device, "bytes": work.bytes_read + work.bytes_written}
        if work.kind == KERNEL:
            self._trace.add_host(f"launch {work.name}", "launch", began, ended, **facts)
        else:
            self._trace.add_host(work.name, "transfer", began, ended, **facts)

    def ran(self, device: str, work: Work, began: float, seconds: float | None) -> None:
        """A device has done work."""
        with self._lock:
            self._total(work.kind, work.name, device).add(seconds or 0.0, work.bytes_read, work.bytes_written)
        if seconds is not None:
            facts = {"bytes read": work.bytes_read, "bytes written": work.bytes_written, **work.facts}
            self._trace.add_work(device, work.name, work.kind, began, seconds, **facts)

    def compiled(self, kernel: str, device: str, began: float, ended: float, is_saved: bool) -> None:
        """This thread has compiled a kernel. What it lowered before that belongs to it."""
        lowered, lowered_until, seconds = getattr(self._mine, "lowered", ("", 0.0, 0.0))
        self._mine.lowered = "", 0.0, 0.0
        if device not in self._devices:
            return
        with self._lock:
            total = self._total(KERNEL, kernel, device)
            total.compiles += 1
            total.saved_compiles += is_saved
            total.compile_seconds += ended - began
            if lowered == kernel and lowered_until <= began:
                total.compile_seconds += seconds
        name = f"{'load' if is_saved else 'compile'} {kernel}"
        self._trace.add_host(name, "compile", began, ended, device=device, **{"from disk": is_saved})

    def spent(self, what: str, name: str, device: str, began: float, ended: float) -> None:
        """This thread did something else: it lowered a kernel, ran a driver's compiler, waited, or read times."""
        if what == "lower":
            self._mine.lowered = name, ended, ended - began
        elif device not in self._devices:
            return
        shown = {"lower": f"lower {name}", "driver": f"driver compiles {name}", "wait": f"wait for {name}"}
        category = "compile" if what in ("lower", "driver") else what
        self._trace.add_host(shown.get(what, name), category, began, ended, **({"device": device} if device else {}))

    def _total(self, kind: str, name: str, device: str) -> Total:
        return self._totals.setdefault((kind, name, device), Total())
