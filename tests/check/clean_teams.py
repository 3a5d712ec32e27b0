"""Kernels without findings: what subgroups and workgroups do together, and vectors of neighbouring elements."""

from __future__ import annotations

from clean import integers, numbers, zeros
from gallery import Gallery

import gpucore as gp

GALLERY = Gallery()


@GALLERY.case(lambda: (integers(64, 7), zeros(64, dtype="i4")), invocations=64)
@gp.kernel(workgroup_size=32)
def subgroups_go_their_own_ways(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    value, steps = x[gp.global_id(0)], 0
    if gp.subgroup_id() % 2 == 0:
        value += gp.subgroup_min(value)
    while gp.subgroup_any(steps < value):
        steps += 1 if steps < value else 0
    y[gp.global_id(0)] = steps


@GALLERY.case(lambda: (numbers(64), zeros(64)), invocations=16)
@gp.kernel(workgroup_size=8)
def vectors_of_neighbours(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    """Each invocation stores four elements, and loads four of which two are another one's."""
    tile = gp.workgroup_array(gp.f32, 32)
    l, first = gp.local_id(0), gp.workgroup_id(0) * 32
    gp.vstore(tile, 4 * l, gp.vload(x, first + 4 * l, 4))
    gp.barrier(buffers=False)
    shifted = gp.vload(tile, gp.min(4 * l + 2, 28), 4)
    shifted[x.size % 4] = 0.0
    shifted[(l + 1) % 4] += shifted[l % 4]
    gp.vstore(y, first + 4 * l, shifted)


@GALLERY.case(lambda: (integers(48), zeros(48, dtype="i4"), zeros(17, dtype="i4")), invocations=48)
@gp.kernel(workgroup_size=48)
def sorted_by_ranks(x: gp.In[gp.i32], y: gp.Out[gp.i32], starts: gp.InOut[gp.i32]):
    """The starts of a round are read without a barrier before the next round, and places are stored to."""
    there = gp.workgroup_array(gp.i32, 48)
    t = gp.local_id(0)
    value = x[t]
    for shift in range(0, 8, 4):
        place, of_digits = gp.workgroup_radix_rank(value >> shift, 4, with_starts=True)
        if t < 17:
            starts[t] += of_digits[t]
        there[place] = value
        gp.barrier()
        value = there[t]
        gp.barrier(buffers=False)
    y[t] = gp.workgroup_sort(value, descending=True)
