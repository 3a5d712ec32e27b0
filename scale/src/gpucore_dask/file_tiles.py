"""The tiles of a product of files: as large as what their tasks hold allows, and about as many for each worker."""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import gpucore as gp
from gpucore_dask.bounds import PANEL, PROCESS
from gpucore_dask.streams.memory import MAX_ELEMENTS, SPARE, budget_of
from gpucore_dask.streams.pipeline import BUFFERS
from gpucore_dask.worker_device import WorkerDevice

_STEP = 64  # elements: sides of tiles are multiples of it
_TRIES = 64
_TEMPORARIES = 8
"""Bytes that a product makes of each element of two panels: f32 of f16, or three parts of 16 bits of f32."""
_TASK_SHARE = 0.4
"""Of a worker's memory above that of its process: finished tiles have the rest until Dask spills them."""
_LEAST_SHARE = 1 / 16

Fits = Callable[[int, int], bool]


class _Room(NamedTuple):
    """Bytes that a task may hold on one worker."""

    device: float
    host: float
    largest_array: int
    is_shared: bool
    """The device's memory is the host's."""


class TileMemory:
    """What the task of a tile holds, and where there is room for it."""

    def __init__(self, inner: int, dtype: np.dtype[Any], where: dict[str, WorkerDevice]) -> None:
        self._width, self._sums, self._inner = dtype.itemsize, max(4, dtype.itemsize), min(PANEL, inner)
        together = Counter(map(_adapter, where.items()))
        self._rooms = {
            _room(device, together[_adapter((address, device))]): address for address, device in where.items()
        }

    def buffer(self, height: int, width: int) -> int:
        """Bytes of each of the buffers of a stream: of a panel of either matrix."""
        return (height + width) * self._inner * self._width

    def refusing(self, height: int, width: int) -> str | None:
        """A worker that has no room for such a tile."""
        return next((address for room, address in self._rooms.items() if not self._fits(room, height, width)), None)

    def fits(self, height: int, width: int) -> bool:
        """Whether every worker has room for such a tile."""
        return self.refusing(height, width) is None

    def _fits(self, room: _Room, height: int, width: int) -> bool:
        area, panels = height * width, (height + width) * self._inner
        largest = max(area, max(height, width) * self._inner)
        converted = self._width if self._width < self._sums else 0
        device = (area * (self._sums + converted) + panels * (2 * self._width + _TEMPORARIES)) / SPARE
        host = area * self._width + BUFFERS * self.buffer(height, width) + room.is_shared * device
        is_bindable = largest <= MAX_ELEMENTS and largest * self._sums <= room.largest_array
        return is_bindable and device <= room.device and host <= room.host

    def checked(self, shape: tuple[int, int], side: int, where: dict[str, WorkerDevice]) -> tuple[int, int]:
        """The sides of tiles of `side`. Raises ArgumentError, with a side that fits, if a worker has no room."""
        rows, columns = shape
        height, width = min(rows, side), min(columns, side)
        address = self.refusing(height, width)
        if address is None:
            return height, width
        fitting = largest_side(rows, columns, self.fits)
        advice = f"take smaller ones, as in block={fitting}" if fitting else "its worker needs more memory"
        raise gp.ArgumentError(
            f"gd.matmul of files: tiles of {height} x {width} are too large for {where[address].id} of the worker "
            f"{address}, which holds a tile, panels of both matrices for it, and their buffers; {advice}"
        )


def _adapter(item: tuple[str, WorkerDevice]) -> tuple[str, str]:
    """The host and the device of a worker, which workers may share."""
    address, device = item
    return address.rpartition(":")[0], device.id


def _room(device: WorkerDevice, workers: int) -> _Room:
    limit = device.memory_limit
    host = max(limit * _LEAST_SHARE, (limit - PROCESS) * _TASK_SHARE) if limit else math.inf
    own = budget_of(device.memory // workers, device.is_gpu)
    if device.is_gpu:
        return _Room(own, host, device.largest_array, False)
    return _Room(math.inf, min(host, own), device.largest_array, True)


def largest_side(rows: int, columns: int, fits: Fits) -> int:
    """Of the largest square tile that fits, or is the whole on one axis; 0 if none fits."""
    sides = range(1, max(rows, columns) + 1)
    side = bisect.bisect_left(sides, True, key=lambda side: not fits(min(rows, side), min(columns, side)))
    return side - side % _STEP if side >= _STEP else side


def tile_sides(rows: int, columns: int, workers: int, fits: Fits) -> tuple[int, int]:
    """Rows and columns of the largest tiles that fit and of which each worker has about equally many. Of the ways to
    cut the product into so many, the one that reads the fewest elements. 0 if none fits."""
    rows, columns = max(rows, 1), max(columns, 1)
    square = largest_side(MAX_ELEMENTS, MAX_ELEMENTS, fits) + _STEP  # no tile that fits has more elements
    first = math.ceil(math.ceil(rows * columns / square**2) / workers) * workers
    for count in range(first, min(first, workers) + _TRIES * workers, workers):  # none where each has many
        ways = [
            (rows * across + columns * down, _length(rows, down), _length(columns, across))
            for few in range(1, math.isqrt(count) + 1)
            if count % few == 0
            for down, across in ((few, count // few), (count // few, few))
        ]
        if fitting := [way for way in ways if fits(way[1], way[2])]:
            _, height, width = min(fitting)
            return height, width
    side = largest_side(rows, columns, fits)
    return min(rows, side), min(columns, side)


def _length(total: int, parts: int) -> int:
    """Of each of so many parts: a multiple of a step where that makes no fewer parts."""
    length = -(-total // (parts * _STEP)) * _STEP
    return min(total, length if -(-total // length) == parts else -(-total // parts))
