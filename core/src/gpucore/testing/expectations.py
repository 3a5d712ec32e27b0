"""Failures that are expected: the number of a behaviour, and the reason. An expectation is strict: a behaviour that
passes against it has failed, so that it is taken back when the backend is repaired."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping

from gpucore.testing.behaviours import Outcome, list_behaviours
from gpucore.testing.suites import Behaviours


def check_expectations(expected: Mapping[str, str]) -> None:
    """Raise ValueError for a number that no behaviour has, and for one without a reason."""
    known = [behaviour.number for behaviour in list_behaviours(Behaviours)]
    for number, reason in expected.items():
        if number not in known:
            near = ", ".join(difflib.get_close_matches(number, known, 3))
            hint = f"; near it are {near}" if near else ""
            raise ValueError(f"a failure of {number!r} is expected, and no behaviour has that number{hint}")
        if not reason.strip():
            raise ValueError(f"a failure of {number} is expected without a reason: say in a text why it fails")


def judge(outcome: Outcome, expected: Mapping[str, str]) -> Outcome:
    """The outcome in view of the expectations."""
    reason = expected.get(outcome.behaviour.number)
    if reason is None:
        return outcome
    if outcome.status == "failed":
        return dataclasses.replace(outcome, status="expected", reason=f"{reason} ({outcome.reason})")
    if outcome.status == "passed":
        text = f"it passes, and a failure was expected: {reason}. Take the expectation back"
        return dataclasses.replace(outcome, status="failed", reason=text)
    return outcome
