"""Pipelines, and the layouts that they share."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import vulkan as vk

from gpucore.plugin import (
    DeviceInfo,
    DeviceLostError,
    DriverCompileError,
    OutOfMemoryError,
    Pipeline,
    Source,
    cached_binary,
)
from gpucore_vulkan.buffers import AnyBuffer
from gpucore_vulkan.commands import Bound
from gpucore_vulkan.driver import driver_errors, ffi, number_of
from gpucore_vulkan.emit import Payload
from gpucore_vulkan.queue import Queue

_STAGE = vk.VK_SHADER_STAGE_COMPUTE_BIT
_DESCRIBED_NBYTES = 24  # of a VkDescriptorBufferInfo
_MAX_BOUND = 64  # sets of buffers that a pipeline remembers
_HEADER_NBYTES = 32  # of a pipeline cache; one with no more has nothing


class Layout(NamedTuple):
    """What the arguments of a kernel are bound to. `template`: buffers from packed bytes; None if there are none."""

    set_layout: Any
    layout: Any
    template: Any


class Layouts:
    """The layouts of a device, by the number of storage buffers and what holds the scalars."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._made: dict[tuple[int, bool, int], Layout] = {}

    def of(self, buffers: int, in_buffer: bool, pushed_nbytes: int) -> Layout:
        """The layout for so many buffers, a block of scalars after them, and bytes of push constants."""
        key = (buffers, in_buffer, pushed_nbytes)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, buffers: int, in_buffer: bool, pushed_nbytes: int) -> Layout:
        kinds = [vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] * buffers
        kinds += [vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] * in_buffer
        bindings = [
            vk.VkDescriptorSetLayoutBinding(binding=at, descriptorType=kind, descriptorCount=1, stageFlags=_STAGE)
            for at, kind in enumerate(kinds)
        ]
        pushed = vk.VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
        create = vk.VkDescriptorSetLayoutCreateInfo(flags=pushed, pBindings=bindings)
        set_layout = vk.vkCreateDescriptorSetLayout(self._device, create, None)
        ranges = [vk.VkPushConstantRange(stageFlags=_STAGE, offset=0, size=pushed_nbytes)] * (pushed_nbytes > 0)
        whole = vk.VkPipelineLayoutCreateInfo(pSetLayouts=[set_layout], pPushConstantRanges=ranges)
        layout = vk.vkCreatePipelineLayout(self._device, whole, None)
        if not kinds:
            return Layout(set_layout, layout, None)
        entries = [
            vk.VkDescriptorUpdateTemplateEntry(
                dstBinding=at,
                descriptorCount=1,
                descriptorType=kind,
                offset=at * _DESCRIBED_NBYTES,
                stride=_DESCRIBED_NBYTES,
            )
            for at, kind in enumerate(kinds)
        ]
        template = vk.VkDescriptorUpdateTemplateCreateInfo(
            pDescriptorUpdateEntries=entries,
            templateType=vk.VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
            pipelineBindPoint=vk.VK_PIPELINE_BIND_POINT_COMPUTE,
            pipelineLayout=layout,
            set=0,
        )
        return Layout(set_layout, layout, vk.vkCreateDescriptorUpdateTemplate(self._device, template, None))

    def destroy(self) -> None:
        for made in self._made.values():
            if made.template is not None:
                vk.vkDestroyDescriptorUpdateTemplate(self._device, made.template, None)
            vk.vkDestroyPipelineLayout(self._device, made.layout, None)
            vk.vkDestroyDescriptorSetLayout(self._device, made.set_layout, None)
        self._made.clear()


class VulkanPipeline(Pipeline):
    """A compute pipeline."""

    def __init__(self, compiler: Compiler, source: Source, layout: Layout, handle: Any) -> None:
        payload = Payload.of(source)
        self.source, self.handle = source, handle
        self.layout, self.template = layout.layout, layout.template
        self.has_flag = payload.has_flag
        self.is_pushed = payload.has_push_constants
        self.in_buffer = bool(source.scalars_nbytes) and not self.is_pushed
        self.is_plain = not (self.has_flag or self.in_buffer)
        self._bound: dict[tuple[AnyBuffer, ...], Bound] = {}
        self._compiler = compiler

    def bound(self, buffers: tuple[AnyBuffer, ...]) -> Bound:
        """The buffers of a dispatch, as commands use them."""
        found = self._bound.get(buffers)
        if found is None:
            if len(self._bound) >= _MAX_BOUND:
                self._bound.clear()
            uses = list(zip(buffers, self.source.writes, strict=True))
            found = self._bound[buffers] = Bound(
                b"".join(buffer.described for buffer in buffers),
                tuple(buffer.history for buffer, is_written in uses if not is_written),
                tuple(buffer.history for buffer, is_written in uses if is_written),
            )
        return found

    def release(self) -> None:
        handle, self.handle = self.handle, None
        if handle is not None:
            self._compiler.release(handle)


