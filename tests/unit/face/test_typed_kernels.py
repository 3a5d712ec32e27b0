"""Kernels where people type them: the prompt, `python -c`, standard input, exec. Each in a process of its own."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.front.text import origins

PROGRAM = """import gpucore as gp
SCALE = 3
def scaled(value):
    return value * SCALE

@gp.kernel(workgroup_size=4)
def fill(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = scaled(i)

y = gp.zeros(5, gp.i32, device="simulator")
fill(y, invocations=5)
print(y.numpy().tolist())
"""
RESULT = "[0, 3, 6, 9, 12]\n"
AFTER = 'print("after the decorator")\n'
MISTAKE = PROGRAM.replace("scaled(i)", "scaled(j)")
KEEPS_TYPED_TEXT = sys.version_info >= (3, 13)


def python(*arguments: str, given: str | None = None, stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONUTF8": "1", "TERM": "dumb", "PYTHON_BASIC_REPL": "1"}
    command = [sys.executable, *arguments]
    if stdin is None:
        return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, env=environment)
    with stdin.open() as opened:
        return subprocess.run(command, stdin=opened, capture_output=True, text=True, timeout=120, env=environment)


@pytest.mark.parametrize("options", [["-c"], ["-B", "-c"], ["-Bc"], ["-X", "utf8", "-W", "ignore", "-c"]])
def test_a_kernel_on_the_command_line(options: list[str]) -> None:
    done = python(*options, PROGRAM, "an", "argument")
    assert (done.stdout, done.stderr) == (RESULT, "")


def test_the_text_may_follow_the_c() -> None:
    done = python("-Bc" + PROGRAM)
    assert (done.stdout, done.stderr) == (RESULT, "")


def test_an_error_on_the_command_line_shows_its_line() -> None:
    done = python("-c", MISTAKE)
    assert "<python -c>:10:23: error[GP105]: the name 'j' is not defined" in done.stderr
    assert "10 |         y[i] = scaled(j)\n    |                       ^\n" in done.stderr


def test_text_given_to_exec_on_the_command_line_is_not_that_of_the_command_line() -> None:
    """Python calls both "<string>"; the kernel begins at a line of either."""
    inner = PROGRAM.replace("SCALE = 3", "SCALE = 4").replace("y[i] = scaled(i)", "y[i] = scaled(i) + 1")
    done = python("-c", PROGRAM + f"exec({inner!r})\n{AFTER}")
    assert done.stdout == RESULT
    assert "error[GP101]: the source of fill cannot be read" in done.stderr
    assert "gp.kernel_from_text" in done.stderr
    assert "scaled(i)" not in done.stderr.partition("KernelSyntaxError")[2]


def test_a_program_in_a_file_on_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("# coding: latin-1\n# \xe9\n" + PROGRAM, encoding="latin-1")
    done = python("-", stdin=path)
    assert (done.stdout, done.stderr) == (RESULT, "")
    path.write_text(MISTAKE)
    done = python(stdin=path)
    assert "<standard input>:10:23: error[GP105]" in done.stderr
    assert "10 |         y[i] = scaled(j)\n" in done.stderr


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_a_program_in_a_pipe_is_refused_at_the_decorator(arguments: list[str]) -> None:
    definition, _, rest = PROGRAM.partition("y = ")
    done = python(*arguments, given=f"{definition}{AFTER}y = {rest}")
    assert done.stdout == ""
    assert "error[GP101]: the source of fill cannot be read" in done.stderr
    assert "as in `python program.py`" in done.stderr and "gp.kernel_from_text" in done.stderr


def test_a_kernel_at_the_prompt() -> None:
    """`python -i` reads the pipe as if it were typed."""
    typed = PROGRAM.replace("    return value * SCALE\n", "    return value * SCALE\n\n")
    done = python("-iq", given=typed)
    if KEEPS_TYPED_TEXT:
        assert done.stdout == RESULT
        assert "Error" not in done.stderr
    else:
        assert RESULT not in done.stdout
        assert "error[GP101]: the source of fill cannot be read" in done.stderr
        assert "Python 3.13" in done.stderr and "gp.kernel_from_text" in done.stderr
        assert "NameError: name 'fill' is not defined" in done.stderr  # the decorator raised, not the call


@pytest.mark.skipif(not KEEPS_TYPED_TEXT, reason="this Python does not keep what is typed")
def test_an_error_at_the_prompt_shows_its_line() -> None:
    done = python("-iq", given=MISTAKE.replace("    return value * SCALE\n", "    return value * SCALE\n\n"))
    assert "error[GP105]: the name 'j' is not defined" in done.stderr
    assert "y[i] = scaled(j)\n" in done.stderr


@pytest.mark.parametrize(
    ("file", "is_typed", "why", "fix"),
    [
        ("<stdin>", True, "does not keep what is typed", "Python 3.13"),
        ("<console>", True, "does not keep what is typed", "Python 3.13"),
        ("<stdin>", False, "reads from a pipe", "as in `python program.py`"),
        ("<string>", False, "what exec, eval and compile are given", "linecache.cache"),
        ("<string>", True, "what exec, eval and compile are given", "linecache.cache"),
        ("made.py", False, "made.py cannot be read", "install the source file"),
    ],
)
def test_the_reason_and_the_remedy(file: str, is_typed: bool, why: str, fix: str) -> None:
    reason, remedy = origins.explain_missing(file, is_typed=is_typed)
    assert why in reason and fix in remedy
    assert "gp.kernel_from_text" in remedy


@pytest.mark.parametrize("name", ["<string>", "<made>", "made.py"])
def test_exec_without_a_text_is_refused_at_the_decorator(name: str) -> None:
    names: dict[str, object] = {}
    with pytest.raises(gp.KernelSyntaxError, match=r"gp\.kernel_from_text") as caught:
        exec(compile(PROGRAM, name, "exec", dont_inherit=True), names)  # noqa: S102 (text of this test)
    assert caught.value.code == "GP101"
    assert "fill" not in names


def test_exec_with_a_registered_text(capsys: pytest.CaptureFixture[str]) -> None:
    name = "a registered text"
    linecache.cache[name] = (len(PROGRAM), None, PROGRAM.splitlines(keepends=True), name)
    exec(compile(PROGRAM, name, "exec", dont_inherit=True), {})  # noqa: S102 (text of this test)
    assert capsys.readouterr().out == RESULT


def test_text_that_python_keeps_by_code_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.13.1 and newer: `inspect` finds what was typed, and `linecache` has nothing under its name."""
    name = "<python-input-7>"
    text = "def typed(y):\n    y[0] = missing\n"
    names: dict[str, types.FunctionType] = {}
    exec(compile(text, name, "exec", dont_inherit=True), names)  # noqa: S102 (text of this test)
    monkeypatch.setattr(origins.inspect, "findsource", lambda function: (text.splitlines(keepends=True), 0))
    found = origins.find_text(names["typed"])
    assert found == origins.Text(name, tuple(text.splitlines(keepends=True)), True)
    assert linecache.getline(name, 2) == "    y[0] = missing\n"


def test_a_module_without_source_is_refused_at_the_call(tmp_path: Path) -> None:
    """The import of a .pyc whose source is not installed does not fail, as its kernels may not be needed."""
    code = (
        "import py_compile, sys, pathlib, gpucore as gp\n"
        "py_compile.compile('kernels.py', 'kernels.pyc'); pathlib.Path('kernels.py').unlink()\n"
        "import kernels\n"
        "try:\n    kernels.fill(gp.zeros(4, gp.i32, device='simulator'), invocations=4)\n"
        "except gp.KernelSyntaxError as error:\n    print(error.fix)\n"
    )
    (tmp_path / "kernels.py").write_text(PROGRAM.partition("\ny = ")[0])
    (tmp_path / "program.py").write_text(code)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("install the source file"), done.stderr
