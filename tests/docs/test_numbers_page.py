"""docs/numbers.md names every behaviour of the numeric contract, and has the figures of the measurements."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest
from page_programs import ROOT

from gpucore.ir import FUNCTIONS
from gpucore.ir.ops import Folding
from gpucore.testing import ConformanceTests
from gpucore.testing.behaviours import list_behaviours

PATH = ROOT / "docs" / "numbers.md"
PAGE = PATH.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("accuracy_tables", ROOT / "benchmarks" / "accuracy_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_are_those_of_the_measurements(tables: ModuleType, update_golden: bool) -> None:
    if update_golden:
        PATH.write_text(tables.render(PAGE), encoding="utf-8")
    page = PATH.read_text(encoding="utf-8")
    assert tables.render(page) == page, "write them with python benchmarks/accuracy_tables.py"


def test_tables_have_figures() -> None:
    measured = PAGE.partition("<!-- measured -->")[2]
    rows = [line for line in measured.splitlines() if line.startswith("| `")]
    assert len(rows) > 60
    assert all(re.search(r"\| [\d.]+", row) for row in rows)
    assert all(f"| {type} | arguments |" in measured for type in ("f32", "f64", "f16"))


def test_every_function_with_an_error_has_a_row() -> None:
    measured = PAGE.partition("<!-- measured -->")[2]
    wanted = {op.value for op, function in FUNCTIONS.items() if function.folding is Folding.NEAR}
    assert wanted - set(re.findall(r"^\| `(\w+)` \|", measured, re.MULTILINE)) == set()


def named() -> set[int]:
    """The numbers on the page, ranges written out."""
    contract = PAGE.partition("## The contract")[2].partition("## Errors of functions")[0]
    found = set(map(int, re.findall(r"\bC(\d{3,4})\b", contract)))
    for low, high in re.findall(r"\bC(\d{3,4}) to C(\d{3,4})\b", contract):
        found |= set(range(int(low), int(high) + 1))
    return found


def test_every_behaviour_of_the_contract_is_named() -> None:
    behaviours = list_behaviours(ConformanceTests)
    wanted = {int(b.number[1:]): b.text for b in behaviours if b.contract.startswith("Numeric contract")}
    assert len(wanted) > 100
    missing = {number: text for number, text in wanted.items() if number not in named()}
    assert missing == {}, "name them in the contract of docs/numbers.md"


def test_every_number_in_a_single_place_is_a_behaviour() -> None:
    known = {int(behaviour.number[1:]) for behaviour in list_behaviours(ConformanceTests)}
    single = set(map(int, re.findall(r"\bC(\d{3,4})\b", PAGE)))
    assert single - known == set()
