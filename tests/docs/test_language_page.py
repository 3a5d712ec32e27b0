"""docs/language.md is complete and true: names, tests, and the cells of its table against what backends declare."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from named_tests import unknown_tests
from page_programs import ROOT

import gpucore as gp
from gpucore import lang
from gpucore.ir import FUNCTIONS
from gpucore.kernel import find_backend
from gpucore.passes import EMULATED
from gpucore.testing import require_device
from gpucore.types import DTYPES, bf16

PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
BACKENDS = ("simulator", "cpu", "wgpu", "opencl", "cuda")
NATIVE = ("`gp.native_kernel`", "`@k.native(backend)`")


@dataclass(frozen=True)
class Row:
    """A line of the table of what runs where."""

    what: str
    needs: gp.Capability | None
    cells: dict[str, str]
    tests: str


def rows() -> list[Row]:
    _, _, table = PAGE.partition("| what | needs | simulator |")
    found = []
    for line in table.splitlines()[2:]:
        what, needs, *cells, tests = (part.strip() for part in line.strip("|").split(" |"))
        if tests:
            capability = gp.Capability(needs.strip("`")) if needs else None
            found.append(Row(what, capability, dict(zip(BACKENDS, cells, strict=True)), tests))
    return found


ROWS = rows()


def test_the_table_has_all_its_rows() -> None:
    assert len(ROWS) > 70
    assert {row.needs for row in ROWS} - {None} == set(gp.Capability)


@pytest.mark.parametrize("row", ROWS, ids=[row.what for row in ROWS])
def test_every_row_names_tests_that_exist(row: Row) -> None:
    assert unknown_tests(row.tests) == []


@pytest.mark.parametrize("row", ROWS, ids=[row.what for row in ROWS])
@pytest.mark.parametrize("name", BACKENDS)
def test_cells_say_what_backends_declare(row: Row, name: str) -> None:
    backend, cell = find_backend(name), row.cells[name]
    if row.what in NATIVE:
        assert cell == ("yes" if backend.takes_native_text else "no")
    elif row.needs is None:
        assert cell == "yes"
    elif row.needs not in backend.capabilities:
        assert cell == ("emulated" if row.needs in EMULATED else "no")
    elif row.needs in EMULATED:
        assert cell in ("yes", "device, else emulated")
    else:
        assert cell in ("yes", "device")


@pytest.mark.parametrize("name", BACKENDS)
def test_cells_say_what_devices_have(name: str) -> None:
    device = require_device(name)
    wrong = [
        row.what
        for row in ROWS
        if row.needs is not None
        and not row.cells[name].startswith("device")
        and device.supports(row.needs) != (row.cells[name] == "yes")
    ]
    assert wrong == []


def test_every_name_of_kernels_is_in_the_reference() -> None:
    in_kernels = {name for name in gp.__all__ if name.islower() and getattr(gp, name) is getattr(lang, name, None)}
    types = {f"{dtype.ir_type}" for dtype in (*DTYPES, bf16)}
    others = {"In", "Out", "InOut", "Const", "Capability", "struct", "kernel", "native_kernel", "check", "target"}
    assert len(in_kernels) > 80
    missing = {name for name in in_kernels | types | others if not re.search(rf"gp\.{name}\b", PAGE)}
    assert missing == set()


def test_every_function_of_numbers_has_a_row_that_names_its_tests() -> None:
    named = {word for row in ROWS for part in re.findall(r"`([^`]+)`", row.what) for word in part.split()}
    assert set(lang.MATH) - named == set()


def test_every_name_from_python_is_listed() -> None:
    ((builtin, of_math),) = re.findall(r"^Python's `([^`]+)`, and `([^`]+)`\nof `math`", PAGE, re.MULTILINE)
    listed = set(builtin.split()) | {f"math.{name}" for name in of_math.split()}
    assert {name for function in FUNCTIONS.values() for name in function.python} - listed == set()


def test_no_name_in_the_reference_is_unknown() -> None:
    named = set(re.findall(r"\bgp\.(\w+)", PAGE))
    assert {name for name in named if not hasattr(gp, name)} == set()
