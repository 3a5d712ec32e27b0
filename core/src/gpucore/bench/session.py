"""Runs benchmarks on devices and beside their peers. Every result is verified before it is timed."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gpucore as gp
from gpucore.bench.cases import MILLISECONDS, SIZES, Case, Sizes, Unit, cases_of
from gpucore.bench.first_calls import CACHES, WHATS, run_processes
from gpucore.bench.libraries import Gpucore, Library
from gpucore.bench.machine import describe_machine
from gpucore.bench.peers import find_peers
from gpucore.bench.rounds import ROUNDS, Timed, interleave, summarise
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.root_cause import describe_cause

BENCHMARKS = {
    "launch": "what the host spends on a launch of four arguments, and on a new array",
    "transfer": "copies between NumPy arrays and the device",
    "compile": "the first saxpy, sort and matmul of new processes, by what the cache on disk has",
    "sort": "u32 keys, on the device and from NumPy to NumPy",
    "matmul": "square f32 matrices, without TF32",
    "elementwise": "a*x + y of f32",
    "reduce": "the sum of f32",
    "stream": "kernels with one element an invocation, as they are first written: a*x + y, a copy, a sum of f32",
}
"""What can be measured."""
_LIMIT, _QUICK_LIMIT = 10.0, 0.5  # seconds of a row, but for its first rounds
_CALL_LIMIT, _QUICK_CALL_LIMIT = 2.0, 0.2  # seconds that one run is expected to take
_COMPILE_ROUNDS = 5
_TOO_LARGE = (MemoryError, gp.ArgumentError, gp.LimitError, gp.CapabilityError)  # for a device
_UNKNOWN_MEMORY = 8 << 30  # bytes of the host, where the system does not tell


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

    def figure(self, name: str) -> float | None:
        """The figure of a library, of its median time; None if it was not measured, or took no time by its clock."""
        seconds = self.seconds[name]["median"] if name in self.seconds else 0.0
        return self.unit.figure(seconds, self.amount) if seconds else None

    def ratio(self, own: Sequence[str]) -> float | None:
        """The time of the fastest peer / that of the fastest of `own`; None without a peer, or a time."""
        medians = {name: seconds["median"] for name, seconds in self.seconds.items()}
        ours = min((median for name, median in medians.items() if name in own), default=0.0)
        theirs = min((median for name, median in medians.items() if name not in own), default=0.0)
        return theirs / ours if ours and theirs else None


class Session:
    """One run of benchmarks.

    `rows`, `notes` and `failures` have what was found so far; `own` the names of gpucore on its devices, `names` all.
    """

    def __init__(self, devices: Sequence[gp.Device], *, is_quick: bool = False) -> None:
        self.devices, self._is_quick = devices, is_quick
        self.own = [device.id for device in devices]
        self.peers, self.notes = find_peers(devices)
        self.rows: list[Row] = []
        self.failures: list[str] = []  # results that are wrong
        self._libraries: list[Library] = [*map(Gpucore, devices), *self.peers]
        self.names = [library.name for library in self._libraries]
        self._last: dict[tuple[str, str], tuple[float, float]] = {}  # library, what -> seconds and effort of a size
        self._memory = _physical_memory() / 2

    def count_steps(self, benchmarks: Sequence[str]) -> int:
        """The number of steps of `run`."""
        return sum(1 for benchmark in benchmarks for _ in self._steps(benchmark))

    def run(self, benchmarks: Sequence[str]) -> Iterator[str]:
        """Measure, one step after each text, which names it. Raises DeviceError if a device fails."""
        for benchmark in benchmarks:
            for step in self._steps(benchmark):
                if isinstance(step, Case):
                    yield f"{step.what} {step.size_text}"
                    self._measure(step)
                else:
                    yield f"first calls on {step}"
                    self._measure_first_calls(step)

    def document(self) -> dict[str, Any]:
        """Everything as JSON types: see `gpucore.cli.bench`."""
        return {
            "machine": describe_machine(self.devices),
            "peers": {peer.name: peer.version for peer in self.peers},
            "notes": self.notes,
            "failures": self.failures,
            "rows": [
                {
                    "benchmark": row.benchmark, "what": row.what, "size": row.size, "unit": row.unit.name,
                    "figures": {name: row.figure(name) for name in row.seconds}, "seconds": row.seconds,
                    "ratio": row.ratio(self.own),
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
        sizes: Sizes = SIZES[benchmark]
        if device.info.backend == SIMULATOR:
            return sizes.simulator
        return sizes.quick if self._is_quick else sizes.full

    def _measure(self, case: Case) -> None:
        limit = _QUICK_LIMIT if self._is_quick else _LIMIT
        taking_part = [library for library in self._libraries if self._is_wanted(library, case)]
        if not any(isinstance(library, Gpucore) for library in taking_part):
            return
        if case.nbytes * (len(taking_part) + 2) > self._memory:
            self.notes.append(f"{case.what} {case.size_text} is not measured: it needs too much memory")
            return
        inputs = case.inputs(case.size)
        timed: dict[str, Timed] = {}
        for library in taking_part:
            if (found := self._prepare(library, case, inputs)) is not None:
                timed[library.name] = found
        if not any(name in self.own for name in timed):
            return
        seconds = interleave(timed, ROUNDS, limit=limit)
        for name in timed:
            self._last[name, case.what] = seconds[name]["median"], case.effort
        self.rows.append(Row(case.benchmark, case.what, case.size, case.size_text, case.unit, case.amount, seconds))

    def _is_wanted(self, library: Library, case: Case) -> bool:
        """Whether a library is expected to run a case in time."""
        if isinstance(library, Gpucore) and case.size not in self._sizes(case.benchmark, library.device):
            return False
        seconds, effort = self._last.get((library.name, case.what), (0.0, 1.0))
        expected = seconds * case.effort / effort
        if expected <= (_QUICK_CALL_LIMIT if self._is_quick else _CALL_LIMIT):
            return True
        if math.isfinite(expected):
            self._leave_out(library, case, f"one run would take about {expected:.2g} s")
        return False

    def _leave_out(self, library: Library, case: Case, reason: str) -> None:
        """Neither this size nor larger ones."""
        self.notes.append(f"{library.name}: {case.what} {case.size_text} is not measured: {reason}")
        self._last[library.name, case.what] = math.inf, 1.0

    def _prepare(self, library: Library, case: Case, inputs: Any) -> Timed | None:
        """What is timed, after the result was found right; None where there is nothing to time."""
        try:
            prepared = case.prepare(library, inputs)
            problem = prepared[1]() if prepared else ""
        except Exception as error:  # a peer that fails is reported, and is not measured
            if isinstance(library, Gpucore) and not isinstance(error, _TOO_LARGE):
                raise
            self._leave_out(library, case, describe_cause(error))
            return None
        if problem:
            self.failures.append(f"{library.name}: {case.what} {case.size_text} is wrong: {problem}")
            return None
        return prepared[0] if prepared else None

    def _measure_first_calls(self, device_id: str) -> None:
        samples: dict[tuple[str, str], list[float]] = {}
        problems: dict[tuple[str, str], str] = {}
        for _ in range(1 if self._is_quick else _COMPILE_ROUNDS):
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


def _physical_memory() -> int:
    """Bytes of the host's memory."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN_MEMORY
