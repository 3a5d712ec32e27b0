"""Detects a dispatch whose axes are in another order than the kernel's, so that elements are not written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpucore import ir
from gpucore.findings import Axes, FindingCode
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Runner, Watch


@dataclass(slots=True)
class Reach:
    """Which invocations stored to buffers: the greatest id along each axis, plus one. `idle` counts the others."""

    x: int = 0
    y: int = 0
    z: int = 0
    idle: int = 0

    def note(self, runners: Sequence[Runner]) -> None:
        """Record a workgroup that has run."""
        for runner in runners:
            if runner.has_stored:
                x, y, z = runner.identity.global_id
                self.x, self.y, self.z = max(self.x, x + 1), max(self.y, y + 1), max(self.z, z + 1)
            else:
                self.idle += 1


def report_exchanged_axes(
    watch: Watch,
    module: ir.Module,
    workgroups: Axes,
    reach: Reach,
    shapes: Sequence[tuple[int, ...]],
    shadows: Sequence[ShadowMemory],
) -> None:
    """Report arrays whose stores stop where one axis of the dispatch ends, while workgroups of another are idle.

    The kernel would have continued along the first axis, and has too many invocations along the second.
    """
    extents = [count * size for count, size in zip(workgroups, module.workgroup_size, strict=True)]
    reached = (reach.x, reach.y, reach.z)
    ended = [axis for axis in range(3) if 1 < reached[axis] == extents[axis]]
    idle = [axis for axis in range(3) if reached[axis] <= extents[axis] - module.workgroup_size[axis]]
    if not ended or not idle or FindingCode.OUT_OF_RANGE in watch.codes:  # out of range, stores are skipped
        return
    for buffer, shape, shadow in zip(module.buffers, shapes, shadows, strict=True):
        left = len(shadow) - shadow.num_written
        if not buffer.writable or not 0 < left <= reach.idle or not shadow.num_written:
            continue
        if buffer.rank > 1 and not any(_is_cut_at(extents[axis], shape, shadow) for axis in ended):
            continue
        if buffer.rank == 1 and buffer.readable:
            continue  # an InOut may keep old contents on purpose
        full, cut = idle[0], ended[0]
        message = (
            f"{left} of {len(shadow)} elements of {buffer.name!r} are never written: along axis {cut} the dispatch "
            f"ends with invocation {extents[cut] - 1}, which still stores; along axis {full} it has {extents[full]}, "
            f"and none from {reached[full]} on stores anything"
        )
        watch.report(FindingCode.EXCHANGED_AXES, message, (shadow.first_store(),), (), buffer.name, "buffer")


def _is_cut_at(extent: int, shape: tuple[int, ...], shadow: ShadowMemory) -> bool:
    """Whether the written elements are exactly those before `extent` along one axis."""
    shape = (*shape[:-1], len(shadow) // max(1, math.prod(shape[:-1])))  # a last axis of vectors is shorter
    ends = [int(axis.max()) + 1 for axis in np.unravel_index(shadow.written_indices(), shape)]
    cut = [axis for axis, end in enumerate(ends) if end < shape[axis]]
    return len(cut) == 1 and ends[cut[0]] == extent and shadow.num_written == math.prod(ends)
