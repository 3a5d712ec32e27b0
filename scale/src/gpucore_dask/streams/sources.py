"""Arrays that are read by parts: .npy files, zarr arrays and stores, NumPy arrays and memmaps."""

from __future__ import annotations

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
            if isinstance(self._array, np.ndarray) and out.ndim:
                by_parts(len(out), out.nbytes, lambda begin, end: self._copy(where, begin, end, out))
            else:
                np.copyto(out, self._array[tuple(where)])
        except OSError as error:
            raise gp.ArgumentError(f"{self.name} cannot be read: {reason_of(error)}") from error

    def _copy(self, where: Sequence[slice], begin: int, end: int, out: npt.NDArray[Any]) -> None:
        rows = slice(where[0].start + begin, where[0].start + end)
        np.copyto(out[begin:end], self._array[(rows, *where[1:])])


def open_source(call: str, name: str, given: Any) -> Source:
    """The array that an argument is or names. Raises ArgumentError."""
    if isinstance(given, np.ma.MaskedArray):
        raise gp.ArgumentError(f"{name} is a masked array, whose mask would be lost; pass {name}.filled(...)")
    if isinstance(given, np.ndarray):
        return Source(name, given)
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        return Source(str(given), _open_zarr(path) if path.is_dir() else _open_npy(path))
    if type(given).__module__.partition(".")[0] == "zarr" and hasattr(given, "dtype"):
        return Source(name, given)
    raise gp.ArgumentError(
        f"{call} takes paths of .npy files and zarr stores, zarr arrays and NumPy arrays; {name} is a "
        f"{type(given).__name__}"
    )


def _open_npy(path: Path) -> npt.NDArray[Any]:
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
        if start != _MAGIC:
            raise gp.ArgumentError(f"{path} is not a .npy file; write it with numpy.save")
        return np.lib.format.open_memmap(path, mode="r")
    except OSError as error:
        raise gp.ArgumentError(f"{path} cannot be read: {reason_of(error)}") from error
    except gp.ArgumentError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if "greater than file size" in reason:
            reason = "it is shorter than its header says"
        raise gp.ArgumentError(f"{path} is not a valid .npy file: {reason}") from error


def _open_zarr(path: Path) -> Any:
    zarr = import_zarr(f"{path} is a folder; as a zarr store it")
    try:
        return zarr.open_array(path, mode="r")
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise gp.ArgumentError(f"{path} is a folder, and no zarr array: {reason}") from error
