"""The product of matrices larger than a device: a tile of the result stays there, panels of both matrices stream.

A tile of `rows` x `columns` takes panels of `inner` columns of the left matrix and as many rows of the right one, and
both panels together have about as many elements as the tile: they go through the same buffers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask.streams.measures import Measures
from gpucore_dask.streams.memory import Budget
from gpucore_dask.streams.pipeline import Bytes, make_buffers, run
from gpucore_dask.streams.sources import Source
from gpucore_dask.streams.targets import Target

_STEP = 64  # elements: tiles and panels of whole matrices of a workgroup
_WIDEST = 8  # bytes
_ARRAYS = 7
"""The bytes of a tile that a stream takes: two tiles, two pairs of panels, and what the product makes of a pair: with
three parts of 16 bits for each f32, one and a half."""
_WIDENED_ARRAYS = 14
"""Those of a tile of f16, whose sums and panels are f32 on the device."""


class Grid(NamedTuple):
    """The most rows and columns of a tile, and the inner length of its panels."""

    rows: int
    inner: int
    columns: int


def check_matrices(call: str, a: Source, b: Source) -> tuple[int, int, int]:
    """Rows, inner length and columns of a product. Raises ArgumentError for arrays that cannot be multiplied."""
    for source in (a, b):
        if len(source.shape) != 2:
            raise gp.ArgumentError(f"{call} takes matrices; {source.name} has shape {source.shape}")
        kind, width = source.dtype.kind, source.dtype.itemsize
        if kind not in "iuf" or width > _WIDEST or width < (2 if kind == "f" else 4):
            raise gp.ArgumentError(
                f"{call} takes integers of 32 and 64 bits and floats of 16, 32 and 64; {source.name} has {source.dtype}"
            )
    if a.dtype != b.dtype:
        raise gp.ArgumentError(
            f"{call} takes matrices of one dtype; {a.name} has {a.dtype}, and {b.name} has {b.dtype}"
        )
    (rows, inner), (others, columns) = a.shape, b.shape
    if inner != others:
        raise gp.ArgumentError(
            f"{call} takes shapes (m, k) and (k, n); {a.name} has {a.shape}, and {b.name} has {b.shape}"
        )
    return rows, inner, columns


def plan_grid(shape: tuple[int, int, int], budget: Budget, dtype: np.dtype[Any]) -> Grid:
    """The largest tiles that fit. Raises ArgumentError if none does."""
    arrays = _WIDENED_ARRAYS if dtype == np.float16 else _ARRAYS
    area = budget.elements(arrays * dtype.itemsize, dtype, largest=max(4, dtype.itemsize))
    if area < 2:
        raise gp.ArgumentError(f"a memory of {budget.nbytes:,} bytes is too small for a product of {dtype}")
    rows, inner, columns = (max(1, length) for length in shape)
    width = min(columns, math.isqrt(area))
    height = _whole(rows, area // width)
    width = _whole(columns, area // height)
    if height + width > area:  # of a few elements
        height = width = 1
    return Grid(height, _whole(inner, area // (height + width)), width)


def _whole(length: int, most: int) -> int:
    if most >= length:
        return length
    return most - most % _STEP if most >= _STEP else most


class Multiplier:
    """The arrays on the device: pairs of panels, by which two neighbours alternate, and so do tiles."""

    def __init__(
        self, grid: Grid, dtype: np.dtype[Any], is_wide: bool, precision: str, device: gp.Device, tiles: int = 2,
    ) -> None:  # fmt: skip
        self._dtype, self._is_wide, self._precision = (
            gp.asarray(np.empty(0, dtype), device=device).dtype,
            is_wide,
            precision,
        )
        sizes = grid.rows * grid.inner, grid.inner * grid.columns
        self._panels = [[gp.empty(size, dtype, device=device) for size in sizes] for _ in range(2)]
        sums = np.dtype(np.float32) if is_wide else dtype
        self._tiles = [gp.empty(grid.rows * grid.columns, sums, device=device) for _ in range(tiles)]
        self._results: list[Any] = [None, None]

    def upload(self, number: int, hosts: Sequence[npt.NDArray[Any]]) -> Sequence[Any]:
        return [
            _shaped(array, host.shape).copy_from(host)
            for array, host in zip(self._panels[number % 2], hosts, strict=True)
            if host.size
        ]

    def multiply(self, number: int, tile: int, shape: Grid, is_first: bool, is_last: bool) -> None:
        """Add the product of a pair of panels to a tile."""
        c = _shaped(self._tiles[tile % 2], (shape.rows, shape.columns))
        if shape.inner == 0:
            c.fill(0)
        else:
            a, b = self._panels[number % 2]
            left, right = _shaped(a, (shape.rows, shape.inner)), _shaped(b, (shape.inner, shape.columns))
            if self._is_wide:
                left, right = left.astype(gp.f32), right.astype(gp.f32)
            gp.matmul(left, right, out=c, beta=0 if is_first else 1, precision=self._precision)
        if is_last:
            self._results[tile % 2] = c.astype(gp.f16) if self._is_wide else c

    def download(self, tile: int, host: npt.NDArray[Any]) -> Any:
        return self._results[tile % 2].copy_to(host)

    def close(self) -> None:
        """Free the memory."""
        for array in (*self._panels[0], *self._panels[1], *self._tiles):
            array.close()


def _shaped(array: gp.Array, shape: tuple[int, ...]) -> Any:
    return array[: math.prod(shape)].reshape(*shape)


class PanelPair:
    """A panel of each matrix, and the tile to which their product is added."""

    def __init__(
        self, number: int, tile: int, corner: Grid, shape: Grid, inner: int, ends: tuple[Any, ...],
    ) -> None:  # fmt: skip
        self._number, self._tile, self._corner, self._shape = number, tile, corner, shape
        self._a, self._b, self._target, self._multiplier = ends
        self._is_first, self._is_last = corner.inner == 0, corner.inner + shape.inner == inner
        self._width = self._a.dtype.itemsize
        self.bytes_in = (shape.rows + shape.columns) * shape.inner * self._width
        is_written = self._is_last and self._target is not None
        self.bytes_out = shape.rows * shape.columns * self._width if is_written else 0

    def _hosts(self, buffer: Bytes) -> list[npt.NDArray[Any]]:
        rows, inner, columns = self._shape
        middle = rows * inner * self._width
        return [
            buffer[:middle].view(self._a.dtype).reshape(rows, inner),
            buffer[middle : self.bytes_in].view(self._a.dtype).reshape(inner, columns),
        ]

    def _result(self, buffer: Bytes) -> npt.NDArray[Any]:
        shape = self._shape.rows, self._shape.columns
        tile: npt.NDArray[Any] = buffer[: self.bytes_out].view(self._a.dtype).reshape(shape)
        return tile

    def read(self, buffer: Bytes) -> None:
        rows, inner, columns = (
            slice(start, start + length) for start, length in zip(self._corner, self._shape, strict=True)
        )
        left, right = self._hosts(buffer)
        self._a.read((rows, inner), left)
        self._b.read((inner, columns), right)

    def upload(self, buffer: Bytes) -> Sequence[Any]:
        marks: Sequence[Any] = self._multiplier.upload(self._number, self._hosts(buffer))
        return marks

    def compute(self) -> None:
        self._multiplier.multiply(self._number, self._tile, self._shape, self._is_first, self._is_last)

    def download(self, buffer: Bytes) -> Any:
        return self._multiplier.download(self._tile, self._result(buffer))

    def write(self, buffer: Bytes) -> None:
        self._target.write_tile(self._corner.rows, self._corner.columns, self._result(buffer))


def _corners(shape: tuple[int, int, int], grid: Grid) -> Iterator[tuple[int, Grid]]:
    """The tile's number and the corner of each pair of panels, in order."""
    rows, inner, columns = shape
    tile = 0
    for row in range(0, rows, grid.rows):
        for column in range(0, columns, grid.columns):
            for start in range(0, max(1, inner), grid.inner):
                yield tile, Grid(row, start, column)
            tile += 1


