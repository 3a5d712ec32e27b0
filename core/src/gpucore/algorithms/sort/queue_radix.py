"""The dispatches of the method `radix`, for the cores of CPUs.

Few keys are sorted in one; more, and pairs, by chunks in two for each digit.
"""

from __future__ import annotations

from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import chunks, radix
from gpucore.algorithms.sort.replays import replayed
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.types import i32, u32

_MAX_SIZE = (1 << 31) - 1  # of an array whose indices are i32


def fits(x: Array, shape: SortShape, pairs: bool) -> bool:
    """Whether the device can run it.

    That takes an array of two keys for each element, and a device without a limit on the iterations of an invocation,
    because one may have to sort all keys.
    """
    limits = x.device.limits
    most = min(_MAX_SIZE, limits.max_binding_size // KEY_TYPES[x.dtype].dtype.itemsize)
    return limits.max_loop_iterations is None and 2 * x.size <= most


def sort(
    x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
    index: bool = False,
) -> None:  # fmt: skip
    """Queue the sort of an array of at least one element, stably."""
    shape = shapes_of(x.device).sort
    if moved is not None or x.size >= shape.chunks_from:
        replayed("radix", _queue, x, target, descending, values, moved, index)
    else:
        keys = empty(2 * x.size, KEY_TYPES[x.dtype], device=x.device)
        radix.sort_whole(x, keys, target, descending, shape.whole_bits, workgroups=1)
        keys.close()


def _queue(
    x: Array, target: Array, values: Array | None = None, moved: Array | None = None, *, descending: bool, index: bool
) -> None:
    device, key, n = x.device, KEY_TYPES[x.dtype], x.size
    shape, width = shapes_of(device).sort, 8 * x.dtype.itemsize
    bits = shape.chunk_bits if width > 16 else 8
    groups = max(1, min(shape.chunks, n // shape.chunk))
    chunk, ahead = -(-n // groups), n >= shape.ahead_from
    counts = empty(groups << bits, i32, device=device)
    shifts = range(0, width, bits)
    spare = [empty(n, key, device=device) for _ in shifts[:-1][:2]]
    spare_values = [empty(n, u32, device=device) for _ in spare if moved is not None]
    source, carried = x, x if values is None else values
    for number, shift in enumerate(shifts):
        is_first, is_last = number == 0, number == len(shifts) - 1
        options = is_first, is_last, descending
        chunks.count_chunk(source, counts, chunk, shift, bits, is_first, descending, workgroups=groups)
        place = target if is_last else spare[number % 2]
        if moved is None:
            chunks.move_chunk(source, place, counts, chunk, shift, bits, ahead, *options, workgroups=groups)
        else:
            there = moved if is_last else spare_values[number % 2]
            chunks.move_pairs(
                source, carried, place, there, counts, chunk, shift, bits, ahead, index and is_first, *options,
                workgroups=groups,
            )  # fmt: skip
            carried = there
        source = place
    for array in (counts, *spare, *spare_values):
        array.close()
