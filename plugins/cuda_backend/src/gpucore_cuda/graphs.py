"""Recorded work as a CUDA graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpucore.runtime.protocol import Buffer, CopyStep, DispatchStep, Recording, Step, WriteStep
from gpucore_cuda.driver import Arguments, CopyNode, KernelNode
from gpucore_cuda.launching import CUDAPipeline


class CUDARecording(Recording):
    """A graph with one node after the other. What the host stores is kept in memory of the device."""

    def __init__(self, device: Any, steps: Sequence[Step]) -> None:
        self._device, self._driver = device, device.driver
        self._steps = list(steps)
        self._kept: list[Any] = []
        self._stored = {
            number: self._keep(step.data) for number, step in enumerate(steps) if isinstance(step, WriteStep)
        }
        self._addresses = [self._addresses_of(step.buffers) for step in steps]
        self._nodes: list[int] = []
        self._executable, self._graph = 0, self._driver.create_graph()
        try:
            for number, addresses in enumerate(self._addresses):
                after = self._nodes[-1] if self._nodes else 0
                node = self._node(number, addresses)
                self._nodes.append(self._driver.add_node(self._graph, after, node, device.context))
            self._executable = self._driver.instantiate(self._graph)
        except BaseException:
            self.destroy()
            raise

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        self._device.run(self._launch, buffers)

    def _launch(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        for number, each in enumerate(buffers):
            addresses = self._addresses_of(each)
            if addresses != self._addresses[number]:
                node = self._node(number, addresses)
                self._driver.change_node(self._executable, self._nodes[number], node, self._device.context)
                self._addresses[number] = addresses
        self._driver.launch_graph(self._executable, self._device.selected)

    def release(self) -> None:
        self._device.drop_recording(self)

    def destroy(self) -> None:
        """Called with the device's context current. What is running ends."""
        if self._executable:
            self._driver.destroy_executable(self._executable)
        self._driver.destroy_graph(self._graph)
        for kept in self._kept:
            kept.release()

    def _keep(self, data: memoryview) -> Buffer:
        kept: Buffer = self._device.allocate(data.nbytes)
        kept.write(data)
        self._kept.append(kept)
        return kept

    @staticmethod
    def _addresses_of(buffers: Sequence[Buffer]) -> list[int]:
        return [buffer.address for buffer in buffers]

    def _node(self, number: int, addresses: list[int]) -> KernelNode | CopyNode:
        step = self._steps[number]
        if isinstance(step, CopyStep):
            return CopyNode.between(addresses[0], addresses[1], step.nbytes)
        if isinstance(step, WriteStep):
            return CopyNode.between(self._stored[number].address, addresses[0] + step.offset, step.data.nbytes)
        assert isinstance(step, DispatchStep)
        return self._kernel(step, addresses)

    def _kernel(self, step: DispatchStep, addresses: list[int]) -> KernelNode:
        pipeline = step.pipeline
        assert isinstance(pipeline, CUDAPipeline)
        packed = pipeline.pack(*addresses) + step.scalars
        arguments = Arguments(len(packed))
        arguments.block[:] = packed
        node = KernelNode(
            function=pipeline.function, grid=step.workgroups, block=pipeline.source.workgroup_size,
            shared=pipeline.dynamic_memory, extra=arguments.extra,
        )  # fmt: skip
        node.arguments = arguments  # kept as long as the node
        return node
