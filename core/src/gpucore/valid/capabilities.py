"""Checks that a device has the capabilities that a kernel needs."""

from __future__ import annotations

from collections.abc import Iterable

from gpucore.errors import CapabilityError
from gpucore.immutable import Immutable
from gpucore.ir import BF16, F16, F64, I8, I16, I64, U8, U16, U64, Capability, ScalarType
from gpucore.span import Span

_OF_TYPE = {
    F16.name: Capability.F16,
    F64.name: Capability.F64,
    I64.name: Capability.INT64,
    U64.name: Capability.INT64,
    I8.name: Capability.INT8,
    U8.name: Capability.INT8,
    I16.name: Capability.INT16,
    U16.name: Capability.INT16,
    BF16.name: Capability.INT16,
}

_FIXES = {
    Capability.F16: "use gp.f32, which every device has",
    Capability.F64: "use gp.f32, or choose a device that has f64",
    Capability.F64_MATH: "compute it in gp.f32, or choose a device that has f64_math",
    Capability.INT64: "use gp.i32 or gp.u32 (or two gp.u32 for each number), or choose a device that has int64",
    Capability.ATOMIC_F32: "add fixed-point numbers with gp.atomic_add on gp.i32",
    Capability.ATOMIC_INT64: "use gp.i32 or gp.u32, or choose a device that has atomic_int64",
    Capability.DEVICE_FENCE: "end the kernel where the others need its results, and go on in a second one",
    Capability.BREAKPOINT: "run the kernel on the simulator while debugging: gp.use('simulator')",
}


class Need(Immutable):
    """A capability, where the kernel first needs it, and why, in words."""

    capability: Capability
    span: Span | None
    what: str


def capability_of(type: ScalarType) -> Capability | None:
    """The capability that a type requires; None for the types that every device supports."""
    return _OF_TYPE.get(type.name)


def check_capabilities(needs: Iterable[Need], capabilities: frozenset[Capability], where: str) -> None:
    """Raise CapabilityError for the first missing capability."""
    for need in needs:
        if need.capability not in capabilities:
            raise CapabilityError(
                "GP401",
                f"{need.what}, which {where} does not have",
                need.span,
                why=f"it needs the capability {need.capability.value!r}",
                fix=_FIXES.get(need.capability, ""),
            )
