"""`gp.kernel_from_text`: kernels from strings, on every backend; their errors, and what debuggers see of them."""

from __future__ import annotations

import gc
import json
import linecache
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing import require_device

TEXT = """
from __future__ import annotations
from math import sqrt

SCALE = 2.0

def root(value):
    return sqrt(value) * SCALE

def roots(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = root(x[i]) + OFFSET

def twice(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = SCALE * x[i]
"""
FILL = "def fill(y: gp.Out[gp.i32]):\n    i = gp.global_id(0)\n    if i < y.size:\n        y[i] = i\n"


@pytest.mark.parametrize("backend", ["simulator", "cpu", "wgpu", "opencl", "cuda"])
def test_a_kernel_with_helpers_imports_and_globals(backend: str) -> None:
    device = require_device(backend)
    made = gp.kernel_from_text(TEXT, name="roots", globals={"OFFSET": 1.0}, workgroup_size=(4, 2))
    assert made.workgroup_size == (4, 2, 1)
    values = np.arange(77, dtype="f4") ** 2
    x, y = gp.asarray(values, device=device), gp.empty(77, device=device)
    made(x, y, invocations=77)
    np.testing.assert_array_equal(y.numpy(), 2 * np.arange(77, dtype="f4") + 1)


def test_name_chooses_and_one_function_needs_none() -> None:
    assert gp.kernel_from_text(TEXT, name="twice").name == "twice"
    assert gp.kernel_from_text(FILL).name == "fill"


def test_lines_that_are_indented_together() -> None:
    made = gp.kernel_from_text("".join(f"\n        {line}" for line in FILL.splitlines()))
    y = gp.empty(5, gp.i32, device="simulator")
    made(y, invocations=5)
    assert y.numpy().tolist() == [0, 1, 2, 3, 4]


def run_and_read(kernel: gp.Kernel, y: gp.Array) -> None:
    kernel(y, invocations=5)
    y.numpy()


def test_source_and_check_and_debug() -> None:
    beyond = gp.kernel_from_text(FILL.replace("if i < y.size", "if i <= y.size"), debug=True)
    assert beyond.debug is True
    assert "def " in beyond.source("python")
    (finding,) = gp.check(beyond, np.zeros(4, "i4"), invocations=5).findings
    assert finding.code == "GP703"
    assert finding.spans[0].source_line() == "        y[i] = i"
    y = gp.zeros(4, gp.i32, device=require_device("cpu"))
    with pytest.raises(gp.OutOfRangeError, match=r"<kernel_from_text \d+>:4:9: fill: index 4 is out of range"):
        run_and_read(beyond, y)


def test_globals_are_copied_and_may_replace_gp() -> None:
    names: dict[str, object] = {"OFFSET": 1.0}
    made = gp.kernel_from_text(TEXT, name="roots", globals=names)
    names["OFFSET"] = 9.0
    y = gp.empty(1, device="simulator")
    made(gp.full(1, 4.0, device="simulator"), y, invocations=1)
    assert y.numpy().tolist() == [5.0]
    assert set(names) == {"OFFSET"}
    with pytest.raises(gp.KernelSyntaxError, match="'int' object has no attribute 'Out'"):
        gp.kernel_from_text(FILL, globals={"gp": 1})


def test_annotations_do_not_see_names_of_gpucore() -> None:
    """Annotations that are text are evaluated with the names of the text alone."""
    made = gp.kernel_from_text("from __future__ import annotations\ndef k(y: gp.Out[unchecked]): y[0] = 1\n")
    with pytest.raises(gp.KernelTypeError, match="name 'unchecked' is not defined"):
        made.ir()


ERRORS = {
    "not Python": (FILL.replace(":\n    i", "\n    i"), 1, "the text is not valid Python: expected ':'"),
    "an unknown name": (FILL.replace("= i\n", "= j\n"), 4, "the name 'j' is not defined"),
    "an exception": (f"\nSCALE = 1 // 0\n{FILL}", 2, "the text raised ZeroDivisionError"),
    "an exception in a function": (f"def f(): return 1 // 0\n{FILL}X = f()\n", 6, "the text raised ZeroDivisionError"),
    "an unknown annotation": (FILL.replace("gp.Out", "np.Out"), 1, "the text raised NameError: name 'np'"),
    "a generator": (FILL.replace("= i\n", "= (yield)\n"), 1, "fill is a generator"),
    "a kernel": (f"@gp.kernel\n{FILL}", 1, "fill is already a kernel"),
}


