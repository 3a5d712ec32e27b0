"""A WebGPU device with one queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gpucore.plugin import (
    Buffer,
    ClosedError,
    Device,
    DeviceError,
    DeviceInfo,
    HeldBack,
    Mark,
    OutOfMemoryError,
    Pipeline,
    Source,
)
from gpucore.plugin.ir import Capability
from gpucore_wgpu import cooperative, native
from gpucore_wgpu.buffers import WgpuBuffer
from gpucore_wgpu.driver_errors import driver_errors
from gpucore_wgpu.emit import Generated
from gpucore_wgpu.loop_limit import LoopLimitCheck
from gpucore_wgpu.marks import Clock, WgpuFence, WgpuMark
from gpucore_wgpu.pipelines import TruncationFlag, WgpuPipeline, create_pipeline
from gpucore_wgpu.recorder import CLOSED, Recorder

WANTED_FEATURES = (
    "shader-f16", "shader-f64", "shader-int64", "shader-int64-atomic-all-ops", "subgroup", "subgroup-barrier",
    "timestamp-query", "timestamp-query-inside-encoders",
)  # fmt: skip


def _features(adapter: Any, info: DeviceInfo) -> Iterator[str]:
    """What a device is opened with."""
    yield from (feature for feature in WANTED_FEATURES if feature in adapter.features)
    if Capability.COOPERATIVE_MATRICES in info.capabilities:
        yield cooperative.FEATURE


class WgpuDevice(Device):
    """An open device. Dispatches are batched and submitted together, see `recorder`."""

    def __init__(self, adapter: Any, info: DeviceInfo) -> None:
        """Open `adapter` with all its limits. Raises DeviceError."""
        self.info = info
        with driver_errors(f"open {info.id}"):
            self._device: Any = adapter.request_device_sync(
                label=info.id,
                required_features=[*_features(adapter, info)],
                required_limits=dict(adapter.limits),
            )
            self._recorder = Recorder(self._device)
            self._clock = Clock(self._device)
            limit = info.limits.max_loop_iterations
            self._loop_check = LoopLimitCheck(self._recorder, limit) if limit is not None else None
        self._is_closed = False

    def allocate(self, nbytes: int) -> Buffer:
        self._require_open()
        most = self.info.limits.max_buffer_size
        if nbytes > most:
            raise OutOfMemoryError(f"{nbytes} bytes are more than the {most} of the largest buffer of {self.info.id}")
        return WgpuBuffer(self._recorder, nbytes)

    def compile(self, source: Source) -> Pipeline:
        self._require_open()
        flag, generated = None, Generated.of(source)
        if generated is not None and generated.checks_loops:
            assert self._loop_check is not None, "the text was emitted for another device"
            flag = TruncationFlag(self._loop_check.buffer, self._loop_check.add_kernel(generated.kernel))
        pipeline = create_pipeline(self._device, source, self._recorder.scalars, flag)
        self._recorder.owned.add(pipeline)
        return pipeline

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        if self._is_closed:
            self._require_open()
        kernel: WgpuPipeline = pipeline  # type: ignore[assignment]  # both are this device's, as the protocol says
        bound: Sequence[WgpuBuffer] = buffers  # type: ignore[assignment]
        group = kernel.groups.get(tuple([buffer.serial for buffer in bound]))
        if group is None:
            with HeldBack():
                given = self._without_conflicts(kernel.source.writes, bound)
                is_kept = all(each is own for each, own in zip(given, bound, strict=True))
                group = kernel.create_bind_group(self._device, given, is_kept=is_kept)
        if kernel.checks_loops and self._loop_check is not None:
            self._loop_check.is_due = True
        self._recorder.dispatch(kernel, group, scalars, workgroups)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self._require_open()
        assert isinstance(source, WgpuBuffer) and isinstance(target, WgpuBuffer)
        if source is not target:
            self._recorder.copy(source, target, nbytes)

    def mark(self) -> Mark:
        self._require_open()
        with driver_errors("mark the queue"):
            return WgpuMark(self._recorder, self._clock, self._check_loops)

    def fence(self) -> Mark:
        self._require_open()
        with driver_errors("mark the queue"):
            return WgpuFence(self._recorder, self._check_loops())

    def _check_loops(self) -> Callable[[], DeviceError | None] | None:
        """What tells, once the work has ended, whether the driver has cut short a loop of it."""
        if self._loop_check is None or not self._loop_check.is_due:
            return None
        return self._loop_check.start()

    def elapsed(self, start: Mark, end: Mark) -> float:
        self._require_open()
        assert isinstance(start, WgpuMark) and isinstance(end, WgpuMark)
        if start.timestamp is None or end.timestamp is None:
            return end.ended - start.ended
        with driver_errors("read timestamps"):
            return self._clock.seconds(start.timestamp, end.timestamp, self._recorder)

    def close(self) -> None:
        if self._is_closed:
            return
        with HeldBack():
            self._is_closed = True
            self._recorder.discard()
            if self._loop_check is not None:
                self._loop_check.release()
            native.destroy(self._device)
            self._device = self._clock = self._loop_check = CLOSED

    def _without_conflicts(self, writes: Sequence[bool], buffers: Sequence[WgpuBuffer]) -> Sequence[WgpuBuffer]:
        """WebGPU forbids binding a buffer both for writing and read-only in a dispatch: the latter gets a copy, for one
        dispatch."""
        if len({buffer.memory.serial for buffer in buffers}) == len(buffers):
            return buffers
        written = {buffer.memory.serial for buffer, writable in zip(buffers, writes, strict=True) if writable}
        copies: dict[int, WgpuBuffer] = {}
        result = []
        for buffer, writable in zip(buffers, writes, strict=True):
            if not writable and buffer.memory.serial in written:
                if buffer.serial not in copies:
                    copies[buffer.serial] = WgpuBuffer(self._recorder, buffer.nbytes)
                    self._recorder.copy(buffer, copies[buffer.serial], buffer.nbytes)
                buffer = copies[buffer.serial]
            result.append(buffer)
        return result

    def _require_open(self) -> None:
        if self._is_closed:
            raise ClosedError(f"{self.info.id} was closed")
