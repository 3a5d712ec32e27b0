"""Steps of a graph as a secondary command buffer, which is executed again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpucore.plugin import Buffer, CopyStep, DispatchStep, Recording, Step, WriteStep
from gpucore_vulkan.buffers import AnyBuffer
from gpucore_vulkan.commands import Writer
from gpucore_vulkan.memory import Memories, Range
from gpucore_vulkan.pipelines import VulkanPipeline
from gpucore_vulkan.queue import Queue

if TYPE_CHECKING:
    from gpucore_vulkan.device import VulkanDevice

_Bound = Sequence[Sequence[AnyBuffer]]


class VulkanRecording(Recording):
    """A command buffer for the buffers of the last run. Others need one more; it is written at their first run."""

    def __init__(self, device: VulkanDevice, queue: Queue, memories: Memories, steps: Sequence[Step]) -> None:
        self._device, self._queue, self._uploads = device, queue, memories.uploads
        self._steps = steps
        self._ranges: dict[int, Range] = {}
        for at, step in enumerate(steps):
            if isinstance(step, WriteStep) and step.data.nbytes:
                self._keep(at, step.data.cast("B"))
            elif isinstance(step, DispatchStep) and _kernel(step).in_buffer:
                self._keep(at, step.scalars)
        self._commands: Any = None
        self._described: list[list[bytes]] = []
        self._buffers: list[AnyBuffer] = []
        self._last = 0  # submit

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        bound: _Bound = buffers  # type: ignore[assignment]  # this device's, as the protocol says
        described = [[buffer.described for buffer in each] for each in bound]
        if described != self._described:
            self._write(bound)
            self._described = described
        writer = self._queue.record(len(self._steps))
        self._last = writer.submit
        for buffer in self._buffers:  # noted before: Ctrl-C may come between
            buffer.history.used = self._last
        writer.execute(self._commands)

    def release(self) -> None:
        self._free_commands()
        ranges, self._ranges = self._ranges, {}
        if not self._queue.is_closed:
            for range in ranges.values():
                self._queue.after(self._last, lambda range=range: self._uploads.give(range))  # type: ignore[misc]

    def _keep(self, at: int, data: memoryview | bytes) -> None:
        """Have bytes where the commands read them."""
        range = self._ranges[at] = self._uploads.take(len(data))
        assert range.bytes is not None
        range.bytes[: len(data)] = data

    def _free_commands(self) -> None:
        commands, self._commands = self._commands, None
        if commands is not None and not self._queue.is_closed:
            queue = self._queue
            queue.after(self._last, lambda: queue.free_secondary(commands))

    def _write(self, bound: _Bound) -> None:
        self._free_commands()
        writer = self._queue.new_writer()
        used: dict[int, AnyBuffer] = {}
        for at, (step, buffers) in enumerate(zip(self._steps, bound, strict=True)):
            written = self._write_step(writer, at, step, buffers)
            used.update((id(buffer.history), buffer) for buffer in written)
        self._buffers = list(used.values())
        self._commands = self._queue.end(writer.handle)

    def _write_step(self, writer: Writer, at: int, step: Step, buffers: Sequence[AnyBuffer]) -> Sequence[AnyBuffer]:
        if isinstance(step, DispatchStep):
            kernel, block = _kernel(step), self._ranges.get(at)
            buffers = self._device.with_flag(kernel, buffers)
            writer.dispatch(kernel, kernel.bound(tuple(buffers)), step.scalars, block, step.workgroups)
        elif isinstance(step, CopyStep):
            source, target = buffers
            if source is not target:
                writer.copy(source, target, step.nbytes)
        elif isinstance(step, WriteStep) and step.data.nbytes:
            writer.upload(self._ranges[at], buffers[0], step.offset, step.data.nbytes)
        return buffers


def _kernel(step: DispatchStep) -> VulkanPipeline:
    assert isinstance(step.pipeline, VulkanPipeline)
    return step.pipeline
