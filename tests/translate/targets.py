"""What kernels are compiled for here: devices of Metal and of Direct3D 12 as wgpu describes them; none need exist."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dispatches import Kernel, kernel_of

import gpucore as gp
from gpucore.compiler import UNLIMITED, Target, emit, validate_for
from gpucore.ir import Capability, Limits
from gpucore.kernel import specialise_by_name
from gpucore_wgpu.plugin import WgpuBackend

LIMITS = dataclasses.replace(
    UNLIMITED, max_workgroup_size=(1024, 1024, 1024), max_workgroup_invocations=1024, max_workgroup_memory=32768,
    max_buffers=31, min_subgroup_size=32, max_subgroup_size=32,
)  # fmt: skip

METAL = frozenset({Capability.F16, Capability.INT64, Capability.SUBGROUP, Capability.SUBGROUP_BARRIER})
D3D12 = frozenset({Capability.F16, Capability.SUBGROUP})


def _target(name: str, capabilities: frozenset[Capability], limits: Limits) -> Target:
    return Target(WgpuBackend(), None, capabilities, limits, f"a device of {name}")


TARGETS: Mapping[str, Target] = {
    "msl": _target("Metal", METAL, LIMITS),
    "hlsl": _target("Direct3D 12", D3D12, dataclasses.replace(LIMITS, max_workgroup_size=(1024, 1024, 64))),
}
"""By the language that naga translates for it."""


def kernel_for(language: str, kernel: gp.Kernel, bindings: dict[str, Any]) -> Kernel:
    """The WGSL of a kernel for the target of a language. Raises CapabilityError and LimitError."""
    target = TARGETS[language]
    specialisation = specialise_by_name(kernel.name, kernel.signature, bindings)
    valid = validate_for(target, kernel.lower_for(specialisation, target))
    return kernel_of(valid, emit(target, valid))


def refusal(language: str, kernel: Kernel) -> str:
    """Why gpucore refuses a kernel, emitted for another device, for the target of a language; empty if it does not."""
    target = TARGETS[language]
    if lacking := sorted(need.value for need in kernel.needs - target.capabilities):
        return f"{target.where} has no {', '.join(lacking)}"
    sizes = zip(kernel.workgroup_size, target.limits.max_workgroup_size, strict=True)
    if any(size > most for size, most in sizes):
        return f"{target.where} has no workgroups of {kernel.workgroup_size}"
    return ""
