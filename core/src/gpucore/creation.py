"""Functions that make device arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.array import Array, DeviceLike, Shape, empty
from gpucore.conversion import check_element, convert_value, to_elements
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.indexing import check_shape
from gpucore.sharing import adopt, is_on_cuda
from gpucore.types import as_dtype, f32, i32


@host_only
def full(shape: Shape, value: float, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array filled with `value`, which must fit the dtype. For a vector dtype, every component is `value`."""
    made = empty(shape, dtype, device=device)
    made.fill(value)
    return made


@host_only
def zeros(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array of zeros."""
    return full(shape, 0, dtype, device=device)


@host_only
def ones(shape: Shape, dtype: object = f32, *, device: DeviceLike = None) -> Array:
    """An array of ones."""
    return full(shape, 1, dtype, device=device)


@host_only
def empty_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """An array with undefined contents, of the shape of `like`; its dtype and device unless others are given."""
    return empty(like.shape, like.dtype if dtype is None else dtype, device=like.device if device is None else device)


@host_only
def full_like(like: Array, value: float, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """An array filled with `value`, as `full`, of the shape of `like`; see `empty_like`."""
    made = empty_like(like, dtype=dtype, device=device)
    made.fill(value)
    return made


@host_only
def zeros_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """An array of zeros of the shape of `like`; see `empty_like`."""
    return full_like(like, 0, dtype=dtype, device=device)


@host_only
def ones_like(like: Array, *, dtype: object = None, device: DeviceLike = None) -> Array:
    """An array of ones of the shape of `like`; see `empty_like`."""
    return full_like(like, 1, dtype=dtype, device=device)


@host_only
def arange(
    start: int, stop: int | None = None, step: int = 1, *, dtype: object = i32, device: DeviceLike = None
) -> Array:
    """Whole numbers from `start` (or 0) up to, not including, `stop`, as NumPy's arange."""
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
    if element.dtype.kind == "f":
        numbers = np.arange(count, dtype=np.float64) * float(stride if count > 1 else 0) + float(first if count else 0)
        return asarray(numbers, element, device=device)
    wrapped = np.arange(count, dtype=np.uint64) * np.uint64(stride % 2**64) + np.uint64(first % 2**64)
    return asarray(wrapped.astype(element.dtype), element, device=device)  # exact: every number fits


@host_only
def linspace(
    start: float, stop: float, num: int = 50, *, endpoint: bool = True, dtype: object = f32, device: DeviceLike = None
) -> Array:
    """`num` evenly spaced floats from `start` to `stop`, as NumPy's linspace; without `endpoint`, `stop` is left out.

    They are computed in f64 on the host and rounded to the dtype, which is a float type.
    """
    element = check_element(dtype)
    if element.dtype.kind != "f":
        raise ArgumentError(f"linspace makes floats, not {element!r}; use arange for whole numbers")
    count = check_shape(num)
    if len(count) != 1:
        raise ArgumentError(f"linspace takes a number of elements, not {num!r}")
    return asarray(np.linspace(start, stop, count[0], endpoint=endpoint), element, device=device)


@host_only
def asarray(values: Any, dtype: object = None, *, device: DeviceLike = None) -> Array:
    """A device array from a NumPy array, or from anything that NumPy converts to one.

    The dtype is that of the values. With `dtype`, the values are converted on the host first: to the nearest float, or
    exactly to integers. ArgumentError names the first value that the dtype cannot hold: an integer out of range, a
    fraction or NaN for integers, or a number that would become infinite. A vector dtype takes the last axis as its
    components; a struct takes a structured NumPy array of its `.dtype`. The source may have any strides, byte order and
    alignment. A device array is returned unchanged, and copied only if `device` is another device. So is a tensor of
    another library on a CUDA GPU, whose memory the array shares (see `gp.from_dlpack`).
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
