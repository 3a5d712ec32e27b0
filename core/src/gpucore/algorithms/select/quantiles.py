"""`gp.quantile`, `gp.percentile` and `gp.median`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.algorithms.reduce import max as greatest_of
from gpucore.algorithms.select.launches import select_keys, store_values
from gpucore.algorithms.select.quantile_kernels import FLOATS, make_interpolate, make_pick
from gpucore.algorithms.shapes import shapes_of
from gpucore.algorithms.sort import methods
from gpucore.algorithms.sort.given import Given, check_device, check_keys
from gpucore.array import Array, DeviceLike, empty
from gpucore.creation import asarray
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.immutable import Immutable
from gpucore.sequences import MAX_RECORDED, repeat
from gpucore.types import ElementDType, f32

_PICKED: dict[str, Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]] = {
    "lower": np.floor, "higher": np.ceil, "nearest": np.around,
}  # fmt: skip
_METHODS = ("linear", "midpoint", *_PICKED)

_Indices = npt.NDArray[np.int64]


class _Places(Immutable):
    """For each quantile: the indices in a sorted array of the elements next to it, of the one from which it is
    counted, and the part of their distance. Without weights it is an element."""

    low: _Indices
    high: _Indices
    base: _Indices
    weights: npt.NDArray[np.float64] | None = None
    is_mean: bool = False  # in the middle of two elements


@host_only
def quantile(x: Any, q: Any, *, method: str = "linear", device: DeviceLike = None) -> Any:
    """The elements below which the parts `q` of an array lie, each from 0 to 1: of the shape of q.

    As NumPy's of all elements: q is at place `(n - 1) * q` of the n elements in order, and between two of these
    `method` says what it is: "linear", the straight line between them; "lower", "higher" or "nearest" (of two equally
    near ones that with an even place), one of them; "midpoint", their mean. x has any shape. It is not sorted, unless
    it is small or q has many numbers. If an element is NaN, so is the result. NumPy arrays are uploaded to `device`,
    and the result is NumPy's; of a device array it is an array of the shape of q, of rank 0 for a number.

    "lower", "higher" and "nearest" give the array's dtype. Of the other methods the result of floats has their dtype.
    For a Python number q it has the bits of NumPy's, but at an element, or between two equal ones, it is that element:
    NumPy has 0.0 for -0.0 there, and NaN next to infinities and where a difference overflows. For an array or NumPy
    scalar q NumPy computes in f64. Of integers the result is f32, as for `gp.mean`, within 2**-21 of the larger
    magnitude of the two elements; NumPy's is f64.

    Raises ArgumentError for other dtypes, an array without elements, another `method`, and a q out of range;
    CapabilityError if the device lacks the dtype.
    """
    return _of_face("quantile", x, q, 1, method, device)


@host_only
def percentile(x: Any, q: Any, *, method: str = "linear", device: DeviceLike = None) -> Any:
    """As `gp.quantile`, with q from 0 to 100."""
    return _of_face("percentile", x, q, 100, method, device)


@host_only
def median(x: Any, *, device: DeviceLike = None) -> Any:
    """The middle of an array's elements in order; of an even number of elements the mean of both in the middle.

    As NumPy's of all elements. Floats have its bits, but an element, or two equal ones, are the median as they are:
    NumPy has 0.0 for -0.0, and infinity where the sum of two equal elements overflows. x, NaN, the dtype of the result
    and what is raised are as for `gp.quantile`.
    """
    return _computed("median", x, (), device, _middle)


def _of_face(call: str, x: Any, q: Any, whole: int, method: str, device: DeviceLike) -> Any:
    if method not in _METHODS:
        raise ArgumentError(f"{call}: method must be one of {', '.join(_METHODS)}, not {method!r}")
    try:
        parts = np.asarray(None if isinstance(q, Array) else q)
    except (TypeError, ValueError):  # of ragged lists, and of arrays that are not on the host
        parts = np.asarray(None)
    if parts.dtype.kind not in "iuf":
        raise ArgumentError(f"{call}: q is a number, or a sequence or NumPy array of them, not {q!r:.60}")
    parts = parts / whole
    if not ((parts >= 0) & (parts <= 1)).all():
        raise ArgumentError(f"{call}: q is from 0 to {whole}, not {q!r:.60}")
    return _computed(call, x, parts.shape, device, partial(_between, parts=parts.astype("f8").ravel(), method=method))


def _between(n: int, parts: npt.NDArray[np.float64], method: str) -> _Places:
    """The places of quantiles; NumPy's steps, so that the weights have its bits."""
    virtual = (n - 1) * parts
    if method in _PICKED:
        found = _PICKED[method](virtual).astype(np.int64)
        return _Places(found, found, found)
    if method == "midpoint":
        virtual = 0.5 * (np.floor(virtual) + np.ceil(virtual))
    low = np.floor(virtual)
    weights = virtual - low
    high = np.where(weights > 0, low + 1, low)
    is_near_high = weights >= 0.5
    base, weights = np.where(is_near_high, high, low), np.where(is_near_high, -(1 - weights), weights)
    return _Places(low.astype(np.int64), high.astype(np.int64), base.astype(np.int64), weights)


