"""The dispatches of the method `bitonic`. One does all levels within tiles, or three between tiles."""

from __future__ import annotations

from gpucore.algorithms.shapes import SortShape
from gpucore.algorithms.sort import kernels
from gpucore.algorithms.sort.network import LOG_TILE, TILE
from gpucore.algorithms.sort.replays import replayed
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES

_LEVELS = 3  # of a dispatch between tiles


def fits(x: Array, shape: SortShape, pairs: bool) -> bool:
    """Whether it can sort the array: keys alone, as it is not stable."""
    return not pairs


def sort(
    x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
    index: bool = False,
) -> None:  # fmt: skip
    """Queue the sort of an array of at least one element."""
    if x.size <= TILE:
        stages = (x.size - 1).bit_length()
        kernels.sort_small(x, target, stages, KEY_TYPES[x.dtype], descending, workgroups=1)
    else:
        replayed("bitonic", _queue, x, target, descending, None, None, False)


def _queue(x: Array, target: Array, *, descending: bool, index: bool) -> None:
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
