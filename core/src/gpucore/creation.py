"""Functions that make device arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from gpucore.array import Array, DeviceLike, Shape, empty
from gpucore.conversion import check_element, convert_value, to_elements
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.indexing import check_shape
from gpucore.sharing import adopt, is_on_cuda
from gpucore.types import as_dtype, f32, i32, is_float

_MAX_F64 = sys.float_info.max


@host_only
def full(shape: Shape, value: object, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """A device array filled with one value, as `Array.fill` takes it.

    Raises ArgumentError for a value that does not fit the dtype, and what `gp.empty` raises.
    """
    made = empty(shape, dtype, device=device)
    made.fill(value)
    return made


@host_only
def zeros(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """A device array of zeros, of any dtype but `gp.bool`. Raises what `gp.empty` raises."""
    return full(shape, 0, dtype, device=device)


@host_only
def ones(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """A device array of ones, of any dtype but structs and `gp.bool`. Raises what `gp.full` raises."""
    return full(shape, 1, dtype, device=device)


@host_only
def empty_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """A device array with undefined contents, of the shape of the device array `like`; its dtype and device unless
    others are given. Raises what `gp.empty` raises."""
    return empty(like.shape, like.dtype if dtype is None else dtype, device=like.device if device is None else device)


@host_only
def full_like(like: Array, value: object, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """As `gp.empty_like`, filled with a value as by `gp.full`, whose errors it raises."""
    made = empty_like(like, dtype=dtype, device=device)
    made.fill(value)
    return made


@host_only
def zeros_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """As `gp.empty_like`, filled with zeros."""
    return full_like(like, 0, dtype=dtype, device=device)


@host_only
def ones_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """As `gp.empty_like`, filled with ones."""
    return full_like(like, 1, dtype=dtype, device=device)


@host_only
def arange(
    start: int, stop: int | None = None, step: int = 1, *, dtype: object = i32, device: DeviceLike = None
) -> Array:
    """A device array of rank 1 of whole numbers from `start` up to, not including, `stop`, as NumPy's arange.

    `gp.arange(n)` begins with 0. The dtype may be a float: each number is rounded to it.

    Raises ArgumentError for arguments that are not whole numbers, a step of 0, and numbers that the dtype cannot hold.
    """
    ends: tuple[Any, ...] = (0, start, step) if stop is None else (start, stop, step)
    for name, end in zip(("start", "stop", "step"), ends, strict=True):
        if not isinstance(end, (int, np.integer)) or isinstance(end, bool):
            raise ArgumentError(f"arange takes whole numbers; its {name} is {end!r}")
    first, last, stride = map(int, ends)
    if stride == 0:
        raise ArgumentError("the step of arange must not be 0")
    element = check_element(dtype)
    count = max(0, -((first - last) // stride))
    check_shape(count)
    for end in (first, first + (count - 1) * stride) if count else ():
        convert_value(end, element)
    if is_float(element.dtype):
        numbers = np.arange(count, dtype=np.float64) * float(stride if count > 1 else 0) + float(first if count else 0)
        return asarray(numbers, element, device=device)
    wrapped = np.arange(count, dtype=np.uint64) * np.uint64(stride % 2**64) + np.uint64(first % 2**64)
    return asarray(wrapped.astype(element.dtype), element, device=device)  # exact: every number fits


@host_only
def linspace(
    start: float, stop: float, num: int = 50, *, endpoint: bool = True, dtype: object = f32, device: DeviceLike = None
) -> Array:
    """A device array of rank 1 of `num` evenly spaced floats from `start` to `stop`, as NumPy's linspace; without
    `endpoint`, `stop` is left out.

    They are computed in f64 on the host and rounded to the dtype: f16, bf16, f32 or f64.

    Raises ArgumentError for ends that are not finite numbers, another dtype, a `num` that is not a whole number from 0,
    and numbers that would become infinite.
    """
    ends: tuple[Any, ...] = start, stop
    for name, end in zip(("start", "stop"), ends, strict=True):
        if not isinstance(end, (int, float, np.integer, np.floating)) or not -_MAX_F64 <= end <= _MAX_F64:
            raise ArgumentError(f"linspace takes finite numbers; its {name} is {end!r}")
    element = check_element(dtype)
    if not is_float(element.dtype):
        raise ArgumentError(f"linspace makes floats, not {element!r}; use arange for whole numbers")
    count = check_shape(num)
    if len(count) != 1:
        raise ArgumentError(f"linspace takes a number of elements, not {num!r}")
    return asarray(np.linspace(start, stop, count[0], endpoint=endpoint), element, device=device)


@host_only
def asarray(values: Any, dtype: object = None, *, device: DeviceLike = None) -> Array:
    """A device array of the same shape from a NumPy array, or from anything that NumPy converts to one.

    The dtype is that of the NumPy array (of Python numbers i64 or f64). With `dtype`, the values are converted on the
    host first: to the nearest float, or exactly to integers. A vector dtype takes the last axis as its components. A
    struct takes lists of its values or of tuples of its fields, or a structured NumPy array of its `.dtype`. bytes are
    u8. The source may have any strides, byte order and alignment.

    A device array is returned unchanged, and copied only if `device` is another device. So is a tensor of another
    library on a CUDA GPU, whose memory the array shares (see `gp.from_dlpack`).

    Raises ArgumentError for the first value that the dtype cannot hold, with its index: an integer out of range, a
    fraction or NaN for integers, or a number that would become infinite. Also for bool, complex and other dtypes that
    devices lack, for a device array of another dtype, and for what `gp.empty` refuses.
    """
    if is_on_cuda(values):
        values = adopt(values, device)
    if isinstance(values, Array):
        if dtype is not None and as_dtype(dtype) is not values.dtype:
            raise ArgumentError(f"this device array is {values.dtype!r}; x.astype(...) converts it to another dtype")
        return values if device is None else values.to(device)
    elements, element, shape = to_elements(values, dtype)
    made = empty(shape, element, device=device)
    made.write_elements(elements)
    return made
