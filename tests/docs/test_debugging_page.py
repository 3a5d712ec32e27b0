"""The programs of docs/debugging.md run on every device, and print what stands under them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpucore.testing import available_devices, require_device

PAGE = (Path(__file__).parents[2] / "docs" / "debugging.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(import.*?)```\n\n```text\n(.*?)```\n", PAGE, re.DOTALL)
COMPILED = [name for name in available_devices() if name != "simulator"]


def test_the_page_has_programs() -> None:
    assert len(PROGRAMS) == PAGE.count("```python") == 3


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.parametrize("backend", COMPILED)
def test_a_program_prints_what_stands_under_it(backend: str, number: int, tmp_path: Path) -> None:
    require_device(backend)
    code, shown = PROGRAMS[number]
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "GPUCORE_BACKEND": backend},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.replace(f"{tmp_path}{os.sep}", "") == shown
