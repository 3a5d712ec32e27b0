"""docs/comparison.md: what it says of gpucore is tested, or it says why not; what it says of others has a link."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from named_tests import unknown_tests
from page_programs import ROOT

PAGE = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
OTHERS = {
    "cupy": ("https://docs.cupy.dev/en/stable/", "https://github.com/cupy/cupy/"),
    "warp": ("https://nvidia.github.io/warp/stable/", "https://github.com/NVIDIA/warp/"),
    "taichi": ("https://docs.taichi-lang.org/docs/", "https://github.com/taichi-dev/taichi/"),
    "numba": ("https://nvidia.github.io/numba-cuda/", "https://github.com/NVIDIA/numba-cuda/"),
    "pyopencl": ("https://documen.tician.de/pyopencl/", "https://github.com/inducer/pyopencl/"),
}
HEAD = "| | gpucore | CuPy | Warp | Taichi | numba.cuda | PyOpenCL | gpucore's test, or why not |"
SOURCES = dict(re.findall(r"^\[([a-z-]+)\]: (\S+)$", PAGE, re.MULTILINE))
LINKS = re.compile(r"\[[^\[\]]+\]\[([a-z-]+)\]")


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    feature: str
    ours: str
    theirs: dict[str, str]
    shown_by: str


def rows() -> list[Row]:
    found = []
    for line in PAGE.splitlines():
        if line.startswith("| ") and line != HEAD:
            feature, ours, *theirs, shown_by = line.strip("| ").split(" | ")
            found.append(Row(feature, ours, dict(zip(OTHERS, theirs, strict=True)), shown_by))
    return found


ROWS = rows()
NAMES = [row.feature for row in ROWS]


def test_the_page_compares_in_both_directions() -> None:
    assert len(ROWS) == len(set(NAMES)) > 40
    assert PAGE.count(HEAD) == PAGE.count("\n## ")
    assert sum(row.ours.startswith("no") for row in ROWS) > 8


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_what_gpucore_has_is_tested_and_what_it_lacks_explained(row: Row) -> None:
    if re.match(r"no\b", row.ours):
        assert len(row.shown_by) > 20 and "::" not in row.shown_by
    else:
        assert unknown_tests(row.shown_by) == []


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_what_others_have_is_linked_to_their_own_pages(row: Row) -> None:
    for name, cell in row.theirs.items():
        links = LINKS.findall(cell)
        assert links and LINKS.sub("", cell).strip("; ") == "", cell  # nothing is said without a link
        assert all(link.startswith(f"{name}-") and SOURCES[link].startswith(OTHERS[name]) for link in links), cell


def test_every_source_is_used() -> None:
    assert set(SOURCES) == set(LINKS.findall(PAGE))
