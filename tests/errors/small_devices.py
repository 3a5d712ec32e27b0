"""A fake backend that has as little of everything as a device may have."""

from __future__ import annotations

import dataclasses

from fake_backend import FakeBackend

from gpucore.ir import Capability, Limits
from gpucore.runtime import DeviceInfo


@dataclasses.dataclass
class SmallBackend(FakeBackend):
    """One device, `small:0`: WebGPU's least limits (or `limits`) and no capability."""

    name: str = "small"
    capabilities: frozenset[Capability] = frozenset()
    limits: Limits = dataclasses.field(default_factory=Limits)

    def info(self, index: int) -> DeviceInfo:
        return dataclasses.replace(super().info(index), limits=self.limits)
