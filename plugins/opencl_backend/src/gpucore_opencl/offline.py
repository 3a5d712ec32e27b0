"""The targets of packages: OpenCL C for devices that are not there.

`opencl` is for GPUs: its text has the workarounds for their drivers. `opencl-cpu` is for devices on the processor: it
has those for PoCL, which cost time elsewhere, and clamps indices, which could crash the process.

Both have what every device of OpenCL 1.2 with the full profile has; core adds the optional features that a kernel
needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Capability, Limits
from gpucore_opencl.dialect import ANY_DRIVER
from gpucore_opencl.pocl import PLATFORM

GENERAL, PROCESSOR = "opencl", "opencl-cpu"
TARGETS = (GENERAL, PROCESSOR)
_LIMITS = Limits(
    max_workgroup_size=(256, 256, 64),  # of all GPUs' drivers; the specification guarantees one invocation
    max_workgroup_invocations=256,
    max_workgroups=(2**31 - 1, 65535, 65535),
    max_workgroup_memory=32 << 10,
    max_buffers=64,
    part_alignment=256,
)


def offline_device(target: str) -> DeviceInfo | None:
    """What is known of all devices of a target."""
    if target not in TARGETS:
        return None
    is_processor = target == PROCESSOR
    return DeviceInfo(
        id=target,
        backend="opencl",
        index=0,
        name="any OpenCL device on the processor" if is_processor else "any OpenCL GPU",
        kind=DeviceKind.CPU if is_processor else DeviceKind.GPU,
        driver=PLATFORM if is_processor else ANY_DRIVER,
        capabilities=frozenset({Capability.INT8, Capability.INT16, Capability.INT64, Capability.FUSED_FMA}),
        limits=_LIMITS,
        kernels_share_memory=is_processor,
    )


def choose_offline(targets: Sequence[str], device: DeviceInfo) -> str:
    """The target for a device."""
    wanted = PROCESSOR if device.kernels_share_memory else GENERAL
    return wanted if wanted in targets else ""
