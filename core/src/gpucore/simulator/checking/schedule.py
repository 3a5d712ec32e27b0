"""Runs a checked kernel: workgroups and invocations in a given order, barrier by barrier."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import GeneratorType
from typing import Any, TypeAlias

import numpy as np

from gpucore import ir
from gpucore.findings import Axes
from gpucore.immutable import Immutable
from gpucore.simulator.checking.collectives import report_divergence, report_missing_lane, report_non_uniform
from gpucore.simulator.checking.coverage import Reach
from gpucore.simulator.checking.emit import CheckedProgram
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Group, NoEnd, Runner, Site, Watch
from gpucore.simulator.collectives import UNIFORM, MissingLane, Request, answers, subgroups
from gpucore.simulator.memory import view_of, workgroup_memory
from gpucore.simulator.running import grid, invocation_ids
from gpucore.simulator.values import params

_Started: TypeAlias = "GeneratorType[int | Request, Any, None]"

_EDGES = ("shuffle_up", "shuffle_down")
"""Operations with no source lane at one edge of the subgroup, a defect only if the result depends on it."""

Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"

_UNDEFINED = 0x5BD1E995
"""An arbitrary number, for lanes whose result is undefined."""

Order = Callable[[list[Any]], list[Any]]
"""Permutes items."""


class Dispatch(Immutable):
    """The arguments of a call. `never_written` has a mask of the unwritten elements of each buffer, or None."""

    buffers: tuple[Bytes, ...]
    never_written: tuple[Bytes | None, ...]
    scalars: bytes
    workgroups: Axes


class Result(Immutable):
    """The buffers after a run."""

    contents: tuple[Bytes, ...]
    shadows: tuple[ShadowMemory, ...]
    reach: Reach
    missing: dict[Site, tuple[Runner, int, int, int]]
    """For each site that read from missing lanes: invocation, lane, source lane, number of lanes."""

    def value(self, buffer: int, index: int) -> Any:
        """One element of a buffer."""
        return self.shadows[buffer].peek(index)

    def differences(self, other: Result, buffer: int) -> tuple[int, int, int]:
        """How many elements of a buffer differ from another run; the index and byte of the first difference."""
        count = len(self.shadows[buffer])
        mine, yours = (result.contents[buffer] for result in (self, other))
        if not count:
            return 0, 0, 0
        size = mine.nbytes // count
        differ = mine[: count * size].reshape(count, size) != yours[: count * size].reshape(count, size)
        elements = np.flatnonzero(differ.any(axis=1))
        if not elements.size:
            return 0, 0, 0
        return elements.size, int(elements[0]), int(np.argmax(differ[elements[0]]))

    def writer(self, buffer: int, index: int, byte: int) -> Site | None:
        """The last write to a byte of an element."""
        return self.shadows[buffer].writer(index, byte)


def run_checked(
    program: CheckedProgram, dispatch: Dispatch, watch: Watch, order: Order, fill: int | None = None
) -> Result:
    """Run once, on copies. `order` permutes the workgroups, and the invocations again after each barrier.

    Findings go to `watch`. Lanes that read from a missing lane get `fill`, or their own operand.
    A workgroup whose invocations diverge at a barrier is abandoned there.
    """
    return _Run(program, dispatch, watch, order, fill).run()


def try_missing_lanes(program: CheckedProgram, dispatch: Dispatch, watch: Watch, first: Result) -> None:
    """Report shuffles up and down past the edge of the subgroup whose undefined value affects a result.

    `first` is a run in ascending order in which such lanes got their own operand. This run gives them another value:
    the access is a defect only if results differ.
    """
    other = run_checked(program, dispatch, Watch(), list, fill=_UNDEFINED)
    if any(first.differences(other, buffer.index)[0] for buffer in program.valid.module.buffers):
        for site, (runner, lane, wanted, lanes) in first.missing.items():
            report_missing_lane(watch, runner, lane, wanted, lanes, site)


class _Run:
    def __init__(
        self, program: CheckedProgram, dispatch: Dispatch, watch: Watch, order: Order, fill: int | None
    ) -> None:
        self._fill = fill
        self.missing: dict[Site, tuple[Runner, int, int, int]] = {}
        self._reach = Reach()
        self._program, self._dispatch, self._watch, self._order = program, dispatch, watch, order
        self._module = program.valid.module
        self._bytes = [buffer.copy() for buffer in dispatch.buffers]
        self._buffers = [
            _shadow_of_buffer(declared, data, never)
            for declared, data, never in zip(self._module.buffers, self._bytes, dispatch.never_written, strict=True)
        ]

    def run(self) -> Result:
        groups = [Group(number, id) for number, id in enumerate(grid(self._dispatch.workgroups))]
        arguments = (*self._buffers, *map(len, self._buffers), *params(self._program.valid, self._dispatch.scalars))
        try:
            with np.errstate(all="ignore"):
                for group in self._order(groups):
                    self._run_group(group, arguments)
        except NoEnd:
            pass  # reported; the other workgroups are not run
        for buffer in self._buffers:
            buffer.settle(is_end=True)
        return Result(tuple(self._bytes), tuple(self._buffers), self._reach, self.missing)

    def _run_group(self, group: Group, arguments: tuple[Any, ...]) -> None:
        program, module = self._program, self._module
        arrays = [_shadow_of_array(array) for array in module.workgroup_arrays]
        ids = invocation_ids(module.workgroup_size, program.options.subgroup_size, program.uses_subgroups)
        runners = [
            Runner(self._watch, group, number, local_id, module.workgroup_size)
            for number, (local_id, *_) in enumerate(ids)
        ]
        call = functools.partial(program.function, *arguments, *arrays, group.id)
        grid = self._dispatch.workgroups
        if program.yields:
            started = [call(local_id, grid, *rest, me) for me, (local_id, *rest) in zip(runners, ids, strict=True)]
            self._run_in_lockstep(group, runners, started, arrays)
        else:
            for me in self._order(runners):
                local_id, *rest = ids[me.number]
                call(local_id, grid, *rest, me)
        self._reach.note(runners)
        for array in arrays:
            array.settle(is_end=True)

    def _run_in_lockstep(
        self, group: Group, runners: list[Runner], started: list[_Started], arrays: Sequence[ShadowMemory]
    ) -> None:
        """Run all invocations to the next collective operation, then to the one after it."""
        sent: list[Any] = [None] * len(runners)
        while True:
            arrivals: dict[int, Any] = {}
            for me in self._order(runners):
                me.steps = 0
                arrivals[me.number] = _advanced(started[me.number], sent[me.number])
            arrived = [arrivals[number] for number in range(len(runners))]
            sites = [None if at is None else self._site(at) for at in arrived]
            if all(site is None for site in sites):
                return
            if any(site is not sites[0] for site in sites):
                report_divergence(self._watch, runners, sites)
                for invocation in started:
                    invocation.close()
                return
            sent = [None] * len(runners)
            if isinstance(arrived[0], Request):
                sent = self._answers(runners, arrived)
                continue
            orders_buffers = sites[0] is not None and sites[0].buffers
            for memory in (*arrays, *self._buffers) if orders_buffers else arrays:
                memory.settle(is_end=False)
            group.epoch += 1
            group.ordered += orders_buffers

    def _site(self, arrival: int | Request) -> Site:
        return self._program.sites[arrival.number if isinstance(arrival, Request) else arrival]

    def _answers(self, runners: list[Runner], requests: list[Request]) -> list[Any]:
        site = self._site(requests[0])
        if requests[0].operation == UNIFORM:
            report_non_uniform(self._watch, runners, [request.operand for request in requests], site)
            return [request.operand for request in requests]
        answered: list[Any] = []
        for lanes in subgroups(len(runners), self._program.options.subgroup_size):
            missing: list[MissingLane] = []
            answered += answers(requests[lanes.start : lanes.stop], missing, self._fill)
            for lane, wanted in missing:
                runner = runners[lanes.start + lane]
                self.missing.setdefault(site, (runner, lane, wanted, len(lanes)))
                if requests[0].operation not in _EDGES:
                    report_missing_lane(self._watch, runner, lane, wanted, len(lanes), site)
        return answered


def _advanced(invocation: _Started, sent: Any) -> int | Request | None:
    try:
        return invocation.send(sent)
    except StopIteration:
        return None


def _shadow_of_buffer(declared: ir.Buffer, data: Bytes, never: Bytes | None) -> ShadowMemory:
    view = view_of(data, declared.element, writable=True)
    written = None if never is None else bytearray((never == 0).astype(np.uint8).tobytes())
    return ShadowMemory(view, len(view), written)


def _shadow_of_array(array: ir.WorkgroupArray) -> ShadowMemory:
    return ShadowMemory(workgroup_memory(array), array.length, bytearray(array.length))
