"""A scratch file without a name, and what the system says of files."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp


def reason_of(error: OSError) -> str:
    """What the system says."""
    return error.strerror or str(error)


def bytes_of(values: npt.NDArray[Any]) -> memoryview:
    """The bytes of a contiguous array, which are shared."""
    return values.reshape(-1).view(np.uint8).data


class Scratch:
    """A file of elements that the system removes with the process, however that ends."""

    def __init__(self, folder: Path, dtype: np.dtype[Any]) -> None:
        self._folder, self._dtype = folder, dtype

    def __enter__(self) -> Scratch:
        with self._explained():
            self._file: Any = tempfile.TemporaryFile(dir=self._folder, prefix=".gpucore-")
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(OSError):  # what a full disk has refused once
            self._file.close()

    def write(self, first: int, values: npt.NDArray[Any]) -> None:
        """Write contiguous elements, from an element on."""
        with self._explained():
            self._file.seek(first * self._dtype.itemsize)
            self._file.write(bytes_of(values))

    def read(self, first: int, out: npt.NDArray[Any]) -> None:
        """Read elements that were written, from one on, into a contiguous array."""
        with self._explained():
            self._file.seek(first * self._dtype.itemsize)
            if self._file.readinto(bytes_of(out)) != out.nbytes:
                raise OSError("it is shorter than what was written to it")

    def mapped(self, size: int) -> npt.NDArray[Any]:
        """The first elements, of which only those are read that are looked at."""
        with self._explained():
            self._file.flush()
            return np.memmap(self._file, self._dtype, mode="r", shape=(size,))

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise gp.ArgumentError(f"the scratch file in {self._folder} failed: {reason_of(error)}") from error
