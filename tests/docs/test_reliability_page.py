"""docs/reliability.md: every case has a row, and every row names tests that exist."""

from __future__ import annotations

import re

import pytest
from named_tests import unknown_tests
from page_programs import ROOT

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
ROWS = {
    number: (case, outcome, tests, where)
    for number, case, outcome, tests, where in re.findall(
        r"^\| ([CP]?\d+) \| (.+?) \| (.+?) \| (.*?) \| (.+?) \|$", PAGE, re.MULTILINE
    )
}
CASES, OF_THE_CACHE, OF_PLUGINS = 65, 8, 12


def test_every_number_has_a_row() -> None:
    expected = [str(number) for number in range(1, CASES + 1)]
    expected += [f"C{number}" for number in range(1, OF_THE_CACHE + 1)]
    expected += [f"P{number}" for number in range(1, OF_PLUGINS + 1)]
    assert [*ROWS] == expected


@pytest.mark.parametrize("number", ROWS)
def test_every_row_names_tests_that_exist(number: str) -> None:
    tests = ROWS[number][2]
    assert tests
    assert unknown_tests(tests) == []
