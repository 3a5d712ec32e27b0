"""Waiting for devices, and timing them."""

from __future__ import annotations

import math
from typing import Any

import pytest

import gpucore as gp
from gpucore.runtime import Mark


@pytest.mark.parametrize("timeout", [-1, -1e-9, -math.inf, math.nan, True, "1", 1j])
def test_timeout_that_is_no_number_of_seconds_is_refused(timeout: Any) -> None:
    with pytest.raises(gp.ArgumentError, match="timeout must be a number of seconds from 0, or None, not "):
        gp.device("simulator").synchronize(timeout=timeout)


@pytest.mark.parametrize("timeout", [None, 0, 0.0, 1e-9, math.inf])
def test_other_timeouts_are_accepted(timeout: float | None) -> None:
    gp.device("simulator").synchronize(timeout=timeout)


class LateMark(Mark):
    """A mark that is not done before it was asked a few times."""

    def __init__(self, mark: Mark) -> None:
        self.mark, self.questions = mark, 0

    def is_done(self) -> bool:
        self.questions += 1
        return self.questions > 3 and self.mark.is_done()


def test_a_timer_waits_for_both_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backend gets marks that have said that they are done, as its interface promises."""
    device = gp.device("simulator")
    driver = device.driver_device
    mark, elapsed = driver.mark, driver.elapsed
    asked: list[int] = []

    def measure(start: Mark, end: Mark) -> float:
        assert isinstance(start, LateMark) and isinstance(end, LateMark)
        asked.extend((start.questions, end.questions))
        return elapsed(start.mark, end.mark)

    monkeypatch.setattr(driver, "mark", lambda: LateMark(mark()))
    monkeypatch.setattr(driver, "elapsed", measure)
    with device.timer() as timer:
        gp.zeros(4, device=device)
    assert timer.seconds >= 0
    assert len(asked) == 2 and min(asked) > 3


@pytest.mark.parametrize(("busy", "asked", "fences"), [(0, 1, 0), (2, 3, 0), (5, 5, 1)])
def test_a_device_is_asked_whether_it_is_idle_before_there_is_a_fence(
    busy: int, asked: int, fences: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = gp.device("simulator")
    driver, calls = device.driver_device, []
    fence = driver.fence
    monkeypatch.setattr(driver, "idle_polls", 5)
    monkeypatch.setattr(driver, "is_idle", lambda: calls.append("is_idle") or calls.count("is_idle") > busy)
    monkeypatch.setattr(driver, "fence", lambda: calls.append("fence") or fence())
    device.synchronize()
    assert calls == ["is_idle"] * asked + ["fence"] * fences
    with gp.profile():
        calls.clear()
        device.synchronize()
        assert "is_idle" not in calls  # a profile measures waits
