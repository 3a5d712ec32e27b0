"""Grids: rounding of invocations to workgroups, and folding to fit a device's limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable

_MAX_INVOCATIONS = 2**31 - 1


class Grid(Immutable):
    """The requested workgroups, and those dispatched: the same, or folded into rows. `called` is how many the call asks
    for along x, of which one of those requested may do several."""

    requested: tuple[int, int, int]
    dispatched: tuple[int, int, int]
    called: int

    @property
    def is_folded(self) -> bool:
        return self.requested != self.dispatched

    @property
    def is_empty(self) -> bool:
        return 0 in self.requested

    def coarsened(self, kernel: str, coarsening: int, limit: tuple[int, int, int]) -> Grid:
        """The grid of a kernel of which one workgroup does the work of several."""
        if coarsening == 1:
            return self
        x, y, z = self.requested
        return _within(kernel, (-(-x // coarsening), y, z), limit, x)


def plan_grid(
    kernel: str, workgroup_size: tuple[int, int, int], limit: tuple[int, int, int], invocations: Any, workgroups: Any
) -> Grid:
    """The grid of a call with either `invocations` (rounded up to whole workgroups) or `workgroups`."""
    if (invocations is None) == (workgroups is None):
        raise ArgumentError(f"{kernel}: give either invocations=n (or a tuple) or workgroups=n (or a tuple)")
    if workgroups is not None:
        requested = _read_counts(kernel, "workgroups", workgroups)
    else:
        wanted = _read_counts(kernel, "invocations", invocations)
        _check_invocations(kernel, wanted)
        x, y, z = (-(-n // size) for n, size in zip(wanted, workgroup_size, strict=True))
        requested = (x, y, z)
    for axis, (count, size) in enumerate(zip(requested, workgroup_size, strict=True)):
        if count * size > _MAX_INVOCATIONS + 1 or count > _MAX_INVOCATIONS:  # the largest id and the count fit i32
            raise ArgumentError(
                f"{kernel}: {count} workgroups of {size} along axis {axis} exceed 2**31 invocations or "
                "2**31 - 1 workgroups; split the work into several calls"
            )
    return _within(kernel, requested, limit, requested[0])


def _within(kernel: str, requested: tuple[int, int, int], limit: tuple[int, int, int], called: int) -> Grid:
    """A grid within the limits of a device."""
    if 0 in requested or all(count <= most for count, most in zip(requested, limit, strict=True)):
        return Grid(requested, requested, called)
    return Grid(requested, _fold(kernel, requested, limit), called)


def _check_invocations(kernel: str, wanted: tuple[int, int, int]) -> None:
    for axis, count in enumerate(wanted):
        if count > _MAX_INVOCATIONS:
            raise ArgumentError(
                f"{kernel}: {count} invocations along axis {axis} are more than 2**31 - 1; "
                "split the work into several calls"
            )


def _read_counts(kernel: str, name: str, value: Any) -> tuple[int, int, int]:
    counts: Sequence[Any] = value if isinstance(value, (tuple, list)) else (value,)
    are_whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 0 for n in counts)
    if not are_whole or not 1 <= len(counts) <= 3:
        raise ArgumentError(f"{kernel}: {name} must be one to three whole numbers from 0, not {value!r}")
    x, y, z = (*(int(count) for count in counts), 1, 1)[:3]
    return x, y, z


def _fold(kernel: str, requested: tuple[int, int, int], limit: tuple[int, int, int]) -> tuple[int, int, int]:
    """Rows of equal length that hold all workgroups. The kernel skips the excess workgroups of the last row."""
    total = math.prod(requested)
    rows = -(-total // limit[0])
    columns = -(-total // rows)
    if rows > limit[1] or total > 2**32 - 1 or rows * columns > 2**32 - 1:
        raise ArgumentError(
            f"{kernel}: {total} workgroups exceed the device's limit for one dispatch "
            f"({limit[0]} x {limit[1]}); split the work, or use larger workgroups"
        )
    return (columns, rows, 1)
