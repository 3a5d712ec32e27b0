"""Planted bugs in what subgroups and workgroups do together, and in vectors of neighbouring elements."""

from __future__ import annotations

import numpy as np
from gallery import Gallery
from planted import ramp, zeros

import gpucore as gp

GALLERY = Gallery()


@GALLERY.case(lambda: (np.arange(16, dtype="i4"), zeros(16)), invocations=16)
@gp.kernel(workgroup_size=16)
def component_that_the_vector_does_not_have(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    v = gp.f32x4(1.0, 2.0, 3.0, 4.0)
    v[x[gp.global_id(0)] % 5] = 0.0  # GP703
    y[gp.global_id(0)] = v.x


@GALLERY.case(lambda: (ramp(64), zeros(64)), invocations=16)
@gp.kernel(workgroup_size=16)
def vectors_that_overlap(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    """Four elements every three."""
    i = gp.global_id(0)
    gp.vstore(y, 3 * i, gp.vload(x, 4 * i, 4))  # GP701, and the result depends on the order: GP706


@GALLERY.case(lambda: (ramp(64),), invocations=64, subgroup_size=16)
@gp.kernel(workgroup_size=32)
def sum_of_a_subgroup_behind_a_false_promise(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if gp.assume_uniform(i % 32 < 20):  # GP709
        x[i] = gp.subgroup_add(x[i])  # GP702
