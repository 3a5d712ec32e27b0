"""The targets of packages: WGSL for adapters that are not there.

`wgsl` is for any adapter on a GPU. Its text has the workarounds for all drivers, see `driver_defects`, but not those of
Mesa's software adapters, which end long loops, and run kernels in memory of this process, where indices must be
clamped. Their text is `wgsl-llvmpipe`: it needs a buffer that only devices with the limit on iterations have.

Both have the limits that WebGPU guarantees, and no optional features; core adds those that a kernel needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Limits
from gpucore_wgpu.driver_defects import ANY_DRIVER, LLVMPIPE, loop_limit

GENERAL, SOFTWARE = "wgsl", "wgsl-llvmpipe"
TARGETS = (GENERAL, SOFTWARE)
_PART_ALIGNMENT = 256  # the greatest that an adapter may have


def offline_device(target: str) -> DeviceInfo | None:
    """What is known of all devices of a target."""
    if target not in TARGETS:
        return None
    is_software = target == SOFTWARE
    return DeviceInfo(
        id=target,
        backend="wgpu",
        index=0,
        name=LLVMPIPE if is_software else "any WebGPU device",
        kind=DeviceKind.SOFTWARE if is_software else DeviceKind.GPU,
        driver=ANY_DRIVER,
        limits=Limits(
            part_alignment=_PART_ALIGNMENT, max_loop_iterations=loop_limit(LLVMPIPE) if is_software else None
        ),
        kernels_share_memory=is_software,
    )


def choose_offline(targets: Sequence[str], device: DeviceInfo) -> str:
    """The target for a device: other software adapters have none."""
    if device.limits.max_loop_iterations is not None:
        wanted = SOFTWARE
    else:
        wanted = "" if device.kernels_share_memory else GENERAL
    return wanted if wanted in targets else ""
