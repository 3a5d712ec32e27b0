"""`gd.matmul` of matrices in files: each tile of the product is one task, which reads its panels from the files itself.

Every tile of a product needs a row and a column of blocks, so blocks of a dask.array go through the network to every
worker. Files that all workers can read need no network. A tile stays on the device while its panels stream, as in
`gd.stream_matmul`; there are few, large tiles, as many for each worker.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
import numpy.typing as npt
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph
from distributed.metrics import context_meter

import gpucore as gp
from gpucore_dask.bounds import PANEL
from gpucore_dask.file_tiles import TileMemory, tile_sides
from gpucore_dask.metering import COMPUTE, DOWNLOAD, UPLOAD
from gpucore_dask.streams.measures import Measures
from gpucore_dask.streams.pipeline import BUFFERS, Bytes, make_buffers
from gpucore_dask.streams.products import Grid, check_matrices, multiply_tile
from gpucore_dask.streams.sources import Source, open_source
from gpucore_dask.streams.threads import by_parts
from gpucore_dask.worker_device import WorkerDevice, give_back, task_device

_MOST_KEPT = 2 << 30
"""Bytes of page-locked buffers that a worker keeps."""

Block = npt.NDArray[Any]


class FileMatrix(NamedTuple):
    """A matrix in a file that every worker can read, as it was when the product was asked for."""

    path: str
    shape: tuple[int, int]
    dtype: np.dtype[Any]
    version: tuple[int, int] | None
    """Time of the last change, in ns, and bytes of a .npy file. None for a store, whose files change without it."""

    def opened(self) -> Source:
        """The file, in a task. Raises ArgumentError if it cannot be read, or has changed."""
        source = open_source("gd.matmul", self.path, self.path)
        was, now = (f"shape {each.shape} and dtype {each.dtype}" for each in (self, source))
        if was == now and _version(self.path) == self.version:
            return source
        what = "" if was == now else f", from {was} to {now}"
        raise gp.ArgumentError(
            f"gd.matmul: {self.path} has changed since the product was asked for{what}; keep it until it is computed"
        )


def is_path(given: Any) -> bool:
    """Whether an argument names a file."""
    return isinstance(given, (str, os.PathLike))


def matmul_of_files(a: Any, b: Any, side: int | None, where: dict[str, WorkerDevice]) -> da.Array:
    """The product of two matrices in .npy files or zarr stores, in tiles of `side`, or as large as workers hold."""
    left, right = (open_source("gd.matmul", name, os.path.abspath(path)) for name, path in (("a", a), ("b", b)))
    rows, inner, columns = check_matrices("gd.matmul", left, right)
    dtype = left.dtype
    memory = TileMemory(inner, dtype, where)
    height, width = _sides((rows, columns), side, memory, where)
    chunks = _cut(rows, height), _cut(columns, width)
    files = [
        FileMatrix(source.name, (source.shape[0], source.shape[1]), dtype, _version(source.name))
        for source in (left, right)
    ]
    unknown = [os.urandom(16) for file in files if file.version is None]
    name = f"gpucore-tile-{tokenize(files, unknown, chunks)}"
    buffer = memory.buffer(height, width)
    layer: dict[Any, Any] = {
        (name, i, j): (multiply_files, *files, row, column, buffer)
        for (i, row), (j, column) in itertools.product(*(enumerate(_slices(lengths)) for lengths in chunks))
    }
    graph = HighLevelGraph({name: layer}, {name: set()})
    return da.Array(graph, name, chunks, meta=np.empty((0, 0), dtype))


def _version(path: str) -> tuple[int, int] | None:
    state = Path(path).stat()
    return None if Path(path).is_dir() else (state.st_mtime_ns, state.st_size)


def _sides(
    shape: tuple[int, int], side: int | None, memory: TileMemory, where: dict[str, WorkerDevice]
) -> tuple[int, int]:
    if side is not None:
        return memory.checked(shape, side, where)
    if not where:
        raise gp.ArgumentError(
            "gd.matmul of files: there is no worker, and tiles are as large as workers have room for; call "
            "client.wait_for_workers(1) before, or pass block="
        )
    height, width = tile_sides(*shape, len(where), memory.fits)
    return memory.checked(shape, max(height, width, 1), where) if min(height, width) == 0 else (height, width)


def _slices(lengths: Iterable[int]) -> list[tuple[int, int]]:
    ends = list(itertools.accumulate(lengths))
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _cut(length: int, most: int) -> tuple[int, ...]:
    return tuple(min(most, length - start) for start in range(0, length, most)) or (0,)


class _Buffers:
    """The buffers of a stream. Page-locked ones are kept for the worker's next tile: they are made at 2 GB/s, less than
    half as fast as a tile needs them."""

    def __init__(self) -> None:
        self._device: gp.Device | None = None
        self._kept: list[Bytes] = []

    def of(self, nbytes: int, device: gp.Device) -> list[Bytes]:
        """Buffers of at least so many bytes."""
        if device is self._device and self._kept[0].nbytes >= nbytes:
            return self._kept
        self._device, self._kept = None, []  # before others are made
        made = make_buffers(nbytes, device)
        if device.kind is gp.DeviceKind.GPU and BUFFERS * nbytes <= _MOST_KEPT:
            self._device, self._kept = device, made
        return made


_buffers = _Buffers()


def multiply_files(a: FileMatrix, b: FileMatrix, rows: tuple[int, int], columns: tuple[int, int], buffer: int) -> Block:
    """One tile of a product, through buffers of so many bytes. For tasks."""
    device = task_device()
    left, right = a.opened(), b.opened()
    made = np.empty((rows[1] - rows[0], columns[1] - columns[0]), a.dtype)
    if not made.size:
        return made
    # the system gives the result's pages while the device computes
    filling = threading.Thread(target=by_parts, args=(len(made), made.nbytes, lambda *part: made[slice(*part)].fill(0)))
    filling.start()
    inner = min(PANEL, a.shape[1])
    measures = Measures(lambda nbytes: None)
    try:
        multiply_tile(
            left, right, Grid(rows[0], 0, columns[0]), Grid(made.shape[0], inner, made.shape[1]),
            _buffers.of(buffer, device), made, filling.join, device, measures,
        )  # fmt: skip
    finally:
        filling.join()
    give_back(device)
    done = measures.result(device.id)
    context_meter.digest_metric(COMPUTE, done.seconds["compute"], "seconds")
    context_meter.digest_metric(DOWNLOAD, done.seconds["download"], "seconds")
    for step, phase in ((UPLOAD, "upload"), (DOWNLOAD, "download")):
        context_meter.digest_metric(step, done.nbytes[phase], "bytes")
    return made
