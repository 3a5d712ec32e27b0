"""`gp.searchsorted` and `gp.merge`."""

from __future__ import annotations

from typing import Any

from gpucore.algorithms.shapes import shapes_of
from gpucore.algorithms.sort import merge_path, search
from gpucore.algorithms.sort.given import Check, Given, check_device, check_keys
from gpucore.array import Array, DeviceLike, empty
from gpucore.blocks.keys import KEY_TYPES
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
    elements those of `a` come first. Both must be in the ascending order of `gp.sort`, which is not checked: else the
    result has some of their elements in some order.

    Raises ArgumentError for other dtypes, ranks and devices; CapabilityError if the device lacks the dtype.
    """
    given = Given("merge", {"a": a, "b": b}, _of_one_dtype("merge", "a", "b"), device)
    left, right = given.arrays.values()
    check_device("merge", left)
    made = empty(left.size + right.size, left.dtype, device=left.device)
    _merge(left, right, made)
    given.end()
    return given.result(made)


def _merge(a: Array, b: Array, target: Array) -> None:
    device, size, key = a.device, target.size, KEY_TYPES[a.dtype]
    shape, limits = shapes_of(device).merge, device.limits
    invocations, run = min(shape.tile[0], limits.max_workgroup_invocations), shape.tile[1]
    if size == 0:
        return
    if size < shape.tiles_from:
        search.merge_arrays(a, b, target, invocations=size)
    elif invocations == 1:
        merge_path.merge_runs(a, b, target, run, workgroups=-(-size // run))
    else:
        tiles = merge_path.make_tiles(key, invocations, run * 4 // key.itemsize)
        tiles(a, b, target, workgroups=-(-size // (invocations * (run * 4 // key.itemsize))))


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
