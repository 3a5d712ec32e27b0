"""Sorting: by counting, by digits or with a bitonic network, as `gpucore.algorithms.shapes` says."""

from __future__ import annotations

from gpucore.algorithms.shapes import shapes_of
from gpucore.algorithms.sort.digits import SPLITS, SWEEPS
from gpucore.algorithms.sort.faces import argsort, segmented_sort, sort, sort_by_key
from gpucore.algorithms.sort.lookups import merge, searchsorted
from gpucore.algorithms.sort.order import SortOrder
from gpucore.algorithms.sort.queue_few import CAPACITIES
from gpucore.blocks.keys import KEY_TYPES
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.elementwise.capability import has_dtype
from gpucore.types import u32


def warm_up(device: Device) -> None:
    """Compile the kernels that sort in ascending order on a device, for each dtype that it has."""
    shape, probe = shapes_of(device).sort, zeros(2, u32, device=device)
    edges = [*CAPACITIES, shape.merge_up_to, shape.network_up_to]
    if shape.radix_from is not None:
        edges += shape.radix_from, shape.chunks_from, shape.ahead_from
    else:
        for by_digits, tiles in ((SWEEPS, shape.sweeps), (SPLITS, shape.splits)):
            if by_digits.fits(probe, shape, False):
                edges += (tile.smallest for tile in tiles)
    for dtype in KEY_TYPES:
        if has_dtype(device, dtype):
            for size in sorted({2, *edges, *(edge + 1 for edge in edges)}):  # each step of the methods
                sort(zeros(size, dtype, device=device))


__all__ = ["SortOrder", "argsort", "merge", "searchsorted", "segmented_sort", "sort", "sort_by_key"]
