"""The vendor of a device, by which `gpucore.runtime.vendors` has shapes of products."""

from __future__ import annotations

from gpucore.plugin import AMD, APPLE, INTEL, DeviceInfo, DeviceKind, Vendor, vendor_shapes

_NVIDIA = Vendor(())
"""The tiles that core has for GPUs were measured on one of its. What fills a GPU depends on its size."""

_VENDORS = {"advanced micro devices": AMD, "amd": AMD, "intel": INTEL, "apple": APPLE, "nvidia": _NVIDIA}
"""By words in the vendor of a device, in lower case."""

_UNITS = {INTEL: 16}
"""Compute units of OpenCL that are one multiprocessor, if not one: vector engines of a core of Xe, execution units of a
subslice, of which there are 8 before Xe."""


def shapes_for(info: DeviceInfo) -> str:
    """The shapes for a device, as `Backend.shapes_for` returns them."""
    name = dict(info.details).get("vendor", "").lower()
    vendor = next((found for words, found in _VENDORS.items() if words in name), None)
    if vendor is None or info.kind not in (DeviceKind.GPU, DeviceKind.IGPU):
        return ""
    return vendor_shapes(vendor, info, max(1, info.multiprocessors // _UNITS.get(vendor, 1)))


__all__ = ["shapes_for"]
