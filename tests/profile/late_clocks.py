"""Backends without timestamps, made of the simulator: each dispatch takes 5 ms, after the host has queued it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gpucore.errors import DispatchError
from gpucore.runtime import Buffer, Device, DeviceInfo, Mark, Pipeline, ProbeResult, ProbeStatus
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

SECONDS = 5e-3


class LateMark(Mark):
    """Its time is that when it was placed, or when it was first found done."""

    def __init__(self, ready: float, at_once: bool, failure: DispatchError | None) -> None:
        self.ready, self.failure = ready, failure
        self.time = time.perf_counter() if at_once else 0.0

    def is_done(self) -> bool:
        if time.perf_counter() < self.ready:
            return False
        self.time = self.time or time.perf_counter()
        if self.failure is not None:
            raise self.failure
        return True


class LateDevice(SimulatorDevice):
    memory_space = None

    def __init__(self, info: DeviceInfo, at_once: bool) -> None:
        super().__init__()
        self.info, self.at_once, self.ready = info, at_once, 0.0
        self.planned: DispatchError | None = None
        self.failure: DispatchError | None = None

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        super().dispatch(pipeline, buffers, scalars, workgroups)
        self.ready = max(self.ready, time.perf_counter()) + SECONDS
        self.failure, self.planned = self.planned, None

    def fail_at_launch(self, text: str) -> None:
        """The first mark after the next dispatch raises this, and no other."""
        self.planned = DispatchError(text)

    def mark(self) -> Mark:  # type: ignore[override]  # another class of marks
        failure, self.failure = self.failure, None
        return LateMark(self.ready, self.at_once, failure)

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, LateMark) and isinstance(end, LateMark)
        return end.time - start.time


class LateBackend(SimulatorBackend):
    """`at_once`: marks have the time when they were placed."""

    settings = None

    def __init__(self, name: str, at_once: bool) -> None:
        self.name, self._at_once = name, at_once
        facts = device_info()
        self._info = DeviceInfo(
            f"{name}:0", name, 0, facts.name, facts.kind, facts.driver, "", facts.capabilities, facts.limits,
            facts.details,
        )  # fmt: skip

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self._info,))

    def open(self, index: int) -> Device:
        return LateDevice(self._info, self._at_once)
