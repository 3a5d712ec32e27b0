"""The processor as a device: buffers in the process's memory, kernels as machine code, a queue with its own threads."""

from __future__ import annotations

import functools
import os
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from gpucore.plugin import (
    BackendUnavailableError,
    Buffer,
    ClosedError,
    Device,
    DeviceError,
    DeviceInfo,
    DispatchStep,
    Mark,
    Pipeline,
    Source,
    Step,
    read_integer,
)
from gpucore_cpu.launch import BRIEF_WAIT, Launch, WorkgroupTime, run_short
from gpucore_cpu.memory import Bytes, allocate_aligned, memory_at
from gpucore_cpu.objects import POOL, VERSIONS, Archive, Code, link_pool
from gpucore_cpu.pool import Pool
from gpucore_cpu.processor import read_processor
from gpucore_cpu.queue import Queue
from gpucore_cpu.recording import CpuRecording
from gpucore_cpu.scratch import ALIGN
from gpucore_cpu.settings import MAX_THREADS, THREADS
from gpucore_cpu.streaming import CACHE_NBYTES, MARK, can_stream
from gpucore_cpu.versions import PLAIN, Executable, MakesVersions, Version

if TYPE_CHECKING:
    from gpucore_cpu.jit import Compiler


def num_threads() -> int:
    """GPUCORE_CPU_THREADS, or the number of processors available to this process. Raises BackendError if invalid."""
    wanted = read_integer(THREADS, 1, MAX_THREADS)
    if wanted is not None:
        return wanted
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class CpuBuffer(Buffer):
    """Bytes in the process's memory."""

    def __init__(self, queue: Queue, memory: Bytes) -> None:
        self.nbytes = memory.size
        self._queue = queue
        self._bytes: Bytes | None = memory
        self.address = self._bytes.ctypes.data
        self.last_use = 0  # number of the last queued task that accesses it

    @property
    def bytes(self) -> Bytes:
        """The memory. Raises ClosedError after release."""
        self._queue.check()
        if self._bytes is None:
            raise ClosedError("the buffer was released")
        return self._bytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        new = np.frombuffer(data, np.uint8)
        target = self.bytes[offset : offset + new.size]
        # Queued work may access memory that others have seen through another buffer.
        is_shared = self.is_adopted or self.is_exported
        if self._queue.has_finished(self._queue.submitted if is_shared else self.last_use):
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

    def part(self, offset: int, nbytes: int) -> CpuPart:
        return CpuPart(self, offset, nbytes)

    def release(self) -> None:
        self._bytes, self.address = None, 0  # queued tasks keep the memory alive


class CpuPart(CpuBuffer):
    """A part of a buffer."""

    def __init__(self, buffer: CpuBuffer, offset: int, nbytes: int) -> None:
        self.nbytes = nbytes
        self._buffer, self._offset = buffer, offset

    @property
    def bytes(self) -> Bytes:
        return self._buffer.bytes[self._offset : self._offset + self.nbytes]

    @property
    def address(self) -> int:  # type: ignore[override]  # read-only here
        return self._buffer.address and self._buffer.address + self._offset

    @property
    def last_use(self) -> int:
        return self._buffer.last_use

    @last_use.setter
    def last_use(self, number: int) -> None:
        self._buffer.last_use = number


class CpuPipeline(Pipeline):
    """A kernel as machine code. Further versions are compiled when they are needed, see Version."""

    def __init__(self, compiler: MakesVersions, source: Source, may_stream: bool) -> None:
        self.source = source
        self.workgroup_time = WorkgroupTime()
        self._compiler = compiler
        self._versions: dict[tuple[bool, bool, bool], Executable] = {PLAIN: compiler.compile(source)}
        self._may_stream = may_stream

    def executable(self, addresses: list[int], buffers: Sequence[CpuBuffer]) -> Executable:
        """The machine code for buffers at these addresses."""
        is_aliased = len(set(addresses)) < len(addresses)
        low_bits = 0
        for address in addresses:
            low_bits |= address
        is_shifted = low_bits % ALIGN != 0
        streams = self._may_stream and not (is_aliased or is_shifted)
        if streams:
            streams = sum([buffer.nbytes for buffer in buffers]) > CACHE_NBYTES
        found = self._versions.get((is_aliased, is_shifted, streams))
        if found is None:
            if not self._versions:
                raise ClosedError("the pipeline was released")
            version = Version(is_aliased, is_shifted, streams)
            found = self._compiler.compile(self.source, version)
            self._versions[version] = found
        return found

    def release(self) -> None:
        self._versions = {}


class CpuMark(Mark):
    """A point in the queue, and the host's time when the queue reached it."""

    polls = 0

    def __init__(self) -> None:
        self.time: int | None = None  # ns
        self.failure: DeviceError | None = None
        self.queue: Queue | None = None

    def reach(self, queue: Queue) -> None:
        self.failure = self.failure or queue.take_failure()  # it is called again where Ctrl-C ended the call
        self.time = time.perf_counter_ns()

    def is_done(self) -> bool:
        if self.time is None and self.queue is not None:
            self.queue.check()
        if self.time is None:
            return False
        if self.failure is not None:
            raise self.failure
        return True

    def pause(self, seconds: float) -> None:
        if self.queue is not None:
            self.queue.pause(lambda: self.time is not None, seconds)


