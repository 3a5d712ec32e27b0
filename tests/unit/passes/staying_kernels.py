"""Kernels with one element an invocation that stay so, named by the reason."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(coarsen=False)
def switched_off(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


@gp.kernel
def local_id(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] * gp.f32(gp.local_id(0))


@gp.kernel
def workgroup_id(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[gp.workgroup_id(0)]


@gp.kernel
def size_of_grid(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] * gp.f32(gp.num_workgroups(0))


@gp.kernel
def second_axis(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[gp.global_id(1)]


@gp.kernel(workgroup_size=(16, 16))
def two_axes(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


@gp.kernel(workgroup_size=16)
def small_workgroups(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


@gp.kernel
def barrier(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    gp.barrier()
    if i < y.size:
        y[i] = x[i]


@gp.kernel
def subgroup(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = gp.subgroup_add(x[gp.global_id(0)])


@gp.kernel
def atomic(x: gp.In[gp.u32], y: gp.Out[gp.u32], count: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]
        gp.atomic_add(count, 0, 1)


@gp.kernel
def uniform(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    k = gp.assume_uniform(x[0])
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] * k


@gp.kernel
def workgroup_memory(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    held = gp.workgroup_array(gp.f32, 4)
    i = gp.global_id(0)
    if i < y.size:
        held[3] = x[i]
        y[i] = held[3]


@gp.kernel
def private_memory(x: gp.In[gp.f32], k: gp.In[gp.i32], y: gp.Out[gp.f32]):
    held = gp.private_array(gp.f32, 4)
    i = gp.global_id(0)
    if i < y.size:
        held[k[i]] = x[i]
        y[i] = held[k[0]]


@gp.kernel
def loop(x: gp.In[gp.f32], n: gp.i32, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        t = x[i]
        for _ in range(n):
            t = t * t
        y[i] = t


@gp.kernel
def written_elsewhere(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[y.size - 1 - i] = x[i]


@gp.kernel
def read_elsewhere(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] + y[0]


@gp.kernel
def written_sometimes(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size and x[i] > 0.0:
        y[i] = x[i]


@gp.kernel
def guarded_by_the_element(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i % 2 == 0:
        y[i] = x[i]


@gp.kernel
def read_in_a_branch(x: gp.In[gp.f32], z: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] if x[i] > 0.0 else z[i]


@gp.kernel
def one_written_after_a_branch(x: gp.In[gp.f32], y: gp.Out[gp.f32], z: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]
        if x[i] > 0.0:
            z[i] = x[i]


@gp.kernel
def much_computation(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        t = x[i]
        for _ in gp.unroll(range(30)):
            t = gp.sin(t) * gp.exp(t)
        y[i] = t


@gp.kernel
def writes_nothing_at_the_id(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    if gp.global_id(0) < 1:
        y[0] = x[0]


STAYING = {
    each.name: each
    for each in (
        switched_off,
        local_id,
        workgroup_id,
        size_of_grid,
        second_axis,
        two_axes,
        small_workgroups,
        barrier,
        subgroup,
        atomic,
        uniform,
        workgroup_memory,
        private_memory,
        loop,
        written_elsewhere,
        read_elsewhere,
        written_sometimes,
        guarded_by_the_element,
        read_in_a_branch,
        one_written_after_a_branch,
        much_computation,
        writes_nothing_at_the_id,
    )
}
