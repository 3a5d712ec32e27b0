"""Parts of a tile that several workgroups have: the one that comes last adds them up. Nobody waits for another one."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.blocks.matrices.opaque import made, values_of
from gpucore.blocks.matrices.places import place_of
from gpucore.types import i32, u32


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
    """The sums over all parts of the matrix at a row and a column, in the order of the parts. `total` is any matrix of
    its shape."""
    layout, own = gp.layout_of(total), values_of(total)
    values = gp.private_array(layout.dtype, len(own))
    for part in range(sums.shape[0]):
        for e in gp.unroll(range(len(own))):
            i, j = place_of(layout, e)
            own_row, own_column = gp.min(row + i, sums.shape[2] - 1), gp.min(column + j, sums.shape[3] - 1)
            values[e] += sums[part, batch, own_row, own_column]
    return made(layout, values)
