"""Arrays that are read by parts: .npy files, zarr arrays and stores, NumPy arrays and memmaps."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask.streams.files import reason_of
from gpucore_dask.streams.threads import by_parts
from gpucore_dask.streams.zarr_library import import_zarr

_MAGIC = b"\x93NUMPY"
_BAND = 32 << 20
"""Bytes of a file that are mapped at a time by each thread that reads it."""


class Source:
    """An array of which parts are read."""

    def __init__(self, name: str, array: Any) -> None:
        self.name, self._array = name, array
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = np.dtype(array.dtype).newbyteorder("=")

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=object)) if self.shape else 1

    def read(self, where: Sequence[slice], out: npt.NDArray[Any]) -> None:
        """Read a part into an array of its shape, in this machine's byte order. Raises ArgumentError."""
        try:
            self._copy(tuple(where), out)
        except OSError as error:
            raise gp.ArgumentError(f"{self.name} cannot be read: {reason_of(error)}") from error

    def _copy(self, where: tuple[slice, ...], out: npt.NDArray[Any]) -> None:
        np.copyto(out, self._array[where])


class StoreSource(Source):
    """A zarr array, whose chunks are decoded as they are read."""

    def _copy(self, where: tuple[slice, ...], out: npt.NDArray[Any]) -> None:
        try:
            super()._copy(where, out)
        except OSError:
            raise
        except Exception as error:
            raise gp.ArgumentError(f"{self.name} cannot be read: {_reason(error)}") from error


class FileSource(Source):
    """An array in a .npy file, by a mapping that this module has made.

    The system may map many more pages than are read, and they count as memory of this process, which workers of Dask
    have little of: so a part is copied in bands, and the pages of each are taken out of the process again. They stay in
    the system's memory, as those of any file.
    """

    def __init__(self, name: str, array: np.memmap[Any, Any]) -> None:
        super().__init__(name, array)
        self._mapping: Any = array._mmap  # type: ignore[attr-defined]
        self._begin = np.frombuffer(self._mapping, np.uint8).ctypes.data

    def _copy(self, where: tuple[slice, ...], out: npt.NDArray[Any]) -> None:
        array: npt.NDArray[Any] = self._array
        if not array.flags.c_contiguous:  # bands are of the axis along which the file goes on
            array, where, out = array.T, where[::-1], out.T
        step = max(1, _BAND // max(1, array.strides[0]))

        def copy(begin: int, end: int) -> None:
            for first in range(begin, end, step):
                last = min(first + step, end)
                rows_of_band = slice(where[0].start + first, where[0].start + last)
                np.copyto(out[first:last], array[(rows_of_band, *where[1:])])
                self._forget(array[rows_of_band])

        by_parts(len(out), out.nbytes, copy)

    def _forget(self, band: npt.NDArray[Any]) -> None:
        """Take the pages of a contiguous band out of this process."""
        if hasattr(mmap, "MADV_DONTNEED"):
            begin = band.ctypes.data - self._begin
            first = begin - begin % mmap.PAGESIZE
            self._mapping.madvise(mmap.MADV_DONTNEED, first, begin + band.nbytes - first)


def open_source(call: str, name: str, given: Any) -> Source:
    """The array that an argument is or names. Raises ArgumentError."""
    if isinstance(given, np.ma.MaskedArray):
        raise gp.ArgumentError(f"{name} is a masked array, whose mask would be lost; pass {name}.filled(...)")
    if isinstance(given, np.ndarray):
        return Source(name, given)
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        return StoreSource(str(given), _open_zarr(path)) if path.is_dir() else _open_npy(path)
    if type(given).__module__.partition(".")[0] == "zarr" and hasattr(given, "dtype"):
        return StoreSource(name, given)
    raise gp.ArgumentError(
        f"{call} takes paths of .npy files and zarr stores, zarr arrays and NumPy arrays; {name} is a "
        f"{type(given).__name__}"
    )


def _open_npy(path: Path) -> Source:
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
        if start != _MAGIC:
            raise gp.ArgumentError(f"{path} is not a .npy file; write it with numpy.save")
        array = np.lib.format.open_memmap(path, mode="r")
        return FileSource(str(path), array) if array.size else Source(str(path), array)
    except OSError as error:
        raise gp.ArgumentError(f"{path} cannot be read: {reason_of(error)}") from error
    except gp.ArgumentError:
        raise
    except Exception as error:
        reason = _reason(error)
        if "greater than file size" in reason:
            reason = "it is shorter than its header says"
        raise gp.ArgumentError(f"{path} is not a valid .npy file: {reason}") from error


def _open_zarr(path: Path) -> Any:
    zarr = import_zarr(f"{path} is a folder; as a zarr store it")
    try:
        return zarr.open_array(path, mode="r")
    except Exception as error:
        raise gp.ArgumentError(f"{path} is a folder, and no zarr array: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
