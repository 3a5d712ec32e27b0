"""Tunes the shapes of gpucore's algorithms on a device. A table is only kept after whole results with it were right."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.shapes import Origin, Shapes, find_shapes, set_shapes
from gpucore.array import Array
from gpucore.device import Device
from gpucore.errors import ArgumentError, TuningError
from gpucore.immutable import Immutable
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.tuned import remove_tuned, write_tuned
from gpucore.tuning.judging import Problem
from gpucore.tuning.results import Tuning
from gpucore.tuning.steps import Step, describe_value, steps_for
from gpucore.tuning.tune import tune
from gpucore.tuning.workloads import Workload

ALGORITHMS = ("matmul", "sort")
_WORTH = 0.98  # of the time of the present value, which a better one takes at most
_LIMIT, _QUICK_LIMIT = 4.0, 0.5  # seconds of the rounds at one size


class Choice(Immutable, eq=False):
    """A value with the table in which it counts."""

    value: Any
    shapes: Shapes

    def __str__(self) -> str:
        return describe_value(self.value)


class Report(Immutable, eq=False):
    """What was found out at one size. `best` is the present value where no other one is clearly faster."""

    algorithm: str
    what: str
    size: int
    before: Choice
    best: Choice
    tuning: Tuning
    compared: Tuning  # of the two alone, where they are two

    def seconds_of(self, choice: Choice) -> float | None:
        """The median time of one of the two; None if its result is wrong."""
        trials = {id(trial.candidate): trial for trial in (*self.tuning.trials, *self.compared.trials)}
        return trials[id(choice)].seconds


class TableTuner:
    """Tunes the table of one device, beginning with the one that it uses, from `origin`. `reports` and `shapes` have
    what was found so far.

    Raises ArgumentError for the simulator, and where no step has one of the sizes that are wanted.
    """

    def __init__(
        self, device: Device, algorithms: Sequence[str], sizes: Sequence[int] = (), *, is_quick: bool = False,
        seed: int = 0,
    ) -> None:  # fmt: skip
        check_tunable(device)
        self.device, self.reports = device, list[Report]()
        self.shapes, self.origin = find_shapes(device)
        self._limit, self._seed = _QUICK_LIMIT if is_quick else _LIMIT, seed
        self._active: Choice | None = None
        self._plans: dict[int, Any] = {}
        self._steps = [(name, step) for name in algorithms for step in steps_for(device, name, is_quick)]
        self._sizes = {id(step): [n for n in step.sizes if not sizes or n in sizes] for _, step in self._steps}
        if not any(self._sizes.values()):
            known = sorted({size for _, step in self._steps for size in step.sizes})
            raise ArgumentError(f"nothing is tuned at these sizes; there are {', '.join(map(str, known)) or 'none'}")

    def count_steps(self) -> int:
        """The number of texts that `run` gives."""
        return sum(map(len, self._sizes.values())) + 1

    def run(self) -> Iterator[str]:
        """Tune, one step after each text, which names it. At the end the table is checked, and kept by `keep`.

        Raises TuningError if a result is wrong with the table, or with all values of a step.
        """
        try:
            for name, step in self._steps:
                best: dict[int, Any] = {}
                for size in self._sizes[id(step)]:
                    yield f"{name}, {step.what}, {size}"
                    best[size] = self._tune(name, step, size)
                if step.is_common and best:
                    best = dict.fromkeys(step.sizes, self._common([*best]))
                before = {size: step.values(self.shapes, size)[0] for size in best}
                if best != before:
                    self.shapes = step.conclude(self.shapes, best)
            yield "whole results with the table"
            self._check()
        finally:
            self._use(None)

    def _tune(self, name: str, step: Step, size: int) -> Any:
        """The best value at a size: the present one, unless another one is clearly faster."""
        measured, odd = step.workloads(self.device, size)
        values = step.values(self.shapes, size)
        choices = [Choice(value, step.put(self.shapes, size, value)) for value in values]

        def family(choice: Choice) -> Any:
            def run(*arrays: Array) -> Array:
                self._use(choice)
                return measured.run(*arrays)

            return run

        def verify(result: Array) -> str:
            reason = measured.check(result)
            return reason or _at_odd_size(_check_result(self.device, odd))

        def measure(some: list[Choice]) -> Tuning:
            return tune(
                family, some, measured.arrays, verify=verify, device=self.device, limit=self._limit, seed=self._seed
            )

        found, before = measure(choices), choices[0]
        best, compared = found.best, found
        if best is not before and any(trial.candidate is before for trial in found.trials if trial.is_right):
            compared = measure([before, best])  # most took part in few rounds
            if compared.best is before or compared.seconds > _WORTH * (compared.trials[1].seconds or 0.0):
                best = before
        self._use(None)
        self.reports.append(Report(name, step.what, size, before, best, found, compared))
        return best.value

    def _common(self, sizes: Sequence[int]) -> Any:
        """The value that is the best at some sizes together: with the least sum of times, each as a multiple of the
        least one at its size."""
        reports = self.reports[-len(sizes) :]
        if all(report.best is report.before for report in reports):
            return reports[0].before.value
        values = [trial.candidate.value for trial in reports[0].tuning.trials if trial.is_right]
        totals = {value: sum(_share(report, value) for report in reports) for value in values}
        best, before = min(totals, key=lambda value: totals[value]), reports[0].before.value
        return before if totals.get(before, float("inf")) * _WORTH <= totals[best] else best

    def _use(self, choice: Choice | None) -> None:
        """Let the algorithms use the table of a choice, with the plans that were made for it; None: their own."""
        if choice is self._active:
            return
        if self._active is not None:
            self._plans[id(self._active)] = self._active, self.device.plans
        known = self._plans.get(id(choice))
        self.device.plans = known[1] if known else None
        set_shapes(self.device, None if choice is None else choice.shapes)
        self._active = choice
        if choice is None:
            self._plans.clear()

    def _check(self) -> None:
        """Check whole results with the table, at every size that was measured. Raises TuningError."""
        self._use(None)
        names = dict.fromkeys(name for name, _ in self._steps)
        sizes = [size for own in self._sizes.values() for size in own]
        check_table(self.device, self.shapes, [*names], sizes)

    def keep(self) -> bool:
        """Keep the table for later processes, and use it in this one. Whether it could be kept."""
        return keep_table(self.device, self.shapes)


def _share(report: Report, value: Any) -> float:
    found = [trial.seconds for trial in report.tuning.trials if trial.is_right and trial.candidate.value == value]
    return (found[0] or 0.0) / (report.tuning.seconds or 1.0) if found else float("inf")


def _check_result(device: Device, workload: Workload) -> str:
    """Why a whole result is wrong; "" if it is right."""
    problem = Problem(device, workload.arrays)
    output = problem.output_of(workload.run)
    reason = workload.check(output)
    problem.overwrite(output)
    return reason


def _at_odd_size(reason: str) -> str:
    return f"at an odd size, {reason}" if reason else ""


def check_tunable(device: Device) -> None:
    """Raise ArgumentError for the simulator."""
    if device.info.backend == SIMULATOR:
        raise ArgumentError(
            f"{device.id} is not tuned: it runs kernels in Python, so its times say nothing; name another device"
        )


def check_table(device: Device, shapes: Shapes, algorithms: Sequence[str], sizes: Sequence[int] = ()) -> None:
    """Check whole results of algorithms with a table, at the sizes of their steps, or those of them that are in
    `sizes`, and at odd ones. Raises TuningError for a wrong one."""
    set_shapes(device, shapes)
    try:
        for name in algorithms:
            for step in steps_for(device, name, is_quick=not sizes):
                for size in step.sizes:
                    for workload in step.workloads(device, size) if not sizes or size in sizes else ():
                        reason = _check_result(device, workload)
                        if reason:
                            raise TuningError(f"{name} on {device.id} is wrong with the table: {step.what}, {reason}")
    finally:
        set_shapes(device, None)


def keep_table(device: Device, shapes: Shapes) -> bool:
    """Keep a table for later processes, and use it in this one. Whether it could be kept."""
    data = to_json(shapes, device)
    checked = from_json(data, device)  # what later processes read
    is_kept = write_tuned(device.info, json.dumps(data).encode())
    set_shapes(device, None if is_kept else checked)
    return is_kept


def forget_table(device: Device) -> bool:
    """Remove what is kept for a device. Whether there was something."""
    removed = remove_tuned(device.info)
    set_shapes(device, None)
    return removed


def kept_table(device: Device) -> dict[str, Any] | None:
    """What is kept for a device, as JSON; None if nothing is that can be used."""
    shapes, origin = find_shapes(device)
    return to_json(shapes, device) if origin is Origin.TUNED else None


__all__ = [
    "ALGORITHMS", "Report", "TableTuner", "check_table", "check_tunable", "forget_table", "keep_table", "kept_table",
]  # fmt: skip
