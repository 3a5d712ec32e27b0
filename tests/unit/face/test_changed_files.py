"""A kernel runs the text that Python imported, or says that the file has changed since."""

from __future__ import annotations

import ast
import importlib
import linecache
import os
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from _pytest.assertion.rewrite import rewrite_asserts

import gpucore as gp

TEXT = '''
from __future__ import annotations
import gpucore as gp

def doubled(value):
    return value + value

@gp.struct
class Pair:
    left: gp.i32
    right: gp.i32

    def mixed(self):
        return self.left - self.right

    def total(self):
        return self.mixed() + 2 * self.right

def make(offset):
    @gp.kernel(workgroup_size=4)
    def store(pair: Pair, y: gp.InOut[gp.i32]):
        """What is stored."""
        i = gp.global_id(0)
        if i < y.size:
            y[i] = doubled(i) + pair.total() + offset
    return store

store = make(1)
'''
EDITS = {
    "a_number": ("+ offset", "+ 2222"),
    "an_operator": ("+ offset", "- offset"),
    "a_helper": ("value + value", "value * value"),
    "a_method_of_a_struct": ("self.left - self.right", "self.left + self.right"),
    "lines_above": ("def doubled", "\n\n\ndef doubled"),
    "other_text": ("def ", "class "),
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], types.ModuleType]]:
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text: str) -> types.ModuleType:
        (tmp_path / "edited.py").write_text(text)
        sys.modules.pop("edited", None)
        importlib.invalidate_caches()
        return importlib.import_module("edited")

    yield write
    sys.modules.pop("edited", None)


def run(made: types.ModuleType) -> list[int]:
    y = gp.zeros(3, gp.i32, device="simulator")
    made.store(made.Pair(5, 7), y, invocations=3)
    result: list[int] = y.numpy().tolist()
    return result


def edit(made: types.ModuleType, old: str, new: str) -> None:
    path = Path(str(made.__file__))
    path.write_text(path.read_text().replace(old, new))
    later = path.stat().st_mtime + 10  # for file systems that tell no two moments of a second apart
    os.utime(path, (later, later))


def test_a_file_as_it_was_imported(module: Callable[[str], types.ModuleType]) -> None:
    assert run(module(TEXT)) == [13, 15, 17]


@pytest.mark.parametrize("change", EDITS)
def test_a_file_changed_since_is_refused(module: Callable[[str], types.ModuleType], change: str) -> None:
    made = module(TEXT)
    edit(made, *EDITS[change])
    with pytest.raises(gp.KernelSyntaxError, match="the file has changed since it was imported") as caught:
        run(made)
    assert caught.value.code == "GP101"


def test_a_file_that_is_gone_is_refused(module: Callable[[str], types.ModuleType]) -> None:
    made = module(TEXT)
    Path(str(made.__file__)).unlink()
    with pytest.raises(gp.KernelSyntaxError, match="cannot be read"):
        run(made)


def test_imported_again_the_new_text_runs(module: Callable[[str], types.ModuleType]) -> None:
    made = module(TEXT)
    edit(made, "+ offset", "+ 2222")
    assert run(importlib.reload(made)) == [2234, 2236, 2238]


def test_a_comment_is_no_change(module: Callable[[str], types.ModuleType]) -> None:
    made = module(TEXT)
    edit(made, "+ offset", "+ offset  # more of it")
    assert run(made) == [13, 15, 17]


def test_a_kernel_that_ran_before_goes_on(module: Callable[[str], types.ModuleType]) -> None:
    made = module(TEXT)
    assert run(made) == [13, 15, 17]
    edit(made, "+ offset", "+ 2222")
    assert run(made) == [13, 15, 17]


ASSERTING = """
import gpucore as gp

@gp.kernel(workgroup_size=4, debug=True)
def store(y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    assert i < 3 * y.size, "in range"
    if i < y.size:
        y[i] = i + 20
"""


