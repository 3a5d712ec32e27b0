"""A device of a target that keeps what is queued on it, and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpucore.compiler import Target
from gpucore.errors import DeviceError
from gpucore.runtime.protocol import (
    Backend,
    Buffer,
    CopyStep,
    Device,
    DeviceInfo,
    DispatchStep,
    Mark,
    Pipeline,
    ProbeResult,
    ProbeStatus,
    Source,
    Step,
    WriteStep,
)


class RecordedBuffer(Buffer):
    """Memory that nothing is in."""

    def __init__(self, device: RecordingDevice, nbytes: int) -> None:
        self.device, self.nbytes = device, nbytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        self.device.log.append(WriteStep((self,), memoryview(bytes(data)), offset))

    def read(self, out: memoryview, offset: int = 0) -> None:
        raise DeviceError(
            f"nothing runs on {self.device.info.id}, so that it has no results: what is queued there is recorded for "
            "later; read results where the recording runs"
        )

    def part(self, offset: int, nbytes: int) -> Buffer:
        return RecordedBuffer(self.device, nbytes)

    def release(self) -> None:
        pass


class RecordedPipeline(Pipeline):
    """A kernel that was not compiled further."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def release(self) -> None:
        pass


class _Done(Mark):
    def is_done(self) -> bool:
        return True


class RecordingDevice(Device):
    """`log` has what was queued, in order, without what a graph keeps; `pipelines` all kernels."""

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self.log: list[Step] = []
        self.pipelines: list[RecordedPipeline] = []

    def allocate(self, nbytes: int) -> Buffer:
        return RecordedBuffer(self, nbytes)

    def compile(self, source: Source) -> Pipeline:
        self.pipelines.append(RecordedPipeline(source))
        return self.pipelines[-1]

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        self.log.append(DispatchStep(tuple(buffers), pipeline, bytes(scalars), workgroups))

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.log.append(CopyStep((source, target), nbytes))

    def mark(self) -> Mark:
        return _Done()

    def elapsed(self, start: Mark, end: Mark) -> float:
        return 0.0

    def close(self) -> None:
        pass


def recording_backend(target: Target, name: str) -> Backend:
    """A backend of that name whose one device records for a target. All else it does as the target's own backend."""
    assert target.device is not None
    info = replace(target.device, id=f"{name}:0", backend=name, index=0)
    made: Backend = type("RecordingBackend", (_Recording, type(target.backend)), {"name": name, "recorded": info})()
    return made


class _Recording(Backend):
    """What differs from the backend of a target."""

    recorded: DeviceInfo
    offline_targets = ()  # those of the backend itself

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self.recorded,))

    def open(self, index: int) -> Device:
        return RecordingDevice(self.recorded)
