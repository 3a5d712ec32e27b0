"""Software devices take the combinations of dtypes and variants by turns: most of the time of tests is compilation.

Together they have all of them. GPUs have all of them each, and so has every device with --run-large.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import gpucore as gp

ORDER = {"cpu": 0, "opencl": 1, "wgpu": 2, "simulator": 1}
"""The turns of backends. The simulator, whose arrays are small, has what PoCL has or lacks: it lacks f16."""


@dataclass(frozen=True)
class Turns:
    """Of one device. Tests number their combinations, as by the sum of the index of the dtype and that of the variant:
    then a device has each dtype and each variant, in some combination."""

    device: gp.Device
    has_all: bool

    def has(self, number: int, turns: int = 3) -> bool:
        """Whether the device has the combination of this number, which each `turns`-th device has."""
        name = self.device.backend.name
        if self.has_all or name not in ORDER or self.device.kind not in (gp.DeviceKind.CPU, gp.DeviceKind.SOFTWARE):
            return True
        return (number + ORDER[name]) % turns == 0

    def skip_others(self, number: int, turns: int = 3) -> None:
        """Skip the test if the device does not have it."""
        if not self.has(number, turns):
            pytest.skip(f"{self.device.id} takes turns with other software devices; --run-large: each has all")
