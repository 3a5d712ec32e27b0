"""The targets of packages: levels of processors, each with the instructions that all processors of the level have.

Code is compiled as for Linux, as ELF objects, and runs on macOS as well: both call functions in the same way. On
AArch64 the register that macOS keeps for itself is left alone. Windows passes arguments in other registers, so no
target runs there.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Capability
from gpucore_cpu.limits import limits_for

LANES_DETAIL = "lanes"  # in DeviceInfo.details: how many invocations run together
LEVELS_DETAIL = "levels"  # likewise: the targets that run on the device
_X86, _ARM = "x86_64", "aarch64"
_ALIASES = {"amd64": _X86, "arm64": _ARM}
_V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2", "ssse3", "cx16", "xsave")


class Level(NamedTuple):
    """A target, by the names of LLVM."""

    machine: str
    processor: str
    features: str
    num_lanes: int
    needs: tuple[str, ...]  # features of a processor

    @property
    def triple(self) -> str:
        return f"{self.machine}-unknown-linux-musl"  # for gnu LLVM calls sincos, which macOS has not


LEVELS: Mapping[str, Level] = {
    "x86-64-v3": Level(_X86, "x86-64-v3", "", 8, _V3),
    "x86-64-v4": Level(
        _X86, "x86-64-v4", "", 16, (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
    ),
    "aarch64": Level(_ARM, "generic", "+reserve-x18", 4, ()),
}  # fmt: skip


def this_machine() -> str:
    """The architecture of this process."""
    name = platform.machine().lower()
    return _ALIASES.get(name, name)


def levels_of(features: Mapping[str, bool]) -> tuple[str, ...]:
    """The targets that this processor runs, the best one first."""
    if sys.platform == "win32":
        return ()
    machine = this_machine()
    return tuple(
        name for name, level in reversed([*LEVELS.items()])
        if level.machine == machine and all(features.get(each) for each in level.needs)
    )  # fmt: skip


def capabilities_of(features: Mapping[str, bool], num_lanes: int, machine: str) -> frozenset[Capability]:
    """The capabilities of a processor. Without half-precision conversions in hardware, f16 would need a library.

    Without lanes, core emulates subgroups: of one invocation they would be of no use.
    """
    is_arm = machine == _ARM
    found = {
        Capability.F64,
        Capability.F64_MATH,
        Capability.INT8,
        Capability.INT16,
        Capability.INT64,
        Capability.ATOMIC_F32,
        Capability.DEVICE_FENCE,
    }
    found |= {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER} if num_lanes > 1 else set()
    found |= {Capability.ATOMIC_INT64} if sys.maxsize > 2**32 else set()
    found |= {Capability.F16} if is_arm or features.get("f16c") else set()
    found |= {Capability.FUSED_FMA} if is_arm or features.get("fma") else set()
    return frozenset(found)


def offline_device(target: str) -> DeviceInfo | None:
    """What is known of all devices of a target."""
    level = LEVELS.get(target)
    if level is None:
        return None
    return DeviceInfo(
        id=target,
        backend="cpu",
        index=0,
        name=f"any processor with the instructions of {target}",
        kind=DeviceKind.CPU,
        driver="",
        capabilities=capabilities_of(dict.fromkeys(level.needs, True), level.num_lanes, level.machine),
        limits=limits_for(level.num_lanes),
        kernels_share_memory=True,
        details=((LANES_DETAIL, str(level.num_lanes)),),
    )


def choose_offline(targets: Sequence[str], device: DeviceInfo) -> str:
    """The best target that runs on a device."""
    own = dict(device.details).get(LEVELS_DETAIL, "").split()
    return next((name for name in own if name in targets), "")
