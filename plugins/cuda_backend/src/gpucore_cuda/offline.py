"""The targets of packages: cubins for architectures of GPUs, compiled by NVRTC, which needs neither GPU nor driver.

A cubin for sm_80 runs on all devices of compute capability 8.x, x >= 0, so its limits are those that all of these have.
One with instructions of sm_90a runs on 9.0 alone; there is no other device of that generation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Capability, Limits
from gpucore_cuda.probe import BUFFERS, OLDEST, architecture_of, capabilities_of
from gpucore_cuda.subgroups import SUBGROUP_SIZE

TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
_NAME = re.compile(r"sm_(\d+)(\d)")
_KIB = 1 << 10
_SHARED = {(7, 5): 64, (8, 0): 99, (8, 6): 99, (8, 7): 99, (8, 9): 99, (9, 0): 227, (10, 0): 227, (10, 3): 227}
"""KiB of workgroup memory that a kernel may have on each device that runs code for a compute capability. Devices of 8.0
have 163, but those of 8.6 and 8.9 run the same code. Others have 99 at least."""
_LEAST_SHARED = 99


def offline_device(target: str) -> DeviceInfo | None:
    """What is known of all devices of a target."""
    match = _NAME.fullmatch(target)
    if match is None or (int(match[1]), int(match[2])) < OLDEST:
        return None
    major, minor = int(match[1]), int(match[2])
    return DeviceInfo(
        id=target,
        backend="cuda",
        index=0,
        name=f"any GPU of compute capability {major}.x from {major}.{minor} on",
        kind=DeviceKind.GPU,
        driver="",
        capabilities=_common_capabilities(major, minor),
        limits=Limits(
            max_workgroup_size=(1024, 1024, 64),
            max_workgroup_invocations=1024,
            max_workgroups=(2**31 - 1, 65535, 65535),
            max_workgroup_memory=_SHARED.get((major, minor), _LEAST_SHARED) * _KIB,
            max_buffers=BUFFERS,
            min_subgroup_size=SUBGROUP_SIZE,
            max_subgroup_size=SUBGROUP_SIZE,
            part_alignment=1,
        ),
        details=(("architecture", target),),
        workgroups_progress=True,
    )


def _common_capabilities(major: int, minor: int) -> frozenset[Capability]:
    """What all devices have that run code for a compute capability."""
    those = [each for each in _SHARED if each[0] == major and each[1] >= minor]
    return frozenset.intersection(capabilities_of(major, minor), *(capabilities_of(*each) for each in those))


def choose_offline(targets: Sequence[str], device: DeviceInfo) -> str:
    """The newest target whose code runs on a device: of its generation, and not newer than the device."""
    own = architecture_of(device)
    known = {int(name.removeprefix("sm_")): name for name in targets if _NAME.fullmatch(name)}
    fitting = [number for number in known if number // 10 == own // 10 and number <= own]
    return known[max(fitting)] if fitting else ""
