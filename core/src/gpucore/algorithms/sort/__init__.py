"""Sorting: with a bitonic network, or by digits where that is faster, as `gpucore.algorithms.shapes` says."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from gpucore.algorithms.shapes import shapes_of
from gpucore.algorithms.sort import digits, methods
from gpucore.algorithms.sort.keys import KEY_TYPES
from gpucore.algorithms.sort.network import TILE
from gpucore.algorithms.sort.order import SortOrder
from gpucore.array import Array, DeviceLike, empty
from gpucore.creation import asarray, zeros
from gpucore.device import Device
from gpucore.elementwise.capability import check_array, has_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.sharing import Borrowed, OnCuda
from gpucore.types import ElementDType


@overload
def sort(x: Array | OnCuda, descending: bool | SortOrder = False, *, device: DeviceLike = None) -> Array: ...


@overload
def sort(
    x: npt.NDArray[Any], descending: bool | SortOrder = False, *, device: DeviceLike = None
) -> npt.NDArray[Any]: ...


@host_only
def sort(x: Any, descending: bool | SortOrder = False, *, device: DeviceLike = None) -> Any:
    """The elements of an array of shape (n,) in order, as a new array of the same kind, shape and dtype.

    A NumPy array is uploaded to `device` (default: gp.default_device()), and the result is a NumPy array; a device
    array stays on its device, and so does a tensor of another library on CUDA, of which the result is a device array.
    Supports u32, i32 and f32, and f16, u64, i64 and f64 if the device has them. Floats are in total order: -inf ...
    -0.0 < 0.0 ... inf, then NaN of either sign; every bit is kept. Descending is the exact reverse.

    Raises ArgumentError for other dtypes and ranks, for a device array on another device than `device`, and for a
    `descending` that is neither bool nor SortOrder; CapabilityError if the device lacks the dtype.
    """
    order = _check_order(descending)
    if isinstance(x, np.ndarray):
        _check(x.shape, x.dtype)
        return _sort_array(asarray(x, device=device), order).numpy()
    borrowed = Borrowed({"x": x})
    if not borrowed.is_empty:
        result = sort(borrowed.arguments["x"], order, device=device)
        borrowed.give_back()
        return result
    if not isinstance(x, Array):
        raise ArgumentError(f"sort takes a NumPy array or a device array, not {type(x).__name__}")
    x.check_open()
    _check(x.shape, x.dtype)
    if device is not None and asarray(x, device=device) is not x:
        raise ArgumentError(f"the array is on {x.device.id}; move it with .to(...) before sorting it elsewhere")
    return _sort_array(x, order)


def _check_order(descending: object) -> SortOrder:
    if isinstance(descending, SortOrder):
        return descending
    if isinstance(descending, (bool, np.bool_)):
        return SortOrder.DESCENDING if descending else SortOrder.ASCENDING
    raise ArgumentError(f"descending must be True, False or a SortOrder, not {descending!r}")


def _check(shape: tuple[int, ...], dtype: ElementDType | np.dtype[Any]) -> None:
    if len(shape) != 1:
        raise ArgumentError(f"sort takes an array of rank 1, not of shape {shape}; use reshape(-1), or sort row by row")
    known = (
        dtype in KEY_TYPES if isinstance(dtype, ElementDType) else any(t == dtype.newbyteorder("=") for t in KEY_TYPES)
    )
    if not known:
        names = ", ".join(str(t.ir_type) for t in KEY_TYPES)
        raise ArgumentError(f"sort takes {names}; this array is {dtype!r}")


def _sort_array(x: Array, order: SortOrder) -> Array:
    check_array("sort", x)
    if x.size <= 1:
        return x.copy()
    shape, descending = shapes_of(x.device).sort, order is SortOrder.DESCENDING
    plan = digits.plan_of(x, shape, values=False)
    if plan is not None:
        target = empty(x.size, x.dtype, device=x.device)
        digits.sort(x, target, descending, plan)
        return target
    if methods.is_sorted_by_digits(x, shape):
        return methods.sort_by_digits(x, descending, shape)
    return methods.sort_by_network(x, descending)


def warm_up(device: Device) -> None:
    """Compile the kernels that sort in ascending order on a device, for each dtype that it has."""
    for dtype in KEY_TYPES:
        if has_dtype(device, dtype):
            for size in (2, TILE, 16 * TILE, shapes_of(device).sort.split_from):  # each step of both methods
                sort(zeros(size, dtype, device=device))


__all__ = ["SortOrder", "sort"]
