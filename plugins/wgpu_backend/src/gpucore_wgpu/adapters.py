"""The adapters that wgpu finds on this machine, as DeviceInfo."""

from __future__ import annotations

import dataclasses
import os
import re
from dataclasses import dataclass
from typing import Any

import wgpu

from gpucore.plugin import DeviceInfo, DeviceKind
from gpucore.plugin.ir import Capability, Limits
from gpucore_wgpu import native
from gpucore_wgpu.cooperative import edge_of_matrices
from gpucore_wgpu.driver_defects import loop_limit
from gpucore_wgpu.ordering import orders_subgroups
from gpucore_wgpu.vendors import VENDOR_ID

BACKEND_VARIABLE = "WGPU_BACKEND_TYPE"  # wgpu-py's own: only adapters of this API

_API_ORDER = ("vulkan", "metal", "d3d12", "opengl", "opengles")
_KINDS = {"DiscreteGPU": DeviceKind.GPU, "IntegratedGPU": DeviceKind.IGPU, "CPU": DeviceKind.SOFTWARE}
_SOFTWARE = ("llvmpipe", "lavapipe", "softpipe", "swiftshader", "basic render driver", "warp")
_FEATURES = {
    "shader-f16": Capability.F16, "shader-f64": Capability.F64, "shader-int64": Capability.INT64,
    "shader-int64-atomic-all-ops": Capability.ATOMIC_INT64, "subgroup": Capability.SUBGROUP,
}  # fmt: skip
_WRONG_IN = {"d3d12": frozenset({Capability.F64, Capability.INT64, Capability.ATOMIC_INT64})}
"""What adapters of an API list, and what naga does not translate for it: in its HLSL a constant of 64 bits loses its
upper half, a bitcast of an f64 is missing, and `ceil` and `floor` of an f64 are those of f32 (docs/upstream)."""
_FIRST_OPENGL = (4, 3)  # with compute; the description of desktop contexts begins with the version
_EMPTY_KERNEL = "@compute @workgroup_size(1) fn main() {}"


@dataclass(frozen=True)
class FoundAdapter:
    """A wgpu adapter and its DeviceInfo."""

    adapter: Any
    info: DeviceInfo


def find_adapters() -> list[FoundAdapter]:
    """All adapters with compute, Vulkan's before OpenGL's, which are usually the same hardware."""
    adapters = [adapter for adapter in wgpu.gpu.enumerate_adapters_sync() if _can_compute(adapter)]
    wanted = os.environ.get(BACKEND_VARIABLE, "").strip().lower()
    if wanted:
        adapters = [adapter for adapter in adapters if _api(adapter) == wanted]
    adapters.sort(key=_order)
    found: list[FoundAdapter] = []
    counts: dict[str, int] = {}
    for index, adapter in enumerate(adapters):
        api = _api(adapter)
        number = counts.setdefault(api, 0)
        counts[api] += 1
        found.append(FoundAdapter(adapter, _describe(adapter, index, f"wgpu:{api}:{number}")))
    return found


def _api(adapter: Any) -> str:
    return str(adapter.info["backend_type"]).lower()


def _order(adapter: Any) -> int:
    api = _api(adapter)
    return _API_ORDER.index(api) if api in _API_ORDER else len(_API_ORDER)


def _can_compute(adapter: Any) -> bool:
    """An OpenGL context may report compute limits without compute: check its version, or else try to open a device."""
    if int(adapter.limits["max-compute-invocations-per-workgroup"]) <= 0:
        return False
    if not _api(adapter).startswith("opengl"):
        return True
    version = re.match(r"(\d+)\.(\d+)", str(adapter.info["description"]))
    if version and tuple(map(int, version.groups())) < _FIRST_OPENGL:
        return False
    try:
        device = adapter.request_device_sync()
        device.create_compute_pipeline(
            layout="auto", compute={"module": device.create_shader_module(code=_EMPTY_KERNEL), "entry_point": "main"}
        )
        device.destroy()
    except (RuntimeError, wgpu.GPUError):
        return False
    return True


