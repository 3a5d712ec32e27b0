"""`gpucore export`: which kernels are written, with what runs them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpucore.cli import main

TEXT = """\
from typing import TypeVar

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)


@gp.kernel
def scale(x: gp.InOut[T], n: gp.Const[int]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] *= T(n)


@gp.kernel
def double(x: gp.InOut[T]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] += x[i]


def site(bundle):
    x = gp.arange(100, dtype=gp.i32)
    double(x)
    scale(x, 3)
    bundle.sequence("sort", gp.sort, gp.empty(5000, gp.i32))
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "exported.py"
    path.write_text(TEXT)
    return path


def exported(folder: Path, *arguments: str) -> Any:
    """The manifest that a command wrote."""
    assert main(["export", "web", *arguments, "-o", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {"kernels.json", "gpucore.js", "gpucore.d.ts"}
    assert "export{" in (folder / "gpucore.js").read_text().replace("export {", "export{")
    return json.loads((folder / "kernels.json").read_text())


def test_all_kernels_that_need_no_values(module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(exported(tmp_path / "site", str(module))["kernels"]) == ["double"]
    assert capsys.readouterr().out.splitlines()[0] == str(tmp_path / "site" / "kernels.json")


def test_kernels_by_name_and_by_a_file(module: Path, tmp_path: Path) -> None:
    names = ["scale[T=i32,n=4]", "double"]
    found = exported(tmp_path / "named", f"{module}:{','.join(names)}")
    assert list(found["kernels"]) == names
    manifest = tmp_path / "kernels.toml"
    manifest.write_text(f'module = "{module}"\nkernels = {names}\n')
    assert exported(tmp_path / "by_file", "--manifest", str(manifest)) == found


def test_what_a_function_calls(module: Path, tmp_path: Path) -> None:
    found = exported(tmp_path / "site", f"{module}:site")
    assert set(found["kernels"]) == {"double[T=i32]", "scale[T=i32,n=3]"} and set(found["sequences"]) == {"sort"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["web", "{module}:nothing"], "has no kernel 'nothing'; its kernels are scale, double"),
        (["web", "{module}:scale"], "give a value for the compile-time parameter, n=..."),
        (["webb", "{module}"], "no installed backend has the target 'webb'; did you mean 'web'?"),
        (["web"], "give either MODULE[:KERNEL,...], as in gpucore export web"),
    ],
)
def test_what_is_refused(
    module: Path, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [each.format(module=module) for each in arguments]
    assert main(["export", *given, "-o", str(tmp_path / "site")]) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "site").exists()
