"""The options of `@gp.kernel`: checked, and read from the environment."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from gpucore.errors import ArgumentError, BackendError
from gpucore.immutable import Immutable
from gpucore.ir import Module
from gpucore.runtime.settings import debug_mode


class Options(Immutable):
    """What the decorator says of a kernel, but for its debug mode. It cannot be changed."""

    workgroup_size: tuple[int, int, int]
    unchecked: bool = False  # indices are not clamped on devices where one out of range can crash the process
    min_workgroups: int | None = None  # that a multiprocessor is to run at a time, on CUDA; None: the compiler chooses
    coarsens: bool = True  # an invocation may do the elements of several

    def of(self, module: Module) -> Module:
        """The module of a kernel with these options."""
        return dataclasses.replace(
            module, unchecked=self.unchecked, min_workgroups=self.min_workgroups, coarsens=self.coarsens
        )


def check_options(workgroup_size: Any, unchecked: Any, min_workgroups: Any, coarsen: Any) -> Options:
    """The options; ArgumentError for values that they cannot have."""
    for name, switch in (("unchecked", unchecked), ("coarsen", coarsen)):
        if not isinstance(switch, bool):
            raise ArgumentError(f"{name} is True or False, not {switch!r:.60}")
    return Options(check_size(workgroup_size), unchecked, check_min_workgroups(min_workgroups), coarsen)


def read_debug_mode() -> bool | str | None:
    """GPUCORE_DEBUG; None for an invalid value, which is an error only when the kernel is used, as `import gpucore`
    defines kernels and must not fail."""
    try:
        return debug_mode()
    except BackendError:
        return None


def check_debug(mode: object) -> bool | str:
    """A debug mode; ArgumentError for anything else."""
    if isinstance(mode, bool) or (isinstance(mode, str) and mode == "ordered"):
        return mode
    raise ArgumentError(f'debug is True, False or "ordered", not {mode!r}')


def check_min_workgroups(number: Any) -> int | None:
    """The least number of workgroups of a multiprocessor, or None; ArgumentError for anything else."""
    if number is None:
        return None
    if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 1:
        raise ArgumentError(f"min_workgroups is a whole number from 1, or None, not {number!r:.60}")
    return int(number)


def check_size(size: Any) -> tuple[int, int, int]:
    """A workgroup size as x, y, z; ArgumentError for a size that no device supports."""
    parts: tuple[Any, ...] = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    are_whole = all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n >= 1 for n in parts)
    if not are_whole or not 1 <= len(parts) <= 3 or math.prod(map(int, parts)) > 1024:
        raise ArgumentError(
            f"workgroup_size must be one to three whole numbers from 1 with a product of at most 1024, not {size!r}"
        )
    x, y, z = (*map(int, parts), 1, 1)[:3]
    return x, y, z