def _middle(n: int) -> _Places:
    low, high = np.array([(n - 1) // 2]), np.array([n // 2])
    return _Places(low, high, low, np.zeros(1), is_mean=True)


def _computed(call: str, x: Any, shape: tuple[int, ...], device: DeviceLike, find: Any) -> Any:
    """The quantiles at the places that `find` gives for a number of elements, with the shape of the result."""

    def check(name: str, own: tuple[int, ...], dtype: Any) -> None:
        check_keys(call, dtype)
        if 0 in own:
            raise ArgumentError(f"{call} takes an array with elements, and this one has the shape {own}")

    given = Given(call, {"x": x}, check, device)
    source = given.arrays["x"]
    check_device(call, source)
    made = _quantiles(source.reshape(-1), find(source.size)).reshape(shape)
    given.end()
    result = given.result(made)
    return result[()] if given.is_host else result


def _quantiles(x: Array, places: _Places) -> Array:
    device, size = x.device, places.low.size
    is_picked = places.weights is None
    result: ElementDType = x.dtype if is_picked or x.dtype in FLOATS else f32
    out = empty(size, result, device=device)
    if size == 0:
        return out
    ranks, inverse = np.unique([places.low, places.high, places.base], return_inverse=True)
    values, at, greatest = _elements(x, tuple(ranks.tolist()))
    indices = asarray(at[inverse.reshape(3, size)].T.ravel(), "i4", device=device)
    if is_picked:
        make_pick(x.dtype)(values, greatest, indices, out, invocations=size)
    else:
        weights = asarray(places.weights, result, device=device)
        kernel = make_interpolate(x.dtype, result, places.is_mean)
        kernel(values, greatest, indices, weights, out, 0, invocations=size)
    return out


def _elements(x: Array, ranks: tuple[int, ...]) -> tuple[Array, npt.NDArray[np.int32], Array]:
    """An array with the elements of some ranks, their places in it, and one whose first element is NaN if any is."""
    device, shape = x.device, shapes_of(x.device).select
    if x.size < shape.ranks_from or len(ranks) > shape.ranks:
        values = empty(x.size, x.dtype, device=device)
        methods.sort(x, values, False)
        return values, np.array(ranks, np.int32), values[x.size - 1 :]
    values = empty(len(ranks), x.dtype, device=device)
    place = "ranks", x.size, x.dtype, ranks, shape
    repeat(device, place, {"x": x, "values": values}, partial(_queue, ranks=ranks), MAX_RECORDED)
    greatest = greatest_of(x).reshape(1) if x.dtype in FLOATS else values
    return values, np.arange(len(ranks), dtype=np.int32), greatest


def _queue(x: Array, values: Array, ranks: tuple[int, ...]) -> None:
    with select_keys(x, ranks) as keys:
        store_values(keys, values)


__all__ = ["median", "percentile", "quantile"]
