"""Scans of whole arrays and along axes: the elements up to each one, combined."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gpucore.algorithms.inputs import check_axis, check_result
from gpucore.algorithms.operators import as_helper, initial_value, key_of
from gpucore.algorithms.plans import Plan, run_planned
from gpucore.algorithms.reduce.launches import Extent, planner_for
from gpucore.algorithms.reduce.steps import steps_of, steps_of_helper
from gpucore.algorithms.scan.launches import Scan, is_looked_back, plan_axis, plan_look_back
from gpucore.algorithms.shapes import Shapes
from gpucore.array import Array, DeviceLike, empty
from gpucore.blocks import reductions
from gpucore.elementwise.capability import check_array, check_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.types import DType, as_dtype, bool_


@host_only
def cumsum(x: Any, axis: int | None = None, *, dtype: object = None, device: DeviceLike = None) -> Any:
    """The sums of an array's elements up to each one along an axis, as a new array of the same kind and shape.

    Without an axis, they are those of all elements in row-major order, in rank 1. What x may be, the dtype, and how
    numbers are added is as for `gp.sum`; the error of sums of floats grows with the number of elements before, as in
    NumPy. `gp.scan(operator.add, x, exclusive=True, initial=0)` leaves each element out.

    Raises ArgumentError for structs, vectors, axes and dtypes; CapabilityError if the device lacks one of the dtypes.
    """
    return run_planned("cumsum", x, (axis, dtype), device, _plan_cumulative)


@host_only
def cumprod(x: Any, axis: int | None = None, *, dtype: object = None, device: DeviceLike = None) -> Any:
    """The products of an array's elements up to each one along an axis. All is as for `gp.cumsum`."""
    return run_planned("cumprod", x, (axis, dtype), device, _plan_cumulative)


@host_only
def scan(
    op: Callable[[Any, Any], Any],
    x: Any,
    *,
    exclusive: bool = False,
    initial: Any = None,
    axis: int | None = None,
    device: DeviceLike = None,
) -> Any:
    """The elements of an array up to each one, combined by a helper: a new array of the same kind and shape.

    `op` is a function of two elements that kernels can call, your own or such as `gp.max`, or one of Python's
    `operator.add`, `mul`, `and_`, `or_` and `xor`. It must be associative, and need not be commutative. Numbers,
    vectors and structs are combined; integers of 8 and 16 bits become i32 and u32. With `exclusive` each element is
    left out, and the first result is `initial`, which must be given; `initial` comes before all elements. Without an
    axis, all elements are scanned in row-major order, in rank 1. Floats are combined in a fixed order: their bits are
    the same in every run on a device.

    Raises ArgumentError for what is neither array nor function; CompileError for an `op` that kernels cannot call, or
    that gives another type.
    """
    function = as_helper("scan", op)

    def make(x: Array, shapes: Shapes, *_: Any) -> Plan | Array:
        return _plan_scan(x, shapes, function, bool(exclusive), initial, axis)

    options = function, bool(exclusive), key_of(initial), axis
    return run_planned("scan", x, options, device, make, structs=True)


def _extent_of(name: str, x: Array, axis: int | None) -> tuple[Extent, tuple[int, ...]]:
    """The extent, and the shape of the result."""
    if axis is None:
        return Extent(1, x.size, 1), (x.size,)
    at = check_axis(name, axis, x.ndim)
    return Extent(math.prod(x.shape[:at]), x.shape[at], math.prod(x.shape[at + 1 :])), x.shape


def _plan_cumulative(x: Array, shapes: Shapes, name: str, axis: int | None, dtype: object) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    check_array(name, x)
    element = x.dtype
    if not isinstance(element, DType) or element.width > 1:
        raise ArgumentError(f"{name} takes numbers, and this array holds {element!r}; gp.scan combines others")
    result = reductions.accumulator(element) if dtype is None else as_dtype(dtype)
    if not isinstance(result, DType) or result.width > 1 or result is bool_:
        raise ArgumentError(f"the dtype of {name} is a scalar type of numbers, not {result!r}")
    check_result(name, result)
    check_dtype(name, x.device, result)
    steps = steps_of("sum" if name == "cumsum" else "prod", element, result)
    return _plan(name, x, shapes, axis, Scan(steps, result, False, 0, False))


def _plan_scan(x: Array, shapes: Shapes, op: Any, exclusive: bool, initial: Any, axis: int | None) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    check_array("scan", x)
    if exclusive and initial is None:
        raise ArgumentError("an exclusive scan needs initial=..., the first result")
    steps = steps_of_helper(op, x.dtype)
    start = initial_value(initial, steps.type)
    return _plan("scan", x, shapes, axis, Scan(steps, steps.type, exclusive, start, initial is not None))


def _plan(name: str, x: Array, shapes: Shapes, axis: int | None, scan: Scan) -> Plan | Array:
    extent, shape = _extent_of(name, x, axis)
    if x.size == 0:
        return empty(shape, scan.result, device=x.device)
    is_sum = scan.steps.op is reductions.add and scan.result is x.dtype and scan.initial == 0
    if is_sum and is_looked_back(x, extent, shapes.scan):
        return plan_look_back(x.size, shape, x.dtype, scan.exclusive, shapes.scan)
    return plan_axis(extent, shape, scan, planner_for(x, shapes), shapes.scan)


__all__ = ["cumprod", "cumsum", "scan"]
