"""`gpucore profile`: a script runs as under Python, and its kernels are shown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = """\
import sys
from profiled_neighbour import add
import gpucore as gp

assert __name__ == "__main__"
print("arguments", sys.argv[1:])
y = gp.zeros(10, device="simulator")
add(y)
add(y)
print("sum", y.numpy().sum())
if "fail" in sys.argv:
    raise ValueError("a mistake of the script")
if "stop" in sys.argv:
    sys.exit(7)
if "say" in sys.argv:
    sys.exit("no data")
"""
NEIGHBOUR = """\
import gpucore as gp

@gp.kernel
def add(y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += 1.0
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "profiled_neighbour.py").write_text(NEIGHBOUR, encoding="utf-8")
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def rows(text: str) -> dict[str, list[str]]:
    """The lines of the table, by their first word."""
    return {words[0]: words[1:] for line in text.splitlines() if (words := line.split())}


def test_a_script_with_arguments_and_files(run_process: Any, script: Path, tmp_path: Path) -> None:
    trace, table = tmp_path / "trace.json", tmp_path / "table.json"
    shown = run_process("profile", script, "--trace", trace, "--json", table, "--", "--steps", "3", "--trace=x")
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[:3] == ["arguments ['--steps', '3', '--trace=x']", "sum 20.0", ""]
    found = rows(shown.out)
    assert found["add"][:3] == ["simulator:0", "(host)", "2"]
    assert found["[download]"][:3] == ["simulator:0", "(host)", "1"]
    assert found["total"][0] == "4"  # the zeros are uploaded
    (kernel,) = json.loads(table.read_text(encoding="utf-8"))["kernels"]
    assert (kernel["name"], kernel["calls"], kernel["bytes_read"], kernel["compiles"]) == ("add", 2, 80, 1)
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    assert [event["name"] for event in events if event.get("cat") == "kernel"] == ["add", "add"]


@pytest.mark.parametrize(("word", "code"), [("fail", 1), ("stop", 7), ("say", 1)])
def test_the_exit_code_is_that_of_the_script(run_process: Any, script: Path, word: str, code: int) -> None:
    shown = run_process("profile", script, "--", word)
    assert shown.code == code
    assert rows(shown.out)["add"][2] == "2"
    errors = shown.err.splitlines()
    if word == "fail":
        assert errors[0] == "Traceback (most recent call last):" and errors[-1] == "ValueError: a mistake of the script"
        assert errors[1].strip() == f'File "{script}", line 12, in <module>'
    else:
        assert errors == (["no data"] if word == "say" else [])


def test_mistakes_in_the_call(run: Any, script: Path, tmp_path: Path) -> None:
    missing = run("profile", tmp_path / "none.py")
    assert (missing.code, missing.out, missing.err) == (2, "", f"error: there is no file {tmp_path / 'none.py'}\n")
    target = tmp_path / "none" / "trace.json"
    no_folder = run("profile", script, "--trace", target)
    assert (no_folder.code, no_folder.out, no_folder.err) == (
        2, "", f"error: {target} cannot be written: there is no folder {target.parent}\n",
    )  # fmt: skip
    output = run("profile", script, "--json", "-")
    assert (output.code, output.out, output.err) == (2, "", "error: standard output is the script's; name a file\n")
    stray = run("profile", script, "--steps", "3")
    assert stray.code == 2 and stray.err.endswith("unrecognized arguments: --steps 3; those of the script follow --\n")


def test_nothing_of_the_script_stays(run: Any, script: Path) -> None:
    before = [*sys.argv], [*sys.path], sys.modules["__main__"]
    assert run("profile", script).code == 0
    assert ([*sys.argv], [*sys.path], sys.modules["__main__"]) == before
    assert run("profile", script).code == 0  # the profile has ended
