"""Parts of a tile that several workgroups have: the one that comes last adds them up. Nobody waits for another one."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.matrices.opaque import made
from gpucore.blocks.matrices.places import place_of
from gpucore.types import i32, u32

LOADED = 128
"""The most elements of parts that an invocation loads at once."""


def is_last_part(counts, number, others, found):
    """Whether so many others have stored their parts of a tile before this workgroup. The count of the tile is 0 again
    then, for the next launch. `found` is a workgroup array with room for one number."""
    gp.barrier()
    if gp.local_index() == 0:
        gp.device_fence()
        before = i32(gp.atomic_add(counts, number, u32(1)))
        gp.device_fence()
        if before == others:
            gp.atomic_store(counts, number, u32(0))
        found[0] = before
    gp.barrier()
    return gp.assume_uniform(found[0]) == others


def sum_of_parts(total, sums, batch, row, column):
    """The sums over all parts of the matrix at a row and a column, in the order of the parts, of which some are loaded
    at once. `total` is any matrix of its shape."""
    layout = gp.layout_of(total)
    count, ahead = gp.static((layout.count, max(1, LOADED // layout.count)))
    values = gp.private_array(layout.dtype, count)
    for first in range(0, sums.shape[0], ahead):
        loaded = gp.private_array(layout.dtype, (ahead, count))
        for p in gp.unroll(range(ahead)):
            part = gp.min(first + p, sums.shape[0] - 1)
            for e in gp.unroll(range(count)):
                i, j = place_of(layout, e)
                own_row, own_column = gp.min(row + i, sums.shape[2] - 1), gp.min(column + j, sums.shape[3] - 1)
                loaded[p, e] = sums[part, batch, own_row, own_column]
        for p in gp.unroll(range(ahead)):
            if first + p < sums.shape[0]:
                for e in gp.unroll(range(count)):
                    values[e] += loaded[p, e]
    return made(layout, values)
