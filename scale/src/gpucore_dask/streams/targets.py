"""What streams write: a .npy file or a zarr store, which is there whole or not at all."""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask.streams.files import bytes_of, reason_of
from gpucore_dask.streams.zarr_library import import_zarr

_STORE = ".zarr"
"""The end of the names of stores."""


def check_target(path: str | os.PathLike[str], overwrite: bool) -> Path:
    """The file or store that a path means, links followed. Raises ArgumentError where none can be written."""
    target = Path(os.path.realpath(path))
    if target.suffix == _STORE:
        import_zarr(str(path))
        if target.exists() and not (target.is_dir() and _is_store(target)):
            raise gp.ArgumentError(f"{path} cannot be written: it is no zarr store")
    elif target.is_dir():
        raise gp.ArgumentError(f"{path} cannot be written: it is a folder")
    elif target.exists() and not target.is_file():
        raise gp.ArgumentError(f"{path} cannot be written: it is not a regular file")
    if target.exists() and not overwrite:
        raise gp.ArgumentError(f"{path} exists; name another file, or pass overwrite=True")
    if not target.parent.is_dir():
        raise gp.ArgumentError(f"{path} cannot be written: there is no folder {target.parent}")
    return target


def _is_store(folder: Path) -> bool:
    """Whether a folder is a zarr array or group, so that it may be replaced."""
    return any((folder / name).is_file() for name in ("zarr.json", ".zarray", ".zgroup"))


def check_space(needs: list[tuple[Path, int]]) -> None:
    """Raise ArgumentError if the file systems of folders have less space than will be written there."""
    wanted: dict[int, tuple[Path, int]] = {}
    for folder, nbytes in needs:
        place = os.stat(folder).st_dev
        wanted[place] = folder, nbytes + wanted.get(place, (folder, 0))[1]
    for folder, nbytes in wanted.values():
        free = shutil.disk_usage(folder).free
        if free < nbytes:
            raise gp.ArgumentError(
                f"{folder} has {free:,} bytes free, and {nbytes:,} are to be written there; make room, or name "
                "another folder"
            )


class Target(ABC):
    """An array of a shape and dtype, written by parts under a temporary name in its folder.

    `with` puts it in place at the end, and removes it after an exception. Raises ArgumentError for what the system
    refuses.
    """

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._path, self._shape, self._dtype = path, shape, dtype
        self._temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.tmp")

    @property
    def nbytes(self) -> int:
        return math.prod(self._shape) * self._dtype.itemsize

    def __enter__(self) -> Target:
        try:
            with self._explained():
                self._open()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                with self._explained():
                    self._put_in_place()
        finally:  # after the replacement there is nothing left to remove
            self._remove()

    def write(self, first: int, values: npt.NDArray[Any]) -> None:
        """Write contiguous elements of an array of rank 1, from one on."""
        with self._explained():
            self._write(first, values)

    def write_tile(self, row: int, column: int, tile: npt.NDArray[Any]) -> None:
        """Write a contiguous tile of a matrix."""
        with self._explained():
            self._write_tile(row, column, tile)

    @abstractmethod
    def _open(self) -> None:
        """Make what has the temporary name."""

    @abstractmethod
    def _write(self, first: int, values: npt.NDArray[Any]) -> None: ...

    @abstractmethod
    def _write_tile(self, row: int, column: int, tile: npt.NDArray[Any]) -> None: ...

    @abstractmethod
    def _put_in_place(self) -> None:
        """Give it its name."""

    @abstractmethod
    def _remove(self) -> None:
        """Remove what has the temporary name, if there is anything."""

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise gp.ArgumentError(f"{self._path} cannot be written: {reason_of(error)}") from error


class NpyTarget(Target):
    """A .npy file."""

    _file: BinaryIO | None = None
    _first = 0

    def _open(self) -> None:
        descr = np.lib.format.dtype_to_descr(self._dtype)
        header = {"descr": descr, "fortran_order": False, "shape": self._shape}
        self._file = open(self._temporary, "xb")  # noqa: SIM115 (open until it is put in place)
        np.lib.format.write_array_header_1_0(self._file, header)
        self._first = self._file.tell()

    def _write(self, first: int, values: npt.NDArray[Any]) -> None:
        assert self._file is not None
        self._file.seek(self._first + first * self._dtype.itemsize)
        self._file.write(bytes_of(values))

    def _write_tile(self, row: int, column: int, tile: npt.NDArray[Any]) -> None:
        columns = self._shape[1]
        if tile.shape[1] == columns:
            self._write(row * columns, tile)
            return
        for offset, values in enumerate(tile):
            self._write((row + offset) * columns + column, values)

    def _put_in_place(self) -> None:
        assert self._file is not None
        self._file.close()
        if self._path.exists():
            shutil.copymode(self._path, self._temporary)
        os.replace(self._temporary, self._path)

    def _remove(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # what a full disk has refused once
                self._file.close()
        with contextlib.suppress(FileNotFoundError):
            self._temporary.unlink()


class ZarrTarget(Target):
    """A zarr store, in chunks of zarr's choice."""

    _array: Any = None

    def _open(self) -> None:
        create = import_zarr(str(self._path)).create_array
        self._array = create(self._temporary, shape=self._shape, dtype=self._dtype)

    def _write(self, first: int, values: npt.NDArray[Any]) -> None:
        self._array[first : first + values.size] = values

    def _write_tile(self, row: int, column: int, tile: npt.NDArray[Any]) -> None:
        self._array[row : row + tile.shape[0], column : column + tile.shape[1]] = tile

    def _put_in_place(self) -> None:
        if self._path.exists():  # folders are not replaced in one step
            before = self._temporary.with_suffix(".old")
            os.replace(self._path, before)
            try:
                os.replace(self._temporary, self._path)
            except BaseException:
                os.replace(before, self._path)
                raise
            shutil.rmtree(before, ignore_errors=True)
        else:
            os.replace(self._temporary, self._path)

    def _remove(self) -> None:
        shutil.rmtree(self._temporary, ignore_errors=True)


def make_target(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Target:
    """What a path that `check_target` returned names."""
    kind = ZarrTarget if path.suffix == _STORE else NpyTarget
    return kind(path, shape, dtype)
