"""The vendor of an adapter, by which `gpucore.runtime.vendors` has shapes of products."""

from __future__ import annotations

from gpucore.plugin import AMD, APPLE, INTEL, DeviceInfo, DeviceKind, vendor_shapes

VENDOR_ID = "vendor id"
"""The key in the details of a device: a number of PCI-SIG, or of Khronos."""

_BY_ID = {"0x1002": AMD, "0x8086": INTEL, "0x106b": APPLE}
_BY_NAME = {"amd": AMD, "radeon": AMD, "intel": INTEL, "intel(r)": INTEL, "apple": APPLE}  # Metal tells no id
_USUAL = {AMD: (64, 16), INTEL: (32, 8), APPLE: (16, 16)}
"""WebGPU tells no number of multiprocessors. A usual one of GPUs with memory of their own, and of those that share the
CPU's."""


def shapes_for(info: DeviceInfo) -> str:
    """The shapes for a device, as `Backend.shapes_for` returns them."""
    known = _BY_ID.get(dict(info.details).get(VENDOR_ID, ""))
    vendor = known or next((_BY_NAME[word] for word in info.name.lower().split() if word in _BY_NAME), None)
    if vendor is None or info.kind not in (DeviceKind.GPU, DeviceKind.IGPU):
        return ""
    return vendor_shapes(vendor, info, _USUAL[vendor][info.kind is DeviceKind.IGPU])


__all__ = ["VENDOR_ID", "shapes_for"]
