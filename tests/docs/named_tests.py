"""The tests that pages name: "C560 `test_tables`" of the conformance kit, "`language/test_tables.py::test_floats`"."""

from __future__ import annotations

import ast
import functools
import re

from page_programs import ROOT

from gpucore.testing import ConformanceTests
from gpucore.testing.behaviours import list_behaviours

_NAMED = re.compile(r"(C\d{3}) `(test_\w+)`|`(\w[\w/]*\.py)::(test_\w+)`")


def unknown_tests(cell: str) -> list[str]:
    """The parts of a cell, between commas, that do not name a test that there is."""
    return [part for part in cell.split(", ") if not _is_there(part)]


def _is_there(part: str) -> bool:
    found = _NAMED.fullmatch(part)
    if found is None:
        return False
    number, method, path, name = found.groups()
    return _behaviours().get(number) == method if number else name in _functions_in(path)


@functools.cache
def _behaviours() -> dict[str, str]:
    return {behaviour.number: behaviour.method for behaviour in list_behaviours(ConformanceTests)}


@functools.cache
def _functions_in(path: str) -> set[str]:
    file = ROOT / "tests" / path
    tree = ast.parse(file.read_text(encoding="utf-8") if file.exists() else "")
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
