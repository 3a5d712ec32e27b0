"""One dispatch: which threads run its workgroups, decided by earlier measurements of the kernel."""

from __future__ import annotations

import math
import struct
import time

from gpucore_cpu.memory import Bytes
from gpucore_cpu.pool import Pool
from gpucore_cpu.versions import Executable

# All in ns. Work shorter than BRIEF runs in the call that launches it, and Ctrl-C waits until it ends: another thread
# needs 100 us to wake, and may wait 5 ms for the GIL.
BRIEF = 3_000_000
BRIEF_WAIT = 8_000_000  # shorter work may run on a thread that waits for it
_UNCHECKED = 10_000  # for less work the estimate is not checked while it runs
_WORTH_SHARING = 80_000  # for less work, waking a helper costs more than it saves
_WORTH_A_THREAD = 40_000  # each thread gets at least this much

_CHECKED_PART = 32  # this part of the workgroups is run to check an estimate
_FIRST_PART = 64  # workgroups run first of a kernel without measurements


class WorkgroupTime:
    """The time of a workgroup of a kernel, in ns, measured in earlier launches.

    Each launch contributes the mean of its workgroups, and the smallest of the last three counts: one launch disturbed
    by other programs has no influence, and a real increase is known after three.
    """

    def __init__(self) -> None:
        self.is_warm = False  # whether the kernel has run: the first workgroup includes page faults and is not counted
        self.estimate: float | None = None  # None until something was measured
        self._recent = math.inf, math.inf, math.inf

    def add(self, mean: float) -> None:
        """Count a launch."""
        _, before, last = self._recent
        self._recent = before, last, mean
        self.estimate = min(before, last, mean)


def num_threads(estimate: float, workgroups: int, pool: Pool) -> int:
    """How many threads are worthwhile for workgroups that take a time each."""
    work = estimate * workgroups
    return 1 if work < _WORTH_SHARING else min(pool.num_threads, workgroups, int(work) // _WORTH_A_THREAD)


def shared_time(estimate: float, workgroups: int, pool: Pool) -> float:
    """The time of workgroups on the threads that are worthwhile for them."""
    return estimate * math.ceil(workgroups / num_threads(estimate, workgroups, pool))


def run_short(
    executable: Executable, addresses: list[int], scalars: bytes, workgroups: tuple[int, int, int], pool: Pool,
    workgroup_time: WorkgroupTime,
) -> bool:  # fmt: skip
    """Run a dispatch on the calling thread if it is expected to take a few us; return whether it was."""
    total = workgroups[0] * workgroups[1] * workgroups[2]
    estimate = workgroup_time.estimate
    if estimate is None or estimate * total > _UNCHECKED:
        return False
    buffers = struct.pack(f"{len(addresses)}P", *addresses)
    scratch = pool.scratch.address(0, executable.scratch_nbytes)
    begin = time.perf_counter_ns()
    executable.run(buffers, scalars, scratch, *workgroups, 0, total)
    workgroup_time.add((time.perf_counter_ns() - begin) / total)
    return True


class Launch:
    """One dispatch. `kept` keeps the memory of its buffers."""

    __slots__ = ("_buffers", "_counted", "_done", "_executable", "_pool", "_scalars", "_spent", "_time", "_total",
                 "_workgroups", "kept")  # fmt: skip

    def __init__(
        self, executable: Executable, addresses: list[int], scalars: bytes, workgroups: tuple[int, int, int],
        pool: Pool, workgroup_time: WorkgroupTime,
    ) -> None:  # fmt: skip
        self.kept: list[Bytes] = []
        self._executable, self._pool, self._time = executable, pool, workgroup_time
        self._buffers = struct.pack(f"{len(addresses)}P", *addresses)
        self._scalars = scalars
        self._workgroups = workgroups
        self._total = workgroups[0] * workgroups[1] * workgroups[2]
        self._done = 0
        self._counted = self._spent = 0  # workgroups that were measured, and their ns

    @property
    def is_complete(self) -> bool:
        """Whether all workgroups have run."""
        return self._done == self._total

    def is_brief(self, limit: int = BRIEF) -> bool:
        """Whether the launch is expected to end within a time."""
        estimate = self._time.estimate
        return estimate is not None and shared_time(estimate, self._total - self._done, self._pool) < limit

    def run_brief(self, limit: int = BRIEF) -> bool:
        """Run a brief launch on the calling thread, which helpers may join. False: it takes more than twice the limit,
        and a part is left."""
        total = self._total
        self._run_next(max(1, total // _CHECKED_PART))
        if shared_time(self._mean(), total - self._done, self._pool) > 2 * limit:
            return False
        self._run_rest(self._mean())
        self._time.add(self._mean())
        return True

    def run(self) -> None:
        """Run the remaining workgroups on as many threads as are worthwhile."""
        if not self._time.is_warm:
            self._run_next(1)
            self._time.is_warm = True
            self._counted = self._spent = 0
        estimate = self._mean() or self._time.estimate
        while self._done < self._total:
            left = self._total - self._done
            if self._pool.num_threads == 1:
                self._run_next(left)
            elif estimate is None:
                self._run_next(max(1, left // _FIRST_PART))
            elif self._counted or estimate * left >= _WORTH_SHARING:
                self._run_rest(estimate)
            else:
                self._run_next(max(1, left // _CHECKED_PART))
            estimate = self._mean()
        if self._counted:
            self._time.add(self._mean())

    def _mean(self) -> float:
        """ns per workgroup of this launch so far; 0 before the first."""
        return max(1.0, self._spent / self._counted) if self._counted else 0.0

    def _run_rest(self, estimate: float) -> None:
        """Run all that is left, on as many threads as are worthwhile."""
        first, total = self._done, self._total
        threads = num_threads(estimate, total - first, self._pool)
        if threads == 1:
            self._run_next(total - first)
            return
        executable = self._executable
        share = self._pool.prepare(
            executable.entry, executable.scratch_nbytes, self._buffers, self._scalars, self._workgroups, first,
            threads,
        )  # fmt: skip
        begin = time.perf_counter_ns()
        self._done = total
        counted = share()
        spent = time.perf_counter_ns() - begin
        if counted:
            self._spent += spent
            self._counted += counted
        else:  # this thread came too late, and the helpers ran all
            self._spent += spent * (threads - 1)
            self._counted += total - first

    def _run_next(self, count: int) -> None:
        """Run `count` workgroups on this thread, and measure them."""
        if not count:
            return
        executable, first = self._executable, self._done
        scratch = self._pool.scratch.address(0, executable.scratch_nbytes)
        begin = time.perf_counter_ns()
        # Python looks for Ctrl-C when a call ends. Nothing is called in between, so that a part runs exactly once.
        self._done = last = first + count
        executable.run(self._buffers, self._scalars, scratch, *self._workgroups, first, last)
        self._spent += time.perf_counter_ns() - begin
        self._counted += count
