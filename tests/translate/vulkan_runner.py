"""Runs a compute kernel in SPIR-V with Vulkan, by the Python package vulkan: one dispatch, and all bytes after it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[2] / ".translate" / "python"
if str(PACKAGES) not in sys.path:
    sys.path.append(str(PACKAGES))

_MEMORY = ("VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT", "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT")
_KINDS = {"storage": "STORAGE", "uniform": "UNIFORM"}
_TIMEOUT = 60 * 10**9
IN_ORDER = {"LP_NUM_THREADS": "0"}
"""Variables with which lavapipe runs one workgroup after the other. It reads them when devices are listed."""


def missing() -> str:
    """What is missing for `run`; empty if nothing is."""
    return "" if importlib.util.find_spec("vulkan") else "the package vulkan is not installed: make translate"


def driver() -> str:
    """The name of the device and the version of its driver."""
    vulkan = _vulkan()
    properties = vulkan.api.vkGetPhysicalDeviceProperties(vulkan.physical)
    return str(properties.deviceName)


def run(
    code: bytes,
    entry: str,
    bindings: Sequence[tuple[int, str, bytes]],
    workgroups: tuple[int, int, int],
) -> list[bytes]:
    """The bytes of all bindings, each a place, "storage" or "uniform", and bytes, after one dispatch."""
    return _Run(_vulkan(), code, entry, bindings).run(workgroups)


class _Vulkan:
    """The first device, opened with all the features of kernels that it has."""

    def __init__(self) -> None:
        self.api = api = importlib.import_module("vulkan")
        application = api.VkApplicationInfo(apiVersion=api.VK_MAKE_VERSION(1, 2, 0))
        with pytest.MonkeyPatch.context() as patch:
            for name, value in IN_ORDER.items():
                patch.setenv(name, value)
            self.instance = api.vkCreateInstance(api.VkInstanceCreateInfo(pApplicationInfo=application), None)
            self.physical = api.vkEnumeratePhysicalDevices(self.instance)[0]
        vulkan11 = api.VkPhysicalDeviceVulkan11Features()
        vulkan12 = api.VkPhysicalDeviceVulkan12Features(pNext=vulkan11)
        features = api.VkPhysicalDeviceFeatures2(pNext=vulkan12)
        api.vkGetPhysicalDeviceFeatures2(self.physical, features)
        queue = api.VkDeviceQueueCreateInfo(queueFamilyIndex=0, queueCount=1, pQueuePriorities=[1.0])
        info = api.VkDeviceCreateInfo(pNext=features, queueCreateInfoCount=1, pQueueCreateInfos=[queue])
        self.device = api.vkCreateDevice(self.physical, info, None)
        self.queue = api.vkGetDeviceQueue(self.device, 0, 0)
        pool = api.VkCommandPoolCreateInfo(queueFamilyIndex=0)
        self.commands = api.vkCreateCommandPool(self.device, pool, None)
        self.memory_type = self._memory_type()

    def _memory_type(self) -> int:
        """The first that the host reads and writes without more."""
        wanted = 0
        for name in _MEMORY:
            wanted |= getattr(self.api, name)
        types = self.api.vkGetPhysicalDeviceMemoryProperties(self.physical).memoryTypes
        return next(at for at, type in enumerate(types) if type.propertyFlags & wanted == wanted)


@functools.cache
def _vulkan() -> _Vulkan:
    return _Vulkan()


class _Run:
    """One dispatch, and the objects that it needs."""

    def __init__(self, vulkan: _Vulkan, code: bytes, entry: str, bindings: Sequence[tuple[int, str, bytes]]) -> None:
        self._vk, self._api, self._device = vulkan, vulkan.api, vulkan.device
        self._bindings, self._entry = bindings, entry
        self._buffers = [self._buffer(kind, data) for _, kind, data in bindings]
        api, device = self._api, self._device
        layouts = [
            api.VkDescriptorSetLayoutBinding(
                binding=place,
                descriptorType=self._type(kind),
                descriptorCount=1,
                stageFlags=api.VK_SHADER_STAGE_COMPUTE_BIT,
            )
            for place, kind, _ in bindings
        ]
        made = api.VkDescriptorSetLayoutCreateInfo(bindingCount=len(layouts), pBindings=layouts)
        self._set_layout = api.vkCreateDescriptorSetLayout(device, made, None)
        layout = api.VkPipelineLayoutCreateInfo(setLayoutCount=1, pSetLayouts=[self._set_layout])
        self._layout = api.vkCreatePipelineLayout(device, layout, None)
        module = api.VkShaderModuleCreateInfo(codeSize=len(code), pCode=code)
        self._module = api.vkCreateShaderModule(device, module, None)

    def run(self, workgroups: tuple[int, int, int]) -> list[bytes]:
        """Dispatch, wait, read, and free everything."""
        try:
            pipeline = self._pipeline()
            pool, descriptors = self._descriptors()
            self._submit(pipeline, descriptors, workgroups)
            results = [
                self._access(memory, len(data), None)
                for (_, memory), (_, _, data) in zip(self._buffers, self._bindings, strict=True)
            ]
            self._api.vkDestroyDescriptorPool(self._device, pool, None)
            self._api.vkDestroyPipeline(self._device, pipeline, None)
        finally:
            self._free()
        return results

    def _type(self, kind: str) -> int:
        return int(getattr(self._api, f"VK_DESCRIPTOR_TYPE_{_KINDS[kind]}_BUFFER"))

    def _buffer(self, kind: str, data: bytes) -> tuple[Any, Any]:
        api, device = self._api, self._device
        usage = getattr(api, f"VK_BUFFER_USAGE_{_KINDS[kind]}_BUFFER_BIT")
        buffer = api.vkCreateBuffer(device, api.VkBufferCreateInfo(size=len(data), usage=usage), None)
        size = api.vkGetBufferMemoryRequirements(device, buffer).size
        allocation = api.VkMemoryAllocateInfo(allocationSize=size, memoryTypeIndex=self._vk.memory_type)
        memory = api.vkAllocateMemory(device, allocation, None)
        api.vkBindBufferMemory(device, buffer, memory, 0)
        self._access(memory, len(data), data)
        return buffer, memory

    def _access(self, memory: Any, size: int, data: bytes | None) -> bytes:
        """Write `data`, if there are any, and return what is in the memory."""
        mapped = self._api.vkMapMemory(self._device, memory, 0, size, 0)
        if data is not None:
            mapped[:size] = data
        content = bytes(mapped[:size])
        self._api.vkUnmapMemory(self._device, memory)
        return content

    def _pipeline(self) -> Any:
        api = self._api
        # kept in a variable: nested in the next struct its memory is freed too early
        stage = api.VkPipelineShaderStageCreateInfo(
            stage=api.VK_SHADER_STAGE_COMPUTE_BIT, module=self._module, pName=self._entry
        )
        info = api.VkComputePipelineCreateInfo(stage=stage, layout=self._layout)
        made = api.vkCreateComputePipelines(self._device, None, 1, [info], None)
        return made[0] if isinstance(made, list | tuple) or hasattr(made, "__getitem__") else made

    def _descriptors(self) -> tuple[Any, Any]:
        api, device = self._api, self._device
        sizes = [
            api.VkDescriptorPoolSize(type=self._type(kind), descriptorCount=len(self._bindings)) for kind in _KINDS
        ]
        info = api.VkDescriptorPoolCreateInfo(maxSets=1, poolSizeCount=len(sizes), pPoolSizes=sizes)
        pool = api.vkCreateDescriptorPool(device, info, None)
        wanted = api.VkDescriptorSetAllocateInfo(
            descriptorPool=pool, descriptorSetCount=1, pSetLayouts=[self._set_layout]
        )
        descriptors = api.vkAllocateDescriptorSets(device, wanted)[0]
        writes = []
        for (place, kind, data), (buffer, _) in zip(self._bindings, self._buffers, strict=True):
            part = api.VkDescriptorBufferInfo(buffer=buffer, offset=0, range=len(data))
            writes.append(
                api.VkWriteDescriptorSet(
                    dstSet=descriptors,
                    dstBinding=place,
                    descriptorCount=1,
                    descriptorType=self._type(kind),
                    pBufferInfo=[part],
                )
            )
        api.vkUpdateDescriptorSets(device, len(writes), writes, 0, None)
        return pool, descriptors

    def _submit(self, pipeline: Any, descriptors: Any, workgroups: tuple[int, int, int]) -> None:
        api, device = self._api, self._device
        wanted = api.VkCommandBufferAllocateInfo(
            commandPool=self._vk.commands, level=api.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1
        )
        commands = api.vkAllocateCommandBuffers(device, wanted)[0]
        api.vkBeginCommandBuffer(commands, api.VkCommandBufferBeginInfo())
        api.vkCmdBindPipeline(commands, api.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline)
        api.vkCmdBindDescriptorSets(
            commands, api.VK_PIPELINE_BIND_POINT_COMPUTE, self._layout, 0, 1, [descriptors], 0, None
        )
        api.vkCmdDispatch(commands, *workgroups)
        api.vkEndCommandBuffer(commands)
        fence = api.vkCreateFence(device, api.VkFenceCreateInfo(), None)
        submit = api.VkSubmitInfo(commandBufferCount=1, pCommandBuffers=[commands])
        api.vkQueueSubmit(self._vk.queue, 1, [submit], fence)
        api.vkWaitForFences(device, 1, [fence], True, _TIMEOUT)
        api.vkDestroyFence(device, fence, None)
        api.vkFreeCommandBuffers(device, self._vk.commands, 1, [commands])

    def _free(self) -> None:
        api, device = self._api, self._device
        for buffer, memory in self._buffers:
            api.vkDestroyBuffer(device, buffer, None)
            api.vkFreeMemory(device, memory, None)
        api.vkDestroyShaderModule(device, self._module, None)
        api.vkDestroyPipelineLayout(device, self._layout, None)
        api.vkDestroyDescriptorSetLayout(device, self._set_layout, None)
