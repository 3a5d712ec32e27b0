"""Recorded dispatches as one call of machine code, if all of them are short."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

from gpucore.plugin import Buffer, ClosedError, DispatchStep, Recording
from gpucore_cpu.launch import BRIEF, num_threads, shared_time
from gpucore_cpu.memory import allocate_aligned
from gpucore_cpu.pool import Pool, address_of
from gpucore_cpu.pool_code import WORK
from gpucore_cpu.queue import Queue
from gpucore_cpu.versions import Executable

_RUNS = 256  # in one call, until the dispatches are made one by one again, which measures each
_MOST_SLOW = 2  # calls in a row that may take far longer than expected

Buffers = Sequence[Sequence[Buffer]]


class CpuRecording(Recording):
    """Dispatches that one call makes while they are expected to be brief, by what each took before.

    What is expected of a kernel may come from dispatches with less work, and is not checked while the call runs. After
    a call that takes far longer the dispatches are made one by one: once, as another program may have disturbed it, and
    for good if the next call takes as long.
    """

    def __init__(
        self, steps: Sequence[DispatchStep], dispatch: Callable[..., None], queue: Queue, pool: Pool
    ) -> None:  # fmt: skip
        self._steps, self._dispatch, self._queue, self._pool = steps, dispatch, queue, pool
        self._left = 0  # runs in one call
        self._slow = 0  # calls in a row that took far longer than expected
        self._threads: list[int] = []  # for each step
        self._bound: list[tuple[Buffer, ...]] = []  # the buffers that are described, for each step
        self._executables: list[object] = []  # likewise
        counts = [len(step.buffers) for step in steps]
        self._packers = [struct.Struct(f"{count}P") for count in counts]
        self._places = [WORK.size * len(steps) + 8 * sum(counts[:number]) for number in range(len(steps))]
        self._memory = allocate_aligned(WORK.size * len(steps) + 8 * sum(counts))  # descriptions, addresses of buffers
        self._replay = pool.replayer(self._memory.ctypes.data, len(steps))

    def run(self, buffers: Buffers) -> None:
        if self._left and self._queue.is_idle:
            if buffers != self._bound:
                self._bind(buffers)
            self._left -= 1
            begin = time.perf_counter_ns()
            self._replay()
            if time.perf_counter_ns() - begin <= 2 * BRIEF:
                self._slow = 0
            else:
                self._left, self._slow = 0, self._slow + 1
            return
        self._left = 0
        for step, own in zip(self._steps, buffers, strict=True):
            self._dispatch(step.pipeline, own, step.scalars, step.workgroups)
        if self._slow < _MOST_SLOW:
            self._plan()

    def release(self) -> None:
        self._left = 0

    def _plan(self) -> None:
        """Decide by how many threads each dispatch is made, and whether one call makes all of them from now on."""
        works = [_work_of(step) for step in self._steps]
        if all(time for time, _ in works) and sum(shared_time(*work, self._pool) for work in works) < BRIEF:
            self._threads = [num_threads(*work, self._pool) for work in works]
            self._left = _RUNS
            self._bound, self._executables = [()] * len(works), [None] * len(works)

    def _bind(self, buffers: Buffers) -> None:
        """Describe the dispatches with these buffers, where they are others than before."""
        for number, given in enumerate(buffers):
            own = tuple(given)
            if own == self._bound[number]:
                continue
            self._bound[number] = ()  # should an exception come in between
            addresses = [buffer.address for buffer in own]
            if 0 in addresses:
                raise ClosedError("a buffer of the dispatch was released")
            self._packers[number].pack_into(self._memory.data, self._places[number], *addresses)
            pipeline: Any = self._steps[number].pipeline
            executable = pipeline.executable(addresses, own)
            if executable is not self._executables[number]:
                self._describe(number, executable)
            self._bound[number] = own

    def _describe(self, number: int, executable: Executable) -> None:
        """Describe one dispatch, but for its buffers."""
        step, memory = self._steps[number], self._memory
        self._pool.describe(
            memory.data, WORK.size * number, executable.entry, executable.scratch_nbytes,
            memory.ctypes.data + self._places[number], address_of(step.scalars), step.workgroups, 0,
            self._threads[number],
        )  # fmt: skip
        self._executables[number] = executable


def _work_of(step: DispatchStep) -> tuple[float, int]:
    """The expected time of a workgroup of a dispatch, in ns, 0 if it is not known; and how many workgroups it has."""
    pipeline: Any = step.pipeline
    return pipeline.workgroup_time.estimate or 0.0, math.prod(step.workgroups)
