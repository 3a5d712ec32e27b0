"""Runs benchmarks on devices and beside their peers. Every result is verified before it is timed."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gpucore as gp
from gpucore.bench import cub
from gpucore.bench.case import CALL, MILLISECONDS, Case, Unit, describe_power
from gpucore.bench.cases import COPY, SIZES, cases_of
from gpucore.bench.first_calls import CACHES, WHATS, run_processes
from gpucore.bench.libraries import HOST, Gpucore, Library
from gpucore.bench.machine import describe_machine
from gpucore.bench.peers import CuPy, find_peers
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.root_cause import describe_cause
from gpucore.tuning.rounds import ROUNDS, Timed, has_clock, interleave, summarise

BENCHMARKS = {
    "launch": "what the host spends on a launch of four arguments, and on a new array",
    "transfer": "copies between NumPy arrays and the device",
    "compile": "the first saxpy, sort and matmul of new processes, by what the cache on disk has",
    "sort": "u32 keys, alone and with values, on the device and from NumPy to NumPy",
    "matmul": "square f32 matrices, without TF32",
    "products": "matrices of f16, bf16, f32 in each precision, and f64: squares, other shapes, batches; and errors",
    "elementwise": "a*x + y of f32",
    "reduce": "sums of f32 and u32, and argmin",
    "scan": "sums of u32 up to each element",
    "histogram": "counts of u32 in 256 bins",
    "compact": "the elements of u32 that a mask chooses",
    "stream": "kernels with one element an invocation, as they are first written: a*x + y, a copy, a sum of f32",
}
"""What can be measured."""
_BOUND_BY_MEMORY = frozenset({"sort", "elementwise", "reduce", "scan", "histogram", "compact", "stream"})
_LIMIT, _QUICK_LIMIT = 4.0, 0.5  # seconds of a row or of rows that are timed together, but for their first rounds
_CALL_LIMIT, _QUICK_CALL_LIMIT = 1.0, 0.2  # seconds that one run is expected to take
_COMPILE_ROUNDS = 5
_TOO_LARGE = (MemoryError, gp.ArgumentError, gp.LimitError, gp.CapabilityError)  # for a device
_UNKNOWN_MEMORY = 8 << 30  # bytes of the host, where the system does not tell
_LARGE = 1 << 28  # bytes of a library's arrays, whose memory is freed before the next case
_ALONE = 16 << 30  # bytes of a library's arrays with which it is measured without the others


@dataclass(frozen=True)
class Options:
    """How much is measured."""

    is_quick: bool = False
    sizes: frozenset[int] = frozenset()  # the only ones; empty: all
    rounds: int = ROUNDS
    limit: float | None = None  # seconds of a row


@dataclass(frozen=True)
class Row:
    """What was measured at one size."""

    benchmark: str
    what: str
    size: int | None
    size_text: str
    unit: Unit
    amount: float
    seconds: dict[str, dict[str, float]]  # median, min, max and the number of rounds, by library
    moved: float = 0.0  # bytes: see Case
    calls: Mapping[str, dict[str, float]] = field(default_factory=dict)  # as `seconds`, of a plain call in a row
    errors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by library and kind of numbers

    def figure(self, name: str) -> float | None:
        """The figure of a library, of its median time; None if it was not measured, or took no time by its clock."""
        seconds = self.seconds[name]["median"] if name in self.seconds else 0.0
        return self.unit.figure(seconds, self.amount) if seconds else None

    def fastest(self, own: Sequence[str]) -> str:
        """The name of the fastest of `own`; "" if none of them was measured."""
        measured = (name for name in self.seconds if name in own)
        return min(measured, key=lambda name: self.seconds[name]["median"], default="")

    def ratio(self, own: Sequence[str]) -> float | None:
        """The time of the fastest peer / that of the fastest of `own`; None without a peer, or a time."""
        fastest = self.fastest(own)
        ours = self.seconds[fastest]["median"] if fastest else 0.0
        theirs = min((found["median"] for name, found in self.seconds.items() if name not in own), default=0.0)
        return theirs / ours if ours and theirs else None


class Session:
    """One run of benchmarks.

    `rows`, `notes` and `failures` have what was found so far; `own` the names of gpucore on its devices, `names` all.
    Raises ArgumentError if no benchmark has one of the sizes that are wanted.
    """

    def __init__(self, devices: Sequence[gp.Device], benchmarks: Sequence[str], options: Options | None = None) -> None:
        self.devices, self._options = devices, options or Options()
        self.own = [device.id for device in devices]
        self.peers, self.notes = find_peers(devices)
        self.rows: list[Row] = []
        self.failures: list[str] = []  # results that are wrong
        self._libraries: list[Library] = [*map(Gpucore, devices), *self.peers]
        self._last: dict[tuple[str, str], tuple[float, float]] = {}  # library, what -> seconds and effort of a size
        self._memory = _physical_memory() / 2
        self._inputs: tuple[Any, Any] = None, None  # of the latest case, with what they depend on
        self._errors: dict[str, Mapping[str, float]] = {}  # of right results of the latest case, by library
        self._is_large = False  # what the latest case needed
        self._running = ""  # the library that is timed
        self._benchmarks = self._with_sizes(benchmarks)
        self._cub: tuple[CuPy, str] | None = self._find_cub()

    @property
    def names(self) -> list[str]:
        """The libraries, in the order of the table."""
        return [library.name for library in self._libraries]

    def count_steps(self) -> int:
        """The number of steps of `run`."""
        steps = sum(1 for benchmark in self._benchmarks for _ in self._steps(benchmark))
        return steps + (self._cub is not None)

    def run(self) -> Iterator[str]:
        """Measure, one step after each text, which names it. Raises DeviceError if a device fails."""
        if self._cub is not None:
            yield "nvcc compiles CUB"
            self._open_cub(*self._cub)
        for benchmark in self._benchmarks:
            for step in self._steps(benchmark):
                if isinstance(step, Case):
                    yield f"{step.what} {step.size_text}"
                    self._measure(step)
                else:
                    yield f"first calls on {step}"
                    self._measure_first_calls(step)

    def share(self, row: Row, name: str) -> float | None:
        """The bytes that a library moves at least / those that a copy moves in that time: of the library with the
        fastest copy of those in the same memory. None where it is not known."""
        places = {library.name: library.place for library in self._libraries}
        copies = [
            found.figure(other) or 0.0
            for found in self.rows if found.benchmark == COPY
            for other in found.seconds if places[other] == places[name]
        ]  # fmt: skip
        seconds, fastest = row.seconds[name]["median"], max(copies, default=0.0)
        return row.moved / seconds / 1e9 / fastest if row.moved and seconds and fastest else None

    def document(self) -> dict[str, Any]:
        """Everything as JSON types: see `gpucore.cli.bench`."""
        return {
            "machine": describe_machine(self.devices),
            "peers": {peer.name: peer.version for peer in self.peers},
            "notes": self.notes,
            "failures": self.failures,
            "rows": [
                {
                    "benchmark": row.benchmark, "what": row.what, "size": row.size, "size_text": row.size_text,
                    "unit": row.unit.name,
                    "figures": {name: row.figure(name) for name in row.seconds}, "seconds": row.seconds,
                    "shares": {name: self.share(row, name) for name in row.seconds} if row.moved else {},
                    "ratio": row.ratio(self.own), "calls": row.calls, "errors": row.errors,
                } for row in self.rows
            ],
        }  # fmt: skip

    # ---------------------------------------------------------------- steps

    def _steps(self, benchmark: str) -> Iterator[Case | str]:
        """Cases; for compile, the ids of the devices."""
        if benchmark == "compile":
            yield from self.own
            return
        for size in sorted({size for device in self.devices for size in self._sizes(benchmark, device)}):
            yield from cases_of(benchmark, size)

    def _sizes(self, benchmark: str, device: gp.Device) -> tuple[int, ...]:
        sizes, wanted = SIZES[benchmark], self._options.sizes
        if wanted and benchmark != COPY:
            both = sizes.simulator if device.info.backend == SIMULATOR else {*sizes.full, *sizes.processor}
            return tuple(sorted(wanted.intersection(both)))
        if device.info.backend == SIMULATOR:
            return sizes.simulator
        if self._options.is_quick:
            return sizes.quick
        return sizes.full if has_clock(device) else sizes.processor or sizes.full

    def _with_sizes(self, benchmarks: Sequence[str]) -> list[str]:
        """The benchmarks that have one of the sizes that are wanted, and the copy before them where it counts."""
        found = list(benchmarks)
        if self._options.sizes:
            found = [name for name in benchmarks if name in SIZES and any(self._steps(name))]
            self.notes += [
                f"{name} is not measured: it has none of these sizes" for name in benchmarks if name not in found
            ]
        if not found:
            known = ", ".join(f"{name} {_describe_sizes(SIZES[name].full)}" for name in benchmarks if name in SIZES)
            raise gp.ArgumentError(f"no benchmark has one of these sizes; there are {known or 'none'}")
        return [COPY, *found] if _BOUND_BY_MEMORY & set(found) else found

    # ---------------------------------------------------------------- CUB

    def _find_cub(self) -> tuple[CuPy, str] | None:
        """CuPy and nvcc, with which CUB can be measured."""
        if not cub.BENCHMARKS & set(self._benchmarks):
            return None
        peer, nvcc = next((peer for peer in self.peers if isinstance(peer, CuPy)), None), cub.find_nvcc()
        if peer is not None and nvcc is not None:
            return peer, nvcc
        lacking = "CuPy, whose arrays it takes," if peer is None else "nvcc, which compiles it,"
        where = "is not measured" if peer is None else "is not on the PATH or in the folder of CUDA_HOME or CUDA_PATH"
        self.notes.append(f"CUB is not measured: {lacking} {where}")
        return None

    def _open_cub(self, peer: CuPy, nvcc: str) -> None:
        try:
            opened = cub.open_cub(peer, nvcc)
        except Exception as error:  # noqa: BLE001 (a peer that fails is reported, and is not measured)
            self.notes.append(f"CUB cannot be used: {describe_cause(error)}")
        else:
            self.peers.append(opened)
            self._libraries.insert(self._libraries.index(peer) + 1, opened)

    # ---------------------------------------------------------------- measuring

    def _measure(self, case: Case) -> None:
        if self._is_large:
            for library in self._libraries:
                library.free()
        taking_part = self._taking_part(case)
        if not taking_part:
            return
        on_the_host = sum(library.place == HOST for library in taking_part)
        if case.nbytes * (on_the_host + 2) > self._memory:  # 2: the inputs, and a result that is checked
            self.notes.append(f"{case.what} {case.size_text} is not measured: it needs too much memory")
            return
        self._is_large, is_alone = case.nbytes >= _LARGE, case.nbytes >= _ALONE
        self._errors = {}
        try:
            inputs = self._make_inputs(case)
        except MemoryError as error:
            self.notes.append(f"{case.what} {case.size_text} is not measured: {describe_cause(error)}")
            return
        seconds: dict[tuple[str, str], dict[str, float]] = {}  # by what is added to the name of the row, and library
        groups = [[library] for library in taking_part] if is_alone else [taking_part]
        for group in groups:
            seconds |= self._time(case, group, inputs, self._limit(case) / len(groups))
            for library in group if is_alone else ():
                library.free()
        if not any(name in self.own for _, name in seconds):
            return
        by_ending: dict[str, dict[str, dict[str, float]]] = {}
        for (ending, name), found in seconds.items():
            by_ending.setdefault(ending, {})[name] = found
        calls = by_ending.pop(CALL, {})
        for ending, of_row in by_ending.items():
            errors = {name: self._errors[name] for name in of_row if name in self._errors}
            self.rows.append(Row(case.benchmark, case.what + ending, case.size, case.size_text, case.unit, case.amount,
                                 of_row, case.moved, calls, errors))  # fmt: skip
            if not ending:
                self._last |= {(name, case.what): (found["median"], case.effort) for name, found in of_row.items()}

    def _taking_part(self, case: Case) -> list[Library]:
        """The libraries that are measured; none without gpucore."""
        wanted = [library for library in self._libraries if self._is_wanted(library, case)]
        places = [library.place for library in wanted if isinstance(library, Gpucore)]
        if case.is_near and HOST not in places:
            wanted = [library for library in wanted if library.place != HOST]
        return wanted if places else []

    def _time(
        self, case: Case, libraries: Sequence[Library], inputs: Any, limit: float
    ) -> dict[tuple[str, str], dict[str, float]]:
        """The times of some libraries in the same rounds; none if there are several, and none is gpucore.

        A library that fails, as it may when memory gets short, is left out, and the rounds begin again.
        """
        timed: dict[tuple[str, str], Timed] = {}
        for library in libraries:
            found = self._prepare(library, case, inputs) or {}
            timed |= {(ending, library.name): times for ending, times in found.items()}
        while timed and (len(libraries) == 1 or any(name in self.own for _, name in timed)):
            # A library may have one time for several rows.
            distinct = {id(times): partial(self._run, name, times) for (_, name), times in timed.items()}
            try:
                seconds = interleave(distinct, self._options.rounds, limit=limit)
            except Exception as error:  # noqa: BLE001 (raised again if it is not to be reported)
                failed = self._running
                self._refuse(next(library for library in libraries if library.name == failed), case, error)
                timed = {key: times for key, times in timed.items() if key[1] != failed}
            else:
                return {key: seconds[id(times)] for key, times in timed.items()}
        return {}

    def _run(self, name: str, times: Timed) -> float:
        self._running = name
        return times()

    def _limit(self, case: Case) -> float:
        if self._options.limit is not None:
            return self._options.limit
        return min(_QUICK_LIMIT if self._options.is_quick else _LIMIT, case.limit)

    def _make_inputs(self, case: Case) -> Any:
        """The inputs of a case: those of the case before, where they are the same."""
        key = case.inputs, case.size
        if self._inputs[0] != key:
            self._inputs = None, None
            self._inputs = key, case.inputs(case.size)
        return self._inputs[1]

    def _is_wanted(self, library: Library, case: Case) -> bool:
        """Whether a library is expected to run a case in time."""
        if isinstance(library, Gpucore) and case.size not in self._sizes(case.benchmark, library.device):
            return False
        seconds, effort = self._last.get((library.name, case.what), (0.0, 1.0))
        expected = seconds * case.effort / effort
        if expected <= (_QUICK_CALL_LIMIT if self._options.is_quick else _CALL_LIMIT):
            return True
        if math.isfinite(expected):
            self._leave_out(library, case, f"one run would take about {expected:.2g} s")
        return False

    def _leave_out(self, library: Library, case: Case, reason: str) -> None:
        """Neither this size nor larger ones."""
        self.notes.append(f"{library.name}: {case.what} {case.size_text} is not measured: {reason}")
        self._last[library.name, case.what] = math.inf, 1.0

    def _refuse(self, library: Library, case: Case, error: Exception) -> None:
        """Report an error of a peer, or of gpucore if a size is too large; raise others."""
        if isinstance(library, Gpucore) and not isinstance(error, _TOO_LARGE):
            raise error
        self._leave_out(library, case, describe_cause(error))

    def _prepare(self, library: Library, case: Case, inputs: Any) -> Mapping[str, Timed] | None:
        """What is timed, by what is added to the name of the row, after the result was found right; None where there is
        nothing to time."""
        try:
            prepared = case.prepare(library, inputs)
            checked = prepared[1]() if prepared else ""
        except Exception as error:  # noqa: BLE001 (raised again if it is not to be reported)
            self._refuse(library, case, error)
            return None
        if isinstance(checked, Mapping):
            self._errors[library.name] = checked
        elif checked:
            self.failures.append(f"{library.name}: {case.what} {case.size_text} is wrong: {checked}")
            return None
        if not prepared:
            return None
        return prepared[0] if isinstance(prepared[0], Mapping) else {"": prepared[0]}

    def _measure_first_calls(self, device_id: str) -> None:
        samples: dict[tuple[str, str], list[float]] = {}
        problems: dict[tuple[str, str], str] = {}
        for _ in range(1 if self._options.is_quick else _COMPILE_ROUNDS):
            for cache, calls in run_processes(device_id).items():
                for what, (seconds, problem) in calls.items():
                    samples.setdefault((what, cache), []).append(seconds)
                    if problem:
                        problems[what, cache] = problem
        for what, cache in itertools.product(WHATS, CACHES):
            if problem := problems.get((what, cache), ""):
                self.failures.append(f"{device_id}: first {what}, {cache}, is wrong: {problem}")
                continue
            name = f"first {what}, {cache}"
            row = next((row for row in self.rows if row.what == name), None)
            if row is None:
                row = Row("compile", name, None, "", MILLISECONDS, 1, {})
                self.rows.append(row)
            row.seconds[device_id] = summarise(samples[what, cache])


def _describe_sizes(sizes: Sequence[int]) -> str:
    return ", ".join(describe_power(size) if size & size - 1 == 0 else str(size) for size in sizes)


def _physical_memory() -> int:
    """Bytes of the host's memory."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN_MEMORY
