"""Devices that each break one rule of the optional members of the interface, and the behaviours that catch them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import ClassVar

from mutant_backends import Grid, WrappedDevice
from queued_device import QueuedBuffer, QueuedRecording, QueueMark, SeveralQueues

from gpucore.errors import DeviceError
from gpucore.runtime import Buffer, DeviceInfo, Mark, Pipeline
from gpucore.runtime.protocol import Launcher, Step, WriteStep

# ---------------------------------------------------------------- launchers


class LauncherIgnoresGrid(SeveralQueues):
    """The first grid is that of all launches."""

    grid: Grid | None = None

    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        self.grid = self.grid or workgroups
        super().launch(pipeline, block, self.grid)


class LauncherKeepsFirstBlock(SeveralQueues):
    first: bytes | None = None

    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        self.first = self.first or block
        super().launch(pipeline, self.first if len(self.first) == len(block) else block, workgroups)


class LauncherReadsBlockLate(SeveralQueues):
    """The block is read when the work runs."""

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher | None:
        block = bytearray(nbytes)

        def run(workgroups: Grid) -> None:
            def read() -> None:
                count = len(pipeline.source.writes)
                buffers = [self.by_address.get(address) for address in struct.unpack_from(f"={count}Q", block)]
                if all(buffers):
                    WrappedDevice.dispatch(self, pipeline, buffers, bytes(block[8 * count :]), workgroups)  # type: ignore[arg-type]

            self.lines[0].put(read)

        return Launcher(block, run)


class LaunchersShareBlock(SeveralQueues):
    """All launchers of a size have one block."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.blocks: dict[int, bytearray] = {}

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher | None:
        block = self.blocks.setdefault(nbytes, bytearray(nbytes))
        return Launcher(block, lambda workgroups: self.launch(pipeline, bytes(block), workgroups))


class LauncherShiftsScalars(SeveralQueues):
    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        first = 8 * len(pipeline.source.writes)
        super().launch(pipeline, block[:first] + block[first + 4 :] + block[first : first + 4], workgroups)


class LaunchesInSelectedQueue(SeveralQueues):
    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        self.lines[0], first = self.selected, self.lines[0]
        super().launch(pipeline, block, workgroups)
        self.lines[0] = first


# ---------------------------------------------------------------- recordings


def with_recordings(recording_class: type[QueuedRecording]) -> type[SeveralQueues]:
    """A device whose recordings are of that class."""
    return type(f"DeviceOf{recording_class.__name__}", (SeveralQueues,), {"recording_class": recording_class})


class DropsLastStep(QueuedRecording):
    def __init__(self, device: SeveralQueues, steps: Sequence[Step]) -> None:
        super().__init__(device, steps[:-1])

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        super().run(buffers[:-1])


class StoresFirst(QueuedRecording):
    """What the host stores is there before all other steps."""

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        for step, (buffer, *_) in zip(self.steps, buffers, strict=True):
            if isinstance(step, WriteStep):
                buffer.write(step.data, step.offset)
        super().run(buffers)


class RunsOnce(QueuedRecording):
    has_run = False

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        if not self.has_run:
            super().run(buffers)
        self.has_run = True


class KeepsReplacedBuffers(QueuedRecording):
    """A buffer that was replaced once stays replaced."""

    def __init__(self, device: SeveralQueues, steps: Sequence[Step]) -> None:
        super().__init__(device, steps)
        self.latest = [step.buffers for step in steps]

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        for number, (step, each) in enumerate(zip(self.steps, buffers, strict=True)):
            if tuple(each) != step.buffers:
                self.latest[number] = tuple(each)
        super().run(self.latest)


class IgnoresOtherBuffers(QueuedRecording):
    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        super().run([step.buffers for step in self.steps])


