"""What is known of the device that a kernel is lowered for: `gp.target`, a compile-time value."""

from __future__ import annotations

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.ir import Capability


class Target(Immutable):
    """The device, as `gp.target` shows it: the backend's name, the kind ("gpu", "cpu", ...) and what it can do."""

    backend: str
    kind: str
    capabilities: frozenset[Capability]

    def has(self, capability: object) -> bool:
        """Whether the device has a capability, given as gp.Capability.F16 or by its name, "f16"."""
        try:
            return Capability(capability) in self.capabilities
        except ValueError:
            known = ", ".join(sorted(c.value for c in Capability))
            raise ArgumentError(f"{capability!r} is no capability; there are {known}") from None


ANY = Target("", "", frozenset())
"""No device in particular: what kernels are lowered for that do not ask."""
