"""The targets of packages that the devices of this machine run."""

from __future__ import annotations

from gpucore.offline.targets import offline_backends
from gpucore.runtime import DeviceInfo
from gpucore.testing import available_devices

NAMES = [name for name in available_devices() if name in ("cpu", "cuda", "opencl", "wgpu")]
"""Those of the installed backends that have targets."""


def target_of(info: DeviceInfo) -> str:
    """The target that a device takes of those of its backend; "" if it runs none."""
    backend = next((each for each in offline_backends() if each.name == info.backend), None)
    return backend.choose_offline(backend.offline_targets, info) if backend else ""
