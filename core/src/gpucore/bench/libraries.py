"""gpucore and NumPy as the benchmarks use them. `peers` has the libraries that may be missing."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import gpucore as gp
from gpucore.bench.kernels import add_up, add_up_in_strides, axpy, copy, refine, sum_by
from gpucore.tuning.rounds import Timed, device_time, has_clock, in_a_row, wall_time

A = 0.5  # of a * x + y in launches: the product is exact
CALLS = 50  # launches in a round: fewer than drivers queue before they make the host wait
STEPS = 20  # calls in a graph
PIECES = 8  # of a loop of copies and kernels
WITH_WAITS, OVERLAPPED = "with waits", "overlapped"
BACK_TO_BACK, WITH_THE_WAIT, RECORDED = ", back to back", ", with the wait", ", recorded"  # ends of the names of rows
BINS = 256  # of histograms
HOST = "host"
BOUND, IN_A_GRAPH = "launch, bound", f"launch, in a graph of {STEPS}"

HostArray = npt.NDArray[Any]
Launches = tuple[Callable[[], object], int]
"""What launches y = A * x + y, and how often it does so."""


class Library(ABC):
    """A library on one device, with arrays of its own. `operations` has what it can compute, of these:

    "sort" (x), "sort pairs" (keys, values): both in new arrays, "matmul" (a, b), "axpy" (a, x, y): a * x + y in a new
    array, "cast" (x, dtype): to f16, bf16 or f32, on GPUs, "copy" (x, y): x in y, "sum" (x) of f32, "sum by a kernel"
    (x) and "sum in strides" (x): in other ways, "sum u32" (x), "argmin" (x), "cumsum" (x) and "exclusive scan" (x) of
    u32, "histogram" (x) and "bincount" (x) of u32 below 256, "compact" (x, mask)
    """

    name: str  # the heading of its column
    version: str
    is_waiting = False  # whether each call returns when its work has ended
    has_memory = True  # whether its arrays are its own
    has_clock = False  # whether work is timed by the clock of a device
    place = HOST  # where its arrays are: the id of a device, or the host
    operations: dict[str, Callable[..., Any]]

    @abstractmethod
    def asarray(self, host: HostArray) -> Any:
        """A copy in the library's memory."""

    def operand(self, host: HostArray) -> Any:
        """What an operation takes that does not change it: a copy, or `host` where the library computes there."""
        return self.asarray(host)

    @abstractmethod
    def numpy(self, array: Any) -> HostArray:
        """The elements for the host, after waiting."""

    @abstractmethod
    def empty(self, count: int) -> Any:
        """A new array of f32."""

    @abstractmethod
    def upload(self, array: Any, host: HostArray) -> None:
        """Copy from the host into an array that exists."""

    @abstractmethod
    def download(self, array: Any, host: HostArray) -> None:
        """Copy to an array of the host that exists."""

    def pinned(self, host: HostArray) -> HostArray | None:
        """A copy in page-locked memory; None if the library has none."""
        return None

    def upload_pinned(self, array: Any, host: HostArray) -> None:
        """Queue a copy from such memory."""
        self.upload(array, host)

    def download_pinned(self, array: Any, host: HostArray) -> None:
        """Queue a copy to such memory."""
        self.download(array, host)

    def loop(self, kind: str, pieces: Sequence[HostArray]) -> tuple[Callable[[], object], list[HostArray]] | None:
        """What uploads each piece, runs `refine` three times, and downloads it, and where the results are then."""
        return None

    @abstractmethod
    def launch(self, x: Any, y: Any) -> Callable[[], object] | None:
        """What launches y = A * x + y once; None if the library does not."""

    def other_launches(self, x: Any, y: Any) -> dict[str, Launches]:
        """What launches it in other ways, by name."""
        return {}

    @abstractmethod
    def finish(self) -> None:
        """Wait for all work."""

    def free(self) -> None:
        """Give memory that no array has any more back to the device."""
        return None

    def timed(self, work: Callable[[], Any], calls: int = 1) -> Timed:
        """Times work on arrays of the library: by the device's clock if it is a GPU, else by the host's with the
        wait. With several calls, from the start of the first to the end of the last, divided by their number."""
        return wall_time(work, self.finish, calls)

    def timed_recorded(self, work: Callable[[], Any], steps: int = STEPS) -> Timed | None:
        """Times work by the clock of the device, recorded some times in a graph that is replayed, divided by that
        number: so the device does not wait for the host. None: the library cannot record it."""
        return None

    def device_times(self, work: Callable[[], Any]) -> dict[str, Timed]:
        """`timed` for one call and for calls back to back, by what is added to the name of the row. What is the same
        is one object."""
        once = self.timed(work)
        return {"": once, BACK_TO_BACK: once if self.is_waiting else in_a_row(lambda calls: self.timed(work, calls))}

    def times(self, work: Callable[[], Any], is_small: bool) -> dict[str, Timed]:
        """Those of the device, the host's time with the wait, and, of work that is small, that of a recording."""
        times = self.device_times(work)
        times[WITH_THE_WAIT] = wall_time(work, self.finish) if self.has_clock else times[""]
        if is_small:
            recorded = times[""] if self.is_waiting else self.timed_recorded(work)
            times |= {RECORDED: recorded} if recorded else {}
        return times

    def encode(self, keys: HostArray) -> HostArray:
        """u32 keys as numbers of the same order that the library can sort."""
        return keys

    def decode(self, keys: HostArray) -> HostArray:
        """The inverse of `encode`."""
        return keys


def repeated(launch: Callable[[], object]) -> Launches:
    """The launch, `CALLS` times."""

    def run() -> None:
        for _ in range(CALLS):
            launch()

    return run, CALLS


