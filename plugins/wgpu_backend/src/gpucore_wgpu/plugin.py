"""The WebGPU plugin of gpucore: Vulkan, Metal, Direct3D 12 and OpenGL through wgpu."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gpucore.plugin import (
    Backend,
    BackendUnavailableError,
    Device,
    DeviceError,
    DeviceInfo,
    ProbeResult,
    ProbeStatus,
    Source,
    hookimpl,
)
from gpucore.plugin.ir import Capability, Element, Module, Type, ValidModule, VectorType
from gpucore_wgpu import offline, pages, vendors
from gpucore_wgpu.emit import emit
from gpucore_wgpu.settings import VARIABLES
from gpucore_wgpu.steps import prepare
from gpucore_wgpu.wgsl_statements import VIEW_WIDTH

if TYPE_CHECKING:
    from gpucore_wgpu.adapters import FoundAdapter

GPUCORE_API = "2.0"


class WgpuBackend(Backend):
    """Kernels as WGSL."""

    name = "wgpu"
    priority = 60
    language = "wgsl"
    capabilities = frozenset(
        {
            Capability.F16,
            Capability.F64,
            Capability.INT64,
            Capability.ATOMIC_INT64,
            Capability.SUBGROUP,
            Capability.SUBGROUP_BARRIER,
            Capability.COOPERATIVE_MATRICES,
        }
    )
    coarsens = True
    settings = frozenset(VARIABLES)
    offline_targets = (*offline.TARGETS, *pages.TARGETS)
    hint = (
        "install a Vulkan driver (Linux: your GPU's driver with its Vulkan part, or mesa-vulkan-drivers for a "
        "software one) and see that `vulkaninfo` lists a device"
    )

    def __init__(self) -> None:
        self._found: list[FoundAdapter] | None = None

    def probe(self) -> ProbeResult:
        try:
            self._found = self._find()
        except (ImportError, OSError, RuntimeError) as error:
            reason = f"wgpu cannot be imported: {error}"
            return ProbeResult(ProbeStatus.NO_DRIVER, reason=reason, hint="pip install --force-reinstall wgpu")
        if self._found:
            return ProbeResult(ProbeStatus.AVAILABLE, tuple(found.info for found in self._found))
        if wanted := os.environ.get("WGPU_BACKEND_TYPE", "").strip():
            reason = f"wgpu finds no adapter for WGPU_BACKEND_TYPE={wanted}"
            return ProbeResult(ProbeStatus.NO_DEVICE, reason=reason, hint="unset WGPU_BACKEND_TYPE")
        reason = "wgpu finds no adapter: there is no working driver for Vulkan, Metal, Direct3D 12 or OpenGL"
        return ProbeResult(ProbeStatus.NO_DRIVER, reason=reason, hint=self.hint)

    def open(self, index: int) -> Device:
        if self._found is None:
            result = self.probe()
            if result.status is not ProbeStatus.AVAILABLE:
                raise BackendUnavailableError(f"wgpu: {result.reason}\n{result.hint}")
        found = self._found or []
        if not 0 <= index < len(found):
            raise BackendUnavailableError(f"wgpu has no device {index}; it found {len(found)}")
        from gpucore_wgpu.device import WgpuDevice  # noqa: PLC0415 (loads the driver)

        try:
            return WgpuDevice(found[index].adapter, found[index].info)
        except DeviceError as error:
            raise BackendUnavailableError(f"wgpu: {error}") from error

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        return prepare(valid.module, device)

    def takes_view(self, element: Element, view: Type) -> bool:
        """A binding has one type: the view, whose components are the elements."""
        return isinstance(view, VectorType) and view.width == VIEW_WIDTH and view.element == element

    def shapes_for(self, info: DeviceInfo) -> str:
        return vendors.shapes_for(info)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, device)

    def offline_device(self, target: str) -> DeviceInfo | None:
        return pages.page_device(target) or offline.offline_device(target)

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return offline.choose_offline(targets, device)

    def runtime_files(self, target: str) -> dict[str, bytes]:
        return pages.page_files() if target in pages.TARGETS else {}

    def _find(self) -> list[FoundAdapter]:
        from gpucore_wgpu.adapters import find_adapters  # noqa: PLC0415 (loads the driver)

        return find_adapters()


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's one backend."""
    return [WgpuBackend()]
