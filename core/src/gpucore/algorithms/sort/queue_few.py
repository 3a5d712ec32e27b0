"""The dispatches of the method `count`: few keys in one launch, more in blocks that a second launch merges."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gpucore.algorithms.shapes import SortShape, shapes_of
from gpucore.algorithms.sort import few
from gpucore.algorithms.sort.replays import replayed
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.device import Device
from gpucore.sequences import repeat
from gpucore.types import DType, u32

CAPACITIES = (1024, 4096, 8192)  # of the memory for a row, in keys


def capacities(device: Device, key: DType, most: int) -> list[int]:
    """The sizes of rows that a device has memory for, up to `most` keys."""
    room = device.limits.max_workgroup_memory - 4 * few.INVOCATIONS
    most = max(most, CAPACITIES[0])
    return [capacity for capacity in CAPACITIES if capacity <= most and capacity * key.itemsize <= room]


def fits(x: Array, shape: SortShape, pairs: bool) -> bool:
    """Whether the device can run it: it always can, in a time that grows with the square of the size."""
    return x.device.limits.max_workgroup_invocations >= few.INVOCATIONS


def sort(
    x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
    index: bool = False,
) -> None:  # fmt: skip
    """Queue the sort of an array of at least one element."""
    shape = shapes_of(x.device).sort
    found = capacities(x.device, KEY_TYPES[x.dtype], shape.count_up_to)
    if x.size <= found[-1]:
        count_rows(x, target, x.size, descending, values=values, moved=moved, index=index)
    else:
        replayed("count", _queue, x, target, descending, values, moved, index)


def prepare(x: Array, descending: bool) -> Callable[[Array, Array], None]:
    """What sorts arrays of the size and dtype of x, on its device: for few keys, one kernel with all but the arrays."""
    key = KEY_TYPES[x.dtype]
    found = capacities(x.device, key, shapes_of(x.device).sort.count_up_to)
    if x.size > found[-1]:
        queue, place = partial(_queue, descending=descending, index=False), object()
        return lambda x, target: repeat(x.device, place, {"x": x, "target": target}, queue)
    capacity = next(size for size in found if size >= x.size)
    options = {"length": x.size, "capacity": capacity, "key": key, "decode": True, "descending": descending}
    return few.count.bind(**options, workgroups=-(-x.size // few.LANES))


def count_rows(
    x: Array, target: Array, length: int, descending: bool, *, values: Array | None = None,
    moved: Array | None = None, index: bool = False,
) -> None:  # fmt: skip
    """Sort each row of `length` elements, for which the device has memory. The last row may be shorter."""
    key = KEY_TYPES[x.dtype]
    capacity = next(size for size in capacities(x.device, key, CAPACITIES[-1]) if size >= length)
    _count(x, target, length, capacity, True, descending, values, moved, index)


def _count(
    x: Array, target: Array, length: int, capacity: int, decode: bool, descending: bool, values: Array | None,
    moved: Array | None, index: bool,
) -> None:  # fmt: skip
    key, rows = KEY_TYPES[x.dtype], -(-x.size // length)
    groups = (rows - 1) * -(-length // few.LANES) + -(-(x.size - (rows - 1) * length) // few.LANES)
    options = length, capacity, key, decode, descending
    if moved is None:
        few.count(x, target, *options, workgroups=groups)
    else:
        given = x if values is None else values
        few.count_pairs(x, given, target, moved, *options, index, workgroups=groups)


def _queue(
    x: Array, target: Array, values: Array | None = None, moved: Array | None = None, *, descending: bool, index: bool
) -> None:
    device, key, n = x.device, KEY_TYPES[x.dtype], x.size
    shape = shapes_of(device).sort
    block = min(shape.merge_block, capacities(device, key, shape.count_up_to)[-1])
    groups = -(-n // few.LANES)
    keys = empty(n, key, device=device)
    if moved is None:
        _count(x, keys, block, block, False, descending, None, None, False)
        few.merge(keys, target, block, True, descending, workgroups=groups)
    else:
        kept = empty(n, u32, device=device)
        _count(x, keys, block, block, False, descending, values, kept, index)
        few.merge_pairs(keys, kept, target, moved, block, True, descending, workgroups=groups)
        kept.close()
    keys.close()
