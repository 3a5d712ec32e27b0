"""Behaviours: what each conformance test shows, read from the tests themselves.

A test is a method whose docstring starts with "C123 [Contract]: Behaviour." or a method parametrised with `case` over
`Case`s, each a separate behaviour.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import gpucore as gp

_HEAD = re.compile(r"(C\d{3}) \[([^\]]+)\]: (.+)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One behaviour of a parametrised test: its number, the part of the kernel language, and the behaviour.

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


def cases(values: tuple[Case, ...]) -> pytest.MarkDecorator:
    """Decorator of a test method that takes `case`: one test for each of `values`."""
    return pytest.mark.parametrize("case", values, ids=str)


def list_behaviours(suite: type) -> list[Behaviour]:
    """All behaviours of a suite by number. Raises ValueError for a test without one, and for a number used twice."""
    found: dict[str, Behaviour] = {}
    for name, method in inspect.getmembers(suite, inspect.isfunction):
        if not name.startswith("test_"):
            continue
        for behaviour in _behaviours_of(name, method):
            if behaviour.number in found:
                raise ValueError(f"{behaviour.number} is the number of {name} and of {found[behaviour.number].method}")
            found[behaviour.number] = behaviour
    return [found[number] for number in sorted(found)]


def _behaviours_of(name: str, method: Callable[..., Any]) -> Iterator[Behaviour]:
    for mark in getattr(method, "pytestmark", ()):
        if mark.name == "parametrize" and mark.args[0] == "case":
            for case in mark.args[1]:
                yield Behaviour(case.number, case.text, case.contract, name, case)
            return
    head = _HEAD.fullmatch(inspect.getdoc(method) or "")
    if head is None:
        raise ValueError(f"{name} needs a docstring of the form 'C123 [Contract]: Behaviour.'")
    yield Behaviour(head[1], " ".join(head[3].split()), head[2], name)


@dataclass(frozen=True)
class Outcome:
    """The result of one behaviour: "passed", "failed" or "skipped", and why."""

    behaviour: Behaviour
    status: str
    reason: str = ""


def run_behaviours(suite: type, device: gp.Device, numbers: set[str] | None = None) -> list[Outcome]:
    """Run the behaviours of a suite (all, or those of `numbers`) on an open device, without a pytest session."""
    return [
        _run(suite, device, behaviour)
        for behaviour in list_behaviours(suite)
        if numbers is None or behaviour.number in numbers
    ]


def _run(suite: type, device: gp.Device, behaviour: Behaviour) -> Outcome:
    method = getattr(suite(), behaviour.method)
    arguments = (device,) if behaviour.case is None else (device, behaviour.case)
    try:
        method(*arguments)
    except pytest.skip.Exception as skipped:
        return Outcome(behaviour, "skipped", str(skipped))
    except Exception as failure:  # noqa: BLE001 (whatever a backend under test raises is its failure)
        return Outcome(behaviour, "failed", f"{type(failure).__name__}: {failure}")
    return Outcome(behaviour, "passed")
