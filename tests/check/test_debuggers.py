"""pdb and coverage.py see a kernel's own lines on the simulator, with nothing said to either of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """import numpy as np
import gpucore as gp


@gp.kernel(workgroup_size=4)
def clipped(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    value = 2.0 * x[i]
    if value > 100.0:
        value = 100.0
    elif value < -50.0:
        value = -50.0
    y[i] = value


x = gp.asarray(np.array([1.5, 60.0, 3.0, 4.0], "f4"), device="simulator")
y = gp.zeros(4, device="simulator")
clipped(x, y, invocations=4)
print("result", y.numpy().tolist())
"""
LINE = {text.strip(): number for number, text in enumerate(PROGRAM.splitlines(), 1)}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def run(*command: str | Path, folder: Path, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        env=dict(os.environ) | {"PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_pdb_stops_at_a_line_of_the_kernel_and_reads_a_variable(program: Path) -> None:
    """`python -m pdb program.py`, a breakpoint by line number, and the value of the second invocation."""
    line = LINE["y[i] = value"]
    commands = f"break program.py:{line}\ncontinue\ncontinue\np (i, float(value))\nwhere\nclear 1\ncontinue\nquit\n"
    shown = run("-m", "pdb", program, folder=program.parent, given=commands)
    assert f"program.py({line})clipped()" in shown
    assert "-> y[i] = value" in shown
    assert "(1, 100.0)" in shown
    assert "result [3.0, 100.0, 6.0, 8.0]" in shown


def test_pdb_steps_through_the_kernel_line_by_line(program: Path) -> None:
    line = LINE["value = 2.0 * x[i]"]
    commands = f"tbreak program.py:{line}\ncontinue\nnext\nnext\np float(value)\ncontinue\nquit\n"
    shown = run("-m", "pdb", program, folder=program.parent, given=commands)
    for text in ("value = 2.0 * x[i]", "if value > 100.0:"):
        assert f"program.py({LINE[text]})clipped()" in shown
    assert "3.0" in shown


def test_coverage_shows_the_branch_not_taken(program: Path) -> None:
    run("-m", "coverage", "run", "--branch", "--include=program.py", program, folder=program.parent)
    run("-m", "coverage", "json", "-q", "-o", "coverage.json", folder=program.parent)
    measured = json.loads((program.parent / "coverage.json").read_text())["files"]["program.py"]
    taken, not_taken = LINE["value = 100.0"], LINE["value = -50.0"]
    assert taken in measured["executed_lines"] and taken not in measured["missing_lines"]
    assert not_taken in measured["missing_lines"] and not_taken not in measured["executed_lines"]
    assert [LINE["elif value < -50.0:"], not_taken] in measured["missing_branches"]
    assert LINE["y[i] = value"] in measured["executed_lines"]
