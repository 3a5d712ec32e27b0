"""The ways to sort a device array of rank 1, and which is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import queue_columns, queue_few, queue_network, queue_radix
from gpucore.algorithms.sort.digits import SPLITS, SWEEPS, ByDigits
from gpucore.array import Array, empty
from gpucore.errors import ArgumentError
from gpucore.types import u32


class Method(Protocol):
    """A way to sort, stable if it sorts pairs."""

    def fits(self, x: Array, shape: SortShape, pairs: bool) -> bool:
        """Whether the device can sort an array so; with `pairs` values move along."""

    def sort(
        self, x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
        index: bool = False,
    ) -> None:  # fmt: skip
        """Queue what sorts `x`, which is not empty, into `target`.

        The u32 of `values` move along, to `moved`; with `index`, `moved` gets the permutation.
        """


METHODS: dict[str, Method] = {
    "count": queue_few,
    "radix": queue_radix,
    "onesweep": SWEEPS,
    "reduce_then_scan": SPLITS,
    "columns": queue_columns,
    "bitonic": queue_network,
}
"""The methods that `variant` names."""


def choose(x: Array, pairs: bool) -> Method:
    """The method for an array: the first one in the order of the table of shapes that fits."""
    shape, n = shapes_of(x.device).sort, x.size
    if shape.radix_from is not None and n >= shape.radix_from and queue_radix.fits(x, shape, pairs):
        return queue_radix
    for by_digits in (SWEEPS, SPLITS):
        if by_digits.is_chosen(x, shape, pairs):
            return by_digits
    if not pairs and shape.merge_up_to < n <= shape.network_up_to:
        return queue_network
    if n <= shape.merge_up_to and queue_few.fits(x, shape, pairs):
        return queue_few
    large: tuple[Method, ...] = (queue_columns, queue_network, queue_few)
    return next(method for method in large if method.fits(x, shape, pairs))


def check_name(variant: object) -> None:
    """Raise ArgumentError unless it is the name of a method, or None."""
    if variant is not None and (not isinstance(variant, str) or variant not in METHODS):
        raise ArgumentError(f"variant must be one of {', '.join(METHODS)}, or None, not {variant!r}")


def named(variant: str, x: Array, pairs: bool) -> Method:
    """The method of that name, which must fit. Raises ArgumentError."""
    method = METHODS[variant]
    if not method.fits(x, shapes_of(x.device).sort, pairs):
        what = "sort stably, as indices and values need it" if method is queue_network else f"sort it on {x.device.id}"
        raise ArgumentError(
            f"the variant {variant!r} cannot {what}, an array of {x.size} elements of {x.dtype!r}; leave variant out, "
            "and one that can is chosen"
        )
    return method


def sort(x: Array, target: Array, descending: bool, variant: str | None = None) -> None:
    """Queue what sorts an array of rank 1 into another one."""
    if x.size:
        method = choose(x, False) if variant is None else named(variant, x, False)
        method.sort(x, target, descending)


Queue = Callable[[Array, Array], None]
"""Queues what sorts an array into another one."""


def prepare(x: Array, descending: bool) -> Queue:
    """What sorts arrays of the size and dtype of x, on its device."""
    if x.size == 0:
        return lambda x, target: None
    method = choose(x, False)
    if method is queue_few or isinstance(method, ByDigits):
        return method.prepare(x, descending)
    return lambda x, target: method.sort(x, target, descending)


def sort_pairs(
    x: Array, target: Array, values: Array | None, moved: Array, descending: bool, variant: str | None = None
) -> None:
    """Queue what sorts an array of rank 1 stably; the u32 of `values`, or without them the indices, move to `moved`."""
    if x.size:
        method = choose(x, True) if variant is None else named(variant, x, True)
        method.sort(x, target, descending, values=values, moved=moved, index=values is None)


def permutation(x: Array, descending: bool, variant: str | None = None) -> Array:
    """The indices, u32, that sort an array of rank 1 stably."""
    moved = empty(x.size, u32, device=x.device)
    with empty(x.size, x.dtype, device=x.device) as target:
        sort_pairs(x, target, None, moved, descending, variant)
    return moved