def _describe(adapter: Any, index: int, id: str) -> DeviceInfo:
    info, features = adapter.info, adapter.features
    name = str(info["device"]) or "unnamed adapter"
    timestamps = "device" if "timestamp-query" in features else "host"
    details = {"vendor": str(info["vendor"]), "architecture": str(info["architecture"]), "timestamps": timestamps}
    kind = _kind(str(info["adapter_type"]), name)
    if info.get("vendor_id") and kind is not DeviceKind.SOFTWARE:
        details[VENDOR_ID] = f"{info['vendor_id']:#06x}"
    api = str(info["backend_type"])
    driver = " ".join(part for part in (str(info["vendor"]), str(info["description"])) if part)
    capabilities = {capability for feature, capability in _FEATURES.items() if feature in features}
    capabilities -= _WRONG_IN.get(api.lower(), frozenset())
    limits = _limits(adapter, name, driver)
    if edge := edge_of_matrices(adapter, api, driver):
        capabilities.add(Capability.COOPERATIVE_MATRICES)
        limits = dataclasses.replace(limits, cooperative_edge=edge)
    if orders_subgroups(features, api, driver):
        capabilities.add(Capability.SUBGROUP_BARRIER)
    return DeviceInfo(
        id=id,
        backend="wgpu",
        index=index,
        name=name,
        kind=kind,
        driver=driver,
        api=api,
        capabilities=frozenset(capabilities),
        limits=limits,
        # Vulkan keeps buffers safe there too, but workgroup and private arrays are on this process's stack.
        kernels_share_memory=kind in (DeviceKind.CPU, DeviceKind.SOFTWARE),
        details=tuple((key, value) for key, value in details.items() if value),
    )


def _kind(adapter_type: str, name: str) -> DeviceKind:
    """Software adapters report that they are CPUs, but not through every API: check their names too."""
    if any(word in name.lower() for word in _SOFTWARE):
        return DeviceKind.SOFTWARE
    return _KINDS.get(adapter_type, DeviceKind.GPU)


def _subgroup_sizes(adapter: Any, name: str, driver: str) -> tuple[int, int]:
    """The minimum and maximum size of a subgroup; 0 if unknown.

    What wgpu-native does not say is known of drivers with one size. A kernel that reads it would not tell of others:
    the drivers of Intel and AMD choose it for each kernel.
    """
    reported = native.subgroup_sizes(adapter)
    if all(reported):
        return reported
    size = 0
    if bits := re.search(r"llvmpipe \(.*\b(\d+) bits\)", name):
        size = int(bits[1]) // 32
    elif "nvidia" in driver.lower() or (_api(adapter) == "metal" and name.startswith("Apple")):
        size = 32
    return size, size


def _limits(adapter: Any, name: str, driver: str) -> Limits:
    limits = adapter.limits
    least, greatest = _subgroup_sizes(adapter, name, driver) if "subgroup" in adapter.features else (0, 0)
    max_loop_iterations = loop_limit(name)
    largest = int(limits["max-buffer-size"])
    count = int(limits["max-compute-workgroups-per-dimension"])
    return Limits(
        max_workgroup_size=(
            int(limits["max-compute-workgroup-size-x"]),
            int(limits["max-compute-workgroup-size-y"]),
            int(limits["max-compute-workgroup-size-z"]),
        ),
        max_workgroup_invocations=int(limits["max-compute-invocations-per-workgroup"]),
        max_workgroups=(count, count, count),
        max_workgroup_memory=int(limits["max-compute-workgroup-storage-size"]),
        max_buffer_size=largest,
        max_binding_size=min(int(limits["max-storage-buffer-binding-size"]), largest),
        # the detection of loops that are cut short takes one binding
        max_buffers=int(limits["max-storage-buffers-per-shader-stage"]) - (max_loop_iterations is not None),
        min_subgroup_size=least,
        max_subgroup_size=greatest,
        part_alignment=int(limits["min-storage-buffer-offset-alignment"]),
        max_loop_iterations=max_loop_iterations,
    )
