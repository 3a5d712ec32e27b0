"""Commands written into a command buffer: dispatches and copies, with the barriers that they need."""

from __future__ import annotations

import itertools
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import vulkan as vk

from gpucore_vulkan.driver import ffi, function_of
from gpucore_vulkan.memory import Range

if TYPE_CHECKING:
    from gpucore_vulkan.buffers import AnyBuffer, History
    from gpucore_vulkan.pipelines import VulkanPipeline

_COMPUTE = vk.VK_PIPELINE_BIND_POINT_COMPUTE
_STAGE = vk.VK_SHADER_STAGE_COMPUTE_BIT
_WORK = vk.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | vk.VK_PIPELINE_STAGE_TRANSFER_BIT
_ACCESSES = (
    vk.VK_ACCESS_SHADER_READ_BIT | vk.VK_ACCESS_SHADER_WRITE_BIT | vk.VK_ACCESS_UNIFORM_READ_BIT
    | vk.VK_ACCESS_TRANSFER_READ_BIT | vk.VK_ACCESS_TRANSFER_WRITE_BIT
)  # fmt: skip
_WRITES = vk.VK_ACCESS_SHADER_WRITE_BIT | vk.VK_ACCESS_TRANSFER_WRITE_BIT
_NULL = ffi.NULL

_epochs = itertools.count(1)
"""A number for what lies between two barriers, of all writers: none takes the uses noted by another for its own."""


class Bound(NamedTuple):
    """The buffers of a dispatch: as bytes for the driver, and the histories of those that it reads and writes."""

    described: bytes
    read: tuple[History, ...]
    written: tuple[History, ...]


def _barrier(source: int, target: int) -> Any:
    sort = vk.VK_STRUCTURE_TYPE_MEMORY_BARRIER
    return ffi.new("VkMemoryBarrier*", {"sType": sort, "srcAccessMask": source, "dstAccessMask": target})


class Functions:
    """Pointers to the functions that write commands, and structures that they take."""

    def __init__(self, device: Any) -> None:
        def of(name: str) -> Any:
            return function_of(device, name)

        self.begin: Any = of("vkBeginCommandBuffer")
        self.end: Any = of("vkEndCommandBuffer")
        self.barrier: Any = of("vkCmdPipelineBarrier")
        self.bind_pipeline: Any = of("vkCmdBindPipeline")
        self.push_buffers: Any = of("vkCmdPushDescriptorSetWithTemplateKHR")
        self.push_constants: Any = of("vkCmdPushConstants")
        self.dispatch: Any = of("vkCmdDispatch")
        self.copy: Any = of("vkCmdCopyBuffer")
        self.execute: Any = of("vkCmdExecuteCommands")
        self.reset_queries: Any = of("vkCmdResetQueryPool")
        self.write_timestamp: Any = of("vkCmdWriteTimestamp")
        self.between = _barrier(_WRITES, _ACCESSES)
        self.for_host = _barrier(_WRITES, vk.VK_ACCESS_HOST_READ_BIT)
        self.region = ffi.new("VkBufferCopy*")
        self.executed = ffi.new("VkCommandBuffer[1]")


