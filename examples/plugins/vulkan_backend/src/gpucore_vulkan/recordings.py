"""Steps of a graph as a secondary command buffer, which is executed again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpucore.plugin import Buffer, CopyStep, DispatchStep, HeldBack, Recording, Step, WriteStep
from gpucore_vulkan.buffers import AnyBuffer, History
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
        self._has_flag = any(isinstance(step, DispatchStep) and _kernel(step).has_flag for step in steps)
        self._commands: Any = None
        self._bound: list[Any] = []  # what the commands are for
        self._histories: set[History] = set()
        self._last = 0  # submit

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        bound: _Bound = buffers  # type: ignore[assignment]  # this device's, as the protocol says
        # another array may have got the same memory
        given = [each for buffers in bound for buffer in buffers for each in (buffer.described, buffer.history)]
        if given != self._bound:
            with HeldBack():
                self._write(bound)
            self._bound = given
        writer = self._queue.record(len(self._steps))
        self._last = writer.submit
        for history in self._histories:  # noted before: Ctrl-C may come between
            history.used = self._last
        if self._has_flag:
            self._device.is_flag_due = True
        writer.execute(self._commands)
        self._queue.flush_if_full()

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
        commands, self._commands, self._bound = self._commands, None, []
        if commands is not None and not self._queue.is_closed:
            queue = self._queue
            queue.after(self._last, lambda: queue.free_secondary(commands))

    def _write(self, bound: _Bound) -> None:
        self._free_commands()
        given = [
            self._device.with_flag(_kernel(step), buffers) if isinstance(step, DispatchStep) else buffers
            for step, buffers in zip(self._steps, bound, strict=True)
        ]
        used = {buffer.history: buffer.history.used for buffers in given for buffer in buffers}
        self._queue.writer.wait_for_all()  # the histories will be about the other writer
        try:
            writer = self._queue.new_writer()
            for at, (step, buffers) in enumerate(zip(self._steps, given, strict=True)):
                self._write_step(writer, at, step, buffers)
            self._commands, self._histories = self._queue.end(writer.handle), set(used)
        finally:
            for history, last in used.items():  # it has not run
                history.used = last

    def _write_step(self, writer: Writer, at: int, step: Step, buffers: Sequence[AnyBuffer]) -> None:
        if isinstance(step, DispatchStep):
            kernel, block = _kernel(step), self._ranges.get(at)
            writer.dispatch(kernel, kernel.bound(tuple(buffers)), step.scalars, block, step.workgroups)
        elif isinstance(step, CopyStep):
            source, target = buffers
            if source is not target:
                writer.copy(source, target, step.nbytes)
        elif isinstance(step, WriteStep) and step.data.nbytes:
            writer.upload(self._ranges[at], buffers[0], step.offset, step.data.nbytes)


def _kernel(step: DispatchStep) -> VulkanPipeline:
    assert isinstance(step.pipeline, VulkanPipeline)
    return step.pipeline
