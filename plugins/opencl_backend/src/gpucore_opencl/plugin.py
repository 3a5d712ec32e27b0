"""The hook and the backend. No driver is imported before a probe or an open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gpucore.plugin import Backend, Device, DeviceInfo, ProbeResult, Source, hookimpl
from gpucore.plugin.c_family import emit
from gpucore.plugin.ir import Capability, Element, Module, Type, ValidModule
from gpucore_opencl import offline, pocl, vendors
from gpucore_opencl.device import open_device
from gpucore_opencl.dialect import DIALECT, LANGUAGE, UNOPTIMISED, WITHOUT_OPTIMISATION, dialect_for
from gpucore_opencl.nvidia_matrices import MATRICES
from gpucore_opencl.platforms import probe

GPUCORE_API = "2.0"


class OpenCLBackend(Backend):
    """Every device of every OpenCL platform, through pyopencl."""

    name = "opencl"
    priority = 50
    language = LANGUAGE
    capabilities = frozenset(
        {
            Capability.F16, Capability.F64, Capability.F64_MATH, Capability.INT8, Capability.INT16, Capability.INT64,
            Capability.ATOMIC_INT64, Capability.SUBGROUP, Capability.SUBGROUP_BARRIER, Capability.DEVICE_FENCE,
            Capability.FUSED_FMA, *MATRICES,
        }
    )  # fmt: skip
    of_some_drivers = MATRICES
    operations = DIALECT.operations
    coarsens = True
    settings = frozenset()
    offline_targets = offline.TARGETS
    hint = "install an OpenCL driver: a GPU vendor's, or PoCL for the CPU (Debian: pocl-opencl-icd)"

    def probe(self) -> ProbeResult:
        return probe(self.name, self.hint)

    def open(self, index: int) -> Device:
        return open_device(self.name, self.hint, index)

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        return pocl.prepare(valid) if device is not None and pocl.is_pocl(device) else valid.module

    def takes_view(self, element: Element, view: Type) -> bool:
        return True  # the views that core makes are types of the dialect

    def shapes_for(self, info: DeviceInfo) -> str:
        return vendors.shapes_for(info)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, UNOPTIMISED if WITHOUT_OPTIMISATION in module.module.options else dialect_for(device))

    def offline_device(self, target: str) -> DeviceInfo | None:
        return offline.offline_device(target)

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return offline.choose_offline(targets, device)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's one backend."""
    return [OpenCLBackend()]
