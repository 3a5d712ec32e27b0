"""Ids and grids."""

from __future__ import annotations

import functools

import gpucore as gp


@functools.cache
def ids_kernel(size):
    """A kernel of the given workgroup size in which each invocation writes all its ids to its own row."""

    @gp.kernel(workgroup_size=size)
    def ids(width: gp.i32, height: gp.i32, out: gp.Out[gp.i32, 2]):
        x = gp.global_id(0)
        y = gp.global_id(1)
        z = gp.global_id(2)
        row = (z * height + y) * width + x
        if x < width and y < height and row < out.shape[0]:
            for axis in gp.unroll(range(3)):
                out[row, axis] = gp.global_id(axis)
                out[row, 3 + axis] = gp.local_id(axis)
                out[row, 6 + axis] = gp.workgroup_id(axis)
                out[row, 9 + axis] = gp.num_workgroups(axis)
                out[row, 12 + axis] = gp.workgroup_size(axis)
            out[row, 15] = gp.local_index()

    return ids


@gp.kernel(workgroup_size=64)
def first_n(n: gp.i32, out: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < n:
        out[i] = i * 2


@gp.kernel(workgroup_size=64)
def unguarded(out: gp.InOut[gp.u32]):
    """Counts its runs: every invocation of every workgroup, once."""
    gp.atomic_add(out, gp.global_id(0), gp.u32(1))


@gp.kernel(workgroup_size=1)
def one_by_one(out: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.u32(i) * 3 + gp.u32(gp.num_workgroups(0))


@gp.kernel(workgroup_size=1)
def along_axes(out: gp.Out[gp.i32]):
    x, y, z = gp.workgroup_id(0), gp.workgroup_id(1), gp.workgroup_id(2)
    i = (z * gp.num_workgroups(1) + y) * gp.num_workgroups(0) + x
    if i < out.size:
        out[i] = x + 2 * y + 3 * z


@gp.kernel(workgroup_size=2)
def pairs_with_barrier(out: gp.Out[gp.i32]):
    """A folded dispatch in which halves of a workgroup wait for each other."""
    pair = gp.workgroup_array(gp.i32, 2)
    t = gp.local_id(0)
    i = gp.global_id(0)
    pair[t] = i
    gp.barrier()
    if i < out.size:
        out[i] = pair[1 - t] * 2 + gp.num_workgroups(0)
