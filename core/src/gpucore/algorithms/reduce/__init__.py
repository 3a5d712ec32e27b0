"""Reductions of whole arrays, and along axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore import lang
from gpucore.algorithms.inputs import check_axes, check_axis, check_result
from gpucore.algorithms.operators import as_helper, initial_value, is_fixed, key_of
from gpucore.algorithms.plans import Plan, run_planned
from gpucore.algorithms.reduce.launches import Extent, Launch, Planner, make_plan, planner_for
from gpucore.algorithms.reduce.places import plan_places
from gpucore.algorithms.reduce.steps import Steps, steps_of, steps_of_helper
from gpucore.algorithms.shapes import Shapes
from gpucore.array import Array, DeviceLike, empty
from gpucore.blocks.reductions import accumulator
from gpucore.creation import full
from gpucore.elementwise.capability import check_array, check_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only, in_kernels
from gpucore.sharing import is_on_cuda
from gpucore.types import DTYPES, DType, ElementDType, as_dtype, bool_, f32, i32, u32

Axis = int | tuple[int, ...] | None

_OF_NOTHING = {"sum": 0, "prod": 1, "mean": math.nan, "any": 0, "all": 1, "count_nonzero": 0}
"""The results without elements; without an entry it is an error."""


def _reduce(name: str, x: Any, axis: Axis, keepdims: bool, device: DeviceLike, dtype: object = None) -> Any:
    return run_planned(name, x, (axis, keepdims, dtype), device, _plan)


def _plan(x: Array, shapes: Shapes, name: str, axis: Axis, keepdims: bool, dtype: object) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    axes, width = check_axes(name, axis, x.ndim), x.dtype.width
    check_array(name, x)
    element = as_dtype(x.dtype.dtype)
    assert isinstance(element, DType)
    result = _result(name, element, dtype)
    whole = _of_width(name, result, width)
    check_dtype(name, x.device, result)
    count = math.prod(x.shape[at] for at in axes)
    kept = math.prod(length for at, length in enumerate(x.shape) if at not in axes)
    shape = shape_without(x.shape, axes, keepdims)
    if kept == 0 or count == 0:
        if kept != 0 and name not in _OF_NOTHING:
            raise ArgumentError(f"{name} of no elements has no value: the array has shape {x.shape}")
        start = _OF_NOTHING.get(name, 0)
        return full(shape, 0 if start != start and result.dtype.kind != "f" else start, whole, device=x.device)
    lengths = [(length, at in axes) for at, length in enumerate(x.shape)]
    launches = _launches(
        planner_for(x, shapes), steps_of(name, element, result), [*lengths, (width, False)], element, result, count
    )
    return make_plan(launches, shape, whole, element)


def _of_width(name: str, result: DType, width: int) -> DType:
    """The vector of results for elements that are vectors."""
    if width == 1:
        return result
    for dtype in DTYPES:
        if dtype.width == width and dtype.dtype == result.dtype:
            return dtype
    raise ArgumentError(f"{name} of vectors of {width} would be vectors of {result.ir_type}, which there are not")


def shape_without(shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    """The shape of the result of a reduction along axes."""
    return tuple(1 if at in axes else length for at, length in enumerate(shape) if keepdims or at not in axes)


def _launches(
    planner: Planner, steps: Steps, lengths: list[tuple[int, bool]], element: DType, result: DType, count: int
) -> list[Launch]:
    """Reduce along groups of neighbouring axes, the last first. `lengths` are those of the axes: is each reduced?"""
    groups: list[tuple[int, bool]] = []
    for length, is_reduced in lengths:
        if length == 1:
            continue
        if groups and groups[-1][1] == is_reduced:
            groups[-1] = groups[-1][0] * length, is_reduced
        else:
            groups.append((length, is_reduced))
    ends = [at for at, (_, is_reduced) in enumerate(groups) if is_reduced]
    if not ends:  # one element for each of the result
        size = math.prod(length for length, _ in groups)
        return planner.launches(Extent(size, 1, 1), steps, element, result, count)
    found: list[Launch] = []
    of: ElementDType = element
    for at in reversed(ends):
        outer = math.prod(length for length, _ in groups[:at])
        inner = math.prod(length for length, is_reduced in groups[at + 1 :] if not is_reduced)
        extent, is_last = Extent(outer, groups[at][0], inner), at == ends[0]
        passed, made = (steps, result) if is_last else (steps.first, steps.type)
        found += planner.launches(extent, passed, of, made, count)
        steps, of = steps.later, steps.type
    return found


def _result(name: str, element: DType, dtype: object) -> DType:
    """The scalar dtype of the result."""
    if dtype is not None:
        wanted = as_dtype(dtype)
        check_result(name, wanted)
        if not isinstance(wanted, DType) or wanted.width > 1 or wanted is bool_:
            raise ArgumentError(f"the dtype of a {name} is a scalar type of numbers, not {wanted!r}")
        if name == "mean" and wanted.dtype.kind != "f":
            raise ArgumentError(f"the dtype of a mean is f16, f32 or f64, not {wanted!r}")
        return wanted
    if name in ("min", "max"):
        return element
    if name in ("any", "all"):
        return u32
    if name == "count_nonzero":
        return i32
    if name == "mean":
        return element if element.dtype.kind == "f" else f32
    found: DType = accumulator(element)
    return found


def _is_array(x: Any) -> bool:
    return isinstance(x, (Array, np.ndarray)) or is_on_cuda(x)


def _is_reduction(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether a call with the name of a function of the kernel language reduces an array."""
    if len(args) == 1 and _is_array(args[0]):
        return True
    if options:
        given = f"not {type(args[0]).__name__}" if len(args) == 1 else f"and {len(args)} were given"
        raise ArgumentError(f"with {', '.join(options)}=, gp.{name} takes one array, {given}")
    return False


