"""Vendors of devices, by which core has shapes of products."""

from __future__ import annotations

from gpucore.plugin import AMD, INTEL, DeviceInfo, DeviceKind, vendor_shapes

VENDOR_ID = "vendor id"
"""The key in the details of a device: a number of PCI-SIG."""

_BY_ID = {"0x1002": AMD, "0x8086": INTEL}
_USUAL = {AMD: (64, 16), INTEL: (32, 8)}
"""A usual number of multiprocessors, of GPUs with memory of their own and of others, where the driver tells none."""


def shapes_for(info: DeviceInfo) -> str:
    """The shapes for a device, as `Backend.shapes_for` returns them."""
    vendor = _BY_ID.get(dict(info.details).get(VENDOR_ID, ""))
    if vendor is None or info.kind not in (DeviceKind.GPU, DeviceKind.IGPU):
        return ""
    return vendor_shapes(vendor, info, info.multiprocessors or _USUAL[vendor][info.kind is DeviceKind.IGPU])
