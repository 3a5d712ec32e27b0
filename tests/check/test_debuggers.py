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


WITH_HELPER = """import numpy as np
import gpucore as gp


def limited(v):
    doubled = v * 2
    if doubled > 100:
        return 100
    return doubled


def first_of(x, key):
    for j in range(x.size):
        if x[j] == key:
            return j
    return -1


@gp.kernel(workgroup_size=4)
def chosen(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if x[i] > 1000:
        y[i] = -1
    else:
        y[i] = limited(x[i])
    if i == 3:
        y[i] = first_of(x, 2)
    elif i > 50:
        y[i] = first_of(x, 1)
    else:
        y[i] += 1


x = gp.asarray(np.arange(4, dtype="i4"), device="simulator")
y = gp.zeros(4, gp.i32, device="simulator")
chosen(x, y, invocations=4)
print("result", y.numpy().tolist())
"""


def test_coverage_of_branches_that_call_helpers(program: Path) -> None:
    """The helper's lines stand in for the call's: neither the branch taken nor the other one is told wrongly."""
    program.write_text(WITH_HELPER)
    lines = WITH_HELPER.splitlines()
    run("-m", "coverage", "run", "--branch", "--include=program.py", program, folder=program.parent)
    run("-m", "coverage", "json", "-q", "-o", "coverage.json", folder=program.parent)
    measured = json.loads((program.parent / "coverage.json").read_text())["files"]["program.py"]
    missing = [lines[number - 1].strip() for number in measured["missing_lines"]]
    assert missing == ["return 100", "return -1", "y[i] = -1", "y[i] = first_of(x, 1)"]
    branches = [(lines[a - 1].strip(), lines[b - 1].strip()) for a, b in measured["missing_branches"] if b > 0]
    assert set(branches) == {
        ("if doubled > 100:", "return 100"),
        ("for j in range(x.size):", "return -1"),
        ("if x[i] > 1000:", "y[i] = -1"),
        ("elif i > 50:", "y[i] = first_of(x, 1)"),
    }


def test_pdb_steps_from_a_branch_into_a_helper(program: Path) -> None:
    program.write_text(WITH_HELPER)
    line = WITH_HELPER.splitlines().index("    if x[i] > 1000:") + 1
    commands = f"tbreak program.py:{line}\ncontinue\nnext\nnext\nnext\nquit\n"
    shown = run("-m", "pdb", program, folder=program.parent, given=commands)
    steps = [text[3:] for text in shown.splitlines() if text.startswith("-> ")]
    expected = ["if x[i] > 1000:", "y[i] = limited(x[i])", "doubled = v * 2", "if doubled > 100:"]
    assert [step for step in steps if step in expected] == expected
    assert "y[i] = -1" not in steps
