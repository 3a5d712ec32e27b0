"""docs/demo.svg, the README's picture, shows what `gpucore demo` prints today."""

from __future__ import annotations

import html
import re
import runpy
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from page_programs import ROOT

PICTURE = ROOT / "docs" / "demo.svg"
LINE = re.compile(r'<text class="demo-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>')


def lines_of(svg: str) -> list[str]:
    """The lines of text in a picture."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in LINE.findall(svg):
        rows.setdefault(float(y), []).append((float(x), html.unescape(text).replace("\N{NO-BREAK SPACE}", " ")))
    return [" ".join(" ".join(text for _, text in sorted(rows[y])).split()) for y in sorted(rows)]


def headings(lines: list[str]) -> list[str]:
    """Lines that are the same on every machine."""
    same = ("$", "Sort", "...", "version", "device", "Matrix products", "Summary", "All")
    return [re.sub(r"\d+ x \d+|─+", "-", line) for line in lines if line.startswith(same)]


@pytest.fixture(scope="module")
def drawn() -> tuple[str, int]:
    """The picture of the demo on the simulator, and the exit status."""
    pytest.importorskip("rich", reason="rich is not installed")
    draw: Any = runpy.run_path(str(ROOT / "benchmarks" / "demo_picture.py"))["draw"]
    return draw(["--quick", "--device", "simulator"])  # type: ignore[no-any-return]


def test_the_stored_picture_has_the_lines_of_todays_demo(drawn: tuple[str, int]) -> None:
    svg, status = drawn
    now, stored = lines_of(svg), lines_of(PICTURE.read_text(encoding="utf-8"))
    assert status == 0
    assert now[0] == "$ gpucore demo --quick --device simulator" and stored[0] == "$ gpucore demo"
    assert headings(stored)[1:] == headings(now)[1:]
    assert len(headings(now)) == 9 and now[-1] == "All demos completed successfully!"
    results = [line for line in now if line.endswith(" PASSED")]
    assert [line.split()[0] for line in results] == [
        "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile", "auto", "simulator:0"
    ]  # fmt: skip


def test_the_picture_loads_nothing(drawn: tuple[str, int]) -> None:
    for svg in (drawn[0], PICTURE.read_text(encoding="utf-8")):
        ET.fromstring(svg)
        assert re.findall(r"@import|@font-face|<script|<image|href|url\((?!#)", svg) == []