# ---------------------------------------------------------------- the functions


@host_only
def sum(x: Any, axis: Axis = None, *, dtype: object = None, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The sum of an array's elements, or of those along axes, as a new array of the same kind.

    x is a device array of any shape, or a NumPy array, which is uploaded to `device` and gives NumPy's; a tensor of
    another library on CUDA gives a device array. `axis` is one axis, a tuple of them, or None for all; with `keepdims`
    they keep the length 1. A sum of all is an array of rank 0: it is not waited for until `x.item()` or `float(x)` is.

    The dtype is that of `x + x` in a kernel, on every device: i8 and i16 give i32, u8 and u16 give u32, others their
    own; `dtype=gp.i64` adds in that. Integers wrap. f16 is added in f32. Floats are added in blocks, in a fixed order:
    the error of an f32 sum is at most 2**-15 times the sum of the magnitudes, 2**-17 for up to 2**24 elements, and
    usually far smaller; sums of whole numbers below 2**24 in each part are exact. Vectors are added by component.

    The sum of nothing is 0. Raises ArgumentError for structs, axes and dtypes; CapabilityError if the device lacks one
    of the dtypes.
    """
    return _reduce("sum", x, axis, keepdims, device, dtype)


@host_only
def prod(x: Any, axis: Axis = None, *, dtype: object = None, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The product of an array's elements, or of those along axes. All else is as for `gp.sum`; of nothing it is 1."""
    return _reduce("prod", x, axis, keepdims, device, dtype)


@host_only
def mean(x: Any, axis: Axis = None, *, dtype: object = None, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The mean of an array's elements, or of those along axes: their sum, as by `gp.sum`, divided by their number.

    The dtype is that of floats; integers are converted to f32 first, or to `dtype`, which is f16, f32 or f64. The mean
    of nothing is NaN.
    """
    return _reduce("mean", x, axis, keepdims, device, dtype)


@in_kernels(lang.min)
def min(*args: Any, **options: Any) -> Any:
    """The smallest element of an array, or of those along axes: `gp.min(x, axis=None, keepdims=False, device=None)`.

    Arguments and results are as for `gp.sum`; the dtype is the array's. As in NumPy, it is NaN if an element is NaN.
    Of -0.0 and 0.0 it is -0.0. Vectors are compared by component. Raises ArgumentError for no elements.

    `gp.min(x, y)` of arrays and numbers, and in kernels, is the smaller of each pair; if one float is NaN, the other.
    """
    if _is_reduction("min", args, options):
        return _extreme("min", *args, **options)
    return lang.min(*args)


@in_kernels(lang.max)
def max(*args: Any, **options: Any) -> Any:
    """The largest element of an array, or of those along axes: `gp.max(x, axis=None, keepdims=False, device=None)`.

    All is as for `gp.min`. `gp.max(x, y)` is the larger of each pair.
    """
    if _is_reduction("max", args, options):
        return _extreme("max", *args, **options)
    return lang.max(*args)


@in_kernels(lang.any)
def any(*args: Any, **options: Any) -> Any:
    """Whether an element is not 0: `gp.any(x, axis=None, keepdims=False, device=None)`.

    It is a u32, 1 or 0, as comparisons of arrays give. NaN is not 0. Arguments are as for `gp.sum`; of nothing it is 0.

    In kernels, `gp.any(mask)` is whether any component of a mask is true: what a comparison of vectors gives.
    """
    if _is_reduction("any", args, options):
        return _extreme("any", *args, **options)
    return lang.any(*args)


@in_kernels(lang.all)
def all(*args: Any, **options: Any) -> Any:
    """Whether all elements are not 0: `gp.all(x, axis=None, keepdims=False, device=None)`.

    It is a u32, 1 or 0. Arguments are as for `gp.sum`; of nothing it is 1.

    In kernels, `gp.all(mask)` is whether all components of a mask are true.
    """
    if _is_reduction("all", args, options):
        return _extreme("all", *args, **options)
    return lang.all(*args)


def _extreme(name: str, x: Any, *, axis: Axis = None, keepdims: bool = False, device: DeviceLike = None) -> Any:
    return _reduce(name, x, axis, keepdims, device)


@host_only
def count_nonzero(x: Any, axis: Axis = None, *, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The number of elements that are not 0, or of those along axes: an i32. NaN is not 0. All else as for `gp.sum`."""
    return _reduce("count_nonzero", x, axis, keepdims, device)


@host_only
def argmin(x: Any, axis: int | None = None, *, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The index of the smallest element along an axis, or in row-major order of all: an i32.

    As in NumPy, it is the first of several, and the first NaN if there is one; -0.0 and 0.0 are equal. Arguments are as
    for `gp.sum`, but `axis` is one axis or None, and vectors are refused. Raises ArgumentError for no elements, too.
    """
    return _place("argmin", x, axis, keepdims, device)


@host_only
def argmax(x: Any, axis: int | None = None, *, keepdims: bool = False, device: DeviceLike = None) -> Any:
    """The index of the largest element along an axis, or of all. All is as for `gp.argmin`."""
    return _place("argmax", x, axis, keepdims, device)


def _place(name: str, x: Any, axis: int | None, keepdims: bool, device: DeviceLike) -> Any:
    return run_planned(name, x, (axis, keepdims), device, _plan_of_places)


def _plan_of_places(x: Array, shapes: Shapes, name: str, axis: int | None, keepdims: bool) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    check_array(name, x)
    axis = None if axis is None else check_axis(name, axis, x.ndim)
    if not isinstance(x.dtype, DType) or x.dtype.width > 1:
        raise ArgumentError(f"{name} compares numbers, and this array holds {x.dtype!r}")
    axes = tuple(range(x.ndim)) if axis is None else (axis,)
    shape = shape_without(x.shape, axes, keepdims)
    outer = 1 if axis is None else math.prod(x.shape[:axis])
    inner = 1 if axis is None else math.prod(x.shape[axis + 1 :])
    length = x.size if axis is None else x.shape[axis]
    if outer * inner == 0:
        return empty(shape, i32, device=x.device)
    if length == 0:
        raise ArgumentError(f"{name} of no elements has no value: the array has shape {x.shape}")
    return plan_places(planner_for(x, shapes), Extent(outer, length, inner), x.dtype, name == "argmin", shape)


@host_only
def reduce(
    op: Callable[[Any, Any], Any],
    x: Any,
    initial: Any = None,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    device: DeviceLike = None,
) -> Any:
    """The elements of an array combined by a helper, `op(op(x0, x1), x2)` and so on, as a new array of the same kind.

    `op` is as for `gp.scan`: associative, but not necessarily commutative; how the elements are grouped depends on
    their number and the device alone. Numbers, vectors and structs are combined; integers of 8 and 16 bits become i32
    and u32. `initial` comes before all elements, and is the result of none. `axis`, `keepdims` and `device` are as for
    `gp.sum`; of several axes the elements are in row-major order, so they must be neighbours.

    Raises ArgumentError for what is neither array nor function, and for no elements without `initial`; CompileError for
    an `op` that kernels cannot call, or that gives another type.
    """
    function = as_helper("reduce", op)

    def make(x: Array, shapes: Shapes, *_: Any) -> Plan | Array:
        return _plan_of_helper(x, shapes, function, initial, axis, keepdims)

    return run_planned("reduce", x, (function, key_of(initial), axis, keepdims), device, make, structs=True)


def _plan_of_helper(
    x: Array, shapes: Shapes, op: Callable[[Any, Any], Any], initial: Any, axis: Axis, keepdims: bool
) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    check_array("reduce", x)
    axes = check_axes("reduce", axis, x.ndim)
    if axes and axes[-1] - axes[0] != len(axes) - 1:
        raise ArgumentError(f"reduce keeps the order of the elements, so it takes neighbouring axes, not {axis!r}")
    steps = steps_of_helper(op, x.dtype)
    if initial is not None:
        steps = steps.beginning_with(initial_value(initial, steps.type))
    shape = shape_without(x.shape, axes, keepdims)
    outer, length = math.prod(x.shape[: axes[0]]) if axes else x.size, math.prod(x.shape[at] for at in axes)
    inner = math.prod(x.shape[axes[-1] + 1 :]) if axes else 1
    if outer * inner == 0:
        return empty(shape, steps.type, device=x.device)
    if length == 0:
        if initial is None:
            raise ArgumentError(f"reduce of no elements needs initial=...: the array has shape {x.shape}")
        return full(shape, initial, steps.type, device=x.device)
    launches = planner_for(x, shapes).launches(Extent(outer, length, inner), steps, x.dtype, steps.type, length)
    return make_plan(launches, shape, steps.type, x.dtype, is_recorded=is_fixed(op))


__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min", "prod", "reduce", "sum"]
