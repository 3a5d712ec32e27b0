"""One dispatch: how many threads run its workgroups, decided by earlier measurements of the kernel."""

from __future__ import annotations

import ctypes
import time

from gpucore_cpu.jit import Executable
from gpucore_cpu.memory import Bytes, ScratchMemory
from gpucore_cpu.queue import Pool

# All in ns.
_SHORT = 50_000  # shorter work runs on the calling thread, which costs less than waking another
_BRIEF = 2_000_000  # shorter work may run on a thread that waits for it, which is deaf to Ctrl-C in the meantime
_UNCHECKED = 10_000  # a shorter estimate is not checked while the work runs
_WORTH_SHARING = 100_000  # for less remaining work, waking the helpers costs more than they save

_CHUNKS_PER_THREAD = 8  # so that threads that finish early can take more
_CHECKED_PART = 8  # an eighth of the workgroups is run to check an estimate
_FIRST_PART = 64  # workgroups run first of a kernel without measurements


class WorkgroupTime:
    """The time of a workgroup of a kernel, in ns, measured in earlier launches.

    Each launch contributes the mean of its workgroups, and the smallest of the last three counts: one launch disturbed
    by other programs has no influence, and a real increase is known after three.
    """

    def __init__(self) -> None:
        self.is_warm = False  # whether the kernel has run: the first workgroup includes page faults and is not counted
        self._recent: tuple[float, ...] = ()

    @property
    def estimate(self) -> float | None:
        """None until something was measured."""
        return min(self._recent, default=None)

    def add(self, mean: float) -> None:
        """Count a launch."""
        self._recent = (*self._recent[-2:], mean)


class Launch:
    """One dispatch, with references that keep its objects alive."""

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
        """Whether the launch is expected to take less time than passing it to another thread."""
        estimate = self._time.estimate
        return estimate is not None and estimate * self._total < _SHORT

    def run_here(self) -> None:
        """Run a short launch on this thread. If it turns out to be long, stop and set `is_unfinished`."""
        expected = (self._time.estimate or 0) * self._total
        self._run_next(self._total if expected < _UNCHECKED else max(1, self._total // _CHECKED_PART))
        left = self._total - self._done
        if self._mean() * left > _SHORT:
            self.is_unfinished = True
            return
        self._run_next(left)
        self._time.add(self._mean())

    def is_brief(self, num_threads: int) -> bool:
        """Whether the launch runs on one thread, and is expected to end within the time that a waiting thread may work.

        Ctrl-C may interrupt a waiting thread, but must not where helpers are at work.
        """
        limit = _BRIEF if num_threads == 1 else _WORTH_SHARING
        return not self.is_unfinished and (self._time.estimate or limit) * self._total < limit

    def run_brief(self) -> bool:
        """Run a brief launch on the calling thread. False: it takes longer, and a part is left."""
        self._run_next(max(1, self._total // _CHECKED_PART))
        left = self._total - self._done
        if self._mean() * left > 2 * _BRIEF:
            return False
        self._run_next(left)
        self._time.add(self._mean())
        return True

    def run(self, pool: Pool) -> None:
        """Run the remaining workgroups on as many threads as are worthwhile."""
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
        """ns per workgroup of this launch so far; 0 before the first."""
        workgroups, spent = (sum(column) for column in zip((0, 0), *self._measured, strict=True))
        return max(1.0, spent / workgroups) if workgroups else 0.0

    def _run_next(self, count: int) -> None:
        """Run `count` workgroups on this thread."""
        if count:
            first = self._done
            self._done += count  # before the work: a part that Ctrl-C interrupts is not run twice
            self._run_part(0, first, first + count)

    def _run_part(self, thread: int, first: int, last: int) -> None:
        """Run workgroups on the calling thread, and measure them."""
        scratch = self._scratch.address(thread, self._executable.scratch_nbytes)
        begin = time.perf_counter_ns()
        self._executable.run(self._buffers, self._scalars, scratch, *self._workgroups, first, last)
        self._measured.append((last - first, time.perf_counter_ns() - begin))