class _CodeOfDevice:
    """Where machine code comes from: LLVM, when it is first needed, or objects of packages. It does not refer to the
    device, which the pool that has it would keep."""

    def __init__(self, device: str) -> None:
        self.pool = b""  # of the package that was loaded last
        self._device = device
        self._compiler: Compiler | None = None

    def compiler(self) -> Compiler:
        """LLVM for this processor."""
        if self._compiler is None:
            try:
                from gpucore_cpu.jit import Compiler  # noqa: PLC0415 (imports LLVM)
            except ImportError as error:
                raise BackendUnavailableError(
                    f"{self._device} cannot compile kernels: llvmlite cannot be imported: {error}; install it (pip "
                    "install llvmlite), or run kernels of a package, which gp.load loads"
                ) from error
            self._compiler = Compiler(read_processor())
        return self._compiler

    def load_pool(self, text: str, exports: Sequence[str], imports: Mapping[str, int]) -> Code:
        """The code of a pool of threads."""
        if self.pool:
            return link_pool(self.pool, imports)
        code: Code = self.compiler().load(text, exports, imports)
        return code


class CpuDevice(Device):
    """All processors available to this process, as one device."""

    memory_space = 1, 0
    idle_polls = 1

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self._code = _CodeOfDevice(info.id)
        self._queue, self._pool = Queue(), Pool(num_threads(), self._code.load_pool)
        self._finalizer = weakref.finalize(self, _close, self._queue, self._pool)  # at exit too

    def allocate(self, nbytes: int) -> CpuBuffer:
        self._queue.check()
        return CpuBuffer(self._queue, allocate_aligned(nbytes))

    def adopt(self, address: int, nbytes: int) -> CpuBuffer:
        self._queue.check()
        return CpuBuffer(self._queue, memory_at(address, nbytes))

    def compile(self, source: Source) -> CpuPipeline:
        self._queue.check()
        return CpuPipeline(self._code.compiler(), source, can_stream() and MARK in source.text)

    def load(self, source: Source, binary: bytes) -> CpuPipeline:
        self._queue.check()
        archive = Archive(source.entry, binary)
        self._code.pool = archive.members.get(POOL, b"")
        has_streaming = any(VERSIONS[name].streams for name in archive.members if name in VERSIONS)
        return CpuPipeline(archive, source, can_stream() and has_streaming)

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        queue, own = self._queue, cast("Sequence[CpuBuffer]", buffers)
        queue.check()
        assert isinstance(pipeline, CpuPipeline)
        addresses = [buffer.address for buffer in own]
        if 0 in addresses:
            raise ClosedError("a buffer of the dispatch was released")
        executable, workgroup_time = pipeline.executable(addresses, own), pipeline.workgroup_time
        arguments = executable, addresses, scalars, workgroups, self._pool, workgroup_time
        if queue.is_idle and run_short(*arguments):
            return
        launch = Launch(*arguments)
        try:
            if launch.is_brief():
                queue.run_now(launch.run_brief)
        finally:  # after Ctrl-C, too
            if not launch.is_complete:
                launch.kept = [buffer.bytes for buffer in own]
                brief = functools.partial(launch.run_brief, BRIEF_WAIT) if launch.is_brief(BRIEF_WAIT) else None
                number = queue.put(launch.run, brief)
                for buffer in own:
                    buffer.last_use = number

    def record(self, steps: Sequence[Step]) -> CpuRecording | None:
        dispatches = [step for step in steps if isinstance(step, DispatchStep)]
        if len(dispatches) < len(steps):
            return None
        return CpuRecording(dispatches, self.dispatch, self._queue, self._pool)

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
        if queue.is_idle:
            mark.reach(queue)
        else:
            mark.queue = queue
            queue.put(lambda: mark.reach(queue), lambda: mark.reach(queue))
        return mark

    def is_idle(self) -> bool:
        self._queue.check()
        if not self._queue.is_idle:
            return False
        failure = self._queue.take_failure()
        if failure is not None:
            raise failure
        return True

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, CpuMark)
        assert isinstance(end, CpuMark)
        if start.time is None or end.time is None:
            raise DeviceError("elapsed() needs marks that are done")
        return (end.time - start.time) * 1e-9

    def close(self) -> None:
        self._finalizer()

    def assembly(self, pipeline: CpuPipeline) -> str:
        """A kernel in the machine's assembly language."""
        return self._code.compiler().assembly(pipeline.source)


def _close(queue: Queue, pool: Pool) -> None:
    """Drop queued tasks, let the running one end, stop the threads. A forked child has none of the threads."""
    try:
        queue.close()
    finally:  # also if Ctrl-C ends the wait for the running task
        if not queue.forked:
            pool.close()
