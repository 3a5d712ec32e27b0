"""Runs mypy --strict and pyright over programs, and reads the lines that they report."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
Lines = dict[str, dict[int, str]]
"""The messages of a checker: the program's name, the line, the text."""

_UNANNOTATED = """
disallow_untyped_defs = false
disallow_incomplete_defs = false
disallow_untyped_calls = false
allow_redefinition = true
"""
_MESSAGE = re.compile(r"^(\w+)\.py:(\d+): error: (.*)$", re.MULTILINE)


def code_of(page: Path) -> str:
    """The Python on a page or in a notebook, as one program."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    return "".join(re.findall(r"```python\n(.*?)```\n", text, re.DOTALL))


def run_mypy(folder: Path, unannotated: list[str]) -> Lines:
    """What mypy --strict reports in the programs of a folder. Those named may leave out annotations of functions."""
    config = folder / "mypy.ini"
    sections = "".join(f"[mypy-{name}]{_UNANNOTATED}" for name in unannotated)
    path = f"mypy_path = {ROOT / 'core' / 'src'}"
    # dask.array takes `e` from NumPy, and has `except ... as e`: for mypy NumPy's is then deleted.
    others = "[mypy-gpucore.*]\nignore_errors = true\n[mypy-dask.*]\nfollow_imports = skip\n"
    config.write_text(f"[mypy]\nstrict = true\n{path}\n{others}{sections}")
    names = sorted(path.name for path in folder.glob("*.py"))
    command = ["mypy", "--config-file", config.name, "--cache-dir", os.devnull, "--show-traceback", *names]
    done = _run(command, folder)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr + done.stdout
    reported: Lines = {}
    for name, line, text in _MESSAGE.findall(done.stdout):
        reported.setdefault(name, {}).setdefault(int(line), text)
    return reported


def run_pyright(folder: Path) -> Lines:
    """What pyright reports in the programs of a folder, with its standard rules."""
    settings = {
        "include": ["."],
        "extraPaths": [str(ROOT / "core" / "src")],
        "typeCheckingMode": "standard",
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = _run(["basedpyright", "--outputjson", "--pythonpath", sys.executable], folder)
    assert done.returncode in (0, 1), done.stderr + done.stdout
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(list(folder.glob("*.py")))
    reported: Lines = {}
    for found in report["generalDiagnostics"]:
        if found["severity"] == "error":
            lines = reported.setdefault(Path(found["file"]).stem, {})
            lines.setdefault(found["range"]["start"]["line"] + 1, found["message"])
    return reported


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
