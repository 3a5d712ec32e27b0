"""Large arrays of the host in chunks, on all cores: NumPy computes outside of Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_CHUNK = 1 << 20  # elements
_T = TypeVar("_T")


def in_chunks(size: int, work: Callable[[slice], _T]) -> Iterator[_T]:
    """The results of `work` for each chunk of an array of `size` elements, in order."""
    parts = [slice(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
    if len(parts) <= 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(work, parts)


def first_problem(size: int, check: Callable[[slice], str]) -> str:
    """The first problem that `check` finds in a chunk; "" if there is none."""
    return next(filter(None, in_chunks(size, check)), "")
