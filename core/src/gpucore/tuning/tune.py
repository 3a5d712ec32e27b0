"""`gp.tune`: the fastest candidate of a family, of those whose output is right."""

from __future__ import annotations

import itertools
import keyword
import math
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import numpy as np

from gpucore.array import DeviceLike
from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError, CompileError, DispatchError, OutOfMemoryError, TuningError
from gpucore.host import host_only
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.tuning.judging import Judge, Problem, arrays_in, make_judge
from gpucore.tuning.results import Trial, Tuning, describe
from gpucore.tuning.rounds import ROUNDS, device_time, has_clock, in_a_row, interleave

Family = Callable[[Any], Callable[..., Any]]
"""`family(candidate)` is called with the problem, and returns its output."""
_REFUSED = (CompileError, ArgumentError, OutOfMemoryError, DispatchError)
"""Errors of a candidate that does not fit the device."""
_SLOWER = 1.25  # best times that are so much worse than the best median: more rounds do not change the order
_LISTED = 5  # candidates in an error
_MOST = 10_000  # candidates


@host_only
def tune(
    family: Family, space: Mapping[str, Iterable[Any]] | Iterable[Any], problem: Any, *, verify: Any = None,
    where: Callable[[Any], bool] | None = None, device: DeviceLike = None, rtol: float = 0.0, atol: float = 0.0,
    rounds: int = ROUNDS, limit: float = 10.0, seed: int = 0,
) -> Tuning:  # fmt: skip
    """The fastest candidate of those whose output is right, with a table of all: `tune(...).best`.

    `space` is a dict of names and their values, of which each combination is a candidate, a named tuple; or an iterable
    of candidates of any kind. `where(candidate)` says which of them count. `family(candidate)` is what is measured: it
    is called with `problem`, a tuple of arguments or one argument, and returns its output: an array, or several in a
    tuple. One that returns None has written to arrays of the problem.

    `verify` judges the output of every candidate before that is timed, and that of the best one again after: it is the
    expected array, or a tuple of them, or a function. Expected arrays must have the output's dtype and shape; elements
    are equal, or floats that differ by at most `atol + rtol * abs(expected)`. A function gets the output, or for None
    the arguments of the problem, and returns True or False, or a text that says what is wrong, "" if nothing is. An
    AssertionError that it raises means that the output is wrong. Before each output that is judged, the device arrays
    of the problem are as they were given. They are not restored between the calls that are timed. Arrays of an output
    that are not in the problem are overwritten after they were judged.

    A candidate whose output is wrong, or that raises CompileError, ArgumentError, OutOfMemoryError or DispatchError, is
    in the table with its reason, and never the best. The others are warmed up and timed in `rounds` rounds (default 20)
    in random order, of `seed`; those that are clearly slower than the best take part in the first rounds only. All
    rounds together take about `limit` seconds. Times are by the device's clock on GPUs, and by the host's, with the
    wait, elsewhere.

    `device` is that of the arrays in the problem, or gp.default_device() without any. All its work is waited for.

    Raises ArgumentError for wrong arguments, and for the simulator, whose times say nothing about devices; TuningError,
    with the reasons, if no candidate is right; other errors of a device as they are.
    """
    candidates = candidates_of(space, where)
    _check(family, verify, rounds, limit, seed)
    _check_tolerances(rtol, atol)
    arguments = tuple(problem) if isinstance(problem, (tuple, list)) else (problem,)
    bench = _Bench(_device_of(arguments, device), family, arguments, make_judge(verify, rtol, atol))
    return bench.measure(candidates, rounds, limit, seed)


def candidates_of(space: Any, where: Callable[[Any], bool] | None = None) -> list[Any]:
    """The candidates of a space. Raises ArgumentError where there are none."""
    if isinstance(space, Mapping):
        found = _combinations(space)
    elif isinstance(space, Iterable) and not isinstance(space, (str, bytes)):
        found = space
    else:
        raise ArgumentError(
            f"space is a dict of names and their values, or an iterable of candidates, not {space!r}; "
            'such as {"tile": [8, 16, 32]}'
        )
    if where is not None and not callable(where):
        raise ArgumentError(f"where is a function of a candidate that returns True or False, not {where!r}")
    candidates: list[Any] = []
    count = 0
    for candidate in itertools.islice(found, _MOST + 1):
        count += 1
        if where is None or where(candidate):
            candidates.append(candidate)
    if count > _MOST:
        raise ArgumentError(f"space has more than {_MOST} candidates; give fewer values")
    if not candidates:
        reason = f"where refuses all {count} candidates" if count else "it has no candidates"
        raise ArgumentError(f"space is empty: {reason}; there must be one at least")
    return candidates


def _combinations(space: Mapping[Any, Any]) -> Iterable[Any]:
    for name, values in space.items():
        is_name = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
        if not is_name or name.startswith("_"):
            raise ArgumentError(
                f"space has the name {name!r}; candidates have it as an attribute, so it must be an identifier that "
                "does not begin with an underscore"
            )
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise ArgumentError(f"space[{name!r}] must be a list of values, not {values!r}; write [{values!r}]")
    names = [*space]
    kind: Any = namedtuple("Candidate", [*names])  # type: ignore[misc]  # whose names are those of the space
    return (kind(*values) for values in itertools.product(*map(list, space.values()))) if names else ()


