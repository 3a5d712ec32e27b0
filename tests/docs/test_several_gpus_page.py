"""The programs of the page about several GPUs. Each stands alone, as workers import the program that starts them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from page_programs import ROOT, blocks_of

BLOCKS = blocks_of(ROOT / "docs/several-gpus.md")


@pytest.mark.xdist_group("scale")
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_program_prints_what_the_page_shows(number: int, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="distributed is in requirements-dev.txt")
    imports = BLOCKS[0].code.partition("\n\n\n")[0]
    program = BLOCKS[number].code if number == 0 else f"{imports}\n\n\n{BLOCKS[number].code}"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout == BLOCKS[number].shown
