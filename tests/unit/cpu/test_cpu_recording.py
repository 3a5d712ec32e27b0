"""Recorded dispatches, which one call of machine code makes once their times are known."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from cpu_kernels import Draft, const, finish, local_id, op, opened_with, pack

from gpucore.errors import ClosedError
from gpucore.ir import I32
from gpucore.runtime import Buffer, Device
from gpucore.runtime.protocol import CopyStep, DispatchStep, Recording
from gpucore_cpu import launch, recording
from gpucore_cpu.plugin import CpuBackend
from gpucore_cpu.pool import Pool

GROUPS = 40
COUNT = 64 * GROUPS
PATIENT = 10**10  # ns: all is brief, on a busy machine too


@pytest.fixture
def own() -> Iterator[Device]:
    """A device of this test alone."""
    with opened_with(threads=2) as device:
        yield device


class Steps:
    """y = 3 x, then z += y, as a recording; the dispatches that are made one by one are counted."""

    def __init__(self, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(recording, "BRIEF", PATIENT)
        self.device, self.one_by_one = device, 0
        dispatch = device.dispatch

        def counted(*arguments: object) -> None:
            self.one_by_one += 1
            dispatch(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(device, "dispatch", counted)
        self.buffers = [self.buffer(np.arange(COUNT, dtype=np.int32) * k) for k in (1, 2, 3)]
        x, y, z = self.buffers
        self.recording = self.record([self._tripled(x, y), self._added(y, z)])

    def record(self, steps: list[DispatchStep]) -> Recording:
        made = self.device.record(steps)
        assert made is not None
        return made

    def buffer(self, host: npt.NDArray[np.int32]) -> Buffer:
        made = self.device.allocate(4 * COUNT)
        made.write(memoryview(host).cast("B"))
        return made

    def _tripled(self, x: Buffer, y: Buffer) -> DispatchStep:
        draft = Draft(64)
        source, target, factor = draft.buffer("x", I32), draft.buffer("y", I32), draft.param("factor", I32)
        i = draft.global_id()
        draft.store(target, i, op(draft.load(source, i), "*", factor))
        valid = draft.valid()
        pipeline = self.device.compile(CpuBackend().emit(valid))
        return DispatchStep((x, y), pipeline, pack(valid, {"factor": 3}), (GROUPS, 1, 1))

    def _added(self, y: Buffer, z: Buffer) -> DispatchStep:
        draft = Draft(64)
        source, target = draft.buffer("y", I32), draft.buffer("z", I32)
        i = draft.global_id()
        draft.store(target, i, op(op(draft.load(target, i), "+", draft.load(source, i)), "+", const(0)))
        valid = draft.valid()
        return DispatchStep((y, z), self.device.compile(CpuBackend().emit(valid)), pack(valid, {}), (GROUPS, 1, 1))

    def run(self, times: int, x: Buffer, z: Buffer) -> None:
        y = self.buffers[1]
        for _ in range(times):
            self.recording.run([(x, y), (y, z)])

    def read(self, buffer: Buffer) -> npt.NDArray[np.int32]:
        finish(self.device)
        out = np.empty(COUNT, np.int32)
        buffer.read(memoryview(out).cast("B"))
        return out


def test_replays_take_one_call_between_measurements(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_RUNS", 10)
    steps, numbers = Steps(own, monkeypatch), np.arange(COUNT, dtype=np.int32)
    x, _, z = steps.buffers
    other, target = steps.buffer(numbers + 7), steps.buffer(-numbers)
    for _ in range(4):  # the first runs give no estimate, as they include page faults
        steps.run(1, x, z)
        finish(own)
    before = steps.one_by_one
    for _ in range(20):  # results alternate between two buffers
        steps.run(1, x, z)
        steps.run(1, other, target)
    assert 2 * 3 <= steps.one_by_one - before <= 2 * 4  # two dispatches after each ten runs
    np.testing.assert_array_equal(steps.read(z), numbers * 3 + 24 * 3 * numbers)
    np.testing.assert_array_equal(steps.read(target), -numbers + 20 * 3 * (numbers + 7))


def test_replays_share_work_with_helpers(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_WORTH_SHARING", 0)
    monkeypatch.setattr(launch, "_WORTH_A_THREAD", 1)
    steps, numbers = Steps(own, monkeypatch), np.arange(COUNT, dtype=np.int32)
    x, z = steps.buffer(numbers), steps.buffer(numbers)
    for _ in range(4):
        steps.run(1, x, z)
        finish(own)
    before = steps.one_by_one
    steps.run(200, x, z)
    assert steps.one_by_one == before
    np.testing.assert_array_equal(steps.read(z), numbers + 204 * 3 * numbers)


def test_replays_keep_the_order_of_the_queue(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another task is queued, the dispatches are queued behind it."""
    steps, numbers = Steps(own, monkeypatch), np.arange(COUNT, dtype=np.int32)
    x, z = steps.buffer(numbers), steps.buffer(numbers)
    for _ in range(4):
        steps.run(1, x, z)
        finish(own)
    for _ in range(3):
        own.copy(steps.buffers[2], x, 4 * COUNT)
        steps.run(2, x, z)
        own.copy(z, steps.buffers[2], 4 * COUNT)
    wanted, third = numbers + 4 * 3 * numbers, numbers * 3
    for _ in range(3):
        wanted = wanted + 2 * 3 * third
        third = wanted
    np.testing.assert_array_equal(steps.read(z), wanted)


