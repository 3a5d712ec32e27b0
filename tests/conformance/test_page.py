"""docs/conformance.md says what the tests show, no more and no less."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

import gpucore.testing.page
from gpucore.testing import Behaviours, list_behaviours
from gpucore.testing.suites import SUITES

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"


def test_page_is_current() -> None:
    rendered = gpucore.testing.page.render(json.loads(PAGE.with_suffix(".json").read_text(encoding="utf-8")))
    assert PAGE.read_text(encoding="utf-8") == rendered, (
        "run: python -m gpucore.testing.page docs/conformance.json > docs/conformance.md"
    )


def test_every_test_of_the_kit_is_listed() -> None:
    methods = {name for name, _ in inspect.getmembers(Behaviours, inspect.isfunction) if name.startswith("test_")}
    behaviours = list_behaviours(Behaviours)
    assert {behaviour.method for behaviour in behaviours} == methods
    page = PAGE.read_text(encoding="utf-8")
    for behaviour in behaviours:
        assert f"| {behaviour.number} | " in page and behaviour.contract in page


def test_suites_make_up_the_kit() -> None:
    of_suites = [behaviour.number for suite in SUITES.values() for behaviour in list_behaviours(suite)]
    assert sorted(of_suites) == [behaviour.number for behaviour in list_behaviours(Behaviours)]


class NoNumber:
    def test_something(self) -> None:
        """Without a number."""


class OneNumberTwice:
    def test_first(self) -> None:
        """C001 [Backend interface]: One."""

    def test_second(self) -> None:
        """C001 [Backend interface]: Another."""


@pytest.mark.parametrize("suite", [NoNumber, OneNumberTwice])
def test_bad_numbers_are_refused(suite: type) -> None:
    with pytest.raises(ValueError, match=r"C001|C123"):
        list_behaviours(suite)
