"""A backend of somebody else that has shapes for its device: the simulator, which says that it is a GPU."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gpucore as gp
from gpucore.runtime import Buffer, Device, DeviceInfo, DeviceKind, Pipeline, ProbeResult, ProbeStatus
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

Launch = tuple[int, tuple[int, int, int]]
"""Invocations of a workgroup, and workgroups."""


class CountedDevice(SimulatorDevice):
    """Keeps what is launched."""

    def __init__(self, info: DeviceInfo, launches: list[Launch]) -> None:
        super().__init__()
        self.info, self.launches = info, launches

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        self.launches.append((pipeline.source.workgroup_size[0], workgroups))
        super().dispatch(pipeline, buffers, scalars, workgroups)


class ShippingBackend(SimulatorBackend):
    """Gives one answer, or raises it. Keeps for which devices it was asked, and what they launched."""

    name = "ships"
    settings = frozenset()

    def __init__(self, answer: Any, **limits: int) -> None:
        self.answer, self.limits = answer, limits
        self.asked: list[DeviceInfo] = []
        self.launches: list[Launch] = []

    def info(self) -> DeviceInfo:
        """A GPU without units for matrices, on which no copies end later."""
        made = device_info(capabilities=frozenset())
        limits = dataclasses.replace(made.limits, **self.limits)
        return dataclasses.replace(made, id="ships:0", backend="ships", kind=DeviceKind.GPU, limits=limits)

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self.info(),))

    def open(self, index: int) -> Device:
        super().open(index).close()
        return CountedDevice(self.info(), self.launches)

    def shapes_for(self, info: DeviceInfo) -> str:
        self.asked.append(info)
        if isinstance(self.answer, BaseException):
            raise self.answer
        answer: str = self.answer
        return answer


@contextmanager
def opened(backend: ShippingBackend) -> Iterator[gp.Device]:
    """The device of a backend, which is registered for the block."""
    gp.register_backend(backend)
    try:
        with gp.device("ships") as device:
            yield device
    finally:
        gp.unregister_backend("ships")