class Gpucore(Library):
    """gpucore on a device."""

    version = gp.__version__

    def __init__(self, device: gp.Device) -> None:
        self.device, self.name = device, device.id
        self.has_clock = has_clock(device)
        self.place = device.id if self.has_clock else HOST
        self.operations = {
            "sort": gp.sort, "sort pairs": gp.sort_by_key, "matmul": gp.matmul, "axpy": gp.elementwise("a*x + y"),
            "cast": lambda x, dtype: x.astype(getattr(gp, dtype)), "copy": copy, "sum": gp.sum,
            "sum by a kernel": partial(sum_by, add_up),
            "sum in strides": partial(sum_by, add_up_in_strides), "sum u32": gp.sum,
            "argmin": gp.argmin, "cumsum": gp.cumsum,
            "exclusive scan": lambda x: gp.scan(operator.add, x, exclusive=True, initial=0),
            "histogram": lambda x: gp.histogram(x, BINS, (0, BINS))[0],
            "bincount": lambda x: gp.bincount(x, minlength=BINS), "compact": gp.compact,
        }  # fmt: skip

    def asarray(self, host: HostArray) -> gp.Array:
        return gp.asarray(host.view(np.uint8) if host.dtype == np.bool_ else host, device=self.device)

    def numpy(self, array: gp.Array) -> HostArray:
        return array.numpy()

    def empty(self, count: int) -> gp.Array:
        return gp.empty(count, device=self.device)

    def upload(self, array: gp.Array, host: HostArray) -> None:
        array.set(host)

    def download(self, array: gp.Array, host: HostArray) -> None:
        array.numpy(out=host)

    def launch(self, x: gp.Array, y: gp.Array) -> Callable[[], object]:
        size = y.size
        return lambda: axpy(A, x, y, size, invocations=size)

    def other_launches(self, x: gp.Array, y: gp.Array) -> dict[str, Launches]:
        step = axpy.bind(A, x, y, y.size, invocations=y.size)
        with self.device.record() as graph:
            for _ in range(STEPS):
                step()
        return {BOUND: repeated(step), IN_A_GRAPH: (graph.replay, STEPS)}

    def pinned(self, host: HostArray) -> HostArray | None:
        if self.device.driver_device.pinned(1) is None:
            return None
        locked = gp.empty_pinned(host.shape, host.dtype, device=self.device)
        locked[...] = host
        return locked

    def upload_pinned(self, array: gp.Array, host: HostArray) -> None:
        array.copy_from(host)

    def download_pinned(self, array: gp.Array, host: HostArray) -> None:
        array.copy_to(host)

    def loop(self, kind: str, pieces: Sequence[HostArray]) -> tuple[Callable[[], object], list[HostArray]] | None:
        size, device = pieces[0].size, self.device
        if device.driver_device.queues == 1:
            return None
        sources = [piece if (locked := self.pinned(piece)) is None else locked for piece in pieces]
        results = [gp.empty_pinned(size, device=device) for _ in pieces]
        arrays = [gp.empty(size, device=device) for _ in range(3)]

        def run() -> None:
            for number, (source, result) in enumerate(zip(sources, results, strict=True)):
                x = arrays[number % len(arrays)]
                x.copy_from(source)
                for _ in range(3):
                    refine(x)
                done = x.copy_to(result)
                if kind == WITH_WAITS:
                    done.wait()

        return run, results

    def finish(self) -> None:
        self.device.synchronize()

    def free(self) -> None:
        self.device.free_memory()

    def timed(self, work: Callable[[], Any], calls: int = 1) -> Timed:
        return device_time(self.device, work, calls)

    def timed_recorded(self, work: Callable[[], Any], steps: int = STEPS) -> Timed | None:
        with self.device.record() as graph:
            for _ in range(steps):
                work()
        replayed = self.timed(graph.replay)
        return lambda: replayed() / steps


class NumPy(Library):
    """NumPy."""

    name, version = "NumPy", np.__version__
    is_waiting = True

    def __init__(self) -> None:
        self.operations = {
            "sort": np.sort, "sort pairs": _sort_pairs, "matmul": np.matmul, "axpy": _axpy,
            "copy": lambda x, y: np.copyto(y, x), "sum": np.sum, "sum u32": lambda x: np.sum(x, dtype=np.uint32),
            "argmin": np.argmin, "cumsum": lambda x: np.cumsum(x, dtype=np.uint32),
            "histogram": lambda x: np.histogram(x, BINS, (0, BINS))[0],
            "bincount": lambda x: np.bincount(x, minlength=BINS), "compact": lambda x, mask: x[mask],
        }  # fmt: skip

    def asarray(self, host: HostArray) -> HostArray:
        return host.copy()

    def operand(self, host: HostArray) -> HostArray:
        return host

    def numpy(self, array: Any) -> HostArray:
        return np.asarray(array)

    def empty(self, count: int) -> HostArray:
        return np.empty(count, np.float32)

    def upload(self, array: HostArray, host: HostArray) -> None:
        np.copyto(array, host)

    def download(self, array: HostArray, host: HostArray) -> None:
        np.copyto(host, array)

    def launch(self, x: HostArray, y: HostArray) -> Callable[[], object]:
        return lambda: np.add(np.multiply(x, A), y, out=y)

    def finish(self) -> None:
        """Nothing is queued."""


def _sort_pairs(keys: HostArray, values: HostArray) -> tuple[HostArray, HostArray]:
    order = np.argsort(keys, kind="stable")
    return keys[order], order  # the values are the places


def _axpy(a: float, x: HostArray, y: HostArray) -> HostArray:
    result = np.multiply(x, a)
    return np.add(result, y, out=result)
