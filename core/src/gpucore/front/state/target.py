"""`gp.target`: the device that a kernel is lowered for, as a compile-time value."""

from __future__ import annotations

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir import Capability, Limits, MatrixUnit, matrix_unit
from gpucore.types import tile_element


class Target(Immutable):
    """The device, as `gp.target` shows it: the backend's name, the kind ("gpu", "cpu", ...) and what it can do."""

    backend: str
    kind: str
    capabilities: frozenset[Capability]
    limits: Limits = Limits()
    subgroup_size: int = 0  # of all subgroups; 0: they have different sizes, or it is unknown

    def has(self, capability: object) -> bool:
        """Whether the device has a capability, given as gp.Capability.F16 or by its name, "f16"."""
        try:
            return Capability(capability) in self.capabilities
        except ValueError:
            known = ", ".join(sorted(c.value for c in Capability))
            raise ArgumentError(f"{capability!r} is not a capability; the capabilities are {known}") from None

    def matrix(self, dtype: object, precision: str = "highest") -> MatrixUnit | None:
        """The units that multiply tiles of a dtype, of f32 with a precision; None if the device has none."""
        return matrix_unit(self.capabilities, self.limits, tile_element(dtype), precision)


ANY = Target("", "", frozenset(), subgroup_size=32)
"""No particular device: the target of kernels that do not use `gp.target`, and of what is shown for no device."""

ALL = Target("*", "", frozenset())
"""Stands for every target, where it is said what a kernel is lowered for."""