class Compiler:
    """Makes the pipelines of one device."""

    def __init__(self, device: Any, queue: Queue, info: DeviceInfo) -> None:
        self._device, self._queue, self._info = device, queue, info
        self._layouts = Layouts(device)
        self._live: dict[int, Any] = {}  # pipelines, by the numbers of their handles

    def compile(self, source: Source) -> VulkanPipeline:
        """The pipeline of a source. Raises DriverCompileError."""
        if not isinstance(source.payload, tuple):
            why = "the device compiles the words of a module, which only the backend's own emitter makes"
            fix = "compile what `VulkanBackend.emit` returns, unchanged"
            raise DriverCompileError("GP611", f"the source of '{source.entry}' has no module", why=why, fix=fix)
        payload = Payload.of(source)
        in_buffer = bool(source.scalars_nbytes) and not payload.has_push_constants
        pushed = source.scalars_nbytes if payload.has_push_constants else 0
        with driver_errors(f"compile {source.entry}"):
            layout = self._layouts.of(len(source.writes), in_buffer, pushed)
        made: list[Any] = []

        def make() -> bytes:
            handle, data = self._create(source, payload.words, layout, b"")
            made.append(handle)
            return data if len(data) > _HEADER_NBYTES else b""

        def use(data: bytes) -> Any:
            return made.pop() if made else self._create(source, payload.words, layout, data)[0]

        info = self._info
        uuid = dict(info.details).get("pipeline cache", "")
        facts: list[str | bytes] = [payload.words, source.entry, info.name, info.driver, uuid]
        handle = cached_binary(__name__, facts, make, use)
        self._live[number_of(handle)] = handle
        return VulkanPipeline(self, source, layout, handle)

    def release(self, handle: Any) -> None:
        """Destroy a pipeline after the work queued by now."""
        if not self._queue.is_closed:
            self._queue.after(self._queue.next, lambda: self._destroy(handle))

    def _destroy(self, handle: Any) -> None:
        del self._live[number_of(handle)]
        vk.vkDestroyPipeline(self._device, handle, None)

    def _create(self, source: Source, words: bytes, layout: Layout, cached: bytes) -> tuple[Any, bytes]:
        """A pipeline, and what its cache has afterwards."""
        device = self._device
        aligned = ffi.new("uint32_t[]", struct.unpack(f"<{len(words) // 4}I", words))
        module = cache = None
        try:
            with driver_errors(f"compile {source.entry}"):
                data = ffi.from_buffer(cached) if cached else None
                create = vk.VkPipelineCacheCreateInfo(initialDataSize=len(cached), pInitialData=data)
                cache = vk.vkCreatePipelineCache(device, create, None)
                shader = vk.VkShaderModuleCreateInfo(codeSize=len(words), pCode=ffi.buffer(aligned))
                module = vk.vkCreateShaderModule(device, shader, None)
                # In a variable of its own: the binding lets the memory of a nested structure go before the driver
                # reads it.
                stage = vk.VkPipelineShaderStageCreateInfo(stage=_STAGE, module=module, pName=source.entry)
                pipeline = vk.VkComputePipelineCreateInfo(stage=stage, layout=layout.layout)
                handle = vk.vkCreateComputePipelines(device, cache, 1, [pipeline], None)[0]
                return handle, _data_of(device, cache)
        except (OutOfMemoryError, DeviceLostError):
            raise
        except Exception as error:
            raise _compile_error(source, error) from error
        finally:
            if module is not None:
                vk.vkDestroyShaderModule(device, module, None)
            if cache is not None:
                vk.vkDestroyPipelineCache(device, cache, None)

    def destroy(self) -> None:
        """Destroy all that it has made; no work runs."""
        for handle in list(self._live.values()):
            self._destroy(handle)
        self._layouts.destroy()


def _data_of(device: Any, cache: Any) -> bytes:
    """The bytes of a pipeline cache; none if the driver does not give them."""
    size = ffi.new("size_t*")
    if vk.lib.vkGetPipelineCacheData(device, cache, size, ffi.NULL) or not size[0]:
        return b""
    data = ffi.new("uint8_t[]", size[0])
    if vk.lib.vkGetPipelineCacheData(device, cache, size, data):
        return b""
    return bytes(ffi.buffer(data, size[0]))


def _compile_error(source: Source, error: Exception) -> DriverCompileError:
    return DriverCompileError(
        "GP611",
        f"the SPIR-V of kernel '{source.entry}' does not compile",
        next(filter(None, source.lines), None),
        why="the driver rejected a module that gpucore generated; this is a defect of gpucore or of the driver",
        fix="please report it with the log and the kernel",
        log=str(error),
    )
