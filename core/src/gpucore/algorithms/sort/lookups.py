"""`gp.searchsorted`, `gp.merge` and `gp.topk`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.algorithms.sort import methods, search
from gpucore.algorithms.sort.given import Check, Given, check_device, check_keys
from gpucore.algorithms.sort.moving import taken
from gpucore.array import Array, DeviceLike, empty
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.types import ElementDType, i32


@host_only
def searchsorted(x: Any, values: Any, side: str = "left", *, device: DeviceLike = None) -> Any:
    """For each value, i32: how many elements of a sorted array of shape (n,) come before it, in the order of `gp.sort`.

    With `side="right"` elements that are the same count, too. The values have any shape and the array's dtype. Both
    are NumPy arrays, which are uploaded to `device`, and so is the result; or both are device arrays or tensors on
    CUDA. The array must be in ascending order, which is not checked.

    Raises ArgumentError for other dtypes, ranks, devices and sides; CapabilityError if the device lacks the dtype.
    """
    if side not in ("left", "right"):
        raise ArgumentError(f'side must be "left" or "right", not {side!r}')
    given = Given("searchsorted", {"x": x, "values": values}, _of_one_dtype("searchsorted", "x"), device)
    keys, wanted = given.arrays.values()
    check_device("searchsorted", keys)
    places = empty(wanted.shape, i32, device=keys.device)
    if places.size:
        search.find_places(keys, wanted.ravel(), places.ravel(), side == "right", invocations=places.size)
    given.end()
    return given.result(places)


@host_only
def merge(a: Any, b: Any, *, device: DeviceLike = None) -> Any:
    """The elements of two sorted arrays of rank 1 and one dtype in order, as a new array of their kind. Of equal
    elements those of `a` come first. Both must be in the ascending order of `gp.sort`, which is not checked.

    Raises ArgumentError for other dtypes, ranks and devices; CapabilityError if the device lacks the dtype.
    """
    given = Given("merge", {"a": a, "b": b}, _of_one_dtype("merge", "a", "b"), device)
    left, right = given.arrays.values()
    check_device("merge", left)
    made = empty(left.size + right.size, left.dtype, device=left.device)
    if made.size:
        search.merge_arrays(left, right, made, invocations=made.size)
    given.end()
    return given.result(made)


def _of_one_dtype(call: str, *of_rank_1: str) -> Check:
    """A check for arrays of one dtype, some of them of rank 1."""
    dtypes: list[Any] = []

    def check(name: str, shape: tuple[int, ...], dtype: Any) -> None:
        if name in of_rank_1 and len(shape) != 1:
            raise ArgumentError(f"{call}: {name} must be of rank 1, not of shape {shape}")
        check_keys(call, dtype)
        dtypes.append(dtype if isinstance(dtype, ElementDType) else dtype.newbyteorder("="))
        if dtypes[0] != dtypes[-1]:
            types = f"{dtypes[0]!r} and {dtypes[-1]!r}"
            raise ArgumentError(f"{call} takes arrays of one dtype, not {types}; convert one with astype")

    return check


@host_only
def topk(x: Any, k: int, *, largest: bool = True, device: DeviceLike = None) -> tuple[Any, Any]:
    """The k largest elements of an array of shape (n,), from the largest on, and their indices, i32; or the smallest.

    The order is that of `gp.sort`, in which NaN is largest; of equal elements the first ones are taken. The whole array
    is sorted. NumPy arrays are uploaded to `device`, and the results are NumPy arrays.

    Raises ArgumentError for other dtypes and ranks, and a k that is not from 0 to n; CapabilityError if the device
    lacks the dtype.
    """
    if not isinstance(largest, (bool, np.bool_)):
        raise ArgumentError(f"largest must be True or False, not {largest!r}")

    def check(name: str, shape: tuple[int, ...], dtype: Any) -> None:
        if len(shape) != 1:
            raise ArgumentError(f"topk takes an array of rank 1, not of shape {shape}")
        check_keys("topk", dtype)
        number: object = k
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number <= shape[0]:
            raise ArgumentError(f"k must be a whole number from 0 to {shape[0]}, the size of the array, not {k!r}")

    given = Given("topk", {"x": x}, check, device)
    source = given.arrays["x"]
    check_device("topk", source)
    order = methods.permutation(source, bool(largest))
    first: Array = order[: int(k)]
    indices = first.view(i32).copy()
    values = taken(source, first)
    given.end()
    return given.result(values), given.result(indices)
