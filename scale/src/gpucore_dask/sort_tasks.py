"""What the tasks of a sort do. A run is a tuple of NumPy arrays: keys in order, and values moved along with them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore_dask import splitting
from gpucore_dask.metering import COMPUTE, UPLOAD, downloaded, metered, uploaded
from gpucore_dask.refusals import check_block
from gpucore_dask.splitting import Places, Samples, Splitters
from gpucore_dask.streams.threads import by_parts
from gpucore_dask.worker_device import give_back, task_device

Run = tuple[npt.NDArray[Any], ...]
_LARGE = 8 << 20
"""Bytes, of which a sort takes longer than it takes to free memory."""
_BYTES_OF_A_LEVEL = 4
"""Of a key, for which one level of merges costs less than sorting again: 2 runs of 32 bits, 4 of 64. Measured on
cpu."""


def sort_run(keys: Any, values: Sequence[Any], dtypes: Sequence[np.dtype[Any]], call: str, descending: bool) -> Run:
    """A chunk of keys in order, and its values."""
    for block, dtype in zip((keys, *values), dtypes, strict=True):
        check_block(call, block, dtype)
    return in_order((keys, *values), descending)


def place_run(keys: Any, dtype: np.dtype[Any], begin: int, call: str, descending: bool) -> Run:
    """A chunk of keys in order, and their places in the whole array, of which the chunk begins at `begin`."""
    check_block(call, keys, dtype)
    return in_order((keys, np.arange(begin, begin + keys.size, dtype=np.int64)), descending)


def take_samples(run: Run, stretch: int, descending: bool) -> Samples:
    """The samples of a run."""
    return splitting.samples(splitting.RunKeys(run[0], descending), stretch)


def take_cuts(run: Run, chunk: int, chosen: Splitters, descending: bool) -> Places:
    """Where the parts of a run begin and end."""
    found = splitting.cuts(splitting.RunKeys(run[0], descending), chunk, chosen)
    return np.concatenate([[0], found, [run[0].size]]).astype(np.int64)


def take_bounds(cuts: Sequence[Places]) -> Places:
    """The ranks at which the buckets begin and end."""
    total: Places = np.sum(cuts, axis=0)
    return total


def take_part(run: Run, cuts: Places, part: int) -> Run:
    """One part of a run: a copy, as a view would keep the run in memory."""
    return tuple(_copied(each[cuts[part] : cuts[part + 1]]) for each in run)


def nothing(_: Sequence[Any]) -> None:
    """For tasks that only wait for others."""


def merge_parts(parts: Sequence[Run], descending: bool, _: None = None) -> Run:
    """A bucket in order. The parts are runs, in the order of their chunks."""
    filled = [part for part in parts if part[0].size] or list(parts[:1])
    if len(filled) == 1:
        return filled[0]
    if len(filled[0]) == 1 and len(filled) <= 1 << filled[0][0].dtype.itemsize // _BYTES_OF_A_LEVEL:
        return (_merged([part[0] for part in filled], descending),)
    if len(filled[0]) == 1:
        return (_sorted_keys([part[0] for part in filled], descending),)
    return in_order(tuple(np.concatenate(columns) for columns in zip(*filled, strict=True)), descending)


def take_tail(bucket: Run, bounds: Places, end: int, number: int) -> Run:
    """The elements of bucket `number` of ranks from `end` on: little, which goes to the worker of the next bucket."""
    return tuple(_copied(each[end - int(bounds[number]) :]) for each in bucket)


def realign(tail: Run | None, bucket: Run, bounds: Places, end: int, number: int) -> Run:
    """The elements of the tail of the bucket before, and those of bucket `number` of ranks up to `end`."""
    own = [each[: end - int(bounds[number])] for each in bucket]
    if tail is None:
        return tuple(_copied(each) for each in own)
    return tuple(_copied(one, other) for one, other in zip(tail, own, strict=True))


def realign_keys(tail: Run | None, bucket: Run, bounds: Places, end: int, number: int) -> npt.NDArray[Any]:
    """What `realign` makes of runs without values."""
    return realign(tail, bucket, bounds, end, number)[0]


def in_order(run: Run, descending: bool) -> Run:
    """Keys in order on the device of this worker, and the values moved along with them."""
    device = task_device()
    if run[0].size == 0:
        return run
    if len(run) == 1:
        return (_sorted_keys(run, descending),)
    there = [uploaded(each, device) for each in (run[0], *map(_as_words, run[1:]))]
    with metered(COMPUTE):
        moved = gp.sort_by_key(*there, descending=descending)
    for each in there:
        each.close()
    result = tuple(downloaded(each).view(old.dtype).reshape(old.shape) for each, old in zip(moved, run, strict=True))
    for each in moved:
        each.close()
    _give_back(device, result)
    return result


def _sorted_keys(pieces: Sequence[npt.NDArray[Any]], descending: bool) -> npt.NDArray[Any]:
    """The keys of all pieces in order."""
    device = task_device()
    with gp.empty(sum(each.size for each in pieces), pieces[0].dtype, device=device) as keys:
        begin = 0
        for piece in pieces:
            with metered(UPLOAD, piece.nbytes):
                keys[begin : begin + piece.size].copy_from(np.ascontiguousarray(piece))
            begin += piece.size
        with metered(COMPUTE):
            made = gp.sort(keys, descending)
    with made:
        result = downloaded(made)
    _give_back(device, [result])
    return result


def _give_back(device: gp.Device, result: Sequence[npt.NDArray[Any]]) -> None:
    if sum(each.nbytes for each in result) >= _LARGE:
        give_back(device)


def _copied(*pieces: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The pieces, one after the other, in memory of their own."""
    made = np.empty((sum(len(each) for each in pieces), *pieces[0].shape[1:]), pieces[0].dtype)
    begin = 0
    for piece in pieces:
        _copy(piece, made[begin : begin + len(piece)])
        begin += len(piece)
    return made


def _copy(given: npt.NDArray[Any], to: npt.NDArray[Any]) -> None:
    by_parts(len(given), given.nbytes, lambda *part: np.copyto(to[slice(*part)], given[slice(*part)]))


def _as_words(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values of 8 bytes as pairs of u32, which every device has; others as they are."""
    if values.ndim == 1 and values.dtype.itemsize == 8 and values.dtype.kind in "uif":
        return np.ascontiguousarray(values).view(np.uint32).reshape(-1, 2)
    return values


def _merged(runs: Sequence[npt.NDArray[Any]], descending: bool) -> npt.NDArray[Any]:
    """Runs as one, by a tree of merges, which are in ascending order: a descending run is one from its end."""
    device = task_device()
    there = [uploaded(run[::-1] if descending else run, device) for run in runs]
    with metered(COMPUTE):
        while len(there) > 1:
            pairs = list(itertools.zip_longest(there[::2], there[1::2]))
            there = [one if other is None else _merged_pair(one, other) for one, other in pairs]
    with there[0]:
        made = downloaded(there[0])
    _give_back(device, [made])
    return np.ascontiguousarray(made[::-1]) if descending else made


def _merged_pair(one: gp.Array, other: gp.Array) -> gp.Array:
    with one, other:
        made: gp.Array = gp.merge(one, other)
    return made
