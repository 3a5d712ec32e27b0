"""Backends that each break one of the duties beside computing, and the behaviours that catch them."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Callable, Sequence
from typing import ClassVar

from mutant_backends import Grid, Queued, WrappedBackend, WrappedBuffer, WrappedDevice, with_buffers
from mutant_queues import with_buffers as with_queued_buffers
from queued_device import QueuedBuffer, SeveralQueues

from gpucore import ir
from gpucore.errors import DriverCompileError
from gpucore.ir import ValidModule
from gpucore.runtime import Backend, Buffer, Device, DeviceInfo, Mark, Pipeline, ProbeResult, Source

# ---------------------------------------------------------------- devices and buffers


class BoundToAThread(WrappedDevice):
    """Works in the thread that opened it alone."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.thread = threading.get_ident()

    def allocate(self, nbytes: int) -> Buffer:
        if threading.get_ident() != self.thread:
            raise RuntimeError("wrong thread")
        return super().allocate(nbytes)


class SharesAllDevices(WrappedDevice):
    """Two devices have one block for the scalars of a dispatch."""

    scalars: ClassVar[list[bytes]] = [b""]

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.scalars[0] = scalars
        threading.Event().wait(0.002)
        super().dispatch(pipeline, buffers, self.scalars[0], workgroups)


class PartsFromTheStart(WrappedBuffer):
    def part(self, offset: int, nbytes: int) -> Buffer:
        return super().part(0, nbytes)


class PartsAreCopies(WrappedBuffer):
    def part(self, offset: int, nbytes: int) -> Buffer:
        copied, data = bytearray(nbytes), memoryview(bytearray(nbytes))
        self.inner.read(memoryview(copied), offset)
        data[:] = copied
        made = WrappedBuffer(self.inner.part(offset, nbytes))
        made.inner = self.device.allocate(nbytes)
        made.inner.write(data)
        return made

    device: ClassVar[Device]


class CopiesParts(WrappedDevice):
    """Parts are copies: what is stored there is lost."""

    buffer_class = PartsAreCopies

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        PartsAreCopies.device = self.inner


class DropsWritesAfterForget(WrappedBuffer):
    is_forgotten = False

    def forget(self) -> None:
        self.is_forgotten = True

    def write(self, data: memoryview, offset: int = 0) -> None:
        if not self.is_forgotten:
            super().write(data, offset)


