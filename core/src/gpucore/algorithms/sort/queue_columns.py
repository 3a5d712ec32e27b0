"""The dispatches of the method `columns`: four for each digit."""

from __future__ import annotations

from gpucore.algorithms.shapes import ColumnTile, SortShape, shapes_of
from gpucore.algorithms.sort import columns
from gpucore.algorithms.sort.replays import replayed
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.device import Device
from gpucore.types import DType, u32


def _tile(device: Device, key: DType, shape: SortShape, pairs: bool) -> ColumnTile | None:
    """The first tile that the device has invocations and workgroup memory for."""
    limits = device.limits
    for tile in shape.columns:
        memory = columns.workgroup_memory(tile, key.itemsize, pairs)
        if tile.invocations <= limits.max_workgroup_invocations and memory <= limits.max_workgroup_memory:
            return tile
    return None


def fits(x: Array, shape: SortShape, pairs: bool) -> bool:
    """Whether the device can run it."""
    return (
        x.device.limits.max_workgroup_invocations >= columns.BINS
        and _tile(x.device, KEY_TYPES[x.dtype], shape, pairs) is not None
    )


def sort(
    x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
    index: bool = False,
) -> None:  # fmt: skip
    """Queue the sort of an array of at least one element, stably."""
    replayed("columns", _queue, x, target, descending, values, moved, index)


def _queue(
    x: Array, target: Array, values: Array | None = None, moved: Array | None = None, *, descending: bool, index: bool
) -> None:
    device, key, n = x.device, KEY_TYPES[x.dtype], x.size
    tile = _tile(device, key, shapes_of(device).sort, moved is not None)
    assert tile is not None  # it fits
    made = columns.make_kernels(tile.invocations)
    groups = -(-n // tile.size)
    counts, totals, bases = (empty(size, u32, device=device) for size in (columns.BINS * groups, *(columns.BINS,) * 2))
    digits = x.dtype.itemsize  # of 8 bits
    spare = [empty(n, key, device=device) for _ in range(min(digits - 1, 2))]
    spare_values = [empty(n, u32, device=device) for _ in spare if moved is not None]
    source, carried = x, x if values is None else values
    for digit in range(digits):
        is_first, is_last = digit == 0, digit == digits - 1
        shift, options = digit * columns.BITS, (is_first, is_last, descending)
        made.upsweep(source, counts, shift, tile, is_first, descending, workgroups=groups)
        columns.scan(counts, totals, groups, workgroups=columns.BINS)
        columns.find_bases(totals, bases, workgroups=1)
        place = target if is_last else spare[digit % 2]
        if moved is None:
            made.scatter(source, place, counts, bases, shift, tile, key, *options, workgroups=groups)
        else:
            there = moved if is_last else spare_values[digit % 2]
            made.scatter_pairs(
                source, carried, place, there, counts, bases, shift, tile, key, index and is_first, *options,
                workgroups=groups,
            )  # fmt: skip
            carried = there
        source = place
    for array in (counts, totals, bases, *spare, *spare_values):
        array.close()
