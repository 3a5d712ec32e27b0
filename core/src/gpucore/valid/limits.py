"""Checks that a kernel stays within a device's limits."""

from __future__ import annotations

import itertools

from gpucore.errors import LimitError
from gpucore.ir import Limits, Module, WorkgroupArray
from gpucore.ir.workgroup_memory import ALIGNMENT, WorkgroupMemory, size_of


def check_limits(module: Module, limits: Limits, where: str) -> None:
    """Raise LimitError for the first limit that the module exceeds."""
    _check_workgroup_size(module, limits, where)
    needed = WorkgroupMemory(module).nbytes
    if needed > limits.max_workgroup_memory:
        arrays = ", ".join(f"`{name}` {nbytes}" for name, nbytes in _sizes(module.workgroup_arrays))
        largest = max(module.workgroup_arrays, key=size_of)
        raise LimitError(
            "GP403",
            f"`{module.name}` needs {needed} bytes of workgroup memory; {where} has {limits.max_workgroup_memory}",
            largest.span or module.span,
            why=f"its workgroup arrays take, in bytes, each rounded up to {ALIGNMENT}: {arrays}",
            fix="make the arrays smaller, or choose a device with more workgroup memory",
        )
    if len(module.buffers) > limits.max_buffers:
        raise LimitError(
            "GP404",
            f"`{module.name}` takes {len(module.buffers)} arrays; {where} binds at most {limits.max_buffers}",
            module.buffers[limits.max_buffers].span or module.span,
            why=f"each In, Out and InOut is one storage buffer: {', '.join(b.name for b in module.buffers)}",
            fix="put several arrays into one, or split the kernel",
        )


def _sizes(arrays: tuple[WorkgroupArray, ...]) -> list[tuple[str, int]]:
    """The names and the bytes of the kernel's arrays, of which a pass may have made several."""
    same = itertools.groupby(arrays, lambda array: (array.whole or array.id, array.span))
    groups = [list(parts) for _, parts in same]
    return [(parts[0].whole or parts[0].name, sum(map(size_of, parts))) for parts in groups]


def _check_workgroup_size(module: Module, limits: Limits, where: str) -> None:
    size, limit = module.workgroup_size, limits.max_workgroup_size
    problem = ""
    for axis in range(3):
        if size[axis] > limit[axis] and not problem:
            problem = f"has {size[axis]} invocations along axis {axis}; {where} allows {limit[axis]}"
    if not problem and module.num_invocations > limits.max_workgroup_invocations:
        problem = f"has {module.num_invocations} invocations; {where} allows {limits.max_workgroup_invocations}"
    if problem:
        raise LimitError(
            "GP402",
            f"a workgroup of `{module.name}` {problem}",
            module.span,
            why=f"workgroup_size={size}; the limit is {limit}, and {limits.max_workgroup_invocations} in total",
            fix="give @gp.kernel a smaller workgroup_size",
        )
