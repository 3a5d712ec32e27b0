"""Detects arrays of which a dispatch leaves elements unwritten: an Out, or one whose grid has its axes exchanged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpucore import ir
from gpucore.failures import describe_unwritten
from gpucore.findings import Axes, FindingCode
from gpucore.passes.written import fields_of
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Runner, Watch

_EXCHANGED = (
    "axis 0 of a grid is x, gp.global_id(0), and the axes of this grid seem to be in another order than the ids in the "
    "kernel",
    "give the grid in the order of the ids: if gp.global_id(0) indexes the last axis of y, invocations=y.shape[::-1]",
)
"""Why, and the fix."""


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


def report_incomplete_outputs(
    watch: Watch,
    module: ir.Module,
    workgroups: Axes,
    reach: Reach,
    shapes: Sequence[tuple[int, ...]],
    shadows: Sequence[ShadowMemory],
) -> None:
    """Report each Out with unwritten elements, and each InOut that misses some because axes are exchanged."""
    if FindingCode.OUT_OF_RANGE in watch.codes:  # out of range, stores are skipped
        return
    extents = [count * size for count, size in zip(workgroups, module.workgroup_size, strict=True)]
    for buffer, shape, shadow in zip(module.buffers, shapes, shadows, strict=True):
        if not buffer.writable:
            continue
        shape = (*shape[:-1], len(shadow) // max(1, math.prod(shape[:-1])))  # a last axis of vectors is shorter
        text = describe_unwritten(buffer.name, _unwritten(buffer, shape, shadow))
        axes = _exchanged_axes(module.workgroup_size, extents, reach, buffer, shape, shadow)
        if not text or (buffer.readable and not axes):  # an InOut may keep old contents on purpose
            continue
        why, fix = _EXCHANGED if axes else ("", "")
        message = f"{text}; {axes}" if axes else text
        spans = (buffer.span, shadow.first_store()) if axes else (buffer.span,)
        watch.report(FindingCode.INCOMPLETE_OUTPUT, message, spans, (), buffer.name, "buffer", why, fix)


def _unwritten(
    buffer: ir.Buffer, shape: tuple[int, ...], shadow: ShadowMemory
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    """For each field of an array's elements, which are not written."""
    masks = {}
    for path, name in fields_of(buffer.element):
        mask = np.ones(len(shadow), bool)
        mask[shadow.written_indices(path)] = False
        masks[name] = mask.reshape(shape)
    return masks


def _exchanged_axes(
    workgroup_size: Axes,
    extents: Sequence[int],
    reach: Reach,
    buffer: ir.Buffer,
    shape: tuple[int, ...],
    shadow: ShadowMemory,
) -> str:
    """What shows that the axes of a grid are exchanged, or "": stores to an array stop where one axis of the dispatch
    ends, while workgroups of another are idle.

    The kernel would have continued along the first axis, and has too many invocations along the second.
    """
    reached = (reach.x, reach.y, reach.z)
    ended = [axis for axis in range(3) if 1 < reached[axis] == extents[axis]]
    idle = [axis for axis in range(3) if reached[axis] <= extents[axis] - workgroup_size[axis]]
    left = len(shadow) - shadow.num_written
    if not ended or not idle or not 0 < left <= reach.idle or not shadow.num_written:
        return ""
    if buffer.rank > 1 and not any(_is_cut_at(extents[axis], shape, shadow) for axis in ended):
        return ""
    if buffer.rank == 1 and buffer.readable:
        return ""
    full, cut = idle[0], ended[0]
    return (
        f"along axis {cut} the dispatch ends with invocation {extents[cut] - 1}, which still stores; along axis {full} "
        f"it has {extents[full]}, and none from {reached[full]} on stores anything"
    )


def _is_cut_at(extent: int, shape: tuple[int, ...], shadow: ShadowMemory) -> bool:
    """Whether the written elements are exactly those before `extent` along one axis."""
    ends = [int(axis.max()) + 1 for axis in np.unravel_index(shadow.written_indices(), shape)]
    cut = [axis for axis, end in enumerate(ends) if end < shape[axis]]
    return len(cut) == 1 and ends[cut[0]] == extent and shadow.num_written == math.prod(ends)
