"""The processor as a device: buffers in ordinary memory, kernels as machine code, a queue with threads of its own."""

from __future__ import annotations

import ctypes
import os
import time
import weakref
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gpucore.errors import ArgumentError, ClosedError, DeviceError, OutOfMemoryError
from gpucore.runtime import Buffer, Device, DeviceInfo, Mark, Pipeline, Source
from gpucore_cpu.jit import Compiler, Executable
from gpucore_cpu.queue import Queue

_ALIGN = 64
_SHORT = 50_000  # ns: work below is run where it was called, which costs less than waking a thread
_WORTH_SHARING = 100_000  # ns of work that are left: below, waking the helpers costs more than they do
_CHUNKS_PER_THREAD = 8  # so that threads which finish early can take more
_Bytes = npt.NDArray[np.uint8]


def num_threads() -> int:
    """GPUCORE_CPU_THREADS, or as many as this process may use processors. Raises ArgumentError for nonsense."""
    wish = os.environ.get("GPUCORE_CPU_THREADS", "").strip()
    if wish:
        if not wish.isdecimal() or int(wish) < 1:
            raise ArgumentError(f"GPUCORE_CPU_THREADS must be a whole number from 1 on, not {wish!r}")
        return int(wish)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _aligned(nbytes: int) -> _Bytes:
    """Uninitialised bytes at an address that is a multiple of 64."""
    try:
        memory = np.empty(nbytes + _ALIGN, np.uint8)
    except (MemoryError, ValueError) as error:
        raise OutOfMemoryError(f"no memory for {nbytes} bytes") from error
    start = -memory.ctypes.data % _ALIGN
    return memory[start : start + nbytes]


class CpuBuffer(Buffer):
    """Bytes in the process's own memory."""

    def __init__(self, queue: Queue, nbytes: int) -> None:
        self.nbytes = nbytes
        self._queue = queue
        self._bytes: _Bytes | None = _aligned(nbytes)
        self.address = self._bytes.ctypes.data
        self.last_use = 0  # number of the last piece of work that touches it

    @property
    def bytes(self) -> _Bytes:
        """The memory. Raises ClosedError after release."""
        self._queue.check()
        if self._bytes is None:
            raise ClosedError("the buffer was released")
        return self._bytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        new = np.frombuffer(data, np.uint8)
        target = self.bytes[offset : offset + new.size]
        if self._queue.has_finished(self.last_use):
            target[:] = new
            return
        kept = new.copy()

        def work() -> None:
            target[:] = kept

        self.last_use = self._queue.put(work)

    def read(self, out: memoryview, offset: int = 0) -> None:
        source = self.bytes
        self._queue.wait(self.last_use)
        target = np.frombuffer(out, np.uint8)
        target[:] = source[offset : offset + target.size]

    def release(self) -> None:
        self._bytes = None  # queued work holds the memory itself


class CpuPipeline(Pipeline):
    """A kernel as machine code. A second version is compiled when two buffers of a dispatch are the same memory."""

    def __init__(self, compiler: Compiler, source: Source) -> None:
        self.source = source
        self.cost = 0.0  # ns a workgroup took when last measured; 0: never ran
        self._compiler = compiler
        self._versions: dict[bool, Executable] = {False: compiler.compile(source)}

    def executable(self, aliased: bool) -> Executable:
        """The machine code for buffers that do, or do not, overlap."""
        if not self._versions:
            raise ClosedError("the pipeline was released")
        if aliased not in self._versions:
            self._versions[aliased] = self._compiler.compile(self.source, aliased=aliased)
        return self._versions[aliased]

    def release(self) -> None:
        self._versions = {}


class CpuMark(Mark):
    """A point in the queue and, when the queue has reached it, the host's time."""

    def __init__(self) -> None:
        self.time: int | None = None  # ns
        self.failure: DeviceError | None = None
        self.queue: Queue | None = None

    def reach(self, queue: Queue) -> None:
        self.failure = queue.take_failure()
        self.time = time.perf_counter_ns()

    def is_done(self) -> bool:
        if self.time is None and self.queue is not None:
            self.queue.check()
        if self.time is None:
            return False
        if self.failure is not None:
            raise self.failure
        return True


