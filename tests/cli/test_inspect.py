"""`gpucore inspect`: the text of a kernel, made with no device."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.algorithms.matmul import versions
from gpucore.runtime.plugins.manager import TABLE

SOURCE = """
from typing import TypeVar
import gpucore as gp
import neighbour

T = TypeVar("T", gp.f32, gp.i32)
print("printed on import")

@gp.kernel(workgroup_size=64)
def scale(x: gp.InOut[T], n: gp.Const[int], factor: gp.Const[float], twice: gp.Const[bool], wide: gp.Const[type]):
    i = gp.global_id(0)
    if i < x.size:
        y = x[i] + T(n * neighbour.STEP)
        if gp.static(twice):
            y = y + T(wide(factor))
        x[i] = y

def plain():
    pass

class Kernels:
    inner = scale
"""
BOUND = ("--bind", "n=0x10", "--bind", "factor=2.5", "--bind", "twice=true", "--bind", "wide=gp.f32")


@pytest.fixture
def kernel_file(tmp_path: Path) -> Path:
    """A module with a kernel, in a file beside one that it imports."""
    (tmp_path / "neighbour.py").write_text("STEP = 3\n")
    path = tmp_path / "my_kernels.py"
    path.write_text(textwrap.dedent(SOURCE))
    return path


def test_the_text_for_a_device(run: Any) -> None:
    where = ("gpucore.algorithms.matmul.versions:naive", "--bind", "T=i32", "--device", "simulator:0")
    shown = run("inspect", *where, "--target", "python")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.rstrip("\n") == versions.naive.source("python", device="simulator", T=gp.i32).rstrip("\n")
    own = run("inspect", *where, "--target", "ir")
    assert own.out.rstrip("\n") == versions.naive.ir(device="simulator", T=gp.i32).rstrip("\n")


@pytest.mark.parametrize("target", ["ir", "python", "wgsl", "cuda", "opencl", "llvm"])
def test_every_target(run: Any, target: str) -> None:
    installed = {name for record in TABLE.load_all() for one in record.backends for name in (one.name, one.language)}
    if target not in installed | {"ir"}:
        pytest.skip(f"no backend here writes {target}")
    shown = run("inspect", "gpucore.algorithms.matmul.versions:naive", "--target", target, "--bind", "T=i32")
    wanted = versions.naive.ir(T=gp.i32) if target == "ir" else versions.naive.source(target, T=gp.i32)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.rstrip("\n") == wanted.rstrip("\n")
    assert "naive" in shown.out


def test_a_kernel_in_a_file(run: Any, kernel_file: Path) -> None:
    shown = run("inspect", f"{kernel_file}:scale", "--target", "ir", *BOUND)
    assert shown.code == 0
    assert shown.out.startswith("kernel scale workgroup_size=(64, 1, 1)")
    assert "48.0" in shown.out and "2.5" in shown.out
    assert shown.err == "printed on import\n"  # not among the text
    other = run("inspect", f"{kernel_file}:Kernels.inner", "--target", "ir", *BOUND, "--bind", "T=i32")
    assert other.code == 0 and "i32" in other.out


def test_a_module_of_the_working_folder(run: Any, kernel_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kernel_file.parent)
    assert run("inspect", "my_kernels:scale", "--target", "python", *BOUND).code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "scale has compile-time parameters without a value; add --bind n=... --bind factor=... --bind twice=..."),
        ((*BOUND, "--bind", "n=1"), "--bind gives n twice"),
        ((*BOUND, "--bind", "m=1"), "scale has no compile-time parameter or type variable named m"),
        ((*BOUND, "--bind", "T=3"), "scale: T is a dtype such as gp.f32, not 3"),
        (("--bind", "n"), "--bind takes NAME=VALUE, not 'n'"),
        (("--bind", "n=three"), "--bind n=three: a value is a number, true, false, a string"),
        (("--bind", "n=2.5", *BOUND[2:]), "--bind n=2.5: scale takes int"),
        (("--bind", "n=true", *BOUND[2:]), "--bind n=True: scale takes int"),
    ],
)
def test_bad_bindings(run: Any, kernel_file: Path, options: tuple[str, ...], message: str) -> None:
    shown = run("inspect", f"{kernel_file}:scale", "--target", "ir", *options)
    assert (shown.code, shown.out) == (2, "")
    assert f"error: {message}" in shown.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("scale", "'scale' does not name a kernel"),
        (":scale", "':scale' does not name a kernel"),
        ("FILE:nothing", "has no 'nothing'; its kernels are scale"),
        ("FILE:plain", "plain in FILE is a function, not a kernel made by @gp.kernel; its kernels are scale"),
        (
            "no_such_module:scale",
            "importing no_such_module failed: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("no/such.py:scale", "there is no file no/such.py"),
        ("json:loads", "loads in json is a function, not a kernel made by @gp.kernel; it has no kernel"),
    ],
)
def test_kernels_that_are_not_there(run: Any, kernel_file: Path, name: str, message: str) -> None:
    shown = run("inspect", name.replace("FILE", str(kernel_file)), "--target", "ir")
    assert (shown.code, shown.out) == (2, "")
    assert message.replace("FILE", str(kernel_file)) in shown.err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero (FILE, line 2)"),
        ("def (:\n", "SyntaxError: invalid syntax"),
        ("raise SystemExit(5)", "SystemExit: 5 (FILE, line 1)"),
        ("import gpucore as gp\ngp.kernel(workgroup_size=0)", "workgroup_size must be one to three whole numbers"),
    ],
)
def test_modules_that_fail(run: Any, tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "failing.py"
    path.write_text(source)
    shown = run("inspect", f"{path}:k", "--target", "ir")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: importing {path} failed: ")
    assert message.replace("FILE", str(path)) in shown.err


def test_a_kernel_that_does_not_compile_shows_its_place(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("import gpucore as gp\n@gp.kernel\ndef k(x: gp.InOut[gp.f32]):\n    x[0] = 'text'\n")
    shown = run("inspect", f"{path}:k", "--target", "ir")
    assert (shown.code, shown.out) == (2, "")
    assert f"error: {path}:4:" in shown.err and "^" in shown.err


def test_a_misspelt_target_is_a_mistake(run: Any) -> None:
    shown = run("inspect", "gpucore.algorithms.matmul.versions:naive", "--target", "pyton")
    assert (shown.code, shown.out, shown.err) == (2, "", "error: there is no target 'pyton'; did you mean 'python'?\n")


def test_a_target_whose_backend_is_not_installed(run: Any, nothing_installed: None) -> None:
    shown = run("inspect", "gpucore.algorithms.matmul.versions:naive", "--target", "wgsl")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err == (
        "error: target 'wgsl' needs the backend 'wgpu', which is not installed\n  hint: pip install --upgrade "
        "./plugins/wgpu_backend, in the folder of gpucore's source\n"
    )