class WritesAtWords(WrappedBuffer):
    """A write begins at a multiple of 4."""

    def write(self, data: memoryview, offset: int = 0) -> None:
        super().write(data, offset // 4 * 4)


class KeepsDataBehindWork(QueuedBuffer):
    """A write is done at once where nothing is queued, as a thread would that waits for work; behind work it reads the
    caller's memory later."""

    def write(self, data: memoryview, offset: int = 0) -> None:
        line, run = self.device.selected, self.inner.write
        if line.done == len(line.work):
            run(data, offset)
        else:
            line.put(lambda: run(data, offset))


class ClosesTheQueueOfAll(Queued):
    """The devices of the backend have one queue, which the close of one empties."""

    shared: ClassVar[list[Callable[[], None]]] = []

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.queue = self.shared

    def close(self) -> None:
        self.queue.clear()


class _NeverDone(Mark):
    def is_done(self) -> bool:
        return False


class AsksForWaitsForever(WrappedDevice):
    def mark_before_write(self, nbytes: int) -> Mark | None:
        return self.mark()


class HasAStream(SeveralQueues):
    """Correct: its stream has the work of the queue alone."""

    stream = 7

    def wait_for_stream(self, stream: int) -> None:
        return

    def block_stream(self, stream: int) -> None:
        return


class WaitsForStreams(HasAStream):
    """The host waits."""

    def wait_for_stream(self, stream: int) -> None:
        for line in self.lines:
            while line.done < len(line.work):
                line.step()


class LeaksAtClose(WrappedDevice):
    """What is not released before the close stays."""

    kept: ClassVar[list[Buffer]] = []

    def allocate(self, nbytes: int) -> Buffer:
        made = super().allocate(nbytes)
        assert isinstance(made, WrappedBuffer)
        self.kept.append(made.inner)
        return made


class FreesEarly(SeveralQueues):
    """A release overwrites memory that queued work reads."""

    class Buffer(SeveralQueues.buffer_class):  # type: ignore[misc, name-defined]
        def release(self) -> None:
            self.poison()

    buffer_class = Buffer


# ---------------------------------------------------------------- backends


class PrintsInProbe(WrappedBackend):
    def probe(self) -> ProbeResult:
        os.write(1, b"1 device found\n")
        return super().probe()


class ProbesUnsteadily(WrappedBackend):
    """The name of the device has the number of the probe."""

    count = 0

    def probe(self) -> ProbeResult:
        self.count += 1
        found = super().probe()
        devices = tuple(dataclasses.replace(one, name=f"{one.name} {self.count}") for one in found.devices)
        return dataclasses.replace(found, devices=devices)


class OpensAnyIndex(WrappedBackend):
    def open(self, index: int) -> Device:
        return super().open(0)


class PreparesEqualModules(WrappedBackend):
    """Another object that is equal, where nothing is to be changed."""

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> ir.Module:
        return dataclasses.replace(valid.module)


class PreparesUnsteadily(WrappedBackend):
    count = 0

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> ir.Module:
        self.count += 1
        return dataclasses.replace(valid.module, options=(*valid.module.options, f"number {self.count}"))


class Builds(WrappedBackend):
    """Correct: its machine code is the name of the kernel's entry."""

    offline_targets = ("one", "two")

    def offline_device(self, target: str) -> DeviceInfo | None:
        return self.info() if target in self.offline_targets else None

    def build(self, source: Source, device: DeviceInfo) -> bytes:
        if source.payload is None:
            raise DriverCompileError("GP610", "the text does not compile")
        return source.entry.encode()

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return next((name for name in targets if name in self.offline_targets), "")

    def open(self, index: int) -> Device:
        return self._opened(index)

    def _opened(self, index: int) -> Device:
        super().open(index)
        return _Loads(self.info())


class _Loads(WrappedDevice):
    def load(self, source: Source, binary: bytes) -> Pipeline:
        if binary != source.entry.encode():
            raise DriverCompileError("GP611", "the driver refused the machine code")
        return self.compile(source)


class LoadsWithDriversErrors(Builds):
    def _opened(self, index: int) -> Device:
        return _LoadsWithDriversErrors(self.info())


class _LoadsWithDriversErrors(_Loads):
    def load(self, source: Source, binary: bytes) -> Pipeline:
        if binary != source.entry.encode():
            raise ValueError("the driver's own exception")
        return self.compile(source)


class BuildsNonsense(Builds):
    def build(self, source: Source, device: DeviceInfo) -> bytes:
        return source.entry.encode()


class ChoosesTargetsThatWereNotGiven(Builds):
    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        return self.offline_targets[0]


class ForgetsTargets(Builds):
    """Knows one of its two targets."""

    def offline_device(self, target: str) -> DeviceInfo | None:
        return self.info() if target == "one" else None


def _of(device_class: type[WrappedDevice]) -> Callable[[str], Backend]:
    return lambda name: WrappedBackend(name, device_class)


CORRECT: dict[str, tuple[Callable[[str], Backend], set[str]]] = {
    "has_a_stream": (_of(HasAStream), {"C082", "C083"}),
    "builds": (Builds, {"C081", "C088"}),
}

MUTANTS: dict[str, tuple[Callable[[str], Backend], set[str]]] = {
    # what is broken: the backend, and behaviours that must each catch it
    "bound_to_a_thread": (_of(BoundToAThread), {"C077"}),
    "shares_all_devices": (_of(SharesAllDevices), {"C077"}),
    "parts_from_the_start": (_of(with_buffers(PartsFromTheStart)), {"C078"}),
    "copies_parts": (_of(CopiesParts), {"C078"}),
    "drops_writes_after_forget": (_of(with_buffers(DropsWritesAfterForget)), {"C079"}),
    "writes_at_words": (_of(with_buffers(WritesAtWords)), {"C080"}),
    "loads_with_drivers_errors": (LoadsWithDriversErrors, {"C081"}),
    "builds_nonsense": (BuildsNonsense, {"C081"}),
    "keeps_data_behind_work": (_of(with_queued_buffers(KeepsDataBehindWork)), {"C042"}),
    "closes_the_queue_of_all": (_of(ClosesTheQueueOfAll), {"C011"}),
    "asks_for_waits_forever": (_of(AsksForWaitsForever), {"C082"}),
    "waits_for_streams": (_of(WaitsForStreams), {"C083"}),
    "leaks_at_close": (_of(LeaksAtClose), {"C084"}),
    "frees_early": (_of(FreesEarly), {"C026", "C068"}),
    "prints_in_probe": (PrintsInProbe, {"C085"}),
    "probes_unsteadily": (ProbesUnsteadily, {"C002"}),
    "opens_any_index": (OpensAnyIndex, {"C005"}),
    "prepares_equal_modules": (PreparesEqualModules, {"C086"}),
    "prepares_unsteadily": (PreparesUnsteadily, {"C086"}),
    "chooses_targets_that_were_not_given": (ChoosesTargetsThatWereNotGiven, {"C088"}),
    "forgets_targets": (ForgetsTargets, {"C088"}),
}
