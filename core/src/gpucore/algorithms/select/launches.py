"""The launches of a selection: a count and a find for each digit; and of the split of an array by what was selected."""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.algorithms.scan import cumsum
from gpucore.algorithms.select import kernels
from gpucore.algorithms.shapes import SelectShape, shapes_of
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.device import Device
from gpucore.types import i32

_PACKED = 1 << 15  # the most elements of a tile of a split: two counts are in a word


def select_keys(x: Array, ranks: Sequence[int], descending: bool = False) -> Array:
    """Queue the selection of the keys of some ranks, from 0 on, of an array of rank 1: an array of keys."""
    device, key, number = x.device, KEY_TYPES[x.dtype], len(ranks)
    shape, width = shapes_of(device).select, 8 * x.dtype.itemsize
    passes = -(-width // shape.bits)
    bits = -(-width // passes)
    rows = passes << bits
    whole = (1 << 8 * key.itemsize) - 1
    start = whole - (1 << width) + 1 if descending else 0  # what complements have above the bits of small integers
    counts, left = empty(number * rows, i32, device=device), empty(number, i32, device=device)
    keys = empty(number, key, device=device)
    for r, rank in enumerate(ranks):
        kernels.make_begin(key)(counts, keys, left, r, rows, rank, start, invocations=rows)
    invocations, chunk, groups = _grid(x, shape)
    count = kernels.make_count(x.dtype, key, bits, descending, invocations)
    find = kernels.make_find(key, bits, _power_of_two(min(invocations, 1 << bits)))
    for done in range(passes):
        above = width - done * bits  # bits from this one on are found
        shift, at = max(0, above - bits), done << bits
        mask = whole & -(1 << above) if done else 0
        count(x, keys, counts, chunk, groups, at, rows, shift, mask, workgroups=number * groups)
        find(counts, keys, left, at, rows, shift, workgroups=number)
    counts.close()
    left.close()
    return keys


def split(x: Array, keys: Array, classes: int, target: Array, moved: Array | None, descending: bool = False) -> None:
    """Queue the move of the elements of the first classes, and of their indices, as far as the target goes."""
    device, key, pivots = x.device, KEY_TYPES[x.dtype], keys.size
    shape = shapes_of(device).select
    invocations, chunk, groups = _grid(x, shape)
    of_move = min(shape.moved[0], _most(device), _PACKED // shape.moved[1])
    kind = x.dtype, key, pivots, classes, descending
    with empty(classes * groups, i32, device=device) as counts:
        kernels.make_count_classes(*kind, invocations)(x, keys, counts, chunk, workgroups=groups)
        ends = cumsum(counts)
    if moved is None:
        kernels.make_split(*kind, of_move, shape.moved[1])(x, keys, ends, target, chunk, workgroups=groups)
    else:
        kernels.make_split_pairs(*kind, of_move, shape.moved[1])(x, keys, ends, target, moved, chunk, workgroups=groups)
    ends.close()


def store_values(keys: Array, values: Array) -> None:
    """Queue the store of the values of keys that were selected in ascending order."""
    kernels.make_decode(values.dtype, keys.dtype)(keys, values, invocations=values.size)


def _grid(x: Array, shape: SelectShape) -> tuple[int, int, int]:
    """The invocations of a workgroup, the elements of a chunk, and the number of chunks."""
    chunk = max(shape.chunk, -(-x.size // shape.groups))
    return min(shape.invocations, _most(x.device)), chunk, -(-x.size // chunk)


def _most(device: Device) -> int:
    return device.limits.max_workgroup_invocations


def _power_of_two(n: int) -> int:
    return 1 << n.bit_length() - 1


__all__ = ["select_keys", "split", "store_values"]