@pytest.mark.parametrize(("old", "new"), [("+ 20", "+ 20 "), ("+ 20", "+ 2222"), ("y.size:", "y.shape[0]:")])
def test_asserts_rewritten_by_pytest(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "rewritten.py"
    path.write_text(ASSERTING)
    tree = ast.parse(ASSERTING)
    rewrite_asserts(tree, ASSERTING.encode(), str(path))
    made = types.ModuleType("rewritten")
    exec(compile(tree, str(path), "exec", dont_inherit=True), made.__dict__)  # noqa: S102 (as pytest does)
    path.write_text(ASSERTING.replace(old, new))
    y = gp.zeros(3, gp.i32, device="simulator")
    if new == "+ 20 ":
        made.store(y, invocations=3)
        assert y.numpy().tolist() == [20, 21, 22]
        return
    with pytest.raises(gp.KernelSyntaxError, match="the file has changed"):
        made.store(y, invocations=3)


CELL = """
import gpucore as gp
import math

@gp.kernel(workgroup_size=4)
def store(y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = math.sqrt(y[i]) + 1.0
"""


def cell(name: str, text: str) -> None:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)


@pytest.mark.parametrize("flags", [0, annotations.compiler_flag])
def test_a_cell_of_a_notebook(flags: int) -> None:
    """Notebooks compile each statement of a cell by itself, with the __future__ of earlier cells."""
    names: dict[str, object] = {}
    cell("<cell 1>", CELL)
    for node in ast.parse(CELL).body:
        compiled = compile(ast.Module([node], []), "<cell 1>", "exec", flags, dont_inherit=True)
        exec(compiled, names)  # noqa: S102 (as a notebook does)
    y = gp.full(3, 4.0, device="simulator")
    store = names["store"]
    assert isinstance(store, gp.Kernel)
    store(y, invocations=3)
    np.testing.assert_array_equal(y.numpy(), np.float32([3, 3, 3]))


def test_a_cell_whose_text_is_another_one() -> None:
    cell("<cell 2>", CELL.replace("1.0", "2.0"))
    with pytest.raises(gp.KernelSyntaxError, match="the function was compiled from different text"):
        exec(compile(CELL, "<cell 2>", "exec", dont_inherit=True), {})  # noqa: S102 (as a notebook does)


def test_a_cell_whose_text_is_replaced_later() -> None:
    """The text of a cell is read at its decorator."""
    names: dict[str, object] = {}
    cell("<cell 3>", CELL)
    exec(compile(CELL, "<cell 3>", "exec", dont_inherit=True), names)  # noqa: S102 (as a notebook does)
    cell("<cell 3>", CELL.replace("1.0", "2.0"))
    y = gp.full(3, 4.0, device="simulator")
    store = names["store"]
    assert isinstance(store, gp.Kernel)
    store(y, invocations=3)
    np.testing.assert_array_equal(y.numpy(), np.float32([3, 3, 3]))


def test_a_helper_that_changes_before_the_first_use_of_gpucore_is_refused(tmp_path: Path) -> None:
    """`import gpucore` loads little, but it is from then on that files are watched."""
    helper = tmp_path / "helping.py"
    helper.write_text("def shifted(x):\n    return x + 1.0\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, time\n"
        "import helping\n"
        "import gpucore as gp\n"
        "time.sleep(0.05)\n"
        "path = pathlib.Path(helping.__file__)\n"
        "path.write_text(path.read_text().replace('1.0', '2.0'))\n"
        "@gp.kernel\n"
        "def shift(y: gp.Out[gp.f32]):\n"
        "    i = gp.global_id(0)\n"
        "    if i < y.size:\n"
        "        y[i] = helping.shifted(gp.f32(0.0))\n"
        "try:\n"
        "    shift(gp.zeros(1, device='simulator'), invocations=1)\n"
        "except gp.CompileError as error:\n"
        "    print(error.code)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "GP101\n", done.stdout + done.stderr