@pytest.mark.parametrize("what", ERRORS)
def test_errors_show_lines_of_the_text(what: str) -> None:
    text, line, message = ERRORS[what]
    with pytest.raises(gp.KernelSyntaxError) as caught:
        gp.kernel_from_text(text, name="fill").ir()
    error = caught.value
    assert message in error.message
    assert error.span is not None and error.span.line == line
    assert f"\n {line} | {text.splitlines()[line - 1]}\n" in str(error)
    assert error.why and error.fix


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": 5}, "a str, not 5"),
        ({"text": "x = 1"}, "the text defines no function"),
        ({"text": TEXT}, "the text defines root, roots, twice; name the kernel, as in name='twice'"),
        ({"text": TEXT, "name": "rots"}, "the text defines no function 'rots'; it has root, roots, twice"),
        ({"text": FILL, "globals": [1]}, "globals is a dict"),
        ({"text": FILL, "workgroup_size": 0}, "workgroup_size must be"),
        ({"text": FILL, "debug": "all"}, 'debug is True, False or "ordered"'),
        ({"text": FILL, "unchecked": 1}, "unchecked is True or False"),
        ({"text": FILL, "min_workgroups": True}, "min_workgroups is a whole number from 1, or None, not True"),
        ({"text": FILL, "file": "there/is/none.py"}, "cannot be read"),
        ({"text": FILL, "file": __file__}, "the text is not that of the file"),
    ],
)
def test_wrong_arguments(arguments: dict, message: str) -> None:
    with pytest.raises(gp.ArgumentError, match=message.replace("(", r"\(")):
        gp.kernel_from_text(**arguments)


def test_a_least_number_of_workgroups_is_a_hint_for_cuda() -> None:
    made, plain = (
        gp.kernel_from_text(FILL, min_workgroups=3, workgroup_size=64),
        gp.kernel_from_text(FILL, workgroup_size=64),
    )
    assert (made.options.min_workgroups, plain.options.min_workgroups) == (3, None)
    assert "__launch_bounds__(64, 3)" in made.source("cuda") and "__launch_bounds__(64) " in plain.source("cuda")
    assert "__launch_bounds__(64, 3)" in made.form("cuda")
    for language in ("wgsl", "opencl", "llvm", "python"):
        assert made.source(language) == plain.source(language)
    assert made.ir().splitlines()[0] == "kernel fill workgroup_size=(64, 1, 1) min_workgroups=3"
    assert made.ir().splitlines()[1:] == plain.ir().splitlines()[1:]


def test_it_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="it is made from a text"):
        pickle.dumps(gp.kernel_from_text(FILL))


DEBUGGED = """import gpucore as gp
text = '''
def clipped(y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    value = 7 * i
    breakpoint()
    y[i] = value
'''
y = gp.zeros(2, gp.i32, device="simulator")
gp.kernel_from_text(text, workgroup_size=2)(y, invocations=2)
print(y.numpy().tolist())
"""


def run(*command: str, folder: Path, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, input=given, capture_output=True, text=True, timeout=120,
        env=os.environ | {"PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_pdb_shows_the_text(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(DEBUGGED)
    shown = run("program.py", folder=tmp_path, given="p int(value)\nlist\ncontinue\np int(value)\ncontinue\n")
    line = 5 if sys.version_info >= (3, 13) else 6  # of breakpoint(), or after it
    assert f"<kernel_from_text 1>({line})clipped()\n-> " in shown
    assert "  4  \t    value = 7 * i\n  5  " in shown
    assert "(Pdb) 7\n" in shown
    assert shown.endswith("[0, 7]\n")


def test_coverage_shows_the_file_that_the_text_is_from(tmp_path: Path) -> None:
    (tmp_path / "kernels.txt").write_text(FILL.replace("y[i] = i", "y[i] = 1\n    else:\n        i += 1"))
    (tmp_path / "program.py").write_text(
        "import pathlib, gpucore as gp\n"
        "path = pathlib.Path('kernels.txt').resolve()\n"
        "fill = gp.kernel_from_text(path.read_text(), file=path, workgroup_size=2)\n"
        "fill(gp.empty(2, gp.i32, device='simulator'), invocations=2)\n"
    )
    run("-m", "coverage", "run", "--include=kernels.txt", "program.py", folder=tmp_path)
    run("-m", "coverage", "json", "-q", "-o", "coverage.json", folder=tmp_path)
    measured = json.loads((tmp_path / "coverage.json").read_text())["files"]["kernels.txt"]
    assert 4 in measured["executed_lines"]
    assert measured["missing_lines"] == [6]


def test_what_was_made_for_a_kernel_goes_with_it_and_with_its_errors() -> None:
    text = "def add(x: gp.InOut[gp.i32]):\n    i = gp.global_id(0)\n    if i < x.size:\n        x[i] += {}\n"
    x = gp.zeros(3, gp.i32, device="simulator")

    def use(number: object) -> tuple[str, weakref.ref[Any]]:
        kernel = gp.kernel_from_text(text.format(number))
        code = kernel.__wrapped__.__code__  # type: ignore[attr-defined]  # as functools.wraps gives it
        kernel(x)
        return "".join(code.co_filename), weakref.ref(code)

    names, codes = zip(*[use(number) for number in range(20)], strict=True)
    with pytest.raises(gp.CompileError) as caught:
        use("i < 3")
    gc.collect()
    assert [code() for code in codes] == [None] * 20
    assert sum(bool(linecache.getlines(name)) for name in names) < 6  # some are in a cache of four
    assert " 4 |         x[i] += i < 3\n" in str(caught.value)
    np.testing.assert_array_equal(x.numpy(), np.full(3, sum(range(20)), np.int32))