class ReleaseStopsRuns(QueuedRecording):
    """What is queued of it does not run after the release."""

    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        line = self.device.selected
        before = len(line.work)
        super().run(buffers)
        line.work[before:] = [self._unless_released(work) for work in line.work[before:]]

    def _unless_released(self, work: Callable[[], bool]) -> Callable[[], bool]:
        return lambda: self.is_released or work()


class RunsInFirstQueue(QueuedRecording):
    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        with self.device.selecting(0):
            super().run(buffers)


# ---------------------------------------------------------------- transfers, expected reads, fences


def with_buffers(buffer_class: type[QueuedBuffer]) -> type[SeveralQueues]:
    """A device whose buffers are of that class."""
    return type(f"DeviceOf{buffer_class.__name__}", (SeveralQueues,), {"buffer_class": buffer_class})


class StartsWritesEarly(QueuedBuffer):
    """The bytes are there at once, before the work that was queued."""

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        self.inner.write(data, offset)
        return True


class StartsWritesAtZero(QueuedBuffer):
    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        return super().start_write(data, 0)


class RefusesAndWrites(QueuedBuffer):
    """Says that nothing was queued."""

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        super().start_write(data, offset)
        return False


class StartsReadsEarly(QueuedBuffer):
    """The bytes are those of before the work that was queued."""

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        self.inner.read(out, offset)
        return True


