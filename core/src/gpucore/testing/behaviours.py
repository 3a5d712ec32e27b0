"""Behaviours: what each conformance test shows, read from the tests themselves.

A test is a method whose docstring starts with "C123 [Contract]: Behaviour." or a method decorated with `cases`, which
takes `case`: each `Case` is a separate behaviour. Needs no pytest.
"""

from __future__ import annotations

import inspect
import re
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import gpucore as gp
from gpucore.testing.skipped import Skipped
from gpucore.testing.tiers import BASIC, DEFAULT_TIER

_HEAD = re.compile(r"(C\d{3}) \[([^\]]+)\]: (.+)", re.DOTALL)

Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True)
class Case:
    """One behaviour of a test with several: its number, the part of the kernel language, and the behaviour.

    Subclasses add the data of the test.
    """

    number: str
    name: str
    text: str
    contract: str

    def __str__(self) -> str:
        return f"{self.number}-{self.name}"


@dataclass(frozen=True)
class Behaviour:
    """A numbered behaviour and the test that shows it."""

    number: str
    text: str
    contract: str
    method: str
    case: Case | None = None
    tier: str = DEFAULT_TIER

    @property
    def name(self) -> str:
        """What names it for people, and what `-k` finds: "C020 test_write_and_read", "C200-add test_operations"."""
        return f"{self.case or self.number} {self.method}"


def cases(values: tuple[Case, ...]) -> Callable[[Method], Method]:
    """Decorator of a test method that takes `case`: one test for each of `values`."""

    def mark(method: Method) -> Method:
        method.cases = values  # type: ignore[attr-defined]
        return method

    return mark


def list_behaviours(suite: type) -> list[Behaviour]:
    """All behaviours of a suite by number. Raises ValueError for a test without one, and for a number used twice."""
    found: dict[str, Behaviour] = {}
    for name, method in inspect.getmembers(suite, inspect.isfunction):
        if not name.startswith("test_"):
            continue
        for behaviour in behaviours_of(name, method):
            if behaviour.number in found:
                raise ValueError(f"{behaviour.number} is the number of {name} and of {found[behaviour.number].method}")
            found[behaviour.number] = behaviour
    return [found[number] for number in sorted(found)]


def behaviours_of(name: str, method: Callable[..., Any]) -> Iterator[Behaviour]:
    """The behaviours that a test method shows. Raises ValueError if it has no number."""
    of_suite = getattr(method, "tier", DEFAULT_TIER)
    for case in getattr(method, "cases", ()):
        yield Behaviour(case.number, case.text, case.contract, name, case, _tier_of(case.number, of_suite))
    if hasattr(method, "cases"):
        return
    head = _HEAD.fullmatch(inspect.getdoc(method) or "")
    if head is None:
        raise ValueError(f"{name} needs a docstring of the form 'C123 [Contract]: Behaviour.'")
    yield Behaviour(head[1], " ".join(head[3].split()), head[2], name, None, _tier_of(head[1], of_suite))


def _tier_of(number: str, of_suite: str) -> str:
    return "basic" if number in BASIC else of_suite


@dataclass(frozen=True)
class Outcome:
    """The result of one behaviour, and why: "passed", "failed", "skipped" or "expected" (a failure)."""

    behaviour: Behaviour
    status: str
    reason: str = ""
    seconds: float = 0.0
    trace: str = ""  # the traceback of an exception


def run_behaviours(suite: type, device: gp.Device, numbers: set[str] | None = None) -> list[Outcome]:
    """Run the behaviours of a suite (all, or those of `numbers`) on an open device, in this process."""
    return [
        run_behaviour(suite, device, behaviour)
        for behaviour in list_behaviours(suite)
        if numbers is None or behaviour.number in numbers
    ]


def _place_of(failure: BaseException) -> str:
    """The line that raised an exception without a text of its own."""
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    return f"in {frame.filename}:{frame.lineno}" + (f": {frame.line}" if frame.line else "")


def run_behaviour(suite: type, device: gp.Device, behaviour: Behaviour) -> Outcome:
    """Run one behaviour of a suite on an open device, in this process."""
    method = getattr(suite(), behaviour.method)
    arguments = (device,) if behaviour.case is None else (device, behaviour.case)
    started = time.perf_counter()
    status, reason, trace = "passed", "", ""
    try:
        method(*arguments)
    except Skipped as skipped:
        status, reason = "skipped", str(skipped)
    except (Exception, SystemExit) as failure:  # noqa: BLE001 (whatever a backend under test raises is its failure)
        where = "" if str(failure).strip() else _place_of(failure)
        status, reason = "failed", f"{type(failure).__name__}: {failure}{where}"
        trace = "".join(traceback.format_exception(failure))
    return Outcome(behaviour, status, reason, time.perf_counter() - started, trace)
