"""Tiers choose behaviours, and the ids of tests have their numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gpucore.testing import TIERS, Behaviours, ConformanceTests, list_behaviours
from gpucore.testing.session import Session
from gpucore.testing.tiers import BASIC, parse_tier


def _numbers(suite: type) -> set[str]:
    return {behaviour.number for behaviour in list_behaviours(suite)}


def test_tier_of_every_behaviour() -> None:
    behaviours = list_behaviours(Behaviours)
    assert {behaviour.tier for behaviour in behaviours} == set(TIERS)
    assert {behaviour.number for behaviour in behaviours if behaviour.tier == "basic"} == BASIC


def test_a_tier_without_behaviours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpucore.testing.session.list_behaviours", lambda suite: [])
    with pytest.raises(ValueError, match="tier stress: there is none"):
        Session("simulator", "stress")
    with pytest.raises(ValueError, match="'C210' in it"):
        Session("simulator", "stress", ["C210"])


@pytest.mark.parametrize(("text", "tiers"), [
    ("basic", {"basic"}), ("full", {"basic", "full"}), ("all", set(TIERS)), ("stress", {"stress"}),
    ("full, algorithms", {"basic", "full", "algorithms"}),
])  # fmt: skip
def test_names_of_tiers(text: str, tiers: set[str]) -> None:
    assert parse_tier(text) == tiers


@pytest.mark.parametrize("text", ["ful", "", "basic,"])
def test_unknown_tiers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"there is no tier .*basic, full, stress, algorithms, debugging and all"):
        type("TestMine", (ConformanceTests,), {"tier": text})


@pytest.mark.parametrize(("expected", "said"), [
    ({"C00": "slow"}, "a failure of 'C00' is expected, and no behaviour has that number; near it are C"),
    ({"C001": " "}, "a failure of C001 is expected without a reason"),
])  # fmt: skip
def test_wrong_expectations_are_refused(expected: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        type("TestMine", (ConformanceTests,), {"expected_failures": expected})


def test_class_has_the_methods_of_its_tier() -> None:
    class Basic(ConformanceTests):
        tier = "basic"

    class Again(Basic):
        tier = "full"

        test_close = None

    assert "test_offline_targets" not in {behaviour.method for behaviour in list_behaviours(Basic)}
    full = {each.number for each in list_behaviours(Behaviours) if each.tier in ("basic", "full")}
    assert _numbers(Again) == full - {"C011"}
    assert _numbers(ConformanceTests) == full


PROGRAM = """
from gpucore.testing import ConformanceTests

class TestBasic(ConformanceTests):
    device = "simulator"
    tier = "basic"

    def test_of_my_own(self, gpu):
        assert gpu.id == "simulator:0"

    def test_order(self, gpu):
        '''What replaces a test has no number unless it says one.'''

class TestFull(ConformanceTests):
    device = "simulator"
"""


def _collect(path: Path, *arguments: str) -> list[str]:
    """The ids of tests without a conftest and without gpucore's own plugin."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p",
               "no:gpucore_pytest", path.name, *arguments]  # fmt: skip
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    return [line.partition("::")[2] for line in run.stdout.splitlines() if "::" in line]


def test_ids_have_numbers(tmp_path: Path) -> None:
    path = tmp_path / "test_mine.py"
    path.write_text(PROGRAM)
    ids = _collect(path)
    basic = [one for one in ids if one.startswith("TestBasic")]
    assert len(basic) == len(BASIC) + 1
    assert {"TestBasic::test_of_my_own", "TestBasic::test_order", "TestBasic::test_backend[C001]"} <= set(basic)
    full = [one for one in ids if one.startswith("TestFull")]
    for behaviour in list_behaviours(Behaviours):
        matching = [one for one in full if f"[{behaviour.number}" in one]
        assert len(matching) == (behaviour.tier in ("basic", "full"))
    assert set(_collect(path, "-k", "C001 or C200")) == {
        f"{name}::{test}"
        for name in ("TestBasic", "TestFull")
        for test in ("test_backend[C001]", "test_operations_of_32_bits[C200-add]")
    }
