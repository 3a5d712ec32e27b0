"""Files for the tests of streams, and a system that refuses to write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


def saved(folder: Path, values: npt.NDArray[Any], name: str = "in.npy") -> Path:
    """The file of an array."""
    path = folder / name
    np.save(path, values)
    return path


def names_in(folder: Path) -> list[str]:
    """The files of a folder, also those that begin with a dot."""
    return sorted(os.listdir(folder))


@contextmanager
def no_file_larger_than(nbytes: int) -> Iterator[None]:
    """Let the system refuse what is written behind so many bytes of a file, as a full disk does."""
    import resource  # noqa: PLC0415 (POSIX alone)

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
