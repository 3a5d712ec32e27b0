"""Running a checked kernel: workgroups and invocations in one order or another, barrier by barrier."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import GeneratorType
from typing import Any, TypeAlias

import numpy as np

from gpucore import ir
from gpucore.findings import Axes, FindingCode
from gpucore.simulator.checking.emit import CheckedProgram
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Group, NoEnd, Runner, Site, Watch
from gpucore.simulator.memory import reader, view_of, workgroup_memory, writer
from gpucore.simulator.values import params

_Started: TypeAlias = "GeneratorType[Site, Any, None]"

Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"

Order = Callable[[list[Any]], list[Any]]
"""Gives items in another order."""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What a kernel is called with. `never_written` has, for each buffer, the elements that hold nothing, or None."""

    buffers: tuple[Bytes, ...]
    never_written: tuple[Bytes | None, ...]
    scalars: bytes
    workgroups: Axes


@dataclass(frozen=True, slots=True)
class Result:
    """The buffers after a run."""

    contents: tuple[Bytes, ...]
    shadows: tuple[ShadowMemory, ...]

    def value(self, buffer: int, index: int) -> Any:
        """One element of a buffer."""
        return self.shadows[buffer].peek(index)

    def writer(self, buffer: int, index: int) -> Site | None:
        """Where the kernel wrote it last."""
        return self.shadows[buffer].writers.get(index)


def run_checked(program: CheckedProgram, dispatch: Dispatch, watch: Watch, order: Order) -> Result:
    """Run once, on copies. `order` gives the order of workgroups, and anew of invocations after each barrier.

    What is found goes to `watch`. A workgroup whose invocations part at a barrier is left there.
    """
    return _Run(program, dispatch, watch, order).run()


class _Run:
    def __init__(self, program: CheckedProgram, dispatch: Dispatch, watch: Watch, order: Order) -> None:
        self._program, self._dispatch, self._watch, self._order = program, dispatch, watch, order
        self._module = program.valid.module
        self._bytes = [buffer.copy() for buffer in dispatch.buffers]
        self._buffers = [
            _shadow_of_buffer(declared, data, never)
            for declared, data, never in zip(self._module.buffers, self._bytes, dispatch.never_written, strict=True)
        ]

    def run(self) -> Result:
        groups = [Group(number, id) for number, id in enumerate(_grid(self._dispatch.workgroups))]
        arguments = (*self._buffers, *map(len, self._buffers), *params(self._program.valid, self._dispatch.scalars))
        try:
            with np.errstate(all="ignore"):
                for group in self._order(groups):
                    self._run_group(group, arguments)
        except NoEnd:
            pass  # it was reported; what other workgroups would do now means nothing
        for buffer in self._buffers:
            buffer.settle(is_end=True)
        return Result(tuple(self._bytes), tuple(self._buffers))

    def _run_group(self, group: Group, arguments: tuple[Any, ...]) -> None:
        module = self._module
        arrays = [_shadow_of_array(array) for array in module.workgroup_arrays]
        runners = [
            Runner(self._watch, group, number, local_id, module.workgroup_size)
            for number, local_id in enumerate(_grid(module.workgroup_size))
        ]
        call = (*arguments, *arrays)
        grid = self._dispatch.workgroups
        if not self._program.yields:
            for runner in self._order(runners):
                self._program.function(*call, group.id, runner.local_id, grid, runner)
        else:
            started: list[tuple[Runner, _Started]] = [
                (runner, self._program.function(*call, group.id, runner.local_id, grid, runner)) for runner in runners
            ]
            self._in_step(group, started, arrays)
        for array in arrays:
            array.settle(is_end=True)

    def _in_step(self, group: Group, started: list[tuple[Runner, _Started]], arrays: Sequence[ShadowMemory]) -> None:
        """All to their next barrier, then all to the one after it."""
        while True:
            arrived = {}
            for runner, invocation in self._order(started):
                runner.steps = 0
                arrived[runner.number] = next(invocation, None)
            sites = set(arrived.values())
            if sites == {None}:
                return
            if len(sites) > 1:
                self._tell_of_parting([runner for runner, _ in started], arrived)
                for _, invocation in started:
                    invocation.close()
                return
            for memory in (*arrays, *self._buffers):
                memory.settle(is_end=False)
            group.epoch += 1

    def _tell_of_parting(self, runners: list[Runner], arrived: dict[int, Site | None]) -> None:
        waiting = next(runner for runner in runners if arrived[runner.number] is not None)
        site = arrived[waiting.number]
        other = next(runner for runner in runners if arrived[runner.number] is not site)
        elsewhere = arrived[other.number]
        assert site is not None
        number = sum(arrived[runner.number] is site for runner in runners)
        does = "has ended" if elsewhere is None else "waits at another barrier"
        message = (
            f"barrier not reached by all invocations of workgroup {waiting.group.id}: {number} of {len(runners)} are "
            f"there, {waiting.identity} for one; {other.identity} {does}"
        )
        spans = (site.span,) if elsewhere is None else (site.span, elsewhere.span)
        self._watch.report(FindingCode.DIVERGENT_BARRIER, message, spans, (waiting.identity, other.identity))


def _grid(counts: Axes) -> Iterator[Axes]:
    """All (x, y, z) below `counts`, x fastest."""
    return ((x, y, z) for z, y, x in itertools.product(*map(range, reversed(counts))))


def _shadow_of_buffer(declared: ir.Buffer, data: Bytes, never: Bytes | None) -> ShadowMemory:
    view = view_of(data, declared.element, writable=True)
    written = None if never is None else bytearray((~never.astype(bool)).astype(np.uint8).tobytes())
    return ShadowMemory(view, len(view), *_accessors(declared), written)


def _shadow_of_array(array: ir.WorkgroupArray) -> ShadowMemory:
    return ShadowMemory(workgroup_memory(array), array.length, *_accessors(array), bytearray(array.length))


def _accessors(memory: ir.Memory) -> tuple[Callable[..., Any], Callable[..., None]]:
    return reader(memory), writer(memory)
