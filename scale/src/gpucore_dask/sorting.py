"""`gd.sort`, `gd.argsort` and `gd.sort_by_key`: sample sort over the chunks of a dask.array, of known, equal chunks.

Each chunk is sorted, splitters are chosen from samples of all runs (`gpucore_dask.splitting`), each run is cut at them,
the parts are exchanged, those of a bucket are merged, and an output chunk is made of a bucket and the tail of the one
before it. With p chunks these
are p^2 + 7p + 2 tasks by `exchange="tasks"`, beside the array's own.

The tasks `parted` and `ready` carry nothing. They make Dask cut one run after the other: merges need a part of each
run, and going from merge to merge, a worker that spills would read each run as many times as there are parts.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

import gpucore as gp
from gpucore_dask import shuffling, sort_tasks, splitting
from gpucore_dask.bounds import MAX_CHUNKS_BY_TASKS
from gpucore_dask.refusals import check_array, check_chunk_count, check_dtype, check_memory, known_devices

EXCHANGES = ("auto", "tasks", "p2p")
_KEPT_KEYS, _KEPT_VALUES = 4, 3
"""Copies of a chunk that its device holds at most, and a fifth for the largest bucket: see `gp.sort`."""

Layer = dict[tuple[str, int] | tuple[str, int, int], Any]


def sort(x: da.Array, descending: bool = False, *, exchange: str = "auto") -> da.Array:
    """The elements of a dask.array of rank 1 in order: a lazy array of its size, dtype and number of chunks.

    The order and the bits are those of `gp.sort`, with NaN last and -0.0 before 0.0. The chunks of the result are known
    and equal (their lengths differ by 1 at most). Needs a client of dask.distributed, of which every worker has a
    device: `gd.LocalDevices`. A chunk is sorted on one device, which holds four times its size.

    `exchange` is how parts of runs come to the worker that merges them: "tasks", one for each pair of chunks, or "p2p",
    by Dask's shuffle, which needs the extra `p2p`; "auto" takes tasks for up to 64 chunks.

    Raises ArgumentError for other ranks, dtypes and blocks, unknown chunks, more than 2,000 chunks, fewer elements than
    chunks, chunks that a device cannot hold, workers without a device, and if there is no client.
    """
    return _Sort("sort", (x,), _flag(descending), exchange).arrays()[0]


def argsort(x: da.Array, descending: bool = False, *, exchange: str = "auto") -> da.Array:
    """The indices, i64, that put a dask.array of rank 1 in the order of `gd.sort`, as an array like its result.

    Equal elements keep their order, in descending order too, as in `gp.argsort`. Raises what `gd.sort` raises.
    """
    return _Sort("argsort", (x,), _flag(descending), exchange).arrays()[1]


def sort_by_key(
    keys: da.Array, *values: da.Array, descending: bool = False, exchange: str = "auto"
) -> tuple[da.Array, ...]:
    """The keys, of rank 1, in order, and values moved along with them: a tuple of the keys and each of the values.

    Values have n elements or rows along their first axis, in the chunks of the keys, and one chunk along other axes.
    Equal keys keep their order. With `exchange="p2p"` values are of rank 1.

    Raises what `gd.sort` raises, and ArgumentError for values of another length or chunks.
    """
    return _Sort("sort_by_key", (keys, *values), _flag(descending), exchange).arrays()


def _flag(descending: Any) -> bool:
    if not isinstance(descending, (bool, np.bool_)):
        raise gp.ArgumentError(f"descending must be True or False, not {descending!r}")
    return bool(descending)


class _Stage(NamedTuple):
    """A layer of the graph: the tasks of one stage."""

    name: str
    layer: Mapping[Any, Any]
    needs: Sequence[Any]
    """Arrays or stages."""


class _Sort:
    """The graph of one call."""

    def __init__(self, call: str, arrays: tuple[Any, ...], descending: bool, exchange: str) -> None:
        self.call, self.given, self.descending = call, arrays, descending
        _check(call, arrays)
        self.keys = arrays[0]
        self.size, self.count = self.keys.size, self.keys.numblocks[0]
        self.exchange = _choose_exchange(call, arrays, exchange)
        self.token = tokenize(call, *(each.name for each in arrays), descending, self.exchange)
        self.stages: list[_Stage] = []

    def arrays(self) -> tuple[da.Array, ...]:
        """The results, in the order of the arrays of a run."""
        runs = self._runs()
        ranks = [0, *splitting.wanted_ranks(self.size, self.count), self.size]
        lengths = tuple(end - begin for begin, end in itertools.pairwise(ranks))
        columns = [(each.dtype, each.shape[1:]) for each in self.given]
        if self.call == "argsort":
            columns.append((np.dtype(np.int64), ()))
        has_one = len(columns) == 1
        done = runs if self.count == 1 else self._realigned(*self._buckets(runs), has_one)
        if has_one and self.count > 1:
            return (da.Array(self._graph(), done, (lengths,), meta=np.empty(0, self.keys.dtype)),)
        return tuple(self._column(done, place, lengths, *each) for place, each in enumerate(columns))

    def _stage(self, stage: str, needs: Sequence[Any], layer: Callable[[str], Mapping[Any, Any]]) -> str:
        """Add the tasks of a stage. Returns the name of its keys."""
        name = f"gpucore-{stage}-{self.token}"
        self.stages.append(_Stage(name, layer(name), needs))
        return name

    def _runs(self) -> str:
        dtypes = [each.dtype for each in self.given]
        begins = [0, *itertools.accumulate(self.keys.chunks[0])]

        def task(chunk: int) -> Any:
            block = (self.keys.name, chunk)
            if self.call == "argsort":
                return sort_tasks.place_run, block, dtypes[0], begins[chunk], self.call, self.descending
            values = [(each.name, chunk, *[0] * (each.ndim - 1)) for each in self.given[1:]]
            return sort_tasks.sort_run, block, values, dtypes, self.call, self.descending

        return self._stage("sort-run", self.given, lambda name: {(name, i): task(i) for i in range(self.count)})

    def _buckets(self, runs: str) -> tuple[str, str]:
        """The stages of the buckets, and of the ranks at which they begin and end."""
        count, descending = range(self.count), self.descending
        stretch = splitting.stretch_of(self.size, self.count)
        ranks = splitting.wanted_ranks(self.size, self.count)
        taken = self._stage(
            "sample",
            [runs],
            lambda name: {(name, i): (sort_tasks.take_samples, (runs, i), stretch, descending) for i in count},
        )
        chosen = self._stage(
            "splitters",
            [taken],
            lambda name: {(name, 0): (splitting.splitters, [(taken, i) for i in count], ranks)},
        )
        cuts = self._stage(
            "cuts",
            [runs, chosen],
            lambda name: {(name, i): (sort_tasks.take_cuts, (runs, i), i, (chosen, 0), descending) for i in count},
        )
        bounds = self._stage(
            "bounds", [cuts], lambda name: {(name, 0): (sort_tasks.take_bounds, [(cuts, i) for i in count])}
        )
        if self.exchange == "p2p":
            return self._exchanged_by_shuffle(runs, cuts), bounds
        parts = self._stage(
            "part",
            [runs, cuts],
            lambda name: {(name, i, j): (sort_tasks.take_part, (runs, i), (cuts, i), j) for i in count for j in count},
        )
        parted = self._stage(
            "parted",
            [parts],
            lambda name: {(name, i): (sort_tasks.nothing, [(parts, i, j) for j in count]) for i in count},
        )
        ready = self._stage(
            "ready", [parted], lambda name: {(name, 0): (sort_tasks.nothing, [(parted, i) for i in count])}
        )
        merged = self._stage(
            "merge",
            [parts, ready],
            lambda name: {
                (name, j): (sort_tasks.merge_parts, [(parts, i, j) for i in count], descending, (ready, 0))
                for j in count
            },
        )
        return merged, bounds

    def _exchanged_by_shuffle(self, runs: str, cuts: str) -> str:
        """The stage of the buckets, exchanged by Dask's shuffle."""
        moved = shuffling.Columns([each.dtype for each in self.given], self.call == "argsort")
        framed = self._stage(
            "frame",
            [runs, cuts],
            lambda name: {(name, i): (moved.frame, (runs, i), (cuts, i), i) for i in range(self.count)},
        )
        keys = [(framed, i) for i in range(self.count)]
        shuffled, received = shuffling.shuffle(self._graph(), framed, keys, moved)
        own = {key for stage in self.stages for key in stage.layer}
        exchanged = self._stage(
            "shuffle", [framed], lambda _: {key: task for key, task in shuffled.items() if key not in own}
        )
        return self._stage(
            "merge",
            [exchanged],
            lambda name: {(name, j): (moved.merge, key, self.descending) for j, key in enumerate(received)},
        )

    def _realigned(self, merged: str, bounds: str, has_one: bool) -> str:
        """The stage of the output chunks: arrays, if a run has one, else runs."""
        work = sort_tasks.realign_keys if has_one else sort_tasks.realign
        ends = [*splitting.wanted_ranks(self.size, self.count), self.size]
        tails = self._stage(
            "tail",
            [merged, bounds],
            lambda name: {
                (name, j): (sort_tasks.take_tail, (merged, j), (bounds, 0), ends[j], j) for j in range(self.count - 1)
            },
        )

        def task(j: int) -> Any:
            return work, (tails, j - 1) if j else None, (merged, j), (bounds, 0), ends[j], j

        return self._stage(
            "realign", [tails, merged, bounds], lambda name: {(name, j): task(j) for j in range(self.count)}
        )

    def _column(
        self, done: str, place: int, lengths: tuple[int, ...], dtype: np.dtype[Any], rest: tuple[int, ...]
    ) -> da.Array:
        """One array of the runs of a stage."""
        name = f"gpucore-column-{tokenize(self.token, place)}"
        zeros = [0] * len(rest)
        layer = {(name, j, *zeros): (operator.getitem, (done, j), place) for j in range(self.count)}
        graph = self._graph(_Stage(name, layer, [done]))
        chunks = (lengths, *((length,) for length in rest))
        return da.Array(graph, name, chunks, meta=np.empty((0,) * len(chunks), dtype))

    def _graph(self, *more: _Stage) -> HighLevelGraph:
        """All stages, and the graphs of the arrays."""
        layers: dict[str, Any] = {}
        dependencies: dict[str, set[str]] = {}
        for array in self.given:
            layers |= array.dask.layers
            dependencies |= array.dask.dependencies
        for stage in (*self.stages, *more):
            layers[stage.name] = stage.layer
            needed = (each if isinstance(each, str) else each.name for each in stage.needs)
            dependencies[stage.name] = set(needed)
        return HighLevelGraph(layers, dependencies)


