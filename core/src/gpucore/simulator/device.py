"""Running generated Python: buffers are bytes in NumPy arrays, a dispatch is a loop over workgroups and invocations."""

from __future__ import annotations

import itertools
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from types import GeneratorType
from typing import Any, TypeAlias

import numpy as np

from gpucore import ir
from gpucore.errors import ClosedError, DispatchError, DriverCompileError, OutOfMemoryError
from gpucore.runtime import Buffer, Device, DeviceInfo, DeviceKind, Mark, Pipeline, Source
from gpucore.simulator.emit import Program
from gpucore.simulator.memory import POISON, Axes, index_checker, view_of, workgroup_memory
from gpucore.simulator.values import params

CAPABILITIES = frozenset(ir.Capability)

LIMITS = ir.Limits(
    max_workgroup_size=(1024, 1024, 64),
    max_workgroup_invocations=1024,
    max_workgroup_memory=256 * 1024,
    max_buffer_size=1 << 34,
    max_binding_size=1 << 34,
    max_buffers=64,
)

_END = object()

_Invocation: TypeAlias = "GeneratorType[int, None, None]"


def device_info() -> DeviceInfo:
    """The one device of the simulator."""
    return DeviceInfo(
        id="simulator:0",
        backend="simulator",
        index=0,
        name="Python simulator",
        kind=DeviceKind.SOFTWARE,
        driver=f"Python {platform.python_version()}, NumPy {np.__version__}",
        capabilities=CAPABILITIES,
        limits=LIMITS,
        details=(("timestamps", "host"),),
    )


class SimulatorBuffer(Buffer):
    """Bytes in a NumPy array, filled with 0xCD when made."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self._bytes: np.ndarray[Any, Any] | None = np.full(nbytes, POISON, np.uint8)

    @property
    def bytes(self) -> np.ndarray[Any, Any]:
        """The contents as uint8, shape (nbytes,)."""
        if self._bytes is None:
            raise ClosedError("the buffer was released")
        return self._bytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        self.bytes[offset : offset + data.nbytes] = np.frombuffer(data, np.uint8)

    def read(self, out: memoryview, offset: int = 0) -> None:
        np.frombuffer(out, np.uint8)[:] = self.bytes[offset : offset + out.nbytes]

    def release(self) -> None:
        self._bytes = None


class SimulatorPipeline(Pipeline):
    """The compiled function of a kernel and what it takes to call it."""

    def __init__(self, source: Source, program: Program, function: Callable[..., Any]) -> None:
        self.source, self.program, self.function = source, program, function

    def release(self) -> None:
        """Nothing is held outside Python."""


class SimulatorMark(Mark):
    """The host's time; all work before it has ended, since dispatches do not return earlier."""

    def __init__(self) -> None:
        self.seconds = time.perf_counter()

    def is_done(self) -> bool:
        return True


class SimulatorDevice(Device):
    """Runs each dispatch to its end, in the calling thread. Ctrl-C and exceptions of a kernel stop it where it is."""

    def __init__(self) -> None:
        self.info = device_info()

    def allocate(self, nbytes: int) -> SimulatorBuffer:
        try:
            return SimulatorBuffer(nbytes)
        except MemoryError as error:
            raise OutOfMemoryError(f"the host has no memory for a buffer of {nbytes} bytes") from error

    def compile(self, source: Source) -> SimulatorPipeline:
        program = source.payload
        if not isinstance(program, Program):
            raise DriverCompileError("GP613", "the source was not made by the simulator's emitter")
        namespace: dict[str, Any] = {
            "__name__": f"gpucore.kernel.{source.entry}",
            "gpucore_out_of_range": index_checker(program.valid.module, program.places),
        }
        exec(compile(program.tree, program.filename, "exec", dont_inherit=True), namespace)  # noqa: S102 (the emitter's own)
        return SimulatorPipeline(source, program, namespace[source.entry])

    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        assert isinstance(pipeline, SimulatorPipeline)
        program = pipeline.program
        module = program.valid.module
        views = _views(pipeline, buffers)
        arguments = (*views, *map(len, views), *params(program.valid, scalars))
        run = _run_in_step if program.has_barrier else _run_in_turn
        local_ids = list(_grid(module.workgroup_size))
        with np.errstate(all="ignore"):
            for workgroup_id in _grid(workgroups):
                arrays = [workgroup_memory(array) for array in module.workgroup_arrays]
                run(pipeline, (*arguments, *arrays), workgroup_id, local_ids, workgroups)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        assert isinstance(source, SimulatorBuffer) and isinstance(target, SimulatorBuffer)
        target.bytes[:nbytes] = source.bytes[:nbytes]

    def mark(self) -> SimulatorMark:
        return SimulatorMark()

    def elapsed(self, start: Mark, end: Mark) -> float:
        assert isinstance(start, SimulatorMark) and isinstance(end, SimulatorMark)
        return end.seconds - start.seconds

    def close(self) -> None:
        """Nothing is held outside Python."""


def _grid(counts: Axes) -> Iterator[Axes]:
    """All (x, y, z) below `counts`, x fastest."""
    return ((x, y, z) for z, y, x in itertools.product(*map(range, reversed(counts))))


def _views(pipeline: SimulatorPipeline, buffers: Sequence[Buffer]) -> list[np.ndarray[Any, Any]]:
    views = []
    for declared, buffer, writes in zip(
        pipeline.program.valid.module.buffers, buffers, pipeline.source.writes, strict=True
    ):
        assert isinstance(buffer, SimulatorBuffer)
        views.append(view_of(buffer.bytes, declared.element, writes))
    return views


def _run_in_turn(
    pipeline: SimulatorPipeline, arguments: tuple[Any, ...], workgroup_id: Axes, local_ids: list[Axes], groups: Axes
) -> None:
    """Without barriers one invocation runs to its end before the next begins."""
    function = pipeline.function
    for local_id in local_ids:
        function(*arguments, workgroup_id, local_id, groups)


def _run_in_step(
    pipeline: SimulatorPipeline, arguments: tuple[Any, ...], workgroup_id: Axes, local_ids: list[Axes], groups: Axes
) -> None:
    """All invocations of the workgroup run to their next barrier, then all to the one after it."""
    function = pipeline.function
    invocations: list[_Invocation] = [function(*arguments, workgroup_id, local_id, groups) for local_id in local_ids]
    while True:
        arrivals = [next(invocation, _END) for invocation in invocations]
        if arrivals.count(arrivals[0]) != len(arrivals):
            raise _not_reached_by_all(pipeline, invocations, workgroup_id)
        if arrivals[0] is _END:
            return


def _not_reached_by_all(
    pipeline: SimulatorPipeline, invocations: list[_Invocation], workgroup_id: Axes
) -> DispatchError:
    lines = [invocation.gi_frame.f_lineno for invocation in invocations if invocation.gi_frame is not None]
    counted = ", ".join(f"{lines.count(line)} wait at line {line}" for line in sorted(set(lines)))
    ended = len(invocations) - len(lines)
    return DispatchError(
        f"{pipeline.program.filename}:{lines[0]}: {pipeline.source.entry}: barrier not reached by all invocations of "
        f"workgroup {workgroup_id}: {counted}, {ended} have ended"
    )
