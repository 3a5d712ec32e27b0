"""Reductions and scans of segments of an array, which offsets bound."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gpucore.algorithms.inputs import compute
from gpucore.algorithms.operators import as_helper, initial_value
from gpucore.algorithms.reduce.steps import steps_of_helper
from gpucore.algorithms.scan import segments
from gpucore.algorithms.shapes import shapes_of
from gpucore.array import Array, DeviceLike, empty
from gpucore.elementwise.capability import check_array
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.types import i32, u32


@host_only
def segmented_reduce(
    op: Callable[[Any, Any], Any], x: Any, offsets: Any, initial: Any = None, *, device: DeviceLike = None
) -> Any:
    """The elements of each segment of an array combined by a helper, as a new array with one result for each.

    Segment k is `x[offsets[k] : offsets[k + 1]]` of an array x of rank 1; `offsets` is i32 or u32, ascending,
    of rank 1, and has one element more than there are segments. `op` and `initial` are as for `gp.reduce`. A segment
    without elements gives `initial`; zeros where there is none. Offsets out of range are taken as the nearest in range.

    Raises ArgumentError for other ranks and offsets; CompileError for an `op` that kernels cannot call, or that gives
    another type.
    """
    run = partial(_reduced, op=as_helper("segmented_reduce", op), initial=initial)
    return compute("segmented_reduce", {"x": x, "offsets": offsets}, device, run, structs=True)


@host_only
def segmented_scan(
    op: Callable[[Any, Any], Any],
    x: Any,
    offsets: Any,
    *,
    exclusive: bool = False,
    initial: Any = None,
    device: DeviceLike = None,
) -> Any:
    """The elements of each segment of an array up to each one, combined by a helper: a new array of the same size.

    x and `offsets` are as for `gp.segmented_reduce`; the offsets begin with 0 and end with its size: the results of
    elements in no segment are undefined. All else is as for `gp.scan`, in each segment.
    """
    options = {"exclusive": bool(exclusive), "initial": initial}
    run = partial(_scanned, op=as_helper("segmented_scan", op), **options)
    return compute("segmented_scan", {"x": x, "offsets": offsets}, device, run, structs=True)


def _check(name: str, x: Array, offsets: Array) -> int:
    """The number of segments."""
    check_array(name, x)
    if x.ndim != 1 or offsets.ndim != 1 or offsets.size == 0:
        raise ArgumentError(
            f"{name} takes an array of rank 1 and offsets of rank 1, one more than there are segments, not shapes "
            f"{x.shape} and {offsets.shape}"
        )
    if offsets.dtype not in (i32, u32):
        raise ArgumentError(f"the offsets of {name} are i32 or u32, not {offsets.dtype!r}")
    return offsets.size - 1


def _method(x: Array, count: int) -> tuple[int, int, dict[str, int]]:
    """The invocations of a workgroup, the elements of each in a row (0: an invocation has a segment), the grid."""
    shape = shapes_of(x.device).scan
    if shape.tiles_from is None or x.size < count * shape.tiles_from // 2:
        return segments.SHORT if shape.tiles_from is not None else 1, 0, {"invocations": count}
    invocations, run = shape.tile
    return min(invocations, x.device.limits.max_workgroup_invocations), run, {"workgroups": count}


def _reduced(x: Array, offsets: Array, op: Any, initial: Any) -> Array:
    count = _check("segmented_reduce", x, offsets)
    steps = steps_of_helper(op, x.dtype)
    out = empty(count, steps.type, device=x.device)
    invocations, run, grid = _method(x, count)
    kernel = segments.make_reduce(steps, x.dtype, offsets.dtype, initial is not None, invocations, run)
    if count:
        kernel(x, offsets, out, initial_value(initial, steps.type), **grid)
    return out


def _scanned(x: Array, offsets: Array, op: Any, exclusive: bool, initial: Any) -> Array:
    count = _check("segmented_scan", x, offsets)
    if exclusive and initial is None:
        raise ArgumentError("an exclusive scan needs initial=..., the first result of each segment")
    steps = steps_of_helper(op, x.dtype)
    out = empty(x.size, steps.type, device=x.device)
    invocations, run, grid = _method(x, count)
    kernel = segments.make_scan(steps, x.dtype, offsets.dtype, exclusive, initial is not None, invocations, run)
    if count and x.size:
        kernel(x, offsets, out, initial_value(initial, steps.type), **grid)
    return out


__all__ = ["segmented_reduce", "segmented_scan"]