def _check(call: str, arrays: tuple[Any, ...]) -> None:
    """Whether the arrays can be sorted on the workers of the client."""
    keys, *values = arrays
    check_array(call, "keys" if values else "x", keys, 1)
    check_dtype(call, "keys" if values else "x", keys.dtype)
    check_chunk_count(call, keys)
    for number, each in enumerate(values, 1):
        name = f"values {number}"
        check_array(call, name, each, None)
        check_dtype(call, name, each.dtype)
        if each.shape[:1] != keys.shape:
            raise gp.ArgumentError(
                f"gd.{call}: {name} have shape {each.shape}, and there are {keys.size} keys; give one element or row "
                "for each key"
            )
        if each.chunks[0] != keys.chunks[0] or any(count != 1 for count in each.numblocks[1:]):
            raise gp.ArgumentError(
                f"gd.{call}: {name} are not in the chunks of the keys; rechunk them, as in "
                "values.rechunk({0: keys.chunks[0], 1: -1})"
            )
    longest = max(keys.chunks[0], default=0)
    held = longest * keys.dtype.itemsize * _KEPT_KEYS
    rows = [int(np.prod(each.shape[1:])) * each.dtype.itemsize for each in values]
    rows += [8] if call == "argsort" else []
    held += longest * sum(rows) * _KEPT_VALUES
    largest = longest * max([keys.dtype.itemsize, *rows]) * 6 // 5
    where = known_devices(call)
    check_memory(call, where, largest, held, f"take smaller ones, as in x.rechunk({max(longest // 2, 1)})")


def _choose_exchange(call: str, arrays: tuple[Any, ...], exchange: str) -> str:
    if exchange not in EXCHANGES:
        raise gp.ArgumentError(f"gd.{call}: exchange must be one of {', '.join(EXCHANGES)}, not {exchange!r}")
    if exchange == "auto":
        exchange = "tasks" if arrays[0].numblocks[0] <= MAX_CHUNKS_BY_TASKS else "p2p"
    if exchange == "p2p":
        shuffling.check_installed(call)
        if any(each.ndim > 1 for each in arrays):
            raise gp.ArgumentError(
                f'gd.{call}: p2p moves values of rank 1; take exchange="tasks" for rows, or sort their indices'
            )
    return exchange
