"""The kernel that `device_check` runs: it stores a different value in every element."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.calls import kernel
from gpucore.hints import Out, i32


@kernel(workgroup_size=32)
def write_sequence(y: Out[i32]):
    """1, 4, 7, ..."""
    i = gp.global_id(0)
    if i < y.size:
        y[i] = i * 3 + 1
