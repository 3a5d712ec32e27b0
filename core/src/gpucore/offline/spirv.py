"""SPIR-V as a target of packages: modules for devices of Vulkan 1.1 with the limits of WebGPU, and no optional
feature. No backend of gpucore's loads them yet.

`gpucore.back.spirv` says how arrays and scalars are bound; `payload` of a form, after the words, whether scalars are
push constants, and which capabilities of SPIR-V the module declares.
"""

from __future__ import annotations

from gpucore.back import spirv
from gpucore.errors import BackendUnavailableError
from gpucore.ir import Element, Limits, Type, ValidModule, VectorType
from gpucore.runtime.protocol import Backend, Device, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus, Source

TARGET = "spirv"


class SpirvBackend(Backend):
    """Has a target, and no devices."""

    name = "spirv"
    priority = 0
    language = spirv.LANGUAGE
    capabilities = spirv.OF_LANGUAGE
    operations = spirv.OPERATIONS
    settings = frozenset()
    takes_native_text = False
    coarsens = True
    offline_targets = (TARGET,)

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.NO_DEVICE, reason="it is for files")

    def open(self, index: int) -> Device:
        raise BackendUnavailableError("modules of SPIR-V are for files: no backend of gpucore runs them")

    def takes_view(self, element: Element, view: Type) -> bool:
        return isinstance(view, VectorType)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return spirv.emit(module)

    def offline_device(self, target: str) -> DeviceInfo | None:
        if target != TARGET:
            return None
        limits = Limits(part_alignment=256)
        return DeviceInfo(TARGET, self.name, 0, "any device of Vulkan 1.1", DeviceKind.GPU, "any", limits=limits)

    def build(self, source: Source, device: DeviceInfo) -> bytes:
        return spirv.Binary.of(source).words
