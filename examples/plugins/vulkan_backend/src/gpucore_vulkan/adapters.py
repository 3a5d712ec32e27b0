"""The physical devices of a Vulkan instance as DeviceInfo, and what they are opened with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import vulkan as vk

from gpucore.plugin import Capability, DeviceInfo, DeviceKind, Limits
from gpucore_vulkan.driver import ffi
from gpucore_vulkan.emit import PRESERVES, ROUNDS_TO_EVEN
from gpucore_vulkan.vendors import VENDOR_ID

NAME = "vulkan"
VERSION = vk.VK_MAKE_VERSION(1, 2, 0)
LLVMPIPE = "llvmpipe"
_LOOP_LIMIT = 65535  # LP_MAX_TGSI_LOOP_ITERATIONS in Mesa

_KINDS = {1: DeviceKind.IGPU, 2: DeviceKind.GPU, 4: DeviceKind.SOFTWARE}
_PUSH_DESCRIPTOR = "VK_KHR_push_descriptor"
_ATOMIC_FLOAT = "VK_EXT_shader_atomic_float"
_PROCESSORS = {
    "VK_NV_shader_sm_builtins": (vk.VkPhysicalDeviceShaderSMBuiltinsPropertiesNV, ("shaderSMCount",)),
    "VK_AMD_shader_core_properties": (
        vk.VkPhysicalDeviceShaderCorePropertiesAMD,
        ("shaderEngineCount", "shaderArraysPerEngineCount", "computeUnitsPerShaderArray"),
    ),
}
"""Properties whose product is the number of multiprocessors."""

_CAPABILITIES = {
    Capability.F16: ("storageBuffer16BitAccess", "shaderFloat16"),
    Capability.F64: ("shaderFloat64",),
    Capability.INT64: ("shaderInt64",),
    Capability.INT8: ("storageBuffer8BitAccess", "shaderInt8"),
    Capability.INT16: ("storageBuffer16BitAccess", "shaderInt16"),
    Capability.ATOMIC_INT64: ("shaderInt64", "shaderBufferInt64Atomics", "shaderSharedInt64Atomics"),
    Capability.ATOMIC_F32: (
        "shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32Atomics",
        "shaderSharedFloat32AtomicAdd",
    ),
}  # fmt: skip
_ALWAYS = "timelineSemaphore"
_WANTED = {_ALWAYS, *(name for names in _CAPABILITIES.values() for name in names)}
"""The features that a device is opened with. The checks of indices by the driver (robustBufferAccess) are not among
them: kernels access what is there."""
_OF_SUBGROUPS = 1 | 2 | 4 | 8 | 16 | 32  # basic, vote, arithmetic, ballot, shuffle, relative shuffle
_MOST = (1 << 31) - 1


class Adapter(NamedTuple):
    """A physical device."""

    handle: Any
    features: Any  # VkPhysicalDeviceFeatures2 with its chain, to open it with
    extensions: list[str]
    family: int  # of queues
    has_timestamps: bool
    timestamp_period: float  # nanoseconds of a step
    shares_memory: bool  # with the host
    info: DeviceInfo


def make_instance() -> Any:
    """An instance of Vulkan."""
    application = vk.VkApplicationInfo(apiVersion=VERSION)
    return vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)


def find_adapters(instance: Any) -> list[Adapter]:
    """The devices that can run kernels, in the driver's order."""
    found: list[Adapter] = []
    for handle in vk.vkEnumeratePhysicalDevices(instance):
        properties = vk.vkGetPhysicalDeviceProperties(handle)
        family = _family(handle)
        if properties.apiVersion < VERSION or family is None:
            continue
        extensions = {each.extensionName for each in vk.vkEnumerateDeviceExtensionProperties(handle, None)}
        features, has = _features(handle, extensions)
        if _PUSH_DESCRIPTOR in extensions and _ALWAYS in has:
            found.append(_describe(handle, len(found), family, extensions, features, has))
    return found


def _family(handle: Any) -> tuple[int, bool] | None:
    """The first family of queues that run kernels, and whether they have timestamps."""
    for number, family in enumerate(vk.vkGetPhysicalDeviceQueueFamilyProperties(handle)):
        if family.queueFlags & vk.VK_QUEUE_COMPUTE_BIT:
            return number, family.timestampValidBits == 64
    return None


def _features(handle: Any, extensions: set[str]) -> tuple[Any, set[str]]:
    """The chain of features with which a device is opened, and their names."""
    chain: list[Any] = []
    if _ATOMIC_FLOAT in extensions:
        chain.append(vk.VkPhysicalDeviceShaderAtomicFloatFeaturesEXT())
    for make in (vk.VkPhysicalDeviceVulkan12Features, vk.VkPhysicalDeviceVulkan11Features):
        chain.append(make(pNext=chain[-1] if chain else None))
    whole = vk.VkPhysicalDeviceFeatures2(pNext=chain[-1])
    vk.vkGetPhysicalDeviceFeatures2(handle, whole)
    has: set[str] = set()
    for node in (*chain, whole.features):
        for name in dir(node):
            if name not in ("sType", "pNext") and getattr(node, name):
                setattr(node, name, name in _WANTED)
                has |= {name} & _WANTED
    return (whole, chain), has


