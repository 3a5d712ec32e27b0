"""Workgroup-level building blocks for kernels: reductions, prefix sums, ranks of digits, and sorts.

They are helpers in the kernel language, of `reductions`, `ranks` and `sorting`. All invocations of the workgroup must
reach a call. It ends with a barrier, so it may stand in a loop, and its arrays in workgroup memory are its own.
"""

from __future__ import annotations

from gpucore.blocks.ranks import workgroup_radix_rank
from gpucore.blocks.reductions import (
    workgroup_exclusive_add,
    workgroup_inclusive_add,
    workgroup_max,
    workgroup_min,
    workgroup_reduce,
    workgroup_scan,
    workgroup_sum,
)
from gpucore.blocks.sorting import workgroup_sort

__all__ = [
    "workgroup_exclusive_add",
    "workgroup_inclusive_add",
    "workgroup_max",
    "workgroup_min",
    "workgroup_radix_rank",
    "workgroup_reduce",
    "workgroup_scan",
    "workgroup_sort",
    "workgroup_sum",
]
