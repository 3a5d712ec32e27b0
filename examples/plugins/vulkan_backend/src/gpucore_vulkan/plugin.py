"""The Vulkan plugin of gpucore: modules of SPIR-V, without a compiler of another language in between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gpucore.plugin import (
    Backend,
    BackendUnavailableError,
    Device,
    DeviceError,
    DeviceInfo,
    Element,
    Module,
    ProbeResult,
    ProbeStatus,
    Source,
    Type,
    ValidModule,
    hookimpl,
    spirv,
)
from gpucore.plugin.ir import VectorType
from gpucore_vulkan import vendors
from gpucore_vulkan.emit import emit
from gpucore_vulkan.steps import prepare

if TYPE_CHECKING:
    from gpucore_vulkan.adapters import Adapter

GPUCORE_API = "2.0"


class VulkanBackend(Backend):
    """Kernels as SPIR-V."""

    name = "vulkan"
    priority = 50  # below wgpu, which has the same devices and needs no headers of a loader
    language = spirv.LANGUAGE
    capabilities = spirv.OF_LANGUAGE
    operations = spirv.OPERATIONS
    settings = frozenset()
    takes_native_text = False
    coarsens = True
    hint = (
        "install a Vulkan driver (Linux: your GPU's driver with its Vulkan part, or mesa-vulkan-drivers for a "
        "software one) and see that `vulkaninfo` lists a device of Vulkan 1.2"
    )

    def __init__(self) -> None:
        self._instance: Any = None
        self._found: list[Adapter] | None = None

    def probe(self) -> ProbeResult:
        try:
            found = self._found = self._find()
        except Exception as error:  # noqa: BLE001 (the loader and drivers raise what they like)
            return ProbeResult(ProbeStatus.NO_DRIVER, reason=f"Vulkan cannot be used: {error!r}", hint=self.hint)
        if not found:
            reason = "Vulkan has no device of version 1.2 with timeline semaphores and push descriptors"
            return ProbeResult(ProbeStatus.NO_DEVICE, reason=reason, hint=self.hint)
        return ProbeResult(ProbeStatus.AVAILABLE, tuple(adapter.info for adapter in found))

    def open(self, index: int) -> Device:
        if self._found is None:
            result = self.probe()
            if result.status is not ProbeStatus.AVAILABLE:
                raise BackendUnavailableError(f"vulkan: {result.reason}\n{result.hint}")
        found = self._found or []
        if not 0 <= index < len(found):
            raise BackendUnavailableError(f"vulkan has no device {index}; it found {len(found)}")
        from gpucore_vulkan.device import VulkanDevice  # noqa: PLC0415 (loads the driver)

        try:
            return VulkanDevice(found[index])
        except DeviceError as error:
            raise BackendUnavailableError(f"vulkan: {error}") from error

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        return prepare(valid.module, device)

    def takes_view(self, element: Element, view: Type) -> bool:
        return isinstance(view, VectorType)

    def shapes_for(self, info: DeviceInfo) -> str:
        return vendors.shapes_for(info)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, device)

    def _find(self) -> list[Adapter]:
        from gpucore_vulkan import adapters  # noqa: PLC0415 (loads the driver)

        if self._instance is None:
            self._instance = adapters.make_instance()
        return adapters.find_adapters(self._instance)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's one backend."""
    return [VulkanBackend()]
