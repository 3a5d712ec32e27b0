"""Splitters of sorted runs: regular sampling, in which equal keys are told apart by their place. NumPy alone.

An array of n elements lies in p chunks of any lengths, and each chunk is sorted: a run. Elements are ordered by (key,
chunk, position in the run), so no two are equal. `to_keys` gives the keys: unsigned, in the order of `gp.sort`.

- `stretch_of` gives w = max(1, n // (5 p^2)).
- `samples` takes the last element of every w elements of a run, and of its rest. A sample stands for its stretch.
- `splitters` puts all samples in order, adds up the lengths of their stretches, and takes for each wanted rank r the
  first sample whose sum W is at least r.
- `cuts` says how many elements of a run come before or at each splitter. Part j of a run is what lies between the cuts
  j-1 and j; part j of all runs is bucket j.

The rank R of a splitter, the number of elements up to it, is off by at most e = p (w - 1), and never too small:

    r <= W <= R <= r + e

A stretch that W counts ends at or before the splitter, so all its elements count in R: W <= R. An element that R counts
and W does not is in a stretch that the splitter lies within. The splitter ends the stretch of its own run, and each of
the other p - 1 runs has one such stretch at most, of which w - 1 elements at most come before it:
R <= W + (p - 1) (w - 1). The sample before has a sum below r, so W <= r + w - 1. The sum is R <= r + p (w - 1).

If w = 1, e is 0. Else w <= n / (5 p^2), and e < n / (5 p). So with wanted ranks at most ceil(n / p) apart

- no bucket has more than ceil(n / p) + e <= 1.2 n / p elements (ceil(n / p) if w = 1);
- bucket j begins at its wanted rank or at most e < n / (5 p) after it, so what lies between the wanted ranks j and
  j + 1 is in buckets j - 1 and j.

There are at most n / w + p samples, which is at most 10 p^2 + p for n >= 5 p^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.unsignedinteger[Any]]
Places = npt.NDArray[np.int64]

_FRACTION = 5  # a splitter's rank is off by less than a fifth of a bucket


class RunKeys:
    """The keys of a run, made where they are looked at: sampling and cutting look at few."""

    def __init__(self, run: npt.NDArray[Any], descending: bool = False) -> None:
        self.size, self._run, self._descending = run.size, run, descending

    def __getitem__(self, places: Places) -> Keys:
        return to_keys(self._run[places], self._descending)


class Samples(NamedTuple):
    """Elements of one run, in order."""

    keys: Keys
    places: Places
    """Their positions in the run."""
    lengths: Places
    """Of the stretches that they end."""


class Splitters(NamedTuple):
    """Elements that end all buckets but the last, in order."""

    keys: Keys
    chunks: Places
    """The chunks that have them."""
    places: Places
    """Their positions in the runs."""


def to_keys(array: npt.NDArray[Any], descending: bool = False) -> Keys:
    """The keys of values: unsigned integers of their width, in the order of `gp.sort`.

    Floats: -inf ... -0.0 < 0.0 ... inf, then NaN of either sign; no two patterns of bits have one key. `descending`
    gives the exact reverse. For unsigned and signed integers and floats in the byte order of this machine.
    """
    width = array.dtype.itemsize * 8
    unsigned = np.dtype(f"u{array.dtype.itemsize}").type
    bits = np.ascontiguousarray(array).view(unsigned)
    sign = unsigned(1 << (width - 1))
    if array.dtype.kind == "u":
        keys = bits
    elif array.dtype.kind == "i":
        keys = bits ^ sign
    elif array.dtype.kind == "f":
        infinity = np.array(-np.inf, array.dtype).view(unsigned)
        keys = np.where(bits & sign, ~bits, bits | sign)
        keys -= ~infinity  # the least number is 0, so that NaNs with a sign come last
    else:
        raise TypeError(f"an array of {array.dtype} has no keys; sort integers or floats")
    made: Keys = ~keys if descending else keys
    return made


def stretch_of(size: int, num_chunks: int) -> int:
    """The length of a stretch, w, for n elements in p chunks."""
    return max(1, size // (_FRACTION * num_chunks * num_chunks))


def wanted_ranks(size: int, num_parts: int) -> list[int]:
    """The ranks that divide n elements into parts whose lengths differ by 1 at most: p - 1 of them."""
    return [part * size // num_parts for part in range(1, num_parts)]


def samples(run_keys: Keys | RunKeys, stretch: int) -> Samples:
    """The last element of every `stretch` elements of a run, and of its rest."""
    size = run_keys.size
    places = np.arange(stretch - 1, size + stretch - 1, stretch, dtype=np.int64)
    places = np.minimum(places, size - 1)
    return Samples(run_keys[places], places, np.diff(places, prepend=-1))


def splitters(runs: Sequence[Samples], ranks: Sequence[int]) -> Splitters:
    """The element at each wanted rank or a little after it. `runs` are the samples of all chunks, in their order.

    The ranks do not fall, and none exceeds the number of elements that the samples stand for.
    """
    keys = np.concatenate([run.keys for run in runs])
    chunks = np.repeat(np.arange(len(runs), dtype=np.int64), [run.keys.size for run in runs])
    places = np.concatenate([run.places for run in runs])
    lengths = np.concatenate([run.lengths for run in runs])
    if not keys.size:  # there are no elements: each splitter is before the first one
        none = np.zeros(len(ranks), np.int64)
        return Splitters(np.zeros(len(ranks), keys.dtype), none, none - 1)
    order = np.argsort(keys, kind="stable")  # samples lie in the order of chunks and positions
    chosen = order[np.searchsorted(np.cumsum(lengths[order]), np.asarray(ranks, np.int64), side="left")]
    return Splitters(keys[chosen], chunks[chosen], places[chosen])


def cuts(run_keys: Keys | RunKeys, chunk: int, chosen: Splitters) -> Places:
    """How many elements of the run of a chunk come before or at each splitter, by one bisection for all of them.

    Of equal keys, those of earlier chunks come before the splitter, those of later ones after it, and those of its own
    chunk up to its position.
    """
    low = np.zeros(chosen.keys.size, np.int64)
    high = np.full(chosen.keys.size, run_keys.size, np.int64)
    counts_equal = chosen.chunks > chunk
    while (low < high).any():
        middle = (low + high) // 2
        keys = run_keys[np.minimum(middle, run_keys.size - 1)]
        is_open = low < high
        is_before = (keys < chosen.keys) | (counts_equal & (keys == chosen.keys))
        low = np.where(is_open & is_before, middle + 1, low)
        high = np.where(is_open & ~is_before, middle, high)
    return np.where(chosen.chunks == chunk, chosen.places + 1, low)
