"""Vectors and matrices on the device: `gp.linalg`.

Each function reads each element once, or makes each once, and takes as long as the memory does. Products of two
matrices are `gp.matmul`. NumPy arrays are uploaded to `device` (default: gp.default_device()), and give NumPy's
results; device arrays stay on their device, and so do tensors of other libraries on CUDA. Nothing is converted: arrays
of one call have one dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from gpucore import ir
from gpucore.algorithms.inputs import compute
from gpucore.algorithms.matmul.numbers import check_flag
from gpucore.algorithms.outputs import check_out, run_into
from gpucore.algorithms.plans import Plan, keep_plan, known_plan, run_planned
from gpucore.algorithms.reduce.launches import Extent, make_plan, planner_for
from gpucore.algorithms.shapes import Shapes
from gpucore.array import Array, DeviceLike
from gpucore.creation import ones, zeros
from gpucore.device import Device
from gpucore.elementwise.capability import check_array, has_dtype
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.host_words import words_of_module
from gpucore.linalg.launches import queue_columns, queue_outer, queue_rows
from gpucore.linalg.steps import steps_of_norm
from gpucore.sharing import OnCuda
from gpucore.types import DType, bool_, f16, f32, f64, i32, i64, u32, u64

_ORDERS: dict[Any, str] = {1: "1", 2: "2", math.inf: "inf", -math.inf: "-inf"}
_OF_VECTORS = "None, 1, 2, inf or -inf"


@overload
def dot(x: Array | OnCuda, y: Array | OnCuda, *, device: DeviceLike = None) -> Array: ...


@overload
def dot(x: npt.NDArray[Any], y: npt.NDArray[Any], *, device: DeviceLike = None) -> Any: ...


@host_only
def dot(x: Any, y: Any, *, device: DeviceLike = None) -> Any:
    """The sum of the products of the elements of two arrays of one length (n,) and one dtype: x[0] * y[0] + ...

    It is an array of rank 0, which is not waited for until `item()` or `float(...)` is; of NumPy arrays a NumPy scalar.
    Supports f32, i32 and u32 (integers wrap), and f16, f64, i64 and u64 if the device has them. The dtype is that of
    the arrays. f16 is multiplied and added in f32. Floats are added in a fixed order: the error of an f32 is at most
    2**-13 times the sum of the magnitudes of the products, for up to 2**24 elements, and usually far smaller. Products
    and sums may overflow to infinity. Of no elements it is 0.

    Both arrays are read once, and nothing of their size is stored. Raises ArgumentError for shapes, dtypes and devices
    that differ, and for other dtypes; CapabilityError if the device lacks the dtype.
    """

    def make(x: Array, y: Array) -> Plan:
        if x.ndim != 1 or x.shape != y.shape:
            raise ArgumentError(f"linalg.dot takes two arrays of one shape (n,), not {x.shape} and {y.shape}")
        n = x.size

        def queue(x: Array, y: Array, out: Array) -> None:
            if n == 0:
                out.fill(0)
            else:
                queue_rows(x.reshape(1, n), y, out.reshape(1))

        return Plan(queue, (), x.dtype, is_recorded=n > 0)

    return _run("dot", {"x": x, "y": y}, (), device, None, make)


@overload
def matvec(
    a: Array | OnCuda, x: Array | OnCuda, *, out: Array | None = None, transpose_a: bool = False,
    device: DeviceLike = None,
) -> Array: ...  # fmt: skip


@overload
def matvec(
    a: npt.NDArray[Any], x: npt.NDArray[Any], *, out: npt.NDArray[Any] | None = None, transpose_a: bool = False,
    device: DeviceLike = None,
) -> npt.NDArray[Any]: ...  # fmt: skip


@host_only
def matvec(a: Any, x: Any, *, out: Any = None, transpose_a: bool = False, device: DeviceLike = None) -> Any:
    """The product of a matrix a of shape (m, n) and a vector x of (n,), as an array of shape (m,) and their dtype.

    With `transpose_a` it is that of the transposed matrix: x has the shape (m,), and the product (n,). The matrix is
    read as it lies in memory, once, and not copied. `out`, of the right shape and dtype and apart from a and x, takes
    the product, and is returned.

    Supports f32, i32 and u32 (integers wrap), and f16, f64, i64 and u64 if the device has them. f16 is multiplied and
    added in f32. Floats are added in a fixed order: the error of an f32 is at most 2**-13 times the sum of the
    magnitudes of the products, for up to 2**24 of them, and usually far smaller. Of an inner length of 0 it is zeros.

    Raises ArgumentError for wrong shapes, dtypes and devices, and for an `out` that cannot take the product;
    CapabilityError if the device lacks the dtype.
    """
    swaps = check_flag("transpose_a", transpose_a)

    def make(a: Array, x: Array) -> Plan:
        if a.ndim != 2 or x.ndim != 1 or a.shape[0 if swaps else 1] != x.size:
            wanted = "(m, n) transposed and (m,)" if swaps else "(m, n) and (n,)"
            fix = "; gp.matmul multiplies matrices" if x.ndim > 1 else ""
            raise ArgumentError(f"linalg.matvec takes shapes {wanted}, not {a.shape} and {x.shape}{fix}")
        m = a.shape[1 if swaps else 0]

        def queue(a: Array, x: Array, out: Array) -> None:
            if a.size == 0:
                out.fill(0)
            elif swaps:
                queue_columns(a, x, out)
            else:
                queue_rows(a, x, out)

        return Plan(queue, (m,), a.dtype, is_recorded=a.size > 0)

    return _run("matvec", {"a": a, "x": x}, (swaps,), device, out, make)


@overload
def outer(
    x: Array | OnCuda, y: Array | OnCuda, *, out: Array | None = None, device: DeviceLike = None
) -> Array: ...  # fmt: skip


@overload
def outer(
    x: npt.NDArray[Any], y: npt.NDArray[Any], *, out: npt.NDArray[Any] | None = None, device: DeviceLike = None
) -> npt.NDArray[Any]: ...  # fmt: skip


@host_only
def outer(x: Any, y: Any, *, out: Any = None, device: DeviceLike = None) -> Any:
    """The products of each element of x, of shape (m,), and each of y, of (n,): element [i, j] is x[i] * y[j].

    It is an array of shape (m, n) and the dtype of both: f32, i32 or u32 (integers wrap), or f16, f64, i64 or u64 if
    the device has it. Products of floats are rounded correctly. `out`, of the right shape and dtype and apart from
    x and y, takes them, and is returned. Unlike NumPy's, it takes vectors only: ravel other arrays.

    Raises ArgumentError for wrong shapes, dtypes and devices, and for an `out` that cannot take the products;
    CapabilityError if the device lacks the dtype.
    """

    def make(x: Array, y: Array) -> Plan:
        if x.ndim != 1 or y.ndim != 1:
            fix = "; x.ravel() is an array as a vector"
            raise ArgumentError(f"linalg.outer takes shapes (m,) and (n,), not {x.shape} and {y.shape}{fix}")

        def queue(x: Array, y: Array, out: Array) -> None:
            if out.size:
                queue_outer(x, y, out)

        return Plan(queue, (x.size, y.size), x.dtype, is_recorded=x.size * y.size > 0)

    return _run("outer", {"x": x, "y": y}, (), device, out, make)


@overload
def norm(x: Array | OnCuda, ord: float | str | None = None, *, device: DeviceLike = None) -> Array: ...


@overload
def norm(x: npt.NDArray[Any], ord: float | str | None = None, *, device: DeviceLike = None) -> Any: ...


@host_only
def norm(x: Any, ord: float | str | None = None, *, device: DeviceLike = None) -> Any:
    """A norm of an array of floats: the square root of the sum of the squares of its elements, or another by `ord`.

    | `ord` | of arrays of | what |
    |---|---|---|
    | `None` | any rank | the 2-norm of all elements: the Frobenius norm of a matrix |
    | `2` | rank 1 | the same |
    | `"fro"` | rank 2 | the same |
    | `1` | rank 1 | the sum of the absolute values |
    | `inf`, `-inf` | rank 1 | the largest and the smallest absolute value; NaN if an element is |

    It is an array of rank 0, which is not waited for until `item()` or `float(...)` is; of NumPy arrays a NumPy scalar.
    The dtype is that of x: f32, or f16 or f64 if the device has it; f16 is added in f32. Sums are added in a fixed
    order, as by `gp.sum`: the relative error of an f32 is at most 2**-14.

    Nothing is scaled: squares and sums may overflow, so the 2-norm of f32 is infinity if the sum of the squares is
    above 3.4e38, as with an element above 1.8e19; and squares of magnitudes below 1e-19 are subnormal or 0. Divide by
    `norm(x, inf)` before, if there are such. Of no elements it is 0, and an error for inf and -inf.

    Integers are not converted: that is `norm(x.astype(gp.f32))`. Raises ArgumentError for them and for other values of
    `ord`; CapabilityError if the device lacks the dtype.
    """
    return run_planned("linalg.norm", x, (_order(ord),), device, _plan_of_norm)


def _order(ord: Any) -> str | None:
    if ord is None or (isinstance(ord, str) and ord == "fro"):
        return ord
    if isinstance(ord, (int, float, np.integer, np.floating)) and not isinstance(ord, bool) and ord in _ORDERS:
        return _ORDERS[ord]
    raise ArgumentError(
        f"linalg.norm: ord is {_OF_VECTORS} for vectors, and None or 'fro' for matrices, not {ord!r:.60}"
    )


def _plan_of_norm(x: Array, shapes: Shapes, name: str, order: str | None) -> Plan | Array:
    """The plan, or the result where there are no elements."""
    if x.dtype not in (f16, f32, f64):
        numbers = isinstance(x.dtype, DType) and x.dtype.width == 1
        fix = "convert them, as in x.astype(gp.f32)" if numbers else "x.view(dtype) is an array of their components"
        raise ArgumentError(f"{name} takes floats, and this array holds {x.dtype!r}; {fix}")
    if order == "fro" and x.ndim != 2:
        raise ArgumentError(f"{name}: 'fro' is for matrices, and this array has shape {x.shape}; leave out ord")
    if order not in (None, "fro") and x.ndim != 1:
        fix = "None is the Frobenius norm, and x.ravel() is all elements as a vector"
        raise ArgumentError(f"{name}: ord={order} is for vectors, and this array has shape {x.shape}; {fix}")
    check_array(name, x)
    kind = "2" if order in (None, "fro") else str(order)
    if x.size == 0:
        if kind in ("inf", "-inf"):
            raise ArgumentError(f"{name} of no elements has no value for ord={kind}: the array has shape {x.shape}")
        return zeros((), x.dtype, device=x.device)
    steps = steps_of_norm(kind, x.dtype)
    launches = planner_for(x, shapes).launches(Extent(1, x.size, 1), steps, x.dtype, x.dtype, x.size)
    return make_plan(launches, (), x.dtype, x.dtype)


def _run(
    name: str, arrays: dict[str, Any], options: tuple[Any, ...], device: DeviceLike, out: Any, make: Callable[..., Plan]
) -> Any:
    """What a plan gives for two arrays, in `out` or a new array: the plan of an earlier call, or that `make` makes."""
    first, second = arrays.values()
    if type(first) is Array and type(second) is Array and device is None and first.device is second.device:
        plan = known_plan(first.device, _key(name, first, second, options))
        if plan is not None:
            return run_into("linalg." + name, plan, arrays, out)
    is_host = isinstance(first, (np.ndarray, np.generic))

    def run(**given: Array) -> Any:
        left, right = given.values()
        _check_dtypes("linalg." + name, left, right)
        key = _key(name, left, right, options)
        plan = known_plan(left.device, key)
        if plan is None:
            plan = make(*given.values())
            keep_plan(left.device, key, plan)
        if not is_host or out is None:
            return run_into("linalg." + name, plan, given, out)
        check_out("linalg." + name, out, plan.shape, plan.dtype.dtype, np.ndarray)
        return plan.run(**given).numpy(out=out)

    return compute("linalg." + name, arrays, device, run)


def _key(name: str, first: Array, second: Array, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """What determines how two arrays are multiplied."""
    ends = first.offset % 16, second.offset % 16
    return "linalg", name, first.shape, second.shape, first.dtype, second.dtype, ends, options


def _check_dtypes(name: str, first: Array, second: Array) -> None:
    if first.dtype is not second.dtype:
        raise ArgumentError(
            f"{name} takes arrays of one dtype, not {first.dtype!r} and {second.dtype!r}; convert one with astype"
        )
    kind = first.dtype.ir_type
    if not isinstance(kind, ir.ScalarType) or kind.is_storage or first.dtype is bool_:
        fix = "; convert them with astype" if isinstance(kind, ir.ScalarType) else ""
        raise ArgumentError(f"{name} takes numbers of 32 bits, f16, f64, i64 and u64, not {first.dtype!r}{fix}")
    check_array(name, first)


def warm_up(device: Device) -> None:
    """Compile kernels of this module for a device: those of long vectors, and of square matrices.

    `gpucore cache warm gpucore.linalg` calls it.
    """
    for dtype in (f32, i32, u32, f16, f64, i64, u64):
        if not has_dtype(device, dtype):
            continue
        x, a = ones(1 << 12, dtype, device=device), ones((64, 64), dtype, device=device)
        for _ in range(2):  # the second call is recorded
            dot(x, x.copy())
            outer(a[0].copy(), a[0])
            for swaps in (False, True):
                matvec(a, x[:64].copy(), transpose_a=swaps)
            for ord in (None, 1, math.inf) if dtype in (f16, f32, f64) else ():
                norm(x, ord)


if not TYPE_CHECKING:
    __getattr__ = words_of_module(__name__)


__all__ = ["dot", "matvec", "norm", "outer"]
