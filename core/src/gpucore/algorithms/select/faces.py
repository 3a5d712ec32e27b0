"""`gp.topk` and `gp.partition`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from gpucore.algorithms.select.launches import select_keys, split
from gpucore.algorithms.shapes import shapes_of
from gpucore.algorithms.sort import methods
from gpucore.algorithms.sort.given import Given, check_device, check_keys
from gpucore.algorithms.sort.moving import taken
from gpucore.array import Array, DeviceLike, empty
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.sequences import MAX_RECORDED, repeat
from gpucore.types import i32, u32

_MOST_RANKS = 8  # that are selected: for more, an array is sorted


@host_only
def topk(x: Any, k: int, *, largest: bool = True, device: DeviceLike = None) -> tuple[Any, Any]:
    """The k largest elements of an array of shape (n,), from the largest on, and their indices, i32; or the smallest.

    The order is that of `gp.sort`, in which NaN is largest; of equal elements the first ones are taken. A large array
    of which k is a small part is not sorted: the k-th element is found digit by digit, and those up to it are moved
    and sorted. NumPy arrays are uploaded to `device`, and the results are NumPy arrays.

    Raises ArgumentError for other dtypes and ranks, and a k that is not from 0 to n; CapabilityError if the device
    lacks the dtype.
    """
    if not isinstance(largest, (bool, np.bool_)):
        raise ArgumentError(f"largest must be True or False, not {largest!r}")

    def check(name: str, shape: tuple[int, ...], dtype: Any) -> None:
        _check_rank_1("topk", shape)
        check_keys("topk", dtype)
        number: object = k
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number <= shape[0]:
            raise ArgumentError(f"k must be a whole number from 0 to {shape[0]}, the size of the array, not {k!r}")

    given = Given("topk", {"x": x}, check, device)
    source = given.arrays["x"]
    check_device("topk", source)
    values, indices = _topk(source, int(k), bool(largest))
    given.end()
    return given.result(values), given.result(indices)


def _check_rank_1(call: str, shape: tuple[int, ...]) -> None:
    if len(shape) != 1:
        raise ArgumentError(f"{call} takes an array of rank 1, not of shape {shape}")


def _topk(x: Array, k: int, largest: bool) -> tuple[Array, Array]:
    device, shapes = x.device, shapes_of(x.device)
    if k == 0:
        return empty(0, x.dtype, device=device), empty(0, i32, device=device)
    if x.size < shapes.select.topk_from or k * shapes.select.topk_part > x.size:
        first: Array = methods.permutation(x, largest)[:k]
        return taken(x, first), first.view(i32).copy()
    values, indices = empty(k, x.dtype, device=device), empty(k, u32, device=device)
    place = "topk", x.size, x.dtype, k, largest, shapes.select, shapes.sort
    arrays = {"x": x, "values": values, "indices": indices}
    repeat(device, place, arrays, partial(_queue_topk, largest=largest), MAX_RECORDED)
    return values, indices.view(i32)


def _queue_topk(x: Array, values: Array, indices: Array, largest: bool) -> None:
    """Those before the k-th, and of those equal to it the first ones, in the order of their indices; then sorted."""
    k, device = values.size, x.device
    with empty(k, x.dtype, device=device) as chosen, empty(k, u32, device=device) as places:
        with select_keys(x, (k - 1,), largest) as keys:
            split(x, keys, 2, chosen, places, largest)
        methods.sort_pairs(chosen, values, places, indices, largest)


@host_only
def partition(x: Any, kth: int | Sequence[int], *, device: DeviceLike = None) -> Any:
    """The elements of an array of shape (n,), those less than the one that is at `kth` in order, the ones equal to it,
    and then those greater: a new array of its kind.

    The order is that of `gp.sort`, so `kth` has the element that a sorted array has there. Less, equal and greater ones
    each stay in the order in which they are in x: the result is the same in every run and on every device. `kth` is a
    whole number from -n to n - 1, or a sequence of them: then the elements between two of these stay in their order,
    too, and of more than eight places all elements are sorted.

    Raises ArgumentError for other dtypes, ranks and numbers; CapabilityError if the device lacks the dtype.
    """
    ranks: list[int] = []

    def check(name: str, shape: tuple[int, ...], dtype: Any) -> None:
        _check_rank_1("partition", shape)
        check_keys("partition", dtype)
        ranks.extend(_ranks(kth, shape[0]))

    given = Given("partition", {"x": x}, check, device)
    source = given.arrays["x"]
    check_device("partition", source)
    made = _partitioned(source, tuple(sorted(set(ranks))))
    given.end()
    return given.result(made)


def _ranks(kth: Any, n: int) -> list[int]:
    """The places that `kth` means, from 0 on."""
    try:
        found = [kth] if isinstance(kth, (int, np.integer)) else list(kth)
    except TypeError:
        found = [kth]
    for each in found:
        if isinstance(each, (bool, np.bool_)) or not isinstance(each, (int, np.integer)) or not -n <= each < n:
            ends = f"from {-n} to {n - 1}" if n else "and an array without elements has none"
            raise ArgumentError(f"partition: a place in this array is a whole number {ends}, not {each!r:.60}")
    return [int(each) % n for each in found]


def _partitioned(x: Array, ranks: tuple[int, ...]) -> Array:
    device, shapes = x.device, shapes_of(x.device)
    if not ranks:
        return x.copy()
    target = empty(x.size, x.dtype, device=device)
    if len(ranks) > _MOST_RANKS:
        methods.sort(x, target, False)
    else:
        place = "partition", x.size, x.dtype, ranks, shapes.select
        repeat(device, place, {"x": x, "target": target}, partial(_queue_partition, ranks=ranks), MAX_RECORDED)
    return target


def _queue_partition(x: Array, target: Array, ranks: tuple[int, ...]) -> None:
    with select_keys(x, ranks) as keys:
        split(x, keys, 2 * len(ranks) + 1, target, None)


__all__ = ["partition", "topk"]
