"""How much of a device a stream may use, and the pieces that fit."""

from __future__ import annotations

from typing import Any

import numpy as np

import gpucore as gp

_OWN_SHARE = 0.8
"""Of a GPU's memory: drivers and other programs have the rest."""
_COMMON_SHARE = 0.2
"""Of memory that is the host's, too: the three buffers of the host lie in it, and the pages of files."""
_UNKNOWN = 1 << 30
"""Bytes, where a device does not tell its memory."""
_MAX_PIECE = 1 << 31
"""Bytes of a piece by default: larger ones gain nothing, and take page-locked memory of the host."""
MAX_ELEMENTS = (1 << 31) - 1
SPARE = 8 / 9
"""Core rounds the sizes of arrays up, by an eighth at most."""


class Budget:
    """The memory that a stream may use of a device."""

    def __init__(self, device: gp.Device, memory: int | None) -> None:
        self._limits = device.limits
        self.is_given = memory is not None
        default = budget_of(device.info.memory, device.kind.value == "gpu")
        self.nbytes = default if memory is None else _checked(memory)

    def elements(self, bytes_each: int, dtype: np.dtype[Any], largest: int = 1) -> int:
        """How many elements a piece may have, if its arrays take so many bytes for each in all, and the largest array
        has `largest` bytes for each."""
        fitting = int(self.nbytes * SPARE) // bytes_each
        limits = min(self._limits.max_buffer_size, self._limits.max_binding_size) // max(largest, dtype.itemsize)
        most = fitting if self.is_given else min(fitting, _MAX_PIECE // dtype.itemsize)
        return min(most, limits, MAX_ELEMENTS)


def _checked(memory: Any) -> int:
    if isinstance(memory, bool) or not isinstance(memory, (int, np.integer)) or memory < 1:
        raise gp.ArgumentError(f"memory is a number of bytes above 0, not {memory!r}")
    return int(memory)


def budget_of(memory: int, is_gpu: bool) -> int:
    """How many bytes of a device's memory streams take by default; `memory` is 0 if it is not known."""
    return int(memory * (_OWN_SHARE if is_gpu else _COMMON_SHARE)) if memory else _UNKNOWN
