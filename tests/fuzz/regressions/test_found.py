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
