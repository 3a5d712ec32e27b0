"""`gd.matmul` of matrices in files: each tile of the product is one task, which reads its panels from the files itself.

Every tile of a product needs a row and a column of blocks, so blocks of a dask.array go through the network to every
worker. Files that all workers can read need no network. A tile stays on the device while its panels stream, as in
`gd.stream_matmul`; there are few, large tiles, as many for each worker.
"""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Iterable
from functools import lru_cache
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
from gpucore_dask.metering import COMPUTE, DOWNLOAD, UPLOAD
from gpucore_dask.refusals import check_memory
from gpucore_dask.streams.measures import Measures
from gpucore_dask.streams.memory import budget_of
from gpucore_dask.streams.pipeline import Bytes, make_buffers
from gpucore_dask.streams.products import Grid, check_matrices, multiply_tile
from gpucore_dask.streams.sources import Source, open_source
from gpucore_dask.streams.threads import by_parts
from gpucore_dask.worker_device import WorkerDevice, task_device

_STEP = 64  # elements: sides of tiles are multiples of it
_TRIES = 64
_ARRAYS = 6
"""The bytes of a tile that a task takes: the tile, two pairs of panels, and what the product makes of a pair."""
_MAX_ELEMENTS = (1 << 31) - 1

Block = npt.NDArray[Any]


class FileMatrix(NamedTuple):
    """A matrix in a file that every worker can read, as it was when the product was asked for."""

    path: str
    shape: tuple[int, int]
    dtype: np.dtype[Any]

    def opened(self) -> Source:
        """The file, in a task. Raises ArgumentError if it cannot be read, or has another array by now."""
        source = open_source("gd.matmul", self.path, self.path)
        if source.shape != self.shape or source.dtype != self.dtype:
            raise gp.ArgumentError(
                f"gd.matmul: {self.path} has shape {source.shape} and dtype {source.dtype} in a task, and had "
                f"{self.shape} and {self.dtype} when the product was asked for; keep the file until it is computed"
            )
        return source


def is_path(given: Any) -> bool:
    """Whether an argument names a file."""
    return isinstance(given, (str, os.PathLike))


def matmul_of_files(a: Any, b: Any, side: int | None, where: dict[str, WorkerDevice]) -> da.Array:
    """The product of two matrices in .npy files or zarr stores, in tiles of `side`, or as large as devices hold."""
    left, right = (open_source("gd.matmul", name, os.path.abspath(path)) for name, path in (("a", a), ("b", b)))
    rows, inner, columns = check_matrices("gd.matmul", left, right)
    dtype = left.dtype
    chunks = _chunks((rows, inner, columns), dtype, side, where)
    height, width = (max(lengths, default=0) for lengths in chunks)
    sums = max(4, dtype.itemsize)
    check_memory(
        "matmul", where, height * width * sums, height * width * sums, f"take smaller ones, as in block={_STEP * 16}"
    )
    files = [FileMatrix(source.name, (source.shape[0], source.shape[1]), dtype) for source in (left, right)]
    name = f"gpucore-tile-{tokenize(files, [_version(Path(each.path)) for each in files], chunks)}"
    layer: dict[Any, Any] = {
        (name, i, j): (multiply_files, *files, row, column)
        for (i, row), (j, column) in itertools.product(*(enumerate(_slices(lengths)) for lengths in chunks))
    }
    graph = HighLevelGraph({name: layer}, {name: set()})
    return da.Array(graph, name, chunks, meta=np.empty((0, 0), dtype))


def _version(path: Path) -> Any:
    """What changes when the file does. A store is a folder, whose files may change without it: never the same."""
    state = path.stat()
    return os.urandom(16) if path.is_dir() else (state.st_mtime_ns, state.st_size, state.st_ino)


def _slices(lengths: Iterable[int]) -> list[tuple[int, int]]:
    ends = list(itertools.accumulate(lengths))
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _chunks(
    shape: tuple[int, int, int], dtype: np.dtype[Any], side: int | None, where: dict[str, WorkerDevice]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    rows, _, columns = shape
    if side is None:
        most = min(most_elements(each, dtype) for each in where.values())
        height, width = tile_sides(rows, columns, len(where), most)
    else:
        height = width = side
    return _cut(rows, height), _cut(columns, width)


def _cut(length: int, most: int) -> tuple[int, ...]:
    return tuple(min(most, length - start) for start in range(0, length, most)) or (0,)


def most_elements(device: WorkerDevice, dtype: np.dtype[Any]) -> int:
    """Of a tile on a device."""
    sums = max(4, dtype.itemsize)
    fitting = budget_of(device.memory, device.is_gpu) // (_ARRAYS * sums)
    return max(1, min(fitting, device.largest_array // sums, _MAX_ELEMENTS))


def tile_sides(rows: int, columns: int, workers: int, most: int) -> tuple[int, int]:
    """Rows and columns of the largest tiles of at most so many elements, of which each worker has equally many. Of the
    ways to cut the product into these, the one that reads the fewest elements."""
    rows, columns = max(rows, 1), max(columns, 1)
    least = -(-rows * columns // most)
    first = -(-least // workers) * workers
    for count in range(first, first + _TRIES * workers, workers):
        cuts = [(down, count // down) for down in range(1, count + 1) if count % down == 0]
        ways = [
            (rows * across + columns * down, _length(rows, down), _length(columns, across)) for down, across in cuts
        ]
        if fitting := [way for way in ways if way[1] * way[2] <= most]:
            _, height, width = min(fitting)
            return height, width
    side = math.isqrt(most)
    side -= side % _STEP if side >= _STEP else 0
    return min(rows, side), min(columns, side)


def _length(total: int, parts: int) -> int:
    return min(total, -(-total // (parts * _STEP)) * _STEP)


@lru_cache(maxsize=1)
def _buffers(nbytes: int, device: gp.Device) -> list[Bytes]:
    """The buffers of a stream, kept for the worker's next tile: page-locked memory is made at 2 GB/s, less than half as
    fast as a tile needs it."""
    return make_buffers(nbytes, device)


def multiply_files(a: FileMatrix, b: FileMatrix, rows: tuple[int, int], columns: tuple[int, int]) -> Block:
    """One tile of a product. For tasks."""
    device = task_device()
    left, right = a.opened(), b.opened()
    made = np.empty((rows[1] - rows[0], columns[1] - columns[0]), a.dtype)
    if not made.size:
        return made
    # the system gives the result's pages while the device computes
    filling = threading.Thread(target=by_parts, args=(len(made), made.nbytes, lambda *part: made[slice(*part)].fill(0)))
    filling.start()
    inner = min(PANEL, a.shape[1])
    nbytes = (made.shape[0] + made.shape[1]) * inner * made.itemsize
    measures = Measures(lambda nbytes: None)
    try:
        multiply_tile(
            left, right, Grid(rows[0], 0, columns[0]), Grid(made.shape[0], inner, made.shape[1]),
            _buffers(nbytes, device), made, filling.join, device, measures,
        )  # fmt: skip
    finally:
        filling.join()
    done = measures.result(device.id)
    context_meter.digest_metric(COMPUTE, done.seconds["compute"], "seconds")
    context_meter.digest_metric(DOWNLOAD, done.seconds["download"], "seconds")
    for step, phase in ((UPLOAD, "upload"), (DOWNLOAD, "download")):
        context_meter.digest_metric(step, done.nbytes[phase], "bytes")
    return made
