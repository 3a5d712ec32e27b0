"""The devices of a Vulkan instance as DeviceInfo, and what they are opened with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import vulkan as vk

from gpucore.errors import DeviceError, GpucoreError, OutOfMemoryError
from gpucore.ir import Capability, Limits
from gpucore.runtime import DeviceInfo, DeviceKind

BACKEND = "vulkan_test"
LOOP_LIMIT = 65535  # LP_MAX_TGSI_LOOP_ITERATIONS in Mesa

_KINDS = {1: DeviceKind.IGPU, 2: DeviceKind.GPU, 4: DeviceKind.SOFTWARE}
_EXTENSIONS = {
    "VK_KHR_8bit_storage": vk.VkPhysicalDevice8BitStorageFeatures,
    "VK_KHR_shader_float16_int8": vk.VkPhysicalDeviceShaderFloat16Int8Features,
    "VK_KHR_shader_atomic_int64": vk.VkPhysicalDeviceShaderAtomicInt64Features,
    "VK_EXT_shader_atomic_float": vk.VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,
    "VK_KHR_shader_float_controls": None,
}
"""Extensions of version 1.1, with their features."""
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
_OF_SUBGROUPS = 1 | 2 | 4 | 8 | 16 | 32  # basic, vote, arithmetic, ballot, shuffle, relative shuffle


@contextmanager
def driver_errors(action: str) -> Iterator[None]:
    """Convert the driver's exceptions during `action`."""
    try:
        yield
    except GpucoreError:
        raise
    except (vk.VkErrorOutOfDeviceMemory, vk.VkErrorOutOfHostMemory) as error:
        raise OutOfMemoryError(f"the device has no memory left to {action}") from error
    except (vk.VkException, vk.VkError) as error:
        raise DeviceError(f"the driver refused to {action}: {error!r}") from error


def make_instance() -> Any:
    """An instance of Vulkan 1.1."""
    application = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 1, 0))
    return vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)


class Adapter(NamedTuple):
    """A physical device."""

    handle: Any
    features: Any  # VkPhysicalDeviceFeatures2 with its chain, to open it with
    extensions: list[str]
    info: DeviceInfo


def find_adapters(instance: Any) -> list[Adapter]:
    """All devices with a queue for compute."""
    return [_describe(handle, index) for index, handle in enumerate(list(vk.vkEnumeratePhysicalDevices(instance)))]


def _describe(handle: Any, index: int) -> Adapter:
    listed = {each.extensionName for each in vk.vkEnumerateDeviceExtensionProperties(handle, None)}
    extensions = [name for name in _EXTENSIONS if name in listed]
    chain: Any = vk.VkPhysicalDevice16BitStorageFeatures()
    nodes = [chain]
    for name in extensions:
        if (make := _EXTENSIONS[name]) is not None:
            chain = make(pNext=chain)
            nodes.append(chain)
    features = vk.VkPhysicalDeviceFeatures2(pNext=chain)
    vk.vkGetPhysicalDeviceFeatures2(handle, features)
    nodes.append(features.features)
    has = {name for node in nodes for name in dir(node) if name[0] != "p" and getattr(node, name) == 1}
    controls = vk.VkPhysicalDeviceFloatControlsProperties()
    subgroups = vk.VkPhysicalDeviceSubgroupProperties(pNext=controls)
    vk.vkGetPhysicalDeviceProperties2(handle, vk.VkPhysicalDeviceProperties2(pNext=subgroups))
    capabilities = {one for one, needed in _CAPABILITIES.items() if has.issuperset(needed)}
    capabilities.add(Capability.DEVICE_FENCE)
    if subgroups.supportedOperations & _OF_SUBGROUPS == _OF_SUBGROUPS:
        capabilities |= {Capability.SUBGROUP, Capability.SUBGROUP_BARRIER}
    properties = vk.vkGetPhysicalDeviceProperties(handle)
    size = subgroups.subgroupSize if Capability.SUBGROUP in capabilities else 0
    info = DeviceInfo(
        id=f"{BACKEND}:{index}",
        backend=BACKEND,
        index=index,
        name=properties.deviceName,
        kind=_KINDS.get(properties.deviceType, DeviceKind.GPU),
        driver=f"{properties.driverVersion:#x}",
        api="Vulkan",
        capabilities=frozenset(capabilities),
        limits=_limits(properties, size),
        details=(("timestamps", "host"), *_float_controls(controls)),
        kernels_share_memory=properties.deviceType == vk.VK_PHYSICAL_DEVICE_TYPE_CPU,
    )
    return Adapter(handle, features, extensions, info)


def _float_controls(controls: Any) -> Iterator[tuple[str, str]]:
    """What can be asked for of each width, by the names in `FloatControls`."""
    for detail, name in (
        ("preserves", "shaderSignedZeroInfNanPreserveFloat"), ("rounds_to_even", "shaderRoundingModeRTEFloat")
    ):  # fmt: skip
        if widths := [str(bits) for bits in (16, 32, 64) if getattr(controls, f"{name}{bits}")]:
            yield detail, " ".join(widths)


def _limits(properties: Any, subgroup_size: int) -> Limits:
    limits = properties.limits
    sizes, counts = limits.maxComputeWorkGroupSize, limits.maxComputeWorkGroupCount
    largest = min(int(limits.maxStorageBufferRange), (1 << 31) - 1)
    return Limits(
        max_workgroup_size=(int(sizes[0]), int(sizes[1]), int(sizes[2])),
        max_workgroup_invocations=int(limits.maxComputeWorkGroupInvocations),
        max_workgroups=tuple(min(int(counts[axis]), (1 << 31) - 1) for axis in range(3)),  # type: ignore[arg-type]
        max_workgroup_memory=int(limits.maxComputeSharedMemorySize),
        max_buffer_size=max(largest, 1 << 28),
        max_binding_size=largest,
        max_buffers=int(limits.maxPerStageDescriptorStorageBuffers) - 1,  # one is for the flag of loops
        min_subgroup_size=subgroup_size,
        max_subgroup_size=subgroup_size,
        max_loop_iterations=LOOP_LIMIT if "llvmpipe" in properties.deviceName else None,
    )