class Writer:
    """Writes into one command buffer at a time. A barrier comes before a command that uses what a command since the
    last barrier has written, or writes what one has read. The first command of each writer waits for all before."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self.handle: Any = None
        self.submit = 0  # what will run it; the uses of a recording are noted when it runs
        self.epoch = next(_epochs)
        self._must_wait = True
        self._pipeline: VulkanPipeline | None = None
        self._described = self._scalars = b""

    def start(self, handle: Any, submit: int) -> None:
        """Go on in an empty command buffer. What was submitted before it may still run."""
        self._forget_bound()
        self.handle, self.submit = handle, submit

    def wait_for_all(self) -> None:
        """Let the next command wait for all before it."""
        self._must_wait = True

    def _forget_bound(self) -> None:
        self._pipeline = None
        self._described = self._scalars = b""

    def _order(self, is_needed: bool) -> int:
        """Write a barrier if it is needed. Returns the number of what follows."""
        return self._wait() if is_needed or self._must_wait else self.epoch

    def _wait(self) -> int:
        """Write a barrier."""
        functions = self._functions
        functions.barrier(self.handle, _WORK, _WORK, 0, 1, functions.between, 0, _NULL, 0, _NULL)
        self.epoch, self._must_wait = next(_epochs), False
        return self.epoch

    def dispatch(
        self,
        pipeline: VulkanPipeline,
        bound: Bound,
        scalars: bytes,
        block: Range | None,
        workgroups: tuple[int, int, int],
    ) -> None:
        """Write a dispatch. `block` has the scalars if they are no push constants."""
        epoch, is_needed = self.epoch, self._must_wait
        for history in bound.read:
            if history.written == epoch:
                is_needed = True
        for history in bound.written:
            if history.written == epoch or history.read == epoch:
                is_needed = True
        if is_needed:
            epoch = self._wait()
        submit, described = self.submit, bound.described
        for history in bound.read:
            history.read, history.used = epoch, submit
        for history in bound.written:
            history.written, history.used = epoch, submit
        if block is not None:
            described += struct.pack("=3Q", block.block.number, block.first, len(scalars))
        functions, handle = self._functions, self.handle
        if pipeline is not self._pipeline:  # what is bound is noted after the driver's call, at which Ctrl-C may come
            self._forget_bound()
            functions.bind_pipeline(handle, _COMPUTE, pipeline.handle)
            self._pipeline = pipeline
        if described != self._described:
            self._described = b""
            functions.push_buffers(handle, pipeline.template, pipeline.layout, 0, described)
            self._described = described
        if pipeline.is_pushed and scalars != self._scalars:
            self._scalars = b""
            functions.push_constants(handle, pipeline.layout, _STAGE, 0, len(scalars), scalars)
            self._scalars = scalars
        functions.dispatch(handle, *workgroups)

    def copy(self, source: AnyBuffer, target: AnyBuffer, nbytes: int) -> None:
        """Write a copy between two arrays."""
        first, second = source.history, target.history
        first.read = second.written = self._order(self.epoch in (first.written, second.written, second.read))
        first.used = second.used = self.submit
        self._copy(source.range.block.handle, source.first_byte, target.range.block.handle, target.first_byte, nbytes)

    def upload(self, source: Range, target: AnyBuffer, offset: int, nbytes: int) -> None:
        """Write a copy of what the host has written."""
        history = target.history
        history.written = self._order(self.epoch in (history.written, history.read))
        history.used = self.submit
        self._copy(source.block.handle, source.first, target.range.block.handle, target.first_byte + offset, nbytes)

    def download(self, source: AnyBuffer, offset: int, target: Range, nbytes: int) -> None:
        """Write a copy that the host will read."""
        history = source.history
        history.read = self._order(history.written == self.epoch)
        history.used = self.submit
        self._copy(source.range.block.handle, source.first_byte + offset, target.block.handle, target.first, nbytes)

    def execute(self, commands: Any) -> None:
        """Write the commands of a secondary command buffer, of which the first waits for all before."""
        functions = self._functions
        functions.executed[0] = commands
        self._forget_bound()
        self.wait_for_all()
        functions.execute(self.handle, 1, functions.executed)

    def timestamp(self, queries: Any, number: int) -> None:
        """Write the time at which all before has ended."""
        self._functions.reset_queries(self.handle, queries, number, 1)
        last = vk.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT
        self._functions.write_timestamp(self.handle, last, queries, number)

    def finish(self) -> Any:
        """End the command buffer: the host sees what it has written. Returns it."""
        functions, handle, self.handle = self._functions, self.handle, None
        host = vk.VK_PIPELINE_STAGE_HOST_BIT
        functions.barrier(handle, _WORK, host, 0, 1, functions.for_host, 0, _NULL, 0, _NULL)
        return handle

    def _copy(self, source: Any, first: int, target: Any, second: int, nbytes: int) -> None:
        region = self._functions.region
        region.srcOffset, region.dstOffset, region.size = first, second, nbytes
        self._functions.copy(self.handle, source, target, 1, region)
