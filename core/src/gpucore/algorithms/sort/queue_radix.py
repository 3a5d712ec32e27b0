"""The dispatches of the method `radix`: one, or two that split the array into buckets and a third that sorts them."""

from __future__ import annotations

from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import radix
from gpucore.algorithms.sort.keys import KEY_TYPES
from gpucore.algorithms.sort.replays import replayed
from gpucore.array import Array, empty
from gpucore.types import i32

_MAX_SIZE = (1 << 31) - 1  # of an array whose indices are i32


def fits(x: Array, shape: SortShape, pairs: bool) -> bool:
    """Whether the device can run it.

    That takes an array of two keys for each element, and a device without a limit on the iterations of an invocation,
    because one may have to sort all keys.
    """
    limits = x.device.limits
    most = min(_MAX_SIZE, limits.max_binding_size // KEY_TYPES[x.dtype].dtype.itemsize)
    return not pairs and limits.max_loop_iterations is None and 2 * x.size <= most


def sort(
    x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
    index: bool = False,
) -> None:  # fmt: skip
    """Queue the sort of an array of at least one element."""
    if x.size < shapes_of(x.device).sort.split_from:
        _queue(x, target, descending=descending, index=index)
    else:
        replayed("radix", _queue, x, target, descending, values, moved, index)


def _queue(x: Array, target: Array, *, descending: bool, index: bool) -> None:
    shape, key, n = shapes_of(x.device).sort, KEY_TYPES[x.dtype], x.size
    keys = empty(2 * n, key, device=x.device)
    if n < shape.split_from:
        radix.sort_whole(x, keys, target, descending, shape.whole_bits, workgroups=1)
    else:
        chunks = max(1, min(shape.chunks, n // shape.chunk))
        chunk = -(-n // chunks)
        counts = empty(chunks * radix.BINS, i32, device=x.device)
        interval, starts = empty(2, key, device=x.device), empty(shape.buckets + 1, i32, device=x.device)
        radix.count_bins(x, counts, interval, chunk, descending, workgroups=chunks)
        radix.split(x, counts, interval, keys, starts, chunk, shape.buckets, descending, workgroups=chunks)
        radix.sort_buckets(keys, starts, target, descending, shape.bucket_bits, workgroups=shape.buckets)
        for array in (counts, interval, starts):
            array.close()
    keys.close()
