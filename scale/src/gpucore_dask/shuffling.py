"""The exchange of a sort by Dask's own shuffle, p2p: frames of pandas that Arrow carries. Needs the extra `p2p`."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

import gpucore as gp
from gpucore_dask.sort_tasks import Run, in_order
from gpucore_dask.splitting import Places

_PART, _PLACE = "part", "place"


class Columns:
    """The columns of the frames: the part, the place in the order of chunks where there are values, and all arrays of a
    run as unsigned integers, since Arrow takes NaN for a missing value."""

    def __init__(self, dtypes: Sequence[np.dtype[Any]], has_places: bool) -> None:
        self.dtypes = [*dtypes, np.dtype(np.int64)] if has_places else list(dtypes)
        self.is_ordered = len(self.dtypes) > 1
        self.names = [f"column{number}" for number in range(len(self.dtypes))]

    def __dask_tokenize__(self) -> Any:
        return [each.str for each in self.dtypes]

    def empty(self) -> Any:
        """A frame without rows."""
        run = tuple(np.empty(0, dtype) for dtype in self.dtypes)
        return self.frame(run, np.array([0, 0]), 0)

    def frame(self, run: Run, cuts: Places, chunk: int) -> Any:
        """A run as a frame of pandas."""
        pandas = importlib.import_module("pandas")
        data: dict[str, Any] = {_PART: np.repeat(np.arange(cuts.size - 1, dtype=np.int16), np.diff(cuts))}
        if self.is_ordered:
            data[_PLACE] = np.arange(run[0].size, dtype=np.int64) + (np.int64(chunk) << 40)
        for name, each in zip(self.names, run, strict=True):
            data[name] = each.view(f"u{each.dtype.itemsize}")
        return pandas.DataFrame(data)

    def merge(self, frame: Any, descending: bool) -> Run:
        """A bucket in order. The rows of a frame come in any order: equal keys are put in that of chunks and
        positions."""
        columns = [
            np.ascontiguousarray(frame[name].to_numpy()).view(dtype)
            for name, dtype in zip(self.names, self.dtypes, strict=True)
        ]
        if self.is_ordered:
            order = np.argsort(frame[_PLACE].to_numpy(), kind="stable")
            columns = [each[order] for each in columns]
        return in_order(tuple(columns), descending)


def check_installed(call: str) -> None:
    """Whether the extra is installed."""
    missing = [name for name in ("pandas", "pyarrow") if importlib.util.find_spec(name) is None]
    if missing:
        raise gp.ArgumentError(
            f"gd.{call}: the exchange by p2p needs {' and '.join(missing)}: pip install {' '.join(missing)}; or take "
            'exchange="tasks", or fewer chunks'
        )


def shuffle(
    graph: HighLevelGraph, layer: str, keys: Sequence[tuple[str, int]], columns: Columns
) -> tuple[dict[Any, Any], list[Any]]:
    """The graph that brings part j of all frames to frame j, and the keys of these frames."""
    frames = importlib.import_module("dask.dataframe")
    delayed = [Delayed(key, graph, layer=layer) for key in keys]
    count = len(keys)
    table = frames.from_delayed(delayed, meta=columns.empty(), verify_meta=False)
    moved = table.set_index(_PART, divisions=[*range(count), count - 1], shuffle_method="p2p")
    received = moved.to_delayed()
    return dict(_consistent(received[0].__dask_graph__())), [each.key for each in received]


def _consistent(graph: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """The tasks of a graph. An alias that `from_delayed` makes has another key than that of its place, and is lost when
    dask.array fuses tasks."""
    for key, task in graph.items():
        has_other_key = getattr(task, "key", key) != key
        yield key, (_same, next(iter(task.dependencies))) if has_other_key else task


def _same(frame: Any) -> Any:
    return frame
