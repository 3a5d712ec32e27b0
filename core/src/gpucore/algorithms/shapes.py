"""The shapes of the algorithms' kernels on each kind of device. They are data: SHAPES may be overwritten."""

from __future__ import annotations

from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.runtime.protocol import DeviceKind


class SortShape(Immutable):
    """How arrays are sorted: with a bitonic network, or by digits (radix). Sizes are numbers of keys."""

    radix_from: int | None = None  # arrays of this size or more are sorted by digits; None: none are
    split_from: int = 1 << 17  # arrays of this size or more are split into buckets first
    whole_bits: int = 11  # of a digit, in an array that is not split
    bucket_bits: int = 9  # of a digit, in a bucket
    buckets: int = 64  # few enough that the lines of the cache that a workgroup writes to stay in it
    chunk: int = 1 << 16  # the least that one workgroup splits
    chunks: int = 64  # the most workgroups that split an array


class Shapes(Immutable):
    """The shapes for one kind of device, one field for each algorithm."""

    sort: SortShape = SortShape()


SHAPES: dict[DeviceKind, Shapes] = {
    **{kind: Shapes() for kind in DeviceKind},
    DeviceKind.CPU: Shapes(sort=SortShape(radix_from=256)),
    DeviceKind.SOFTWARE: Shapes(sort=SortShape(radix_from=2)),
}
"""The shapes for each kind of device."""


def shapes_of(device: Device) -> Shapes:
    """The shapes for a device."""
    return SHAPES[device.kind]
