"""The shapes of the algorithms' kernels on each kind of device. They are data: SHAPES may be overwritten."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpucore.device import Device
from gpucore.runtime.protocol import DeviceKind


@dataclass(frozen=True, slots=True)
class SortShape:
    """How arrays are sorted: with a bitonic network, or by digits (radix)."""

    radix_from: int | None = None  # the least number of keys that are sorted by digits; None: never


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes for one kind of device, one field for each algorithm."""

    sort: SortShape = field(default_factory=SortShape)


SHAPES: dict[DeviceKind, Shapes] = {kind: Shapes() for kind in DeviceKind}
"""The shapes for each kind of device."""


def shapes_of(device: Device) -> Shapes:
    """The shapes for a device."""
    return SHAPES[device.kind]
