"""A device on Vulkan with one queue, whose memory the host sees. Commands are recorded and submitted at marks."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

import vulkan as vk
from driver_steps import FLAG_NAME, LOOP_CHECK
from vulkan_adapters import Adapter, driver_errors

from gpucore.back import spirv
from gpucore.errors import ClosedError, DispatchError, DriverCompileError, OutOfMemoryError
from gpucore.runtime import Buffer, Device, Mark, Pipeline, Source

_SETS = 16  # descriptor sets of a pool
_USAGE = 1 | 2 | 16 | 32  # transfer source and target, uniform, storage
_HOST = 2 | 4  # visible, coherent
_ALL, _ACCESS = 0x10000, 0x8000 | 0x10000  # all commands; memory read and write


class VulkanBuffer(Buffer):
    """A buffer with memory of its own, mapped as long as it lives."""

    def __init__(self, device: VulkanDevice, nbytes: int) -> None:
        self.nbytes = nbytes
        self._device = device
        self.size = size = -(-nbytes // 16) * 16
        self.handle: Any = vk.vkCreateBuffer(device.handle, vk.VkBufferCreateInfo(size=size, usage=_USAGE), None)
        needed = vk.vkGetBufferMemoryRequirements(device.handle, self.handle)
        kind = next(number for number in device.host_kinds if needed.memoryTypeBits >> number & 1)
        allocation = vk.VkMemoryAllocateInfo(allocationSize=needed.size, memoryTypeIndex=kind)
        self._memory: Any = None
        try:
            self._memory = vk.vkAllocateMemory(device.handle, allocation, None)
        except vk.VkException:
            vk.vkDestroyBuffer(device.handle, self.handle, None)
            raise
        vk.vkBindBufferMemory(device.handle, self.handle, self._memory, 0)
        self.bytes = memoryview(vk.vkMapMemory(device.handle, self._memory, 0, size, 0)).cast("B")

    def write(self, data: memoryview, offset: int = 0) -> None:
        self._device.write(self, data.cast("B") if data.nbytes else data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        out.cast("B")[:] = self.bytes[offset : offset + out.nbytes]

    def release(self) -> None:
        memory, self._memory = self._memory, None
        if memory is None or self._device.is_closed:
            return
        self.bytes = memoryview(b"")
        handle, device = self.handle, self._device.handle

        def free() -> None:
            vk.vkDestroyBuffer(device, handle, None)
            vk.vkFreeMemory(device, memory, None)

        self._device.after_work(free)


class VulkanPipeline(Pipeline):
    """A compute pipeline with its layouts."""

    def __init__(self, device: VulkanDevice, source: Source, binary: spirv.Binary) -> None:
        self.source, self._device = source, device
        self.is_flagged = f'"{FLAG_NAME}"' in source.text
        self.is_pushed = binary.has_push_constants
        self.in_buffer = bool(source.scalars_nbytes) and not self.is_pushed
        count = len(source.writes)
        kinds = [vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] * count
        kinds += [vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] * self.in_buffer
        stage = vk.VK_SHADER_STAGE_COMPUTE_BIT
        bindings = [
            vk.VkDescriptorSetLayoutBinding(binding=at, descriptorType=kind, descriptorCount=1, stageFlags=stage)
            for at, kind in enumerate(kinds)
        ]
        made = vk.VkDescriptorSetLayoutCreateInfo(pBindings=bindings)
        self.kinds, handle = kinds, device.handle
        self.set_layout: Any = vk.vkCreateDescriptorSetLayout(handle, made, None)
        ranges = [vk.VkPushConstantRange(stageFlags=stage, offset=0, size=source.scalars_nbytes)] * self.is_pushed
        layout = vk.VkPipelineLayoutCreateInfo(pSetLayouts=[self.set_layout], pPushConstantRanges=ranges)
        self.layout: Any = vk.vkCreatePipelineLayout(handle, layout, None)
        words = binary.words
        module = vk.vkCreateShaderModule(handle, vk.VkShaderModuleCreateInfo(codeSize=len(words), pCode=words), None)
        # In a variable of its own: the binding lets the memory of a nested structure go before the driver reads it.
        entry = vk.VkPipelineShaderStageCreateInfo(stage=stage, module=module, pName=source.entry)
        create = vk.VkComputePipelineCreateInfo(stage=entry, layout=self.layout)
        self.handle: Any = vk.vkCreateComputePipelines(handle, None, 1, [create], None)[0]
        vk.vkDestroyShaderModule(handle, module, None)

    def release(self) -> None:
        pipeline, self.handle = self.handle, None
        if pipeline is None or self._device.is_closed:
            return
        device, layout, set_layout = self._device.handle, self.layout, self.set_layout

        def free() -> None:
            vk.vkDestroyPipeline(device, pipeline, None)
            vk.vkDestroyPipelineLayout(device, layout, None)
            vk.vkDestroyDescriptorSetLayout(device, set_layout, None)

        self._device.after_work(free)


class Submission:
    """Commands, recorded or submitted, and what is freed after them."""

    def __init__(self, device: VulkanDevice) -> None:
        self._device = device
        self.fence: Any = None
        self.ended: float | None = None
        self.garbage: list[Callable[[], None]] = []
        self.pools: list[Any] = []
        self.sets_left = 0
        self.is_flagged = False
        self.commands = device.new_commands()

    def is_done(self) -> bool:
        if self.ended is None and self.fence is not None:
            try:
                vk.vkGetFenceStatus(self._device.handle, self.fence)
            except vk.VkNotReady:
                return False
            self.ended = time.perf_counter()
        return self.ended is not None

    def retire(self) -> None:
        """Free what it used; its fence has been passed."""
        device = self._device
        for pool in self.pools:
            vk.vkDestroyDescriptorPool(device.handle, pool, None)
        vk.vkFreeCommandBuffers(device.handle, device.pool, 1, [self.commands])
        if self.fence is not None:
            vk.vkDestroyFence(device.handle, self.fence, None)
        for free in self.garbage:
            free()
        self.pools, self.garbage, self.fence = [], [], None


class VulkanMark(Mark):
    """The end of a submission, or of nothing."""

    def __init__(self, device: VulkanDevice, submission: Submission | None) -> None:
        self._device, self._submission = device, submission
        self.made = time.perf_counter()

    def is_done(self) -> bool:
        self._device.retire()
        self._device.raise_failure()
        return self._submission is None or self._submission.ended is not None

    @property
    def seconds(self) -> float:
        ended = None if self._submission is None else self._submission.ended
        return self.made if ended is None else max(ended, self.made)


class VulkanDevice(Device):
    """An open device."""

    def __init__(self, adapter: Adapter) -> None:
        self.info = adapter.info
        self.is_closed = False
        with driver_errors("open the device"):
            families = list(vk.vkGetPhysicalDeviceQueueFamilyProperties(adapter.handle))
            family = next(n for n, each in enumerate(families) if each.queueFlags & vk.VK_QUEUE_COMPUTE_BIT)
            queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=family, queueCount=1, pQueuePriorities=[1.0])
            create = vk.VkDeviceCreateInfo(
                pNext=adapter.features, pQueueCreateInfos=[queue], ppEnabledExtensionNames=adapter.extensions
            )
            self.handle: Any = vk.vkCreateDevice(adapter.handle, create, None)
            self._queue = vk.vkGetDeviceQueue(self.handle, family, 0)
            flags = vk.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT
            pool = vk.VkCommandPoolCreateInfo(queueFamilyIndex=family, flags=flags)
            self.pool: Any = vk.vkCreateCommandPool(self.handle, pool, None)
            memory = vk.vkGetPhysicalDeviceMemoryProperties(adapter.handle)
            self.host_kinds = [
                number for number in range(memory.memoryTypeCount)
                if memory.memoryTypes[number].propertyFlags & _HOST == _HOST
            ]  # fmt: skip
            self._recording: Submission | None = None
            self._submitted: list[Submission] = []
            self._flags: VulkanBuffer | None = None
            self._is_cut_short = False

    # ------------------------------------------------------------ commands

    def new_commands(self) -> Any:
        """A command buffer that has begun."""
        made = vk.VkCommandBufferAllocateInfo(
            commandPool=self.pool, level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1
        )
        commands = vk.vkAllocateCommandBuffers(self.handle, made)[0]
        vk.vkBeginCommandBuffer(commands, vk.VkCommandBufferBeginInfo())
        return commands

    def _record(self) -> Submission:
        """What is recorded, with a barrier after the commands before."""
        if self.is_closed:
            raise ClosedError(f"{self.info.id} is closed")
        if self._recording is None:
            self._recording = Submission(self)
        barrier = vk.VkMemoryBarrier(srcAccessMask=_ACCESS, dstAccessMask=_ACCESS)
        vk.vkCmdPipelineBarrier(self._recording.commands, _ALL, _ALL, 0, 1, [barrier], 0, None, 0, None)
        return self._recording

    def flush(self) -> None:
        """Submit what is recorded."""
        recorded, self._recording = self._recording, None
        if recorded is not None:
            barrier = vk.VkMemoryBarrier(srcAccessMask=_ACCESS, dstAccessMask=0x2000 | 0x4000)  # for the host
            vk.vkCmdPipelineBarrier(recorded.commands, _ALL, 0x4000, 0, 1, [barrier], 0, None, 0, None)
            vk.vkEndCommandBuffer(recorded.commands)
            recorded.fence = vk.vkCreateFence(self.handle, vk.VkFenceCreateInfo(), None)
            submit = vk.VkSubmitInfo(pCommandBuffers=[recorded.commands])
            vk.vkQueueSubmit(self._queue, 1, [submit], recorded.fence)
            self._submitted.append(recorded)

    def retire(self) -> None:
        """Free what work that has ended used, in order."""
        while self._submitted and self._submitted[0].is_done():
            done = self._submitted.pop(0)
            if done.is_flagged and self._flags is not None and self._flags.bytes[4]:
                self._flags.bytes[4] = 0
                self._is_cut_short = True
            done.retire()

    def raise_failure(self) -> None:
        """Raise an error of work that has ended, once."""
        if self._is_cut_short:
            self._is_cut_short = False
            limit = self.info.limits.max_loop_iterations
            raise DispatchError(f"the driver ended a loop of a kernel after {limit} iterations")

    def after_work(self, free: Callable[[], None]) -> None:
        """Call `free` once the work queued by now has ended."""
        if self._recording is not None:
            self._recording.garbage.append(free)
        elif self._submitted:
            self._submitted[-1].garbage.append(free)
        else:
            free()

    # ------------------------------------------------------------ the interface

    def allocate(self, nbytes: int) -> Buffer:
        if self.is_closed:
            raise ClosedError(f"{self.info.id} is closed")
        if nbytes > self.info.limits.max_buffer_size:
            raise OutOfMemoryError(f"{nbytes} bytes are more than a buffer of {self.info.id} can have")
        self.retire()
        with driver_errors(f"allocate {nbytes} bytes"):
            return VulkanBuffer(self, nbytes)

    def write(self, buffer: VulkanBuffer, data: memoryview, offset: int) -> None:
        self.retire()
        if not data.nbytes:
            return
        if self._recording is None and not self._submitted:
            buffer.bytes[offset : offset + data.nbytes] = data
            return
        with driver_errors("write a buffer"):
            staging = VulkanBuffer(self, data.nbytes)
            staging.bytes[: data.nbytes] = data
            region = vk.VkBufferCopy(srcOffset=0, dstOffset=offset, size=data.nbytes)
            vk.vkCmdCopyBuffer(self._record().commands, staging.handle, buffer.handle, 1, [region])
            staging.release()

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, VulkanBuffer) and isinstance(target, VulkanBuffer)
        if source is not target:
            region = vk.VkBufferCopy(srcOffset=0, dstOffset=0, size=nbytes)
            with driver_errors("copy a buffer"):
                vk.vkCmdCopyBuffer(self._record().commands, source.handle, target.handle, 1, [region])

    def compile(self, source: Source) -> Pipeline:
        if not isinstance(source.payload, tuple):
            raise DriverCompileError("GP611", f"'{source.entry}' has no module", why="only the words can be compiled")
        with driver_errors(f"compile {source.entry}"):
            return VulkanPipeline(self, source, spirv.Binary.of(source))

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, VulkanPipeline)
        with driver_errors(f"dispatch {pipeline.source.entry}"):
            recorded = self._record()
            bound = list(buffers)
            if pipeline.is_flagged:
                bound.append(self._flag_buffer())
                recorded.is_flagged = True
            if pipeline.in_buffer:
                block = VulkanBuffer(self, len(scalars))
                block.bytes[: len(scalars)] = scalars
                bound.append(block)
                block.release()
            commands, layout = recorded.commands, pipeline.layout
            compute = vk.VK_PIPELINE_BIND_POINT_COMPUTE
            vk.vkCmdBindPipeline(commands, compute, pipeline.handle)
            if bound:
                described = self._descriptors(recorded, pipeline, bound)
                vk.vkCmdBindDescriptorSets(commands, compute, layout, 0, 1, [described], 0, None)
            if pipeline.is_pushed:
                data = vk.ffi.from_buffer(scalars)
                stage = vk.VK_SHADER_STAGE_COMPUTE_BIT
                vk.vkCmdPushConstants(commands, layout, stage, 0, len(scalars), data)
            vk.vkCmdDispatch(commands, *workgroups)

    def _flag_buffer(self) -> VulkanBuffer:
        if self._flags is None:
            self._flags = VulkanBuffer(self, 8)
            self._flags.bytes[:8] = struct.pack("<II", LOOP_CHECK, 0)
        return self._flags

    def _descriptors(self, recorded: Submission, pipeline: VulkanPipeline, bound: Sequence[Buffer]) -> Any:
        if not recorded.sets_left:
            most = 1 + self.info.limits.max_buffers
            sizes = [
                vk.VkDescriptorPoolSize(type=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=_SETS * most),
                vk.VkDescriptorPoolSize(type=vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, descriptorCount=_SETS),
            ]
            pool = vk.VkDescriptorPoolCreateInfo(maxSets=_SETS, pPoolSizes=sizes)
            recorded.pools.append(vk.vkCreateDescriptorPool(self.handle, pool, None))
            recorded.sets_left = _SETS
        recorded.sets_left -= 1
        wanted = vk.VkDescriptorSetAllocateInfo(descriptorPool=recorded.pools[-1], pSetLayouts=[pipeline.set_layout])
        made = vk.vkAllocateDescriptorSets(self.handle, wanted)[0]
        writes = []
        for at, (kind, buffer) in enumerate(zip(pipeline.kinds, bound, strict=True)):
            assert isinstance(buffer, VulkanBuffer)
            place = vk.VkDescriptorBufferInfo(buffer=buffer.handle, offset=0, range=buffer.size)
            writes.append(
                vk.VkWriteDescriptorSet(
                    dstSet=made, dstBinding=at, descriptorCount=1, descriptorType=kind, pBufferInfo=[place]
                )
            )
        vk.vkUpdateDescriptorSets(self.handle, len(writes), writes, 0, None)
        return made

    def mark(self) -> Mark:
        with driver_errors("mark the queue"):
            self.flush()
            self.retire()
            return VulkanMark(self, self._submitted[-1] if self._submitted else None)

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, VulkanMark) and isinstance(end, VulkanMark)
        return max(0.0, end.seconds - start.seconds)

    def close(self) -> None:
        if self.is_closed:
            return
        self.flush()
        vk.vkDeviceWaitIdle(self.handle)
        self.retire()
        self.is_closed = True
        vk.vkDestroyCommandPool(self.handle, self.pool, None)
        vk.vkDestroyDevice(self.handle, None)