class StartsReadsOfWords(QueuedBuffer):
    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        return super().start_read(out[: out.nbytes // 4 * 4], offset)


class EndsTransfersLate(SeveralQueues):
    """Transfers run after the next mark."""

    class Buffer(QueuedBuffer):
        device: EndsTransfersLate

        def start_write(self, data: memoryview, offset: int = 0) -> bool:
            self.device.late.append(lambda: self.inner.write(data, offset))
            return True

        def start_read(self, out: memoryview, offset: int = 0) -> bool:
            self.device.late.append(lambda: self.inner.read(out, offset))
            return True

    buffer_class = Buffer

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.late: list[Callable[[], None]] = []

    def mark(self) -> Mark:
        mark = super().mark()
        for run in self.late:
            self.selected.put(run)
        self.late.clear()
        return mark


class KeepsExpected(QueuedBuffer):
    """A read gets the bytes that there were when it was expected."""

    expected: tuple[bytearray, int] | None = None

    def expect_read(self, nbytes: int, offset: int = 0) -> None:
        kept, run = bytearray(nbytes), self.inner.read
        self.device.selected.put(lambda: run(memoryview(kept), offset))
        self.expected = kept, offset

    def read(self, out: memoryview, offset: int = 0) -> None:
        expected, self.expected = self.expected, None
        if expected is not None and (len(expected[0]), expected[1]) == (out.nbytes, offset):
            out.cast("B")[:] = expected[0]
        else:
            super().read(out, offset)


class FencesDoneAtOnce(SeveralQueues):
    def fence(self) -> Mark:
        return QueueMark(self.selected, 0)


# ---------------------------------------------------------------- pinned memory


class PinsPages(SeveralQueues):
    """Whole pages, whatever the size that was asked for."""

    def pinned(self, nbytes: int) -> memoryview | None:
        return memoryview(bytearray(-(-nbytes // 4096) * 4096))


class PinsReadOnly(SeveralQueues):
    def pinned(self, nbytes: int) -> memoryview | None:
        return memoryview(bytes(nbytes))


class PinsTheSame(SeveralQueues):
    """All of it begins at the same byte."""

    memory: ClassVar = bytearray(8 << 20)

    def pinned(self, nbytes: int) -> memoryview | None:
        return memoryview(self.memory)[:nbytes]


class PinsForever(SeveralQueues):
    kept: ClassVar[list[memoryview]] = []

    def pinned(self, nbytes: int) -> memoryview | None:
        self.kept.append(memoryview(bytearray(nbytes)))
        return self.kept[-1]

    def close(self) -> None:
        self.kept.clear()


class PinsUntilClose(SeveralQueues):
    """Other bytes are in the memory after the close."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.first: bytearray | None = None

    def pinned(self, nbytes: int) -> memoryview | None:
        made = bytearray(nbytes)
        self.first = self.first or made
        return memoryview(made)

    def close(self) -> None:
        if self.first is not None:
            self.first[:] = bytes(len(self.first))


# ---------------------------------------------------------------- several queues


class IgnoresSelect(SeveralQueues):
    """All is in the first queue."""

    def select(self, queue: int) -> None:
        return


class DispatchesInFirstQueue(SeveralQueues):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        with self.selecting(0):
            super().dispatch(pipeline, buffers, scalars, workgroups)


class CopiesInFirstQueue(SeveralQueues):
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        with self.selecting(0):
            super().copy(source, target, nbytes)


class WritesInFirstQueue(QueuedBuffer):
    def write(self, data: memoryview, offset: int = 0) -> None:
        with self.device.selecting(0):
            super().write(data, offset)


class StartsWritesInFirstQueue(QueuedBuffer):
    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        with self.device.selecting(0):
            return super().start_write(data, offset)


class StartsReadsInFirstQueue(QueuedBuffer):
    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        with self.device.selecting(0):
            return super().start_read(out, offset)


class MarksFirstQueue(SeveralQueues):
    def mark(self) -> Mark:
        return QueueMark(self.lines[0])


class FencesFirstQueue(SeveralQueues):
    def fence(self) -> Mark:
        return QueueMark(self.lines[0])


class IdleAtOnce(SeveralQueues):
    def is_idle(self) -> bool:
        return True


class IdleAtOnceReadsWait(IdleAtOnce):
    """No read shows it: each does the work of all queues first."""

    class Buffer(QueuedBuffer):
        def read(self, out: memoryview, offset: int = 0) -> None:
            for line in self.device.lines:
                while line.done < len(line.work):
                    line.step()
            super().read(out, offset)

    buffer_class = Buffer


class IdleFirstQueue(SeveralQueues):
    """The first queue is asked, whichever is selected."""

    def is_idle(self) -> bool:
        return QueueMark(self.lines[0]).is_done()


class IgnoresOrder(SeveralQueues):
    def order(self, mark: Mark) -> None:
        return


class OrdersAfterFirstQueue(SeveralQueues):
    """Marks of the other queues are not waited for."""

    def order(self, mark: Mark) -> None:
        assert isinstance(mark, QueueMark)
        if mark.queue is self.lines[0]:
            super().order(mark)


class OrdersAfterOneMark(SeveralQueues):
    """Of several marks the last one is waited for."""

    latest: Callable[[], bool] | None = None

    def order(self, mark: Mark) -> None:
        if self.selected.work and self.selected.work[-1] is self.latest:
            self.selected.work.pop()
        super().order(mark)
        self.latest = self.selected.work[-1]


class OrderWaits(SeveralQueues):
    """The host waits for the mark."""

    def order(self, mark: Mark) -> None:
        while not mark.is_done():
            pass


class FillsNewMemory(SeveralQueues):
    """In the selected queue, when its work is done."""

    def allocate(self, nbytes: int) -> Buffer:
        made = super().allocate(nbytes)
        assert isinstance(made, QueuedBuffer)
        self.selected.put(made.poison)
        return made


class FreesAtOnce(QueuedBuffer):
    def release(self) -> None:
        self.poison()


class FreesAfterSelectedQueue(QueuedBuffer):
    def release(self) -> None:
        self.device.selected.put(self.poison)


class ClosesIdleQueues(SeveralQueues):
    """A queue with work cannot be closed."""

    def close(self) -> None:
        if any(line.done < len(line.work) for line in self.lines[1:]):
            raise DeviceError("a queue has work")


MUTANTS: dict[str, tuple[type[SeveralQueues], set[str]]] = {
    # what is broken: the device, and behaviours that must each catch it
    "launcher_shifts_scalars": (LauncherShiftsScalars, {"C046"}),
    "launcher_ignores_grid": (LauncherIgnoresGrid, {"C047"}),
    "launcher_keeps_first_block": (LauncherKeepsFirstBlock, {"C048", "C049"}),
    "launcher_reads_block_late": (LauncherReadsBlockLate, {"C048"}),
    "launchers_share_block": (LaunchersShareBlock, {"C049"}),
    "launches_in_selected_queue": (LaunchesInSelectedQueue, {"C049"}),
    "recording_drops_last_step": (with_recordings(DropsLastStep), {"C050"}),
    "recording_stores_first": (with_recordings(StoresFirst), {"C050"}),
    "recording_runs_once": (with_recordings(RunsOnce), {"C050"}),
    "recording_keeps_replaced_buffers": (with_recordings(KeepsReplacedBuffers), {"C051"}),
    "recording_ignores_other_buffers": (with_recordings(IgnoresOtherBuffers), {"C051"}),
    "release_stops_recording": (with_recordings(ReleaseStopsRuns), {"C052"}),
    "recording_runs_in_first_queue": (with_recordings(RunsInFirstQueue), {"C062"}),
    "starts_writes_at_zero": (with_buffers(StartsWritesAtZero), {"C053"}),
    "refuses_and_writes": (with_buffers(RefusesAndWrites), {"C053"}),
    "starts_writes_early": (with_buffers(StartsWritesEarly), {"C054"}),
    "ends_transfers_late": (EndsTransfersLate, {"C053", "C055"}),
    "starts_reads_of_words": (with_buffers(StartsReadsOfWords), {"C055"}),
    "starts_reads_early": (with_buffers(StartsReadsEarly), {"C056", "C065"}),
    "pins_pages": (PinsPages, {"C057"}),
    "pins_read_only": (PinsReadOnly, {"C057"}),
    "pins_the_same": (PinsTheSame, {"C057"}),
    "pins_forever": (PinsForever, {"C058"}),
    "pins_until_close": (PinsUntilClose, {"C058"}),
    "fences_done_at_once": (FencesDoneAtOnce, {"C059", "C063"}),
    "idle_at_once": (IdleAtOnce, {"C070"}),
    "idle_at_once_reads_wait": (IdleAtOnceReadsWait, {"C070"}),
    "idle_first_queue": (IdleFirstQueue, {"C070"}),
    "keeps_expected": (with_buffers(KeepsExpected), {"C060"}),
    "ignores_select": (IgnoresSelect, {"C063"}),
    "dispatches_in_first_queue": (DispatchesInFirstQueue, {"C061"}),
    "copies_in_first_queue": (CopiesInFirstQueue, {"C061"}),
    "writes_in_first_queue": (with_buffers(WritesInFirstQueue), {"C061"}),
    "starts_writes_in_first_queue": (with_buffers(StartsWritesInFirstQueue), {"C061"}),
    "starts_reads_in_first_queue": (with_buffers(StartsReadsInFirstQueue), {"C061"}),
    "marks_first_queue": (MarksFirstQueue, {"C063"}),
    "fences_first_queue": (FencesFirstQueue, {"C063"}),
    "ignores_order": (IgnoresOrder, {"C064", "C065", "C066"}),
    "orders_after_first_queue": (OrdersAfterFirstQueue, {"C064", "C065"}),
    "orders_after_one_mark": (OrdersAfterOneMark, {"C065"}),
    "order_waits": (OrderWaits, {"C066"}),
    "fills_new_memory": (FillsNewMemory, {"C067"}),
    "frees_at_once": (with_buffers(FreesAtOnce), {"C056", "C068"}),
    "frees_after_selected_queue": (with_buffers(FreesAfterSelectedQueue), {"C068"}),
    "closes_idle_queues": (ClosesIdleQueues, {"C069"}),
}
