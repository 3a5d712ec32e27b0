"""Checks of whole results against NumPy. Each check returns "" for a correct result, else the problem."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_NAN_RANK = 1 << 40


def rank(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The rank of each value in the documented order: -inf ... -0.0 < 0.0 ... inf < every NaN."""
    if values.dtype != np.float32:
        return values.astype(np.int64)
    bits = values.view(np.int32).astype(np.int64)
    ranks = np.where(bits < 0, -(bits & 0x7FFFFFFF) - 1, bits)
    return np.where(np.isnan(values), _NAN_RANK, ranks)


def check_sorted(given: npt.NDArray[Any], result: npt.NDArray[Any], descending: bool) -> str:
    """Whether `result` holds exactly the values of `given`, bit for bit, in order."""
    if result.shape != given.shape or result.dtype != given.dtype:
        return f"the result is {result.dtype} of shape {result.shape}, not {given.dtype} of shape {given.shape}"
    ranks = rank(result)
    steps = np.diff(ranks) if not descending else -np.diff(ranks)
    if (steps < 0).any():
        place = int(np.argmax(steps < 0))
        return f"value {place} is {result[place]!r} and value {place + 1} is {result[place + 1]!r}: out of order"
    wanted, found = (np.sort(array.view(np.uint32)) for array in (given, result))
    if not np.array_equal(wanted, found):
        count = int(np.count_nonzero(wanted != found))
        return f"the result is in order, but is not a permutation of the input: {count} of {given.size} values differ"
    return ""