def _describe(
    handle: Any, index: int, family: tuple[int, bool], extensions: set[str], features: Any, has: set[str]
) -> Adapter:
    push = vk.VkPhysicalDevicePushDescriptorPropertiesKHR()
    chain: list[Any] = [push]
    processors = [entry for name, entry in _PROCESSORS.items() if name in extensions]
    for make in (
        vk.VkPhysicalDeviceDriverProperties, vk.VkPhysicalDeviceFloatControlsProperties,
        vk.VkPhysicalDeviceMaintenance3Properties, vk.VkPhysicalDeviceSubgroupProperties,
        *(make for make, _ in processors),
    ):  # fmt: skip
        chain.append(make(pNext=chain[-1]))
    vk.vkGetPhysicalDeviceProperties2(handle, vk.VkPhysicalDeviceProperties2(pNext=chain[-1]))
    driver, controls, maintenance, subgroups, *counted = chain[1:]
    properties = vk.vkGetPhysicalDeviceProperties(handle)
    capabilities = {one for one, needed in _CAPABILITIES.items() if has.issuperset(needed)}
    capabilities.add(Capability.DEVICE_FENCE)
    has_subgroups = subgroups.supportedOperations & _OF_SUBGROUPS == _OF_SUBGROUPS
    if has_subgroups and subgroups.supportedStages & vk.VK_SHADER_STAGE_COMPUTE_BIT:
        capabilities |= {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER}
    size = int(subgroups.subgroupSize) if Capability.SUBGROUP in capabilities else 0
    kind = _KINDS.get(properties.deviceType, DeviceKind.GPU)
    driver_name = ffi.string(ffi.cast("char*", driver.driverName)).decode()
    driver_info = ffi.string(ffi.cast("char*", driver.driverInfo)).decode()
    details = {
        VENDOR_ID: f"{properties.vendorID:#06x}" if kind is not DeviceKind.SOFTWARE else "",
        "pipeline cache": bytes(properties.pipelineCacheUUID).hex(),
        "timestamps": "device" if family[1] else "host",
        **dict(_float_controls(controls)),
    }
    info = DeviceInfo(
        id=f"{NAME}:{index}",
        backend=NAME,
        index=index,
        name=properties.deviceName,
        kind=kind,
        driver=f"{driver_name} {driver_info}".strip(),
        api="Vulkan",
        capabilities=frozenset(capabilities),
        limits=_limits(properties, size, int(push.maxPushDescriptors), int(maintenance.maxMemoryAllocationSize)),
        details=tuple((key, value) for key, value in details.items() if value),
        kernels_share_memory=properties.deviceType == vk.VK_PHYSICAL_DEVICE_TYPE_CPU,
        memory=_local_memory(handle),
        multiprocessors=_product(processors[0][1], counted[0]) if counted else 0,
    )
    wanted = [_PUSH_DESCRIPTOR, *({_ATOMIC_FLOAT} & extensions)]
    period = float(properties.limits.timestampPeriod)
    return Adapter(handle, features, wanted, *family, period, kind is not DeviceKind.GPU, info)


def _local_memory(handle: Any) -> int:
    """Bytes of the device's own heaps, which are the host's for a device that shares its memory."""
    found = vk.vkGetPhysicalDeviceMemoryProperties(handle)
    heaps = [found.memoryHeaps[number] for number in range(found.memoryHeapCount)]
    return sum(int(heap.size) for heap in heaps if heap.flags & vk.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)


def _product(names: tuple[str, ...], properties: Any) -> int:
    result = 1
    for name in names:
        result *= int(getattr(properties, name))
    return result


def _float_controls(controls: Any) -> Iterator[tuple[str, str]]:
    """What can be asked for of each width. Widths that can only be set together are left out, but for all alike."""
    for detail, name, independence in (
        (PRESERVES, "shaderSignedZeroInfNanPreserveFloat", controls.denormBehaviorIndependence),
        (ROUNDS_TO_EVEN, "shaderRoundingModeRTEFloat", controls.roundingModeIndependence),
    ):
        widths = [str(bits) for bits in (16, 32, 64) if getattr(controls, f"{name}{bits}")]
        if widths and (detail == PRESERVES or _can_differ(independence) or len(widths) == 3):
            yield detail, " ".join(widths)


def _can_differ(independence: int) -> bool:
    return bool(independence == vk.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL)


def _limits(properties: Any, subgroup_size: int, most_pushed: int, largest_allocation: int) -> Limits:
    limits, is_limited = properties.limits, LLVMPIPE in properties.deviceName
    sizes, counts = limits.maxComputeWorkGroupSize, limits.maxComputeWorkGroupCount
    # beside the kernel's buffers: large blocks of scalars, and a flag where loops are cut short
    most_buffers = min(
        limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers,
        limits.maxPerStageResources - 1, most_pushed - 1,
    )  # fmt: skip
    largest = min(largest_allocation, 1 << 40)
    return Limits(
        max_workgroup_size=(int(sizes[0]), int(sizes[1]), int(sizes[2])),
        max_workgroup_invocations=int(limits.maxComputeWorkGroupInvocations),
        max_workgroups=(min(counts[0], _MOST), min(counts[1], _MOST), min(counts[2], _MOST)),
        max_workgroup_memory=int(limits.maxComputeSharedMemorySize),
        max_buffer_size=largest,
        max_binding_size=min(int(limits.maxStorageBufferRange) & ~15, largest),
        max_buffers=int(most_buffers) - is_limited,
        min_subgroup_size=subgroup_size,
        max_subgroup_size=subgroup_size,
        part_alignment=max(16, int(limits.minStorageBufferOffsetAlignment)),
        max_loop_iterations=_LOOP_LIMIT if is_limited else None,
    )
