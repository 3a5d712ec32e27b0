"""Devices with several queues that each break one rule of marks, fences, releases or of `select`."""

from __future__ import annotations

from collections.abc import Sequence

from mutant_backends import Grid
from mutant_queues import with_buffers
from queued_device import Queue, QueuedBuffer, QueuedRecording, QueueMark, SeveralQueues

from gpucore.runtime import Buffer, DeviceInfo, Mark, Pipeline


def _end_of_work(line: Queue) -> int:
    """The place in a queue before the marks that it waits for at its end."""
    place = len(line.work)
    while place > line.done and getattr(line.work[place - 1], "__func__", None) is QueueMark.is_done:
        place -= 1
    return place


class FencesAreOldMarks(SeveralQueues):
    """A fence covers the work before it, and not the marks that its queue waits for behind that work."""

    def fence(self) -> Mark:
        return QueueMark(self.selected, _end_of_work(self.selected))


class FencesStartNothing(SeveralQueues):
    """Work is started by marks alone."""

    class Fence(QueueMark):
        def __init__(self, device: FencesStartNothing) -> None:
            super().__init__(device.selected)
            self.device = device

        def is_done(self) -> bool:
            return self.device.started.get(self.queue, 0) >= self.position and super().is_done()

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.started: dict[Queue, int] = {}

    def mark(self) -> Mark:
        self.started[self.selected] = len(self.selected.work)
        return super().mark()

    def fence(self) -> Mark:
        return self.Fence(self)


class AnswersWhenDone(SeveralQueues):
    """A fence is asked until the work before it has ended."""

    class Fence(QueueMark):
        def is_done(self) -> bool:
            while not super().is_done():
                pass
            return True

    def fence(self) -> Mark:
        return self.Fence(self.selected)


class PausesUntilDone(SeveralQueues):
    """A pause lasts as long as the work."""

    class Mark(QueueMark):
        def pause(self, seconds: float) -> None:
            while not self.is_done():
                pass

    def mark(self) -> Mark:
        return self.Mark(self.selected)


class PausesOnlyWhenAsked(SeveralQueues):
    """A mark that was never asked cannot pause."""

    class Mark(QueueMark):
        was_asked = False

        def is_done(self) -> bool:
            self.was_asked = True
            return super().is_done()

        def pause(self, seconds: float) -> None:
            if not self.was_asked:
                raise ValueError("nothing to wait for")

    def mark(self) -> Mark:
        return self.Mark(self.selected)


class SelectsLastAtFirst(SeveralQueues):
    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.selected = self.lines[-1]


class ExpectsReadsInFirstQueue(QueuedBuffer):
    """The copy of a read that was expected is queued in the first queue."""

    expected: tuple[bytearray, int] | None = None

    def expect_read(self, nbytes: int, offset: int = 0) -> None:
        kept, run = bytearray(nbytes), self.inner.read
        self.device.lines[0].put(lambda: run(memoryview(kept), offset))
        self.expected = kept, offset

    def read(self, out: memoryview, offset: int = 0) -> None:
        if self.expected is None:
            super().read(out, offset)
        else:
            out.cast("B")[:] = self.expected[0]


class StartsWritesOfWritable(QueuedBuffer):
    """Read-only data is not copied."""

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        return data.readonly or super().start_write(data, offset)


class StartsWritesBeforeWaits(QueuedBuffer):
    """A write comes before what the queue waits for at that time."""

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        line, run = self.device.selected, self.inner.write
        line.work.insert(_end_of_work(line), lambda: run(data, offset) is None)
        return True


class _Tracking(SeveralQueues):
    """A device that frees memory behind the dispatches of which it was told."""

    class Buffer(QueuedBuffer):
        device: _Tracking

        def release(self) -> None:
            if self not in self.device.used:
                self.poison()

    buffer_class = Buffer

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.used: set[Buffer] = set()
        self.is_told = True

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        if self.is_told:
            self.used.update(buffers)
        super().dispatch(pipeline, buffers, scalars, workgroups)


class ForgetsLaunches(_Tracking):
    """What is released after a launch is freed at once."""

    def launch(self, pipeline: Pipeline, block: bytes, workgroups: Grid) -> None:
        self.is_told = False
        super().launch(pipeline, block, workgroups)
        self.is_told = True


class ForgetsGivenBuffers(_Tracking):
    """What is released after the run of a recording is freed at once."""

    class Recording(QueuedRecording):
        device: _Tracking

        def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
            self.device.is_told = False
            super().run(buffers)
            self.device.is_told = True

    recording_class = Recording


MUTANTS: dict[str, tuple[type[SeveralQueues], set[str]]] = {
    # what is broken: the device, and behaviours that must each catch it
    "fences_are_old_marks": (FencesAreOldMarks, {"C066"}),
    "fences_start_nothing": (FencesStartNothing, {"C059"}),
    "answers_when_done": (AnswersWhenDone, {"C074"}),
    "pauses_until_done": (PausesUntilDone, {"C073"}),
    "pauses_only_when_asked": (PausesOnlyWhenAsked, {"C073"}),
    "selects_last_at_first": (SelectsLastAtFirst, {"C063"}),
    "expects_reads_in_first_queue": (with_buffers(ExpectsReadsInFirstQueue), {"C061"}),
    "starts_writes_of_writable": (with_buffers(StartsWritesOfWritable), {"C053"}),
    "starts_writes_before_waits": (with_buffers(StartsWritesBeforeWaits), {"C065"}),
    "forgets_launches": (ForgetsLaunches, {"C071"}),
    "forgets_given_buffers": (ForgetsGivenBuffers, {"C072"}),
}
