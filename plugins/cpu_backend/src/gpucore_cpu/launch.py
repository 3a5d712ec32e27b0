"""One dispatch: which threads run its workgroups, decided by what workgroups of the kernel took before."""

from __future__ import annotations

import ctypes
import time

from gpucore_cpu.jit import Executable
from gpucore_cpu.memory import Bytes, ScratchMemory
from gpucore_cpu.queue import Pool

# All in ns.
_SHORT = 50_000  # work below is run where it was called, which costs less than waking a thread
_TRIFLE = 10_000  # an estimate below is not checked while the work runs
_WORTH_SHARING = 100_000  # work that is left: below, waking the helpers costs more than they do

_CHUNKS_PER_THREAD = 8  # so that threads which finish early can take more
_CHECKED_PART = 8  # an eighth of the workgroups shows whether an estimate holds
_FIRST_PART = 64  # of a kernel of which nothing is known


class WorkgroupTime:
    """What a workgroup of a kernel takes, in ns, as far as launches have shown.

    A launch counts with the mean of its workgroups, and the least of the last three counts: one launch that other
    programs disturbed decides nothing, and work that has grown is known after three.
    """

    def __init__(self) -> None:
        self.is_warm = (
            False  # whether the kernel ever ran: its first workgroup loads code and memory and is not counted
        )
        self._recent: tuple[float, ...] = ()

    @property
    def estimate(self) -> float | None:
        """None as long as nothing was measured."""
        return min(self._recent, default=None)

    def add(self, mean: float) -> None:
        """Count a launch."""
        self._recent = (*self._recent[-2:], mean)


class Launch:
    """One dispatch with everything that it needs kept alive."""

    def __init__(
        self, executable: Executable, addresses: list[int], kept: list[Bytes], scalars: bytes,
        workgroups: tuple[int, int, int], scratch: ScratchMemory, workgroup_time: WorkgroupTime,
    ) -> None:  # fmt: skip
        self.is_unfinished = False  # run_here stopped before the end
        self._total = workgroups[0] * workgroups[1] * workgroups[2]
        self._executable, self._kept, self._scratch = executable, kept, scratch
        self._buffers = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)
        self._scalars = ctypes.create_string_buffer(scalars, max(16, len(scalars)))
        self._workgroups = workgroups
        self._time = workgroup_time
        self._done = 0
        self._measured: list[tuple[int, int]] = []  # (workgroups, ns), from all threads

    def is_short(self) -> bool:
        """Whether the launch is sure enough to take less than handing it to another thread."""
        estimate = self._time.estimate
        return estimate is not None and estimate * self._total < _SHORT

    def run_here(self) -> None:
        """Run a short launch on this thread. If it turns out to be long, stop and set `is_unfinished`."""
        expected = (self._time.estimate or 0) * self._total
        self._run_next(self._total if expected < _TRIFLE else max(1, self._total // _CHECKED_PART))
        left = self._total - self._done
        if self._mean() * left > _SHORT:
            self.is_unfinished = True
            return
        self._run_next(left)
        self._time.add(self._mean())

    def run(self, pool: Pool) -> None:
        """Run the workgroups that are left on as many threads as pay."""
        if not self._time.is_warm:
            self._run_part(0, self._done, self._done + 1)
            self._time.is_warm = True
            self._done += 1
            self._measured.clear()
        estimate = self._mean() or self._time.estimate
        while self._done < self._total:
            left = self._total - self._done
            if pool.num_threads == 1:
                self._run_next(left)
            elif estimate is None:
                self._run_next(max(1, left // _FIRST_PART))
            elif estimate * left >= _WORTH_SHARING:
                chunk = max(1, left // (pool.num_threads * _CHUNKS_PER_THREAD))
                pool.share(self._run_part, self._done, self._total, chunk)
                break
            elif self._measured:
                self._run_next(left)
            else:
                self._run_next(max(1, left // _CHECKED_PART))
            estimate = self._mean()
        if self._measured:
            self._time.add(self._mean())

    def _mean(self) -> float:
        """ns of a workgroup of this launch so far; 0 before the first."""
        workgroups, spent = (sum(column) for column in zip((0, 0), *self._measured, strict=True))
        return max(1.0, spent / workgroups) if workgroups else 0.0

    def _run_next(self, count: int) -> None:
        """Run that many workgroups on this thread."""
        if count:
            self._run_part(0, self._done, self._done + count)
            self._done += count

    def _run_part(self, thread: int, first: int, last: int) -> None:
        """Run workgroups on the calling thread, and measure them."""
        scratch = self._scratch.address(thread, self._executable.scratch_nbytes)
        begin = time.perf_counter_ns()
        self._executable.run(self._buffers, self._scalars, scratch, *self._workgroups, first, last)
        self._measured.append((last - first, time.perf_counter_ns() - begin))
