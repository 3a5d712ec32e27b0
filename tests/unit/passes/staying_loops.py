"""Loops that do not read ahead, named by the reason."""

from __future__ import annotations

import gpucore as gp


@gp.kernel(coarsen=False)
def switched_off(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def narrow_step(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, 2):
        t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def with_a_barrier(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(0, x.size, gp.num_workgroups(0) * 256):
        gp.barrier()
        t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def left_early(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        if x[i] < 0.0:
            break
        t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def read_in_a_branch(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        if t < 100.0:
            t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def index_that_changes(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t, at = 0.0, 0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        t += x[at]
        at = gp.i32(t) + i
    y[gp.global_id(0)] = t


@gp.kernel
def written_by_the_loop(x: gp.InOut[gp.f32]):
    for i in range(gp.global_id(0), x.size - 1, gp.num_workgroups(0) * 256):
        x[i] = x[i + 1]


@gp.kernel
def written_after_the_loop(x: gp.InOut[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        t += x[i]
        x[i] = t
    x[0] = t


@gp.kernel
def step_that_changes(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    i = gp.global_id(0)
    step = gp.num_workgroups(0) * 256
    while i < x.size:
        t += x[i]
        i += step
        step += 1
    y[gp.global_id(0)] = t


@gp.kernel
def bound_that_changes(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    i = gp.global_id(0)
    stop = x.size
    while i < stop:
        t += x[i]
        if t > 10.0:
            stop -= 1
        i += gp.num_workgroups(0) * 256
    y[gp.global_id(0)] = t


STAYING = {
    each.name: each
    for each in (
        switched_off,
        narrow_step,
        with_a_barrier,
        left_early,
        read_in_a_branch,
        index_that_changes,
        written_by_the_loop,
        written_after_the_loop,
        step_that_changes,
        bound_that_changes,
    )
}
