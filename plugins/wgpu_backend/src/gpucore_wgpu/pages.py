"""Browsers as an offline device: what WebGPU promises for each device, and what its compiler takes besides naga's WGSL.

The target "web" has no optional feature. "web+f16", "web+subgroups" and "web+f16+subgroups" are for devices that have
them. Sizes of subgroups differ between devices, so kernels must not need one.
"""

from __future__ import annotations

from pathlib import Path

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Capability, Limits

API = "WebGPU"
"""`DeviceInfo.api` of devices of a browser."""

FEATURES = {"f16": Capability.F16, "subgroups": Capability.SUBGROUP}
"""What follows "web" in the name of a target."""

TARGETS = ("web", "web+f16", "web+subgroups", "web+f16+subgroups")

_LIMITS = Limits(part_alignment=256)
_WITH_SUBGROUPS = Limits(part_alignment=256, min_subgroup_size=4, max_subgroup_size=128)


def page_device(target: str) -> DeviceInfo | None:
    """What is known of a browser's devices."""
    if target not in TARGETS:
        return None
    capabilities = frozenset(FEATURES[feature] for feature in target.split("+")[1:])
    return DeviceInfo(
        id=target,
        backend="wgpu",
        index=0,
        name="a browser's device",
        kind=DeviceKind.GPU,
        driver="any",
        api=API,
        capabilities=capabilities,
        limits=_WITH_SUBGROUPS if Capability.SUBGROUP in capabilities else _LIMITS,
    )


def page_files() -> dict[str, bytes]:
    """The runtime of pages, as plugins/wgpu_backend/web builds it."""
    folder = Path(__file__).with_name("page")
    return {name: (folder / name).read_bytes() for name in ("gpucore.js", "gpucore.d.ts")}


def is_page(device: DeviceInfo | None) -> bool:
    """Whether a device is a browser's."""
    return device is not None and device.api == API


__all__ = ["API", "FEATURES", "TARGETS", "is_page", "page_device", "page_files"]
