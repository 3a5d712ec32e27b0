"""The hook and the backend. No driver is imported before a probe or an open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from gpucore.plugin import Backend, Device, DeviceInfo, ProbeResult, Source, hookimpl, shipped_shapes
from gpucore.plugin.c_family import emit
from gpucore.plugin.ir import Element, Type, ValidModule
from gpucore_cuda import offline
from gpucore_cuda.device import open_device
from gpucore_cuda.dialect import DIALECT, LANGUAGE
from gpucore_cuda.generations import WITH_GROUPS
from gpucore_cuda.nvrtc import load_nvrtc
from gpucore_cuda.probe import architecture_of, capabilities_of, probe
from gpucore_cuda.subgroups import SUBGROUP_SIZE

GPUCORE_API = "2.0"

TABLES = Path(__file__).with_name("tables")
"""Shapes that were measured, as `gpucore tune all --export` writes them: one file or several, of any name."""


class CUDABackend(Backend):
    """NVIDIA GPUs, through pycuda or cuda-bindings, and NVRTC."""

    name = "cuda"
    priority = 90
    language = LANGUAGE
    capabilities = capabilities_of(WITH_GROUPS, 0)
    operations = DIALECT.operations
    coarsens = True
    subgroup_size = SUBGROUP_SIZE
    settings = frozenset()
    offline_targets = offline.TARGETS
    hint = "install NVIDIA's driver"

    def probe(self) -> ProbeResult:
        return probe(self.name, self.hint)

    def open(self, index: int) -> Device:
        return open_device(self.name, index)

    def takes_view(self, element: Element, view: Type) -> bool:
        return True  # the views that core makes are types of the dialect

    def shapes_for(self, info: DeviceInfo) -> str:
        return shipped_shapes(TABLES, info)

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        return emit(module, DIALECT)

    def offline_device(self, target: str) -> DeviceInfo | None:
        return offline.offline_device(target)

    def build(self, source: Source, device: DeviceInfo) -> bytes:
        return load_nvrtc().compile(source, architecture_of(device))[0]

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return offline.choose_offline(targets, device)


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """This plugin's one backend."""
    return [CUDABackend()]
