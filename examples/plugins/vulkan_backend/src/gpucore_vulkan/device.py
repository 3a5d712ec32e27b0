"""A Vulkan device with one queue."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import vulkan as vk

from gpucore.plugin import (
    Buffer,
    ClosedError,
    Device,
    DispatchError,
    HeldBack,
    Mark,
    OutOfMemoryError,
    Pipeline,
    Recording,
    Source,
    Step,
)
from gpucore_vulkan.adapters import Adapter
from gpucore_vulkan.buffers import AnyBuffer, VulkanBuffer
from gpucore_vulkan.driver import driver_errors
from gpucore_vulkan.llvmpipe import LOOP_CHECK
from gpucore_vulkan.marks import Clock, VulkanFence, VulkanMark
from gpucore_vulkan.memory import Memories
from gpucore_vulkan.pipelines import Compiler, VulkanPipeline
from gpucore_vulkan.queue import Queue
from gpucore_vulkan.recordings import VulkanRecording
from gpucore_vulkan.transfers import Transfers


class VulkanDevice(Device):
    """An open device. Commands are recorded, and submitted at marks or when they are many."""

    def __init__(self, adapter: Adapter) -> None:
        self.info = adapter.info
        with driver_errors(f"open {self.info.id}"):
            queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=adapter.family, queueCount=1, pQueuePriorities=[1.0])
            create = vk.VkDeviceCreateInfo(
                pNext=adapter.features[0], pQueueCreateInfos=[queue], ppEnabledExtensionNames=adapter.extensions
            )
            self._handle: Any = vk.vkCreateDevice(adapter.handle, create, None)
            self.memories = Memories(self._handle, adapter.handle, is_shared=adapter.shares_memory)
        self.queue = Queue(self._handle, adapter.family)
        self._transfers = Transfers(self.queue, self.memories)
        self._compiler = Compiler(self._handle, self.queue, self.info)
        self._clock = Clock(self._handle, adapter.timestamp_period, adapter.has_timestamps)
        self._flags: VulkanBuffer | None = None
        self.is_flag_due = False

    # ---------------------------------------------------------------- the interface

    def allocate(self, nbytes: int) -> VulkanBuffer:
        self._require_open()
        limits = self.info.limits
        if nbytes > limits.max_buffer_size:
            most = limits.max_buffer_size
            raise OutOfMemoryError(f"{nbytes} bytes are more than the {most} of the largest buffer of {self.info.id}")
        self.queue.retire()
        return VulkanBuffer(self._transfers, nbytes, self.memories.arrays.take(nbytes), limits.max_binding_size)

    def compile(self, source: Source) -> Pipeline:
        self._require_open()
        return self._compiler.compile(source)

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        kernel: VulkanPipeline = pipeline  # type: ignore[assignment]  # both are this device's, as the protocol says
        bound: Sequence[AnyBuffer] = buffers  # type: ignore[assignment]
        block = None
        if not kernel.is_plain:
            bound = self.with_flag(kernel, bound)
            block = self._transfers.place(scalars) if kernel.in_buffer else None
        self.queue.record().dispatch(kernel, kernel.bound(tuple(bound)), scalars, block, workgroups)

    def record(self, steps: Sequence[Step]) -> Recording:
        self._require_open()
        return VulkanRecording(self, self.queue, self.memories, steps)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self._require_open()
        first: AnyBuffer = source  # type: ignore[assignment]
        second: AnyBuffer = target  # type: ignore[assignment]
        if first is not second:
            self.queue.record().copy(first, second, nbytes)

    def mark_before_write(self, nbytes: int) -> Mark | None:
        submit = self._transfers.submit_before_write(nbytes)
        return VulkanFence(self.queue, submit, self._arrive) if submit else None

    def mark(self) -> Mark:
        """A timestamp before which nothing is recorded is submitted with the work after it: the time until then is not
        device time."""
        self._require_open()
        queue, timestamp = self.queue, self._clock.take()
        submit = queue.next
        if timestamp is not None:
            queue.begin().timestamp(self._clock.queries, timestamp.number)
        if queue.has_work or timestamp is None:
            submit = self._flushed()
        return VulkanMark(queue, submit, self._arrive, timestamp)

    def fence(self) -> Mark:
        self._require_open()
        return VulkanFence(self.queue, self._flushed(), self._arrive)

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, VulkanMark) and isinstance(end, VulkanMark)
        if start.timestamp is None or end.timestamp is None:
            return max(0.0, end.ended - start.ended)
        return self._clock.seconds(start.timestamp, end.timestamp)

    def close(self) -> None:
        if self.queue.is_closed:
            return
        with HeldBack():
            self.queue.close()
            self._transfers.close()
            self._clock.destroy()
            self._compiler.destroy()
            self.memories.destroy()
            vk.vkDestroyDevice(self._handle, None)

    # ---------------------------------------------------------------- loops that the driver ends

    def with_flag(self, kernel: VulkanPipeline, bound: Sequence[AnyBuffer]) -> Sequence[AnyBuffer]:
        """The buffers of a dispatch, with that of the device if the kernel has it."""
        return [*bound, self._flag_buffer()] if kernel.has_flag else bound

    def _flag_buffer(self) -> VulkanBuffer:
        """What a kernel that may be cut short marks: how many iterations its last loop has, and whether it had less."""
        if self._flags is None:
            flags = self.allocate(8)
            flags.write(memoryview(struct.pack("<II", LOOP_CHECK, 0)))
            self._flags = flags
        self.is_flag_due = True
        return self._flags

    def _arrive(self) -> None:
        """All work up to a mark has ended."""
        self.queue.retire()
        self._transfers.deliver()
        if not self.is_flag_due or self._flags is None or self._flags.history.used > self.queue.ended:
            return
        self.is_flag_due = False
        found = bytearray(4)
        self._flags.read(memoryview(found), 4)
        if any(found):
            self._flags.write(memoryview(bytes(4)), 4)
            limit = self.info.limits.max_loop_iterations
            raise DispatchError(f"the driver ended a loop of a kernel after {limit} iterations")

    def _flushed(self) -> int:
        """Submit recorded work. Returns the last submit with work."""
        if self.queue.has_work:
            self.queue.flush()
        self.queue.start_batch()
        return self.queue.submitted

    def _require_open(self) -> None:
        if self.queue.is_closed:
            raise ClosedError(f"{self.info.id} was closed")