def bytes_moved(shape: tuple[int, int, int], grid: Grid, dtype: np.dtype[Any]) -> int:
    """The bytes that are read and written."""
    rows, inner, columns = shape
    reads = inner * (rows * -(-columns // grid.columns) + columns * -(-rows // grid.rows))
    return (reads + rows * columns) * dtype.itemsize


def multiply_into(
    target: Target, a: Source, b: Source, grid: Grid, precision: str, device: gp.Device, measures: Measures
) -> None:
    """Write the product of two matrices."""
    shape = a.shape[0], a.shape[1], b.shape[1]
    is_wide = a.dtype == np.float16 and grid.inner < shape[1]  # sums would be rounded to f16 after each panel
    largest = max((grid.rows + grid.columns) * grid.inner, grid.rows * grid.columns)
    with closing(Multiplier(grid, a.dtype, is_wide, precision, device)) as multiplier:
        ends = a, b, target, multiplier
        pieces = (
            PanelPair(number, tile, corner, _cut(corner, grid, shape), shape[1], ends)
            for number, (tile, corner) in enumerate(_corners(shape, grid))
        )
        run(pieces, make_buffers(largest * a.dtype.itemsize, device), device, measures)


def _cut(corner: Grid, grid: Grid, shape: tuple[int, int, int]) -> Grid:
    return Grid(*(min(most, end - start) for start, most, end in zip(corner, grid, shape, strict=True)))


def multiply_tile(
    a: Source, b: Source, corner: Grid, shape: Grid, buffers: Sequence[Bytes], out: npt.NDArray[Any],
    before_download: Callable[[], None], device: gp.Device, measures: Measures,
) -> None:  # fmt: skip
    """Compute one tile of a product into an array of the host, after a call that it may wait for. `shape.inner` is the
    length of its panels."""
    inner = a.shape[1]
    is_wide = a.dtype == np.float16 and shape.inner < inner
    with closing(Multiplier(shape, a.dtype, is_wide, "highest", device, tiles=1)) as multiplier:
        starts = range(0, max(1, inner), max(1, shape.inner))
        pieces = (
            PanelPair(
                number, 0, corner._replace(inner=start), shape._replace(inner=min(shape.inner, inner - start)), inner,
                (a, b, None, multiplier),
            )
            for number, start in enumerate(starts)
        )  # fmt: skip
        run(pieces, buffers, device, measures)
        device.synchronize()
        before_download()
        with measures.of("download", out.nbytes):
            multiplier.download(0, out).wait()
