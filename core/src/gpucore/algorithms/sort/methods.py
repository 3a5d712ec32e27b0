"""The two ways to sort a device array: the dispatches of the bitonic network, and those of the radix sort."""

from __future__ import annotations

from functools import partial

from gpucore.algorithms.shapes import SortShape
from gpucore.algorithms.sort import kernels, radix
from gpucore.algorithms.sort.keys import KEY_TYPES
from gpucore.algorithms.sort.network import LOG_TILE, TILE
from gpucore.array import Array, empty
from gpucore.sequences import repeat
from gpucore.types import i32

_LEVELS = 3  # of a dispatch between tiles
_MAX_SIZE = (1 << 31) - 1  # of an array whose indices are i32


def is_sorted_by_digits(x: Array, shape: SortShape) -> bool:
    """Whether an array of at least two elements is sorted by digits.

    That takes an array of two keys for each element, and a device without a limit on the iterations of an invocation,
    because one may have to sort all keys.
    """
    limits = x.device.limits
    if shape.radix_from is None or x.size < shape.radix_from or limits.max_loop_iterations is not None:
        return False
    most = min(_MAX_SIZE, limits.max_binding_size // KEY_TYPES[x.dtype].dtype.itemsize)
    return 2 * x.size <= most


def sort_by_digits(x: Array, descending: bool, shape: SortShape) -> Array:
    """Sort an array of at least one element: in one dispatch, or split into buckets in two and sorted in a third."""
    target = empty(x.size, x.dtype, device=x.device)
    if x.size < shape.split_from:
        _queue_digits(x, target, descending, shape)
    else:
        place = "digits", x.size, x.dtype, descending, shape
        repeat(x.device, place, {"x": x, "target": target}, partial(_queue_digits, descending=descending, shape=shape))
    return target


def _queue_digits(x: Array, target: Array, descending: bool, shape: SortShape) -> None:
    key, n = KEY_TYPES[x.dtype], x.size
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


def sort_by_network(x: Array, descending: bool) -> Array:
    """Sort an array of at least two elements. A dispatch does all levels within tiles, or three between tiles."""
    target = empty(x.size, x.dtype, device=x.device)
    if x.size <= TILE:
        stages = (x.size - 1).bit_length()
        kernels.sort_small(x, target, stages, KEY_TYPES[x.dtype], descending, workgroups=1)
    else:
        place = "network", x.size, x.dtype, descending
        repeat(x.device, place, {"x": x, "target": target}, partial(_queue_network, descending=descending))
    return target


def _queue_network(x: Array, target: Array, descending: bool) -> None:
    key, n = KEY_TYPES[x.dtype], x.size
    stages = (n - 1).bit_length()
    tiles = -(-n // TILE)
    data = empty(n, key, device=x.device)
    kernels.sort_tiles(x, data, LOG_TILE, descending, workgroups=tiles)
    for log_k in range(LOG_TILE + 1, stages + 1):
        _merge_beyond_tiles(data, log_k)
        if log_k < stages:
            kernels.merge_tiles(data, workgroups=tiles)
    kernels.merge_tiles_last(data, target, descending, workgroups=tiles)
    data.close()


def _merge_beyond_tiles(data: Array, log_k: int) -> None:
    """Run the levels of distance TILE or more of the merge of blocks of 2**log_k keys."""
    covered = -(-data.size // (1 << log_k)) << log_k  # whole blocks
    first = (log_k - LOG_TILE - 1) % _LEVELS + 1
    kernels.mirror_pass(data, log_k, first, invocations=covered >> first)
    for low in range(log_k - first - _LEVELS, LOG_TILE - 1, -_LEVELS):
        kernels.merge_pass(data, low, _LEVELS, invocations=covered >> _LEVELS)
