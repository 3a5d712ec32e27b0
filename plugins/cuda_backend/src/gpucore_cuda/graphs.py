"""Recorded work as a CUDA graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpucore.plugin import Buffer, CopyStep, DispatchStep, Recording, Step, WriteStep
from gpucore_cuda.driver import Arguments, CopyNode, KernelNode
from gpucore_cuda.launching import CUDAPipeline


class CUDARecording(Recording):
    """A graph with one node after the other. What the host stores is kept in memory of the device."""

    def __init__(self, device: Any, steps: Sequence[Step]) -> None:
        self._device, self._driver = device, device.driver
        self._steps = list(steps)
        self._kept: list[Buffer] = []
        self._buffers = [step.buffers for step in steps]  # that the nodes have now
        self._parameters = [self._node(step) for step in steps]
        self._nodes: list[int] = []
        self._executable, self._graph = 0, self._driver.create_graph()
        try:
            for number, parameters in enumerate(self._parameters):
                after = self._nodes[-1] if self._nodes else 0
                self._set(number, self._buffers[number])
                self._nodes.append(self._driver.add_node(self._graph, after, parameters, device.context))
            self._executable = self._driver.instantiate(self._graph)
        except BaseException:
            self.destroy()
            raise

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        self._device.make_current()  # in another context it would succeed, but out of order with this queue
        self._device.run(self._launch, buffers)

    def _launch(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        for number, (new, old) in enumerate(zip(buffers, self._buffers, strict=True)):
            if new is not old and tuple(new) != old:
                self._buffers[number] = ()  # should an exception come in between
                self._set(number, new)
                node, parameters = self._nodes[number], self._parameters[number]
                self._driver.change_node(self._executable, node, parameters, self._device.context)
                self._buffers[number] = tuple(new)
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

    def _node(self, step: Step) -> KernelNode | CopyNode:
        """The parameters of a node, but for the addresses."""
        if isinstance(step, DispatchStep):
            return self._kernel(step)
        if isinstance(step, WriteStep):
            kept = self._device.allocate(step.data.nbytes)
            kept.write(step.data)
            self._kept.append(kept)
            return CopyNode.between(kept.address, 0, step.data.nbytes)
        assert isinstance(step, CopyStep)
        return CopyNode.between(0, 0, step.nbytes)

    def _kernel(self, step: DispatchStep) -> KernelNode:
        pipeline = step.pipeline
        assert isinstance(pipeline, CUDAPipeline)
        packed = pipeline.pack(*[0] * len(step.buffers)) + step.scalars
        views = pipeline.views(len(packed))
        arguments = Arguments(views.nbytes)
        arguments.block[: len(packed)] = packed
        node = KernelNode(
            function=pipeline.function, grid=step.workgroups, block=pipeline.source.workgroup_size,
            shared=pipeline.dynamic_memory, extra=arguments.extra,
        )  # fmt: skip
        node.arguments, node.views = arguments, views  # kept as long as the node
        return node

    def _set(self, number: int, buffers: Sequence[Buffer]) -> None:
        """Set the addresses of a node's parameters."""
        step, parameters = self._steps[number], self._parameters[number]
        addresses = [buffer.address for buffer in buffers]
        if isinstance(step, DispatchStep):
            packed = step.pipeline.pack(*addresses)  # type: ignore[attr-defined]  # a CUDAPipeline, see _kernel
            parameters.arguments.block[: len(packed)] = packed
            parameters.views.fill(parameters.arguments.block)
        elif isinstance(step, WriteStep):
            parameters.target_device = addresses[0] + step.offset
        else:
            parameters.source_device, parameters.target_device = addresses
