"""The launches of products of a matrix and a vector, of two vectors, and of each pair of their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.algorithms.reduce.launches import Extent, planner_for
from gpucore.algorithms.reduce.steps import steps_of
from gpucore.algorithms.shapes import MatvecShape, shapes_of
from gpucore.array import Array, empty
from gpucore.blocks.reductions import accumulator
from gpucore.immutable import Immutable
from gpucore.ir import Capability
from gpucore.linalg import kernels
from gpucore.types import DType, ElementDType, f16, f16x4, f32, f32x4, i32, i32x4, u32, u32x4

_VECTORS: dict[ElementDType, DType] = {f16: f16x4, f32: f32x4, i32: i32x4, u32: u32x4}
_SUMS: dict[ElementDType, DType] = {f16x4: f32x4, f16: f32}
_SHUFFLED = (f32, i32, u32)
_OUTER = 256  # invocations of a workgroup that multiplies pairs


class RowGroups(Immutable):
    """How the invocations of a workgroup share the rows."""

    lanes: int  # of a row, a power of two
    groups: int  # of so many invocations in a workgroup
    own: int  # rows of each
    loads: int

    @property
    def rows(self) -> int:
        """Rows of a workgroup."""
        return self.groups * self.own


def queue_rows(a: Array, x: Array, out: Array) -> None:
    """Queue out = a @ x for a of shape (m, n), which has elements."""
    (m, n), shape = a.shape, shapes_of(a.device).matvec
    if n == 1:  # each element is multiplied by one
        queue_outer(x, a.ravel(), out.reshape(1, m))
        return
    vector, left = _vector_of(shape, n, a, x)
    if left and (m > 1 or n < vector.width):
        vector, left = a.dtype, 0
    length, total = n // vector.width, _SUMS.get(a.dtype, accumulator(a.dtype))
    groups = _groups_of(shape, a, m, length)
    tiles, step = -(-m // groups.rows), groups.lanes * groups.loads
    chunk = _chunk(length, tiles, shape.fills, shape.least // vector.width, shape.run * step)
    chunks = -(-length // chunk)

    def queue(sums: Array, result: ElementDType) -> None:
        kinds = a.dtype, vector, total, _SUMS.get(vector, vector), result
        is_strided = shape.takes_turns and chunks > 1
        kernel = kernels.make_rows(
            kinds, groups.lanes, groups.groups, groups.own, groups.loads, is_strided, _is_shuffled(a, total, groups)
        )
        flat = a.ravel()
        seen = [_seen_as(each[: each.size - left], vector) for each in (flat, x)]
        kernel(*seen, flat, x, sums, m, length, chunk, chunks, left, workgroups=tiles * chunks)

    _add_up(queue, out, total, Extent(m, chunks, 1))


def queue_columns(a: Array, x: Array, out: Array) -> None:
    """Queue out = x @ a for a of shape (m, n), which has elements."""
    (m, n), shape = a.shape, shapes_of(a.device).matvec
    if n == 1:
        queue_rows(a.reshape(1, m), x, out)
        return
    vector, left = _vector_of(shape, n, a, out)
    if left:
        vector = a.dtype
    length, invocations = n // vector.width, _invocations(shape, a)
    across = min(_power_of_two(length), shape.across, invocations)
    own = min(shape.columns, _power_of_two(-(-length // across)))
    down, strips = invocations // across, -(-length // (across * own))
    loads = shape.loads if own == 1 else 1
    chunk = _chunk(m, strips, shape.fills, shape.least_rows, shape.run * down * loads)
    chunks = -(-m // chunk)
    total, wide = _SUMS.get(a.dtype, accumulator(a.dtype)), _SUMS.get(vector, vector)

    def queue(sums: Array, result: ElementDType) -> None:
        stored = vector if result is a.dtype else wide
        kernel = kernels.make_columns((a.dtype, vector, total, wide, stored), across, down, own, loads)
        seen = _seen_as(a.ravel(), vector), x, _seen_as(sums, stored)
        kernel(*seen, m, length, chunk, strips, workgroups=strips * chunks)

    _add_up(queue, out, total, Extent(1, chunks, n))


def queue_outer(x: Array, y: Array, out: Array) -> None:
    """Queue out[i, j] = x[i] * y[j], of arrays that have elements."""
    (m, n), shape = out.shape, shapes_of(x.device).matvec
    if n == 1 < m:
        queue_outer(y, x, out.reshape(1, m))
        return
    vector, left = _vector_of(shape, n, y, out)
    if left:
        vector = x.dtype
    length = n // vector.width
    across = min(_power_of_two(length), _OUTER)
    down = _OUTER // across if shape.invocations else 1
    kernel = kernels.make_outer(x.dtype, vector, across, down)
    kernel(x, _seen_as(y, vector), _seen_as(out.ravel(), vector).reshape(m, length), invocations=(length, m))


def _add_up(queue: Callable[[Array, ElementDType], None], out: Array, total: DType, extent: Extent) -> None:
    """Queue a launch that stores the sums of chunks, and a reduction of these if there are several."""
    if extent.length == 1:
        queue(out, out.dtype)
        return
    sums = empty(extent.outer * extent.length * extent.inner, total, device=out.device)
    queue(sums, total)
    assert isinstance(out.dtype, DType)
    planner = planner_for(sums, shapes_of(out.device))
    *launches, last = planner.launches(extent, steps_of("sum", total, out.dtype), total, out.dtype, extent.length)
    arrays: tuple[Array, ...] = (sums,)
    for launch in launches:
        arrays = launch.run(arrays)
    last.run(arrays, out)


def _vector_of(shape: MatvecShape, n: int, *arrays: Array) -> tuple[Any, int]:
    """What is loaded at once of rows of n elements, and the elements behind the last vector."""
    dtype = arrays[0].dtype
    vector = _VECTORS.get(dtype)
    if vector is None or vector.width != shape.width or any(x.offset % vector.itemsize for x in arrays):
        return dtype, 0
    return vector, n % vector.width


def _groups_of(shape: MatvecShape, a: Array, m: int, length: int) -> RowGroups:
    """The first choice that makes half of the workgroups that fill the device, or else the last one."""
    invocations, limit = _invocations(shape, a), a.device.limits.max_workgroup_invocations
    most = min(_power_of_two(length), invocations)
    few = min(most, shape.lanes)
    found = RowGroups(1, 1, 1, 1)
    for lanes, size in ((few, min(shape.short, limit)), (most, invocations)):
        for own, loads in ((shape.own, 1), (1, shape.loads)):
            found = RowGroups(lanes, max(1, size // lanes), own, loads)
            is_possible = own == 1 or (length <= shape.own_up_to and m > 1)
            if is_possible and 2 * -(-m // found.rows) >= shape.fills:
                return found
    return found


def _chunk(length: int, tiles: int, fills: int, least: int, most: int) -> int:
    """The vectors of a row, or the rows, of a chunk: for `tiles` of them there are chunks."""
    parts = max(1, fills // tiles)
    return max(1, min(length, most, max(least, -(-length // parts))))


def _is_shuffled(a: Array, total: ElementDType, groups: RowGroups) -> bool:
    device = a.device
    has_subgroups = Capability.SUBGROUP in device.capabilities and groups.lanes <= device.limits.min_subgroup_size
    return has_subgroups and total in _SHUFFLED


def _invocations(shape: MatvecShape, a: Array) -> int:
    limits = a.device.limits
    return min(_power_of_two(shape.invocations or max(4, limits.max_subgroup_size)), limits.max_workgroup_invocations)


def _power_of_two(n: int) -> int:
    """The least one that is not below n."""
    return 1 << (n - 1).bit_length()


def _seen_as(x: Array, dtype: ElementDType) -> Array:
    return x if x.dtype is dtype else x.view(dtype)


__all__ = ["queue_columns", "queue_outer", "queue_rows"]
