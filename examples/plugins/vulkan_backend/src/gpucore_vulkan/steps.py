"""Steps from IR to IR around defects of drivers, before validation."""

from __future__ import annotations

from gpucore.plugin import DeviceInfo, ir
from gpucore_vulkan import llvmpipe, nvidia

NVIDIA = "NVIDIA"
"""How the name of NVIDIA's own driver begins."""


def prepare(module: ir.Module, device: DeviceInfo | None) -> ir.Module:
    """The kernel for a device; the module itself if nothing changes."""
    if device is None:
        return module
    if device.limits.max_loop_iterations is not None:
        return llvmpipe.prepare(module, device.limits.max_loop_iterations)
    if device.driver.startswith(NVIDIA):
        return nvidia.prepare(module)
    return module


__all__ = ["prepare"]
