"""The README's first example runs as printed, on every device there is; core's README shows the same kernel."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def first_example(readme: Path) -> str:
    found = re.search(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize("readme", [ROOT / "README.md", ROOT / "core" / "README.md"], ids=["root", "core"])
@pytest.mark.parametrize("backend", ["cpu", "simulator"])
def test_first_example_runs(readme: Path, backend: str, tmp_path: Path) -> None:
    program = tmp_path / "example.py"
    text = first_example(readme)
    if "wgsl" in text:
        text = text.replace('"wgsl"', '"python"')  # needs no plugin
    program.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)],
        env={"GPUCORE_BACKEND": backend, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    shown = [float(number) for number in done.stdout.split("]")[0].strip("[ ").split()]
    assert shown == [2.0 * i + 1.0 for i in range(1000)]


def test_the_readmes_name_only_commands_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    verbs = set(re.findall(r"^make (\w+)", text, re.MULTILINE))
    assert verbs == {"demo", "test"}
    assert all(re.search(rf"^{verb}:", makefile, re.MULTILINE) for verb in verbs)