def test_a_replay_of_released_memory_is_refused(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(own, monkeypatch)
    x, _, z = steps.buffers
    for _ in range(4):
        steps.run(1, x, z)
        finish(own)
    gone = steps.buffer(np.zeros(COUNT, np.int32))
    gone.release()
    for _ in range(2):
        with pytest.raises(ClosedError, match="released"):
            steps.run(1, gone, z)


def test_long_dispatches_are_made_one_by_one(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(own, monkeypatch)
    monkeypatch.setattr(recording, "BRIEF", 0)
    x, _, z = steps.buffers
    steps.run(8, x, z)
    assert steps.one_by_one == 16
    finish(own)


def test_a_replay_that_was_not_brief_twice_is_made_one_by_one_for_good(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(own, monkeypatch)
    x, _, z = steps.buffers

    def run(times: int, brief: int) -> int:
        """How many dispatches of the replays are made one by one, if a replay is brief up to a time."""
        monkeypatch.setattr(recording, "BRIEF", brief)
        before = steps.one_by_one
        steps.run(times, x, z)
        finish(own)
        return steps.one_by_one - before

    for _ in range(4):
        run(1, PATIENT)
    for _ in range(3):  # one that is not brief, with others in between
        assert [run(1, 0), run(1, PATIENT), run(5, PATIENT)] == [0, 2, 0]
    assert [run(1, 0), run(1, PATIENT), run(1, 0)] == [0, 2, 0]
    assert run(20, PATIENT) == 40


def test_helpers_that_start_later_have_the_memory_that_a_recording_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording for two of four threads: any helper may take part in it, also one that another recording starts."""
    length, threads = 1 << 14, 4
    monkeypatch.setattr(launch, "_WORTH_SHARING", PATIENT)  # so that recordings alone start helpers
    with opened_with(threads) as device:
        steps, draft = Steps(device, monkeypatch), Draft(64)
        out, tile, t = draft.buffer("out", I32), draft.workgroup_array("tile", I32, length), local_id()
        draft.store(tile, t, t)
        draft.barrier()
        i = draft.global_id()
        draft.store(out, i, draft.load(tile, op(const(63), "-", t)))
        valid = draft.valid()
        y = steps.buffers[1]
        pipeline = device.compile(CpuBackend().emit(valid))
        made = steps.record([DispatchStep((y,), pipeline, pack(valid, {}), (GROUPS, 1, 1))])
        monkeypatch.setattr(recording, "num_threads", lambda *work: 2)
        for _ in range(6):
            made.run([(y,)])
            finish(device)
        monkeypatch.setattr(recording, "num_threads", lambda *work: threads)
        started = threading.active_count()
        for _ in range(6):
            steps.run(1, *steps.buffers[::2])
            finish(device)
        pool: Pool = device._pool  # type: ignore[attr-defined]  # the pool of the plugin's device
        assert threading.active_count() == started + threads - 2
        before = list(pool.scratch.addresses)
        assert [pool.scratch.address(thread, 4 * length) for thread in range(threads)] == before


def test_copies_are_not_recorded(own: Device) -> None:
    x, y = own.allocate(64), own.allocate(64)
    assert own.record([CopyStep((x, y), 64)]) is None
