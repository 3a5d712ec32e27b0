"""The kernels of the benchmarks."""

from __future__ import annotations

import gpucore as gp
from gpucore.bench.checks import TURN_BITS, TURNS

_SIZE = 256  # invocations of a workgroup of `add_up`
_EACH = 8192  # elements that a workgroup adds up at least
_MOST = 512  # workgroups: more of them at once make GPUs read from more places of their memory


@gp.kernel
def axpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = a * x[i] + y[i]


@gp.kernel
def copy(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


@gp.kernel(workgroup_size=_SIZE)
def add_up_in_strides(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    """A sum for each workgroup, of elements from the whole array: a loop in steps of the grid, then as in `add_up`."""
    tile = gp.workgroup_array(gp.f32, _SIZE)
    l = gp.local_id(0)
    total = gp.f32(0)
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * _SIZE):
        total += x[i]
    tile[l] = total
    for width in gp.unroll((128, 64, 32, 16, 8, 4, 2, 1)):
        gp.barrier()
        if l < width:
            tile[l] += tile[l + width]
    if l == 0:
        out[gp.workgroup_id(0)] = tile[0]


@gp.kernel
def refine(x: gp.InOut[gp.f32]):
    """Work on each element that takes about as long as its copies."""
    i = gp.global_id(0)
    if i < x.size:
        value = x[i]
        for _ in range(TURNS):
            value = value * (1 - 2**-TURN_BITS) + 2**-TURN_BITS
        x[i] = value


@gp.kernel(workgroup_size=_SIZE)
def add_up(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    """The sum of a part of x for each workgroup: a loop over the part, then a tree in workgroup memory."""
    tile = gp.workgroup_array(gp.f32, _SIZE)
    l = gp.local_id(0)
    part = -(-x.size // (out.size * _SIZE)) * _SIZE
    first = gp.workgroup_id(0) * part
    total = gp.f32(0)
    for i in range(first + l, min(first + part, x.size), _SIZE):
        total += x[i]
    tile[l] = total
    for width in gp.unroll((128, 64, 32, 16, 8, 4, 2, 1)):
        gp.barrier()
        if l < width:
            tile[l] += tile[l + width]
    if l == 0:
        out[gp.workgroup_id(0)] = tile[0]


def sum_by(kernel: gp.Kernel, x: gp.Array) -> gp.Array:
    """The sum of an array, in an array of one element, by a kernel that adds up a part for each workgroup."""
    groups = min(_MOST, -(-x.size // _EACH))
    out = gp.empty(groups, device=x.device)
    kernel(x, out, workgroups=groups)
    return out if groups == 1 else sum_by(kernel, out)
