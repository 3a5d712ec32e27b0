"""The sort of an array larger than a device: sorted runs in a scratch file, then buckets of slices of all runs.

The buckets lie between splitters (`gpucore_dask.splitting`), so the sorted buckets follow each other in the result.
A bucket is sorted, not merged from its slices: on the cpu device, of 2^22 u32, f32 or i64 in 16 or 64 slices, that took
0.24 to 0.78 of the time of a tree of `gp.merge`; of 4 slices i64 alone was merged faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask import splitting
from gpucore_dask.streams.files import Scratch
from gpucore_dask.streams.measures import Measures
from gpucore_dask.streams.memory import Budget
from gpucore_dask.streams.pipeline import Bytes, make_buffers, run
from gpucore_dask.streams.sources import Source
from gpucore_dask.streams.targets import Target

MAX_RUNS = 2000
_KEY = 4  # bytes: the sort's keys of narrow elements
_WIDEST = 8  # bytes
_ARRAYS = 4  # two inputs and two outputs
_KEYS = 4  # arrays of keys: two that a sort makes, and two of the piece before, which core keeps for the next ones


def check_keys(source: Source) -> None:
    """Raise ArgumentError for an array that `gp.sort` would not sort, or not as one row."""
    if len(source.shape) != 1:
        raise gp.ArgumentError(f"stream_sort takes an array of rank 1; {source.name} has shape {source.shape}")
    if source.dtype.kind not in "iuf" or source.dtype.itemsize > _WIDEST:
        raise gp.ArgumentError(
            f"stream_sort takes integers of 8 to 64 bits and floats of 16, 32 and 64; {source.name} has {source.dtype}"
        )


class Plan(NamedTuple):
    """How an array is cut into runs."""

    edges: list[int]
    """Where the runs begin, and the last one ends."""
    stretch: int
    """The elements that a sample stands for."""

    @property
    def sizes(self) -> list[int]:
        return [end - start for start, end in zip(self.edges, self.edges[1:], strict=False)]


def capacity_of(budget: Budget, dtype: np.dtype[Any]) -> int:
    """The most elements of a piece."""
    key = max(_KEY, dtype.itemsize)
    return budget.elements(_ARRAYS * dtype.itemsize + _KEYS * key, dtype, largest=2 * key)


def plan_runs(size: int, capacity: int) -> Plan:
    """Runs, and a stretch, with which no run and no bucket has more elements than `capacity`."""
    if size <= capacity:
        return Plan([0, size], max(1, size))
    num_runs = -(-size // max(1, capacity))
    while num_runs <= MAX_RUNS:
        stretch = splitting.stretch_of(size, num_runs)
        if -(-size // num_runs) + num_runs * (stretch - 1) <= capacity:
            return Plan([run * size // num_runs for run in range(num_runs + 1)], stretch)
        num_runs += 1
    raise gp.ArgumentError(
        f"{size:,} elements would be sorted in more than {MAX_RUNS:,} runs, since {capacity:,} fit into the memory "
        f"that may be used; {-(-6 * size // (5 * MAX_RUNS)):,} must fit"
    )


class Sorter:
    """The arrays on the device, by which two neighbours alternate."""

    def __init__(self, capacity: int, dtype: np.dtype[Any], descending: bool, device: gp.Device) -> None:
        self.dtype, self._descending = dtype, descending
        self._arrays = [[gp.empty(capacity, dtype, device=device) for _ in range(2)] for _ in range(2)]

    def upload(self, number: int, host: npt.NDArray[Any]) -> Sequence[Any]:
        return [self._part(0, number, host.size).copy_from(host)]

    def sort(self, number: int, size: int) -> None:
        gp.sort(self._part(0, number, size), self._descending, out=self._part(1, number, size))

    def download(self, number: int, host: npt.NDArray[Any]) -> Any:
        return self._part(1, number, host.size).copy_to(host)

    def close(self) -> None:
        """Free the memory."""
        for array in (*self._arrays[0], *self._arrays[1]):
            array.close()

    def _part(self, side: int, number: int, size: int) -> gp.Array:
        whole = self._arrays[side][number % 2]
        return whole if size == whole.size else whole[:size]


class SortedPiece:
    """Elements that are read, sorted and written: `fill` and `store` do that with an array of the host."""

    def __init__(
        self, number: int, size: int, sorter: Sorter,
        fill: Callable[[npt.NDArray[Any]], None], store: Callable[[npt.NDArray[Any]], None],
    ) -> None:  # fmt: skip
        self._number, self._size, self._sorter = number, size, sorter
        self._fill, self._store = fill, store
        self.bytes_in = self.bytes_out = size * sorter.dtype.itemsize

    def _values(self, buffer: Bytes) -> npt.NDArray[Any]:
        return buffer[: self.bytes_in].view(self._sorter.dtype)

    def read(self, buffer: Bytes) -> None:
        self._fill(self._values(buffer))

    def upload(self, buffer: Bytes) -> Sequence[Any]:
        return self._sorter.upload(self._number, self._values(buffer))

    def compute(self) -> None:
        self._sorter.sort(self._number, self._size)

    def download(self, buffer: Bytes) -> Any:
        return self._sorter.download(self._number, self._values(buffer))

    def write(self, buffer: Bytes) -> None:
        self._store(self._values(buffer))


class Runs:
    """The sorted runs in the scratch file, and the samples of each."""

    def __init__(self, plan: Plan, scratch: Scratch, descending: bool) -> None:
        self._plan, self._scratch, self._descending = plan, scratch, descending
        self._samples: list[splitting.Samples] = []

    def keep(self, run: npt.NDArray[Any]) -> None:
        """Write the next run."""
        self._scratch.write(self._plan.edges[len(self._samples)], run)
        self._samples.append(splitting.samples(self._keys(run), self._plan.stretch))

    def find_cuts(self) -> npt.NDArray[np.int64]:
        """Where each bucket begins and ends in each run: a row is a run."""
        edges, num_runs = self._plan.edges, len(self._samples)
        chosen = splitting.splitters(self._samples, splitting.wanted_ranks(edges[-1], num_runs))
        runs = np.split(self._scratch.mapped(edges[-1]), edges[1:-1])
        found = [splitting.cuts(self._keys(values), number, chosen) for number, values in enumerate(runs)]
        rows = [np.concatenate([[0], cuts, [size]]) for cuts, size in zip(found, self._plan.sizes, strict=True)]
        return np.array(rows, np.int64)

    def _keys(self, run: npt.NDArray[Any]) -> splitting.RunKeys:
        return splitting.RunKeys(run, self._descending)

    def pieces(self, cuts: npt.NDArray[np.int64], sorter: Sorter, target: Target) -> Iterator[SortedPiece]:
        """The buckets, in order."""
        first = 0
        for bucket in range(cuts.shape[1] - 1):  # none is empty: their sizes differ by less than a fifth
            starts, ends = cuts[:, bucket], cuts[:, bucket + 1]
            size = int((ends - starts).sum())
            yield SortedPiece(bucket, size, sorter, self._filler(starts, ends), _writer(target, first))
            first += size

    def _filler(self, starts: splitting.Places, ends: splitting.Places) -> Callable[[npt.NDArray[Any]], None]:
        def fill(values: npt.NDArray[Any]) -> None:
            at = 0
            for edge, start, end in zip(self._plan.edges, starts.tolist(), ends.tolist(), strict=False):
                if end > start:
                    self._scratch.read(edge + start, values[at : at + end - start])
                at += end - start

        return fill


def sort_into(
    target: Target, source: Source, plan: Plan, descending: bool, device: gp.Device, folder: Path, measures: Measures
) -> None:
    """Write a source of at least one element in order."""
    largest, num_runs = max(plan.sizes), len(plan.sizes)
    if num_runs == 1:
        with closing(Sorter(largest, source.dtype, descending, device)) as sorter:
            whole = SortedPiece(0, largest, sorter, _reader(source, 0), _writer(target, 0))
            run([whole], make_buffers(whole.bytes_in, device), device, measures)
        return
    largest += num_runs * (plan.stretch - 1)  # the bound of a bucket
    with (
        closing(Sorter(largest, source.dtype, descending, device)) as sorter,
        Scratch(folder, source.dtype) as scratch,
    ):
        buffers = make_buffers(largest * source.dtype.itemsize, device)
        runs = Runs(plan, scratch, descending)
        first = [
            SortedPiece(number, size, sorter, _reader(source, plan.edges[number]), runs.keep)
            for number, size in enumerate(plan.sizes)
        ]
        run(first, buffers, device, measures)
        with measures.of("read", 0):
            cuts = runs.find_cuts()
        run(runs.pieces(cuts, sorter, target), buffers, device, measures)


def _reader(source: Source, first: int) -> Callable[[npt.NDArray[Any]], None]:
    return lambda values: source.read([slice(first, first + values.size)], values)


def _writer(target: Target, first: int) -> Callable[[npt.NDArray[Any]], None]:
    return lambda values: target.write(first, values)
