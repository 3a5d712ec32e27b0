"""The launches of a scan: one pass with look-back, or the reduction of chunks, the scan of their values, and theirs."""

from __future__ import annotations

from typing import Any

from gpucore.algorithms.operators import is_fixed
from gpucore.algorithms.plans import Plan
from gpucore.algorithms.reduce.launches import Extent, Planner
from gpucore.algorithms.reduce.steps import Steps
from gpucore.algorithms.scan import kernels, look_back
from gpucore.algorithms.shapes import ScanShape
from gpucore.array import Array, empty
from gpucore.blocks import reductions
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.types import DType, ElementDType, f32, i32, i32x4, u32, u32x4

_VECTORS: dict[ElementDType, DType] = {i32: i32x4, u32: u32x4}
_SUMS = (i32, u32, f32)  # that subgroups add up


class Scan(Immutable):
    """A scan but for the array: what it computes. Without `initial`, nothing is ahead of the first element."""

    steps: Steps
    result: ElementDType
    exclusive: bool
    initial: Any = None
    has_initial: bool = False


def plan_axis(extent: Extent, result: tuple[int, ...], scan: Scan, planner: Planner, shape: ScanShape) -> Plan:
    """The plan of a scan along the middle axis of an extent that is not empty, with a result of the shape `result`."""

    def queue(x: Array, out: Array) -> None:
        _queue(x.ravel(), out.ravel(), extent, scan, planner, shape)

    return Plan(queue, result, scan.result, is_recorded=is_fixed(scan.steps.op))


def _queue(x: Array, out: Array, extent: Extent, scan: Scan, planner: Planner, shape: ScanShape) -> None:
    chunk = _chunk_of(extent, shape)
    before = x
    if chunk < extent.length:
        totals = Extent(extent.outer, -(-extent.length // chunk), extent.inner)
        launch = planner.pass_of(extent, chunk, scan.steps.first, x.dtype, scan.steps.type, 1)
        *_, sums = launch.run((x,))
        before = empty(sums.size, scan.steps.type, device=x.device)
        later = Scan(scan.steps.first.later, scan.steps.type, False, scan.initial, scan.has_initial)
        _queue(sums, before, totals, later, planner, shape)
    elif x.dtype is not scan.steps.type:
        before = empty(1, scan.steps.type, device=x.device)
    _pass(x, before, out, extent, chunk, scan, shape)


def _pass(x: Array, before: Array, out: Array, extent: Extent, chunk: int, scan: Scan, shape: ScanShape) -> None:
    chunks, initial = -(-extent.length // chunk), scan.initial
    parts = extent.outer * chunks * extent.inner
    options = scan.steps, x.dtype, scan.result, scan.exclusive, scan.has_initial
    limit = x.device.limits.max_workgroup_invocations
    if _is_tiles(extent, shape):
        invocations, run = shape.tile
        tiles = kernels.make_tiles(*options, min(invocations, limit), run)
        tiles(x, before, out, extent.length, chunk, chunks, initial, workgroups=parts)
    elif _is_by_subgroups(x.device, extent, scan, shape):
        sums = kernels.make_sums(*options, x.device.limits.max_subgroup_size, shape.vectors)
        sums(x, before, out, extent.length, chunk, chunks, initial, workgroups=parts)
    else:
        # An invocation of its own for each part, where neighbours' elements are far from each other.
        serial = kernels.make_serial(*options, 1 if extent.inner == 1 and shape.tiles_from is None else 256)
        serial(x, before, out, extent.length, extent.inner, chunk, chunks, parts, initial, invocations=parts)


def _is_tiles(extent: Extent, shape: ScanShape) -> bool:
    return extent.inner == 1 and shape.tiles_from is not None and extent.length >= shape.tiles_from


def _is_by_subgroups(device: Device, extent: Extent, scan: Scan, shape: ScanShape) -> bool:
    return (
        extent.inner == 1
        and scan.steps.op is reductions.add
        and scan.steps.type in _SUMS
        and device.supports(Capability.SUBGROUP)
        and extent.length >= shape.vectors * device.limits.max_subgroup_size > 0
    )


def _chunk_of(extent: Extent, shape: ScanShape) -> int:
    """How many elements of a row or column are scanned by one workgroup or invocation."""
    if _is_tiles(extent, shape):
        if extent.length <= shape.single:
            return extent.length
        whole = shape.tile[0] * shape.tile[1]
        parts = max(1, shape.groups // extent.outer)
        return -(-extent.length // parts // whole) * whole
    if extent.inner == 1 and extent.length <= shape.single:
        return extent.length
    parts = max(1, shape.columns // (extent.outer * extent.inner))
    return max(shape.least, -(-extent.length // parts))


# ---------------------------------------------------------------- one pass


def is_looked_back(x: Array, extent: Extent, shape: ScanShape) -> bool:
    """Whether sums of the elements are scanned in one pass."""
    limits, tiles = x.device.limits, (shape.look_back[0], shape.look_back_with_fallback[0])
    return (
        shape.look_back_from is not None
        and extent.outer == extent.inner == 1
        and extent.length >= max(4, shape.look_back_from)
        and x.dtype in _VECTORS
        and x.offset % 16 == 0
        and x.device.supports(Capability.SUBGROUP)
        and limits.max_subgroup_size <= min(tiles)
        and max(tiles) <= limits.max_workgroup_invocations
    )


def plan_look_back(
    size: int, result: tuple[int, ...], dtype: ElementDType, exclusive: bool, shape: ScanShape, lost: int = 0
) -> Plan:
    """The plan of prefix sums in one pass. `lost` is for tests: see `look_back.make_scan`."""

    def queue(x: Array, out: Array) -> None:
        _look_back(x.ravel(), out.ravel(), exclusive, shape, lost)

    return Plan(queue, result, dtype, padding=-size % 4)  # the last vector is stored whole


def _look_back(x: Array, out: Array, exclusive: bool, shape: ScanShape, lost: int) -> None:
    patience = 0 if x.device.info.workgroups_progress and not lost else shape.patience
    invocations, count = shape.look_back_with_fallback if patience else shape.look_back
    tiles = -(-out.size // (4 * invocations * count))
    states = empty(2 * tiles + 1, u32, device=x.device)
    look_back.clear(states)
    left = x.size % 4
    vectors = x[: x.size - left] if left else x
    scan = look_back.make_scan(invocations, count, patience, lost)
    scan(vectors, x, states, out, exclusive, workgroups=tiles)


__all__ = ["Scan", "is_looked_back", "plan_axis", "plan_look_back"]
