"""What the fuzzers found, as small as it became."""

from __future__ import annotations

import numpy as np
from agreement import agree

import gpucore as gp


@gp.kernel(workgroup_size=4)
def compare_widened(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    wide = gp.i64(x[i])
    result = 0
    if wide <= 31:
        result = 1
    if wide > -5:
        result += 2
    if wide < 2147483647:
        result += 4
    y[i] = result


def test_a_widened_i32_beside_a_constant() -> None:
    """Mesa's compiler (lavapipe) found `i64(x) <= 31` false for every x."""
    x = np.array([0, 31, 32, -5, -4, 2147483647, 2147483646, -(2**31)], np.int32)
    expected = (x <= 31) + 2 * (x > -5) + 4 * (x < 2147483647)
    agree(compare_widened, expected, lambda: (x, np.zeros(8, np.int32)), gp.Capability.INT64, workgroups=2)


@gp.kernel(workgroup_size=4)
def named_like_extensions(cl_khr_fp64: gp.In[gp.i32], CLK_LOCAL_MEM_FENCE: gp.Out[gp.i32]):  # noqa: N803 (macros)
    i = gp.global_id(0)
    cl_khr_int64 = cl_khr_fp64[i] + 1
    CLK_LOCAL_MEM_FENCE[i] = cl_khr_int64


def test_names_of_extensions() -> None:
    """OpenCL defines a macro for each extension."""
    x = np.arange(4, dtype=np.int32)
    agree(named_like_extensions, x + 1, lambda: (x, np.zeros(4, np.int32)), workgroups=1)


@gp.struct
class Scale:
    factor: gp.i32

    def of(self, __value):
        __value += 1
        return self.factor * __value


@gp.kernel(workgroup_size=4)
def private_names(scale: Scale, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    y[i] = scale.of(y[i])


def test_names_that_python_mangles() -> None:
    """In a class, Python knows `__value` as `_Scale__value`."""
    agree(private_names, [3, 6, 9, 12], lambda: (Scale(3), np.arange(4, dtype=np.int32)), workgroups=1)


@gp.kernel(workgroup_size=4)
def branch_after_barrier(x: gp.In[gp.i32], m: gp.i32, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if m < 0:
        gp.barrier()
        if x[i] > 1:
            y[i] += 7
    if x[i] > 5:
        y[i] += 3


def test_what_follows_a_branch_with_a_barrier() -> None:
    """PoCL ran neither the inner branch nor what followed for some of the workgroup."""
    x = np.array([0, 7, 33, 3, 5, 6, 1, 2], np.int32)
    for m in (-5, 5):
        expected = 7 * (x > 1) * (m < 0) + 3 * (x > 5)
        agree(branch_after_barrier, expected, lambda m=m: (x, m, np.zeros(8, np.int32)), workgroups=2)
