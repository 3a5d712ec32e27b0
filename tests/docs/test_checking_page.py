"""The programs of docs/checking.md run, and print what stands under them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "checking.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
PROGRAMS = [(code, shown) for code, shown in BLOCK.findall(PAGE) if code.startswith("import")]
FRAGMENTS = [code for code, _ in BLOCK.findall(PAGE) if not code.startswith("import")]


def output_of(program: str, folder: Path) -> str:
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, timeout=120, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(f"{folder}{os.sep}", "")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_prints_what_stands_under_it(number: int, tmp_path: Path) -> None:
    code, shown = PROGRAMS[number]
    assert output_of(code, tmp_path) == shown


def test_the_fragment_runs_after_the_program_before_it(tmp_path: Path) -> None:
    (fragment,) = FRAGMENTS
    before, _ = next(program for program in reversed(PROGRAMS) if PAGE.index(program[0]) < PAGE.index(fragment))
    assert output_of(before + fragment, tmp_path) == "8 True\n32 True\n64 True\n"
