"""Codes of compile errors: each has one class and one meaning, and docs/errors.md tells both."""

from __future__ import annotations

import ast
import functools
import re
from collections import defaultdict

import pytest
from source_tree import ROOT, parsed, product_files

from gpucore.findings import FindingCode

CODE = re.compile(r"GP[1-689]\d{2}")
ROW = re.compile(r"^\| (GP[1-689]\d{2}) \| `(\w+)`(?: and `(\w+)`)? \| (\S.*) \|$", re.MULTILINE)
FINDING_ROW = re.compile(r"^\| (GP7\d{2}) \| `(\w+)` \| (\S.*) \|$", re.MULTILINE)


@functools.cache
def _used() -> dict[str, set[str]]:
    """Code -> the error classes that the source raises with it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in product_files():
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call):
                continue
            codes = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            for code in codes:
                if CODE.fullmatch(code):
                    words = [
                        ast.unparse(node.func),
                        *(ast.unparse(arg) for arg in node.args if isinstance(arg, ast.Name)),
                    ]
                    classes = [word for word in words if word.endswith("Error")]
                    found[code].update(classes or [f"no class in {path.name}:{node.lineno}"])
    return found


def _mentioned() -> set[str]:
    return {code for path in product_files() for code in CODE.findall(path.read_text())}


def _documented() -> dict[str, set[str]]:
    rows = ROW.findall((ROOT / "docs" / "errors.md").read_text())
    assert len(rows) == len({row[0] for row in rows}), "a code stands twice in docs/errors.md"
    return {code: {first, second} - {""} for code, first, second, _ in rows}


def test_every_code_is_documented_and_every_documented_code_is_used() -> None:
    assert set(_documented()) == set(_used()) == _mentioned()


def test_the_documented_class_is_the_raised_one() -> None:
    assert _documented() == _used()


@pytest.mark.parametrize("code", sorted(_documented()))
def test_a_code_has_one_class(code: str) -> None:
    """Of the documented codes, as to find those that are used takes seconds: they are the same, see above."""
    assert len(_used()[code]) == 1


def test_every_finding_is_documented_and_reported_somewhere() -> None:
    """Findings of `gp.check` have codes of their own: members of FindingCode, in a table of their own."""
    documented = FINDING_ROW.findall((ROOT / "docs" / "errors.md").read_text())
    assert [(code, name) for code, name, _ in documented] == [(kind.value, kind.name) for kind in FindingCode]
    uses = [
        ast.unparse(argument)
        for path in product_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "report"
        for argument in node.args[:1]
    ]
    assert {use.removeprefix("FindingCode.") for use in uses} == {kind.name for kind in FindingCode}
