"""Counts of elements in bins, and the choice of elements."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.algorithms.counting import kernels
from gpucore.algorithms.inputs import compute
from gpucore.algorithms.reduce import max as greatest_of
from gpucore.algorithms.reduce import min as least_of
from gpucore.algorithms.reduce.launches import Extent, Planner
from gpucore.algorithms.reduce.steps import steps_of
from gpucore.algorithms.scan import cumsum
from gpucore.algorithms.shapes import shapes_of
from gpucore.array import Array, DeviceLike, empty
from gpucore.creation import asarray
from gpucore.elementwise.capability import check_array
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.types import DType, ElementDType, i8, i16, i32, i64, u8, u16, u32, u64

_INTEGERS: tuple[ElementDType, ...] = (i8, u8, i16, u16, i32, u32, i64, u64)
_ROOMS = (256, 1024, 4096)  # bins in workgroup memory
_MOST = (1 << 31) - 1  # elements of an array


@host_only
def histogram(
    x: Any, bins: int = 10, range: tuple[float, float] | None = None, *, device: DeviceLike = None
) -> tuple[Any, npt.NDArray[Any]]:
    """How many elements of an array are in each of `bins` intervals of equal width, and the edges of these.

    As NumPy's: the intervals divide `range`, or without it the least to the greatest element, for which it waits. Each
    has its left edge, the last one both. Elements outside, and NaN, are not counted. x is as for `gp.sum`;
    the counts are i32, of the same kind of array; the edges are a NumPy array of bins + 1 floats: f32 for f32.

    Raises ArgumentError for vectors, structs and f16, for bins below 1 or from 2**31 on, and for a range that is not
    finite or falls.
    """
    _check_whole("the number of bins of a histogram", bins, 1)
    found: list[npt.NDArray[Any]] = []
    counts = compute("histogram", {"x": x}, device, partial(_histogram, bins=int(bins), range=range, edges=found))
    return counts, found[0]


def _histogram(x: Array, bins: int, range: tuple[float, float] | None, edges: list[npt.NDArray[Any]]) -> Array:
    _check_numbers("histogram", x)
    if range is None:
        range = (least_of(x).numpy()[()], greatest_of(x).numpy()[()]) if x.size else (0, 1)
    low, high = _finite(range)
    own = np.dtype(np.float64) if x.dtype.dtype.kind in "iu" else x.dtype.dtype
    try:
        edges.append(np.histogram_bin_edges(np.empty(0, own), bins, (low, high)).astype(own))
    except ValueError as error:  # more bins than there are numbers between
        raise ArgumentError(f"histogram of {bins} bins from {low!r} to {high!r}: {error}") from None
    spread = float(edges[0][-1]) - float(edges[0][0])
    return _count(x, _limits(edges[0], x.dtype), bins, bins / spread if spread > 0 else 0.0)


def _finite(range: Any) -> tuple[Any, Any]:
    """The ends of a range. Raises ArgumentError."""
    try:
        low, high = range
        if np.isfinite(low) and np.isfinite(high) and low <= high:
            return low, high
    except (TypeError, ValueError):
        pass
    raise ArgumentError(f"histogram takes a finite range that does not fall, as in (0, 1), and this one is {range!r}")


def _limits(edges: npt.NDArray[Any], dtype: ElementDType) -> npt.NDArray[Any]:
    """The edges as elements: of integers the first number from each on, but for the last edge the last one up to it.

    There are only the edges of the first bins if the others are above the greatest number of the dtype.
    """
    if dtype.dtype.kind == "f":
        return edges
    info = np.iinfo(dtype.dtype)
    first = [int(np.ceil(edge)) for edge in edges[:-1]]
    bins, last = sum(edge <= info.max for edge in first), int(np.floor(edges[-1]))
    if last < info.min:
        bins = 0
    return np.array([*(max(edge, info.min) for edge in first[:bins]), max(info.min, min(last, info.max))], dtype.dtype)


@host_only
def bincount(x: Any, minlength: int = 0, *, device: DeviceLike = None) -> Any:
    """How often each number from 0 on occurs in an array of integers: an i32 array, as long as the greatest one needs.

    As NumPy's, without weights; it waits for the greatest number. `gp.histogram(x, n, (0, n))` does not.

    Raises ArgumentError for other dtypes than integers, for negative numbers, and for a negative `minlength`.
    """
    _check_whole("the minlength of bincount", minlength, 0)
    return compute("bincount", {"x": x}, device, partial(_bincount, minlength=int(minlength)))


def _bincount(x: Array, minlength: int) -> Array:
    check_array("bincount", x)
    if x.dtype not in _INTEGERS:
        raise ArgumentError(f"bincount takes integers, and this array holds {x.dtype!r}")
    if x.size == 0:
        return _cleared(x, minlength)
    least, greatest = int(least_of(x).item()), int(greatest_of(x).item())
    if least < 0:
        raise ArgumentError(f"bincount takes numbers from 0 on, and the least is {least}")
    return _count(x, None, max(minlength, greatest + 1), 0.0)


def _cleared(x: Array, bins: int) -> Array:
    counts = empty(bins, i32, device=x.device)
    kernels.clear(counts, invocations=bins)
    return counts


def _count(x: Array, limits: npt.NDArray[Any] | None, bins: int, scale: float) -> Array:
    counts, flat = _cleared(x, bins), x.ravel()
    if limits is not None:
        bins = limits.size - 1
    if x.size == 0 or bins == 0:
        return counts
    shape, device = shapes_of(x.device).counting, x.device
    invocations = min(shape.invocations, device.limits.max_workgroup_invocations)
    memory = device.limits.max_workgroup_memory
    room = next((room for room in _ROOMS if bins <= room and 4 * room <= memory), 0)
    chunk = max(shape.chunk, -(-x.size // shape.groups))
    edges = flat if limits is None else asarray(limits, x.dtype, device=device)
    count = kernels.make_count(x.dtype, room, invocations, limits is not None)
    count(flat, edges, counts, chunk, bins, min(scale, 3e38), workgroups=-(-x.size // chunk))
    return counts


def _check_whole(what: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= _MOST:
        raise ArgumentError(
            f"{what} is a whole number from {least} to {_MOST}, the most elements of an array, not {value!r}"
        )


def _check_numbers(name: str, x: Array) -> None:
    check_array(name, x)
    if not isinstance(x.dtype, DType) or x.dtype.width > 1 or x.dtype.ir_type.nbytes == 2:
        raise ArgumentError(f"{name} takes numbers but of 16 bits, and this array holds {x.dtype!r}")


@host_only
def compact(x: Any, mask: Any, *, device: DeviceLike = None) -> Any:
    """The elements of an array whose `mask` is not 0, in their order, as a new array of the same kind, in rank 1.

    x has elements of any dtype; the mask is an array of numbers of the same shape, such as a comparison. As NumPy's
    `x[mask]`. It waits for the number of elements.

    Raises ArgumentError for arrays of different shapes or devices; CapabilityError if the device lacks a dtype.
    """
    return compute("compact", {"x": x, "mask": mask}, device, _compact, structs=True)


def _compact(x: Array, mask: Array) -> Array:
    check_array("compact", x)
    if x.shape != mask.shape:
        raise ArgumentError(f"compact takes a mask of the array's shape, {x.shape}, and this one has {mask.shape}")
    return _chosen("compact", x.ravel(), mask.ravel(), is_index=False)


@host_only
def nonzero(x: Any, *, device: DeviceLike = None) -> Any:
    """The indices of the elements that are not 0, in row-major order: a tuple of an i32 array for each axis.

    As NumPy's. It waits for the number of elements. Raises ArgumentError for vectors, structs and rank 0.
    """
    return compute("nonzero", {"x": x}, device, _nonzero)


def _nonzero(x: Array) -> tuple[Array, ...]:
    if x.ndim == 0:
        raise ArgumentError("nonzero takes an array of rank 1 or more; reshape this one to (1,)")
    flat, found = x.ravel(), []
    place = _chosen("nonzero", flat, flat, is_index=True)
    for length in x.shape[:0:-1]:
        found.append(place % length)
        place = place // length
    return (place, *reversed(found))


def _chosen(name: str, x: Array, mask: Array, is_index: bool) -> Array:
    """The elements of an array of rank 1 whose mask is not 0, or their indices."""
    check_array(name, mask)
    if not isinstance(mask.dtype, DType) or mask.dtype.width > 1:
        raise ArgumentError(f"the elements of a mask are numbers, not {mask.dtype!r}")
    shapes, device, made = shapes_of(x.device), x.device, i32 if is_index else x.dtype
    if x.size == 0:
        return empty(0, made, device=device)
    chunk = max(shapes.counting.chunk, -(-x.size // shapes.counting.groups) + 3 & ~3)
    planner = Planner(shapes.reduce, device, mask.offset % 16 == 0)
    steps = steps_of("count_nonzero", mask.dtype, i32)
    launch = planner.pass_of(Extent(1, x.size, 1), chunk, steps.first, mask.dtype, i32, 1)
    *_, counts = launch.run((mask,))
    ends = cumsum(counts)
    out = empty(int(ends[-1]), made, device=device)
    if out.size:
        invocations = min(shapes.counting.chosen[0], device.limits.max_workgroup_invocations)
        choose = kernels.make_choose(x.dtype, mask.dtype, is_index, invocations, shapes.counting.chosen[1])
        choose(x, mask, ends, out, chunk, workgroups=ends.size)
    return out


__all__ = ["bincount", "compact", "histogram", "nonzero"]
