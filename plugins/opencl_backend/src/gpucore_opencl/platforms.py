"""Finds the OpenCL devices. Imports pyopencl only when it is called."""

from __future__ import annotations

import importlib
from typing import Any

from gpucore.plugin import DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.plugin.ir import Capability, Limits
from gpucore_opencl.dialect import COMPUTE_CAPABILITY, SUBGROUP_EXTENSION
from gpucore_opencl.nvidia_matrices import matrices_of
from gpucore_opencl.nvidia_subgroups import FIRST_WITH_SUBGROUPS, SUBGROUP_SIZE

# The ICD loader's clGetPlatformIDs returns this if no vendor's driver is registered, or none can be loaded.
_PLATFORM_NOT_FOUND = -1001
_EMULATORS = ("portable computing language", "oclgrind")
_ATOMIC_EXTENSIONS = frozenset({"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"})
# Native subgroups are used if the driver has every operation; otherwise core emulates them in workgroup memory.
_SUBGROUP_EXTENSIONS = frozenset(
    {SUBGROUP_EXTENSION, "cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative"}
)
_OF_FENCES = frozenset({"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device"})
_GRID = 2**31 - 1  # ids are i32
_GRID_YZ = 65535  # a limit of some drivers that are built on another API
_NVIDIA = "nvidia"  # in the vendor of its devices
_BUFFERS = 64  # the specification guarantees 1024 bytes of arguments


def probe(backend: str, hint: str) -> ProbeResult:
    """Every device of every platform, in the order of the drivers."""
    try:
        pyopencl: Any = importlib.import_module("pyopencl")
    except ImportError as error:
        return ProbeResult(
            ProbeStatus.NO_DRIVER, reason=f"pyopencl cannot be imported: {error}", hint="pip install pyopencl"
        )
    try:
        devices = list_devices(pyopencl)
    except pyopencl.Error as error:
        return _failure(error, hint)
    if not devices:
        names = ", ".join(platform.name for platform in pyopencl.get_platforms())
        return ProbeResult(ProbeStatus.NO_DEVICE, reason=f"no OpenCL platform has a device ({names})", hint=hint)
    return ProbeResult(
        ProbeStatus.AVAILABLE,
        tuple(describe(pyopencl, device, backend, index) for index, device in enumerate(devices)),
    )


def list_devices(pyopencl: Any) -> list[Any]:
    """The devices that can compile kernels. Raises pyopencl.Error if the query fails."""
    devices: list[Any] = []
    for platform in pyopencl.get_platforms():
        try:
            found = platform.get_devices()
        except pyopencl.Error as error:
            if getattr(error, "code", None) != pyopencl.status_code.DEVICE_NOT_FOUND:
                raise
            found = []
        devices += [device for device in found if device.available and device.compiler_available]
    return devices


def _failure(error: Any, hint: str) -> ProbeResult:
    if getattr(error, "code", None) == _PLATFORM_NOT_FOUND:
        return ProbeResult(
            ProbeStatus.NO_DRIVER, reason="no OpenCL driver is registered, or none can be loaded", hint=hint
        )
    return ProbeResult(ProbeStatus.BROKEN, reason=f"the OpenCL drivers cannot be queried: {error}", hint=hint)


def describe(pyopencl: Any, device: Any, backend: str, index: int) -> DeviceInfo:
    """The DeviceInfo of one device."""
    platform, kind, generation = device.platform, _kind(pyopencl, device), compute_capability(device)
    return DeviceInfo(
        id=f"{backend}:{index}",
        backend=backend,
        index=index,
        name=device.name.strip(),
        kind=kind,
        driver=f"{platform.name.strip()} {device.driver_version.strip()}",
        api=" ".join(device.version.split()[:2]),
        capabilities=capabilities_of(device),
        limits=_limits(device),
        kernels_share_memory=kind in (DeviceKind.CPU, DeviceKind.SOFTWARE),
        memory=device.global_mem_size,
        multiprocessors=device.max_compute_units,
        workgroups_progress=_NVIDIA in device.vendor.lower(),  # as in CUDA
        details=(
            ("platform", platform.name.strip()),
            ("vendor", device.vendor.strip()),
            ("compute units", str(device.max_compute_units)),
            *([(COMPUTE_CAPABILITY, ".".join(map(str, generation)))] if generation else []),
        ),
    )


def _kind(pyopencl: Any, device: Any) -> DeviceKind:
    if device.type & pyopencl.device_type.GPU:
        return DeviceKind.IGPU if device.host_unified_memory else DeviceKind.GPU
    platform = device.platform.name.lower()
    return DeviceKind.SOFTWARE if any(name in platform for name in _EMULATORS) else DeviceKind.CPU


def capabilities_of(device: Any) -> frozenset[Capability]:
    """The capabilities of a device, by its profile and extensions."""
    # fma is a correctly rounded built-in function of OpenCL C, and 64-bit integers are part of the full profile. Since
    # 1.1 kernels may store single bytes.
    found = {Capability.FUSED_FMA, Capability.INT8, Capability.INT16}
    extensions = frozenset(device.extensions.split())
    if extensions >= _ATOMIC_EXTENSIONS:
        found.add(Capability.ATOMIC_INT64)
    if extensions >= _SUBGROUP_EXTENSIONS or _has_warps(device):
        found |= {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER}
    found |= matrices_of(compute_capability(device))
    if _has_fences(device):
        found.add(Capability.DEVICE_FENCE)
    if device.profile.startswith("FULL") or "cles_khr_int64" in extensions:
        found.add(Capability.INT64)
    if "cl_khr_fp16" in extensions:
        found.add(Capability.F16)
    if "cl_khr_fp64" in extensions or device.double_fp_config:
        found |= {Capability.F64, Capability.F64_MATH}
    return frozenset(found)


def compute_capability(device: Any) -> tuple[int, ...]:
    """The generation of a GPU with NVIDIA's driver, such as (9, 0); empty for other devices."""
    if "cl_nv_device_attribute_query" not in device.extensions.split() or not device.platform.name.startswith("NVIDIA"):
        return ()
    return int(device.compute_capability_major_nv), int(device.compute_capability_minor_nv)


def _has_warps(device: Any) -> bool:
    """Whether subgroups are made by instructions of PTX."""
    return compute_capability(device) >= FIRST_WITH_SUBGROUPS


def _has_fences(device: Any) -> bool:
    """Whether it orders memory for all of the device: by an instruction of PTX, or as devices of OpenCL 3.0 may."""
    if device.platform.name.startswith("NVIDIA"):
        return _has_warps(device)
    return device.version.startswith("OpenCL 3.") and {each.name for each in device.opencl_c_features} >= _OF_FENCES


def _limits(device: Any) -> Limits:
    x, y, z = (min(size, device.max_work_group_size) for size in device.max_work_item_sizes[:3])
    return Limits(
        max_workgroup_size=(x, y, z),
        max_workgroup_invocations=device.max_work_group_size,
        max_workgroups=(_GRID, _GRID_YZ, _GRID_YZ),
        max_workgroup_memory=device.local_mem_size,
        max_buffer_size=device.max_mem_alloc_size,
        max_binding_size=device.max_mem_alloc_size,
        max_buffers=_BUFFERS,
        min_subgroup_size=SUBGROUP_SIZE if _has_warps(device) else 0,
        max_subgroup_size=SUBGROUP_SIZE if _has_warps(device) else 0,
        part_alignment=max(1, device.mem_base_addr_align // 8),  # in bits
    )
