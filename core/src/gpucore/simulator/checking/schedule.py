"""Runs a checked kernel: workgroups and invocations in a given order, barrier by barrier."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from gpucore import ir
from gpucore.findings import Axes
from gpucore.immutable import Immutable
from gpucore.simulator.checking.collectives import report_missing_lane
from gpucore.simulator.checking.coverage import Reach
from gpucore.simulator.checking.emit import CheckedProgram
from gpucore.simulator.checking.lockstep import Lockstep
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Group, NoEnd, Runner, Site, Team, Watch
from gpucore.simulator.collectives import subgroups
from gpucore.simulator.memory import view_of, workgroup_memory
from gpucore.simulator.running import grid, invocation_ids
from gpucore.simulator.values import params

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
        watch.has_fences = ir.Capability.DEVICE_FENCE in program.valid.needs
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
        teams = [team for lanes in subgroups(len(ids), program.options.subgroup_size) for team in [Team()] * len(lanes)]
        runners = [
            Runner(self._watch, group, team, number, local_id, module.workgroup_size)
            for number, (team, (local_id, *_)) in enumerate(zip(teams, ids, strict=True))
        ]
        call = functools.partial(program.function, *arguments, *arrays, group.id)
        grid = self._dispatch.workgroups
        if program.yields:
            started = [call(local_id, grid, *rest, me) for me, (local_id, *rest) in zip(runners, ids, strict=True)]
            invocations = Lockstep(program, self._watch, group, runners, started, arrays, self._buffers, self._fill)
            invocations.run(self._order)
            for site, found in invocations.missing.items():
                self.missing.setdefault(site, found)
        else:
            for me in self._order(runners):
                local_id, *rest = ids[me.number]
                call(local_id, grid, *rest, me)
        self._reach.note(runners)
        for array in arrays:
            array.settle(is_end=True)


def _shadow_of_buffer(declared: ir.Buffer, data: Bytes, never: Bytes | None) -> ShadowMemory:
    view = view_of(data, declared.element, writable=True)
    written = None if never is None else bytearray((never == 0).astype(np.uint8).tobytes())
    return ShadowMemory(view, len(view), written)


def _shadow_of_array(array: ir.WorkgroupArray) -> ShadowMemory:
    return ShadowMemory(workgroup_memory(array), array.length, bytearray(array.length))