def _check(family: Any, verify: Any, rounds: Any, limit: Any, seed: Any) -> None:
    if not callable(family):
        raise ArgumentError(f"family is a function of a candidate that returns what is measured, not {family!r}")
    if verify is None:
        raise ArgumentError(
            "verify is missing: nothing is timed whose output was not judged; give verify=expected_array, or a "
            "function of the output that returns True or False"
        )
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise ArgumentError(f"rounds is a whole number from 1, not {rounds!r}")
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not limit >= 0:
        raise ArgumentError(f"limit is a number of seconds from 0, not {limit!r}")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ArgumentError(f"seed is a whole number, not {seed!r}")


def _check_tolerances(rtol: Any, atol: Any) -> None:
    for name, value in (("rtol", rtol), ("atol", atol)):
        is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        if not is_number or not 0 <= value < math.inf:
            raise ArgumentError(f"{name} is a finite number from 0, not {value!r:.60}")


def _device_of(arguments: tuple[Any, ...], device: DeviceLike) -> Device:
    devices = {array.device for array in arrays_in(arguments)}
    if len(devices) > 1:
        names = ", ".join(sorted(each.id for each in devices))
        raise ArgumentError(f"the arrays of the problem are on several devices: {names}; move them with .to(...)")
    opened = open_device(device) if device is not None or not devices else devices.pop()
    if devices and opened not in devices:
        raise ArgumentError(f"the arrays of the problem are not on {opened.id}; move them with .to({opened.id!r})")
    if opened.info.backend == SIMULATOR:
        raise ArgumentError(
            f"{opened.id} runs kernels in Python, so its times say nothing about other devices; name another device"
        )
    return opened


def _checked(run: Any, candidate: Any) -> Callable[..., Any]:
    """What a family gave for a candidate."""
    if not callable(run):
        raise TuningError(
            f"family gave {run!r:.60} for the candidate {describe(candidate)}; it must return a function that is "
            "called with the problem"
        )
    return run  # type: ignore[no-any-return]  # it is callable


class _Bench:
    """The candidates of one problem, judged and timed on a device."""

    def __init__(self, device: Device, family: Family, problem: tuple[Any, ...], judge: Judge) -> None:
        self._device, self._family, self._judge = device, family, judge
        self._problem = Problem(device, problem)

    def measure(self, candidates: list[Any], rounds: int, limit: float, seed: int) -> Tuning:
        """Judge all, and time those that are right."""
        works: dict[int, Callable[[], Any]] = {}
        reasons: dict[int, str] = {}
        for number, candidate in enumerate(candidates):
            try:
                run = _checked(self._family(candidate), candidate)
                output = self._problem.output_of(run)
            except _REFUSED as error:
                reasons[number] = f"{type(error).__name__}: {_first_line(error)}"
                continue
            reasons[number] = self._judge_output(output)
            if not reasons[number]:
                works[number] = lambda run=run: run(*self._problem.arguments)  # type: ignore[misc]  # mypy has no type for it
        order = Random(seed)
        while works:
            timed = {number: self._timed(work) for number, work in works.items()}
            times = interleave(timed, rounds, limit=limit, order=order, slower=_SLOWER)
            best = min(times, key=lambda number: (times[number]["median"], number))
            reason = self._judge_output(self._problem.output_of(lambda *_, best=best: works[best]()))
            if not reason:
                return self._result(candidates, reasons, times)
            reasons[best] = f"after it was timed: {reason}"
            del works[best]
        raise TuningError(_none_is_right(candidates, reasons, self._device))

    def _judge_output(self, output: Any) -> str:
        """Why an output is wrong; "" if it is right. It is overwritten then."""
        reason = self._judge(output, self._problem.arguments)
        self._problem.overwrite(output)
        self._problem.restore()
        return reason

    def _timed(self, work: Callable[[], Any]) -> Callable[[], float]:
        return in_a_row(lambda calls: device_time(self._device, work, calls))

    def _result(self, candidates: list[Any], reasons: dict[int, str], times: dict[int, dict[str, float]]) -> Tuning:
        ranked = sorted(times, key=lambda number: (times[number]["median"], number))
        trials = [
            Trial(candidates[number], True, "", found["median"], found["min"], found["max"], int(found["rounds"]))
            for number in ranked
            for found in [times[number]]
        ]
        trials += [Trial(candidates[number], False, reason) for number, reason in reasons.items() if reason]
        clock = "device" if has_clock(self._device) else "host"
        return Tuning(trials[0].candidate, tuple(trials), self._device.id, clock)


def _first_line(error: BaseException) -> str:
    return next(filter(None, map(str.strip, str(error).splitlines())), "")


def _none_is_right(candidates: list[Any], reasons: dict[int, str], device: Device) -> str:
    shown = [f"  {describe(candidates[number])}: {reason}" for number, reason in reasons.items() if reason][:_LISTED]
    more = [f"  and {len(candidates) - len(shown)} more"] if len(candidates) > len(shown) else []
    head = f"none of the {len(candidates)} candidates gives a right output on {device.id}, so none is chosen:"
    return "\n".join([head, *shown, *more])
