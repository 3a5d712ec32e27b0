"""Backends made of the simulator whose dispatches take 5 ms after the host has queued them.

The time of a mark is that when it was "placed", or when it was first "found" done, both without timestamps; or "true".
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence

from gpucore.errors import DispatchError
from gpucore.runtime import Buffer, Device, DeviceInfo, Mark, Pipeline, ProbeResult, ProbeStatus
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

SECONDS = 5e-3


class LateMark(Mark):
    def __init__(self, ready: float, kind: str, failure: DispatchError | None) -> None:
        self.ready, self.failure = ready, failure
        now = time.perf_counter()
        self.time = {"placed": now, "found": 0.0, "true": max(now, ready)}[kind]

    def is_done(self) -> bool:
        if time.perf_counter() < self.ready:
            return False
        self.time = self.time or time.perf_counter()
        if self.failure is not None:
            raise self.failure
        return True


class LateDevice(SimulatorDevice):
    memory_space = None

    def __init__(self, info: DeviceInfo, kind: str) -> None:
        super().__init__()
        self.info, self.kind, self.ready, self.seconds = info, kind, 0.0, SECONDS
        self.planned: list[DispatchError] = []
        self.failures: list[DispatchError] = []
        self.marks: weakref.WeakSet[Mark] = weakref.WeakSet()
        self.most_marks = 0  # at a time

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        super().dispatch(pipeline, buffers, scalars, workgroups)
        self.ready = max(self.ready, time.perf_counter()) + self.seconds
        self.failures, self.planned = self.planned, []

    def fail_at_launch(self, text: str, times: int = 1) -> None:
        """So many marks after the next dispatch raise this, and no others."""
        self.planned = [DispatchError(text)] * times

    def mark(self) -> Mark:  # type: ignore[override]  # another class of marks
        mark = LateMark(self.ready, self.kind, self.failures.pop() if self.failures else None)
        self.marks.add(mark)
        self.most_marks = max(self.most_marks, len(self.marks))
        return mark

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, LateMark) and isinstance(end, LateMark)
        return end.time - start.time


class LateBackend(SimulatorBackend):
    settings = None

    def __init__(self, kind: str) -> None:
        self.name, self._kind = f"late_{kind}", kind
        name = self.name
        facts = device_info()
        self._info = DeviceInfo(
            f"{name}:0", name, 0, facts.name, facts.kind, facts.driver, "", facts.capabilities, facts.limits,
            (("timestamps", "device" if kind == "true" else "host"),),
        )  # fmt: skip

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self._info,))

    def open(self, index: int) -> Device:
        return LateDevice(self._info, self._kind)
