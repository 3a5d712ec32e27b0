"""A backend for tests, on Vulkan: it runs the modules of `gpucore.back.spirv`."""

from __future__ import annotations

from typing import Any, ClassVar

from driver_steps import prepare

from gpucore.back import spirv
from gpucore.errors import BackendUnavailableError
from gpucore.ir import Module, ValidModule
from gpucore.offline.spirv import SpirvBackend
from gpucore.runtime import Device, DeviceInfo, ProbeResult, ProbeStatus, Source

NAME = "vulkan_test"


class VulkanBackend(SpirvBackend):
    """Runs the kernels that packages hold as SPIR-V."""

    name = NAME
    priority = 1
    offline_targets = ()
    hint = "install a Vulkan driver (mesa-vulkan-drivers has a software one) and the package vulkan"

    emitted: ClassVar[dict[str, bytes]] = {}
    """Words, by the name and the number of each kernel."""

    def __init__(self) -> None:
        self._instance: Any = None

    def probe(self) -> ProbeResult:
        try:
            found = self._adapters()
        except Exception as error:  # noqa: BLE001 (the loader and drivers raise what they like)
            return ProbeResult(ProbeStatus.NO_DRIVER, reason=f"no Vulkan: {error!r}", hint=self.hint)
        if not found:
            return ProbeResult(ProbeStatus.NO_DEVICE, reason="Vulkan has no device", hint=self.hint)
        return ProbeResult(ProbeStatus.AVAILABLE, tuple(adapter.info for adapter in found))

    def _adapters(self) -> Any:
        import vulkan_adapters  # noqa: PLC0415 (loads the driver)

        if self._instance is None:
            self._instance = vulkan_adapters.make_instance()
        return vulkan_adapters.find_adapters(self._instance)

    def open(self, index: int) -> Device:
        from vulkan_device import VulkanDevice  # noqa: PLC0415 (loads the driver)

        found = self._adapters()
        if not 0 <= index < len(found):
            raise BackendUnavailableError(f"{self.name} has no device {index}; it found {len(found)}")
        return VulkanDevice(found[index])

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        return prepare(valid.module, device)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        details = dict(device.details) if device is not None else {}
        preserves, even = (
            frozenset(map(int, details.get(name, "").split())) for name in ("preserves", "rounds_to_even")
        )
        source = spirv.emit(module, spirv.FloatControls(preserves, even))
        self.emitted[f"{source.entry} {len(self.emitted)}"] = spirv.Binary.of(source).words
        return source