class CpuDevice(Device):
    """All processors of the machine that this process may use, as one device."""

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self._compiler = Compiler()
        self._queue = Queue(num_threads())
        self._scratch = _Scratch()
        self._finalizer = weakref.finalize(self, self._queue.close)  # at exit too

    def allocate(self, nbytes: int) -> CpuBuffer:
        self._queue.check()
        return CpuBuffer(self._queue, nbytes)

    def compile(self, source: Source) -> CpuPipeline:
        self._queue.check()
        return CpuPipeline(self._compiler, source)

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        self._queue.check()
        assert isinstance(pipeline, CpuPipeline)
        own = [buffer for buffer in buffers if isinstance(buffer, CpuBuffer)]
        addresses = [buffer.address for buffer in own]
        kept = [buffer.bytes for buffer in own]
        executable = pipeline.executable(aliased=len(set(addresses)) < len(addresses))
        launch = _Launch(executable, addresses, kept, scalars, workgroups, self._scratch)
        queue = self._queue
        is_short = 0 < pipeline.cost * launch.total < _SHORT
        if is_short and queue.run_now(lambda: launch.run_alone(pipeline)):
            return
        number = queue.put(lambda: launch.run(pipeline, queue))
        for buffer in own:
            buffer.last_use = number

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, CpuBuffer)
        assert isinstance(target, CpuBuffer)
        old, new = source.bytes, target.bytes

        def work() -> None:
            new[:nbytes] = old[:nbytes]

        source.last_use = target.last_use = self._queue.put(work)

    def mark(self) -> CpuMark:
        self._queue.check()
        mark, queue = CpuMark(), self._queue
        if not queue.run_now(lambda: mark.reach(queue)):
            mark.queue = queue
            queue.put(lambda: mark.reach(queue))
        return mark

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, CpuMark)
        assert isinstance(end, CpuMark)
        if start.time is None or end.time is None:
            raise DeviceError("elapsed() needs marks that are done")
        return (end.time - start.time) * 1e-9

    def close(self) -> None:
        self._finalizer()

    def assembly(self, pipeline: CpuPipeline) -> str:
        """The machine's assembly language of a kernel."""
        return self._compiler.assembly(pipeline.source)


class _Scratch:
    """Scratch memory of each thread, kept from dispatch to dispatch."""

    def __init__(self) -> None:
        self._memory: dict[int, _Bytes] = {}

    def address(self, thread: int, nbytes: int) -> int:
        """Memory of at least `nbytes` for the thread with that number."""
        memory = self._memory.get(thread)
        if memory is None or memory.size < nbytes:
            memory = self._memory[thread] = _aligned(max(nbytes, _ALIGN))
        return int(memory.ctypes.data)


class _Launch:
    """One dispatch with everything that it needs kept alive."""

    def __init__(
        self, executable: Executable, addresses: list[int], kept: list[_Bytes], scalars: bytes,
        workgroups: tuple[int, int, int], scratch: _Scratch,
    ) -> None:  # fmt: skip
        self.total = workgroups[0] * workgroups[1] * workgroups[2]
        self._executable, self._kept, self._scratch = executable, kept, scratch
        self._buffers = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)
        self._scalars = ctypes.create_string_buffer(scalars, max(16, len(scalars)))
        self._workgroups = workgroups

    def run(self, pipeline: CpuPipeline, queue: Queue) -> None:
        """Run all workgroups: a first part alone, to see what one costs, then the rest on as many threads as pay."""
        pool = queue.pool
        done = 0
        if pool.num_threads == 1 or not pipeline.cost:
            done = self.total if pool.num_threads == 1 else max(1, self.total // 64)
            self._measure(pipeline, 0, done)
        left = self.total - done
        if left and pipeline.cost * left < _WORTH_SHARING:
            self._part(0, done, self.total)
        elif left:
            chunk = max(1, left // (pool.num_threads * _CHUNKS_PER_THREAD))
            begin = time.perf_counter_ns()
            pool.share(self._part, done, self.total, chunk)
            pipeline.cost = (time.perf_counter_ns() - begin) / left * min(pool.num_threads, left)

    def run_alone(self, pipeline: CpuPipeline) -> None:
        """Run all workgroups on this thread."""
        self._measure(pipeline, 0, self.total)

    def _measure(self, pipeline: CpuPipeline, first: int, last: int) -> None:
        begin = time.perf_counter_ns()
        self._part(0, first, last)
        pipeline.cost = max(1.0, (time.perf_counter_ns() - begin) / (last - first))

    def _part(self, thread: int, first: int, last: int) -> None:
        scratch = self._scratch.address(thread, self._executable.scratch_nbytes)
        self._executable.run(self._buffers, self._scalars, scratch, *self._workgroups, first, last)
