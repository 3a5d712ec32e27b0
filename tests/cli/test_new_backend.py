"""`gpucore new-backend`: what it writes, and what it refuses. tests/packaging installs and tests what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import gpucore as gp
from gpucore.cli import main, new_backend
from gpucore.cli.new_backend import render

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugins" / "cc_backend"


def test_the_example_is_what_the_template_gives(update_golden: bool) -> None:
    files = render("cc")
    if update_golden:
        for path, text in files.items():
            (EXAMPLE / path).parent.mkdir(parents=True, exist_ok=True)
            (EXAMPLE / path).write_text(text, encoding="utf-8")
    kept = {
        path.relative_to(EXAMPLE).as_posix(): path.read_text(encoding="utf-8")
        for path in EXAMPLE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and (path.name in files or not path.name.startswith("."))
    }
    assert kept == files


def test_the_name_is_in_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert main(["new-backend", "my_gpu2", "-o", str(folder)]) == 0
    assert f"{folder}: 10 files" in capsys.readouterr().out
    texts = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert "src/gpucore_my_gpu2/plugin.py" in texts
    assert {"__pycache__/", ".venv/", "build/", "dist/"} <= {*texts[".gitignore"].splitlines()}
    assert 'name = "gpucore-my-gpu2"' in texts["pyproject.toml"]
    assert 'my_gpu2 = "gpucore_my_gpu2.plugin"' in texts["pyproject.toml"]
    assert "class MyGpu2Backend(" in texts["src/gpucore_my_gpu2/plugin.py"]
    assert not any("$" in text or "gpucore_cc" in text or "gpucore-cc" in text for text in texts.values())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cpu", "gpucore-cpu has one of that name"),
        ("simulator", "gpucore has one of that name"),
        ("gpu", "it means the best GPU of all backends"),
        ("My-GPU", "write lower-case letters and digits, as in my_gpu"),
        ("2d", "write lower-case letters and digits, as in my_gpu"),
        ("a_", "write lower-case letters and digits, as in my_gpu"),
        ("", "write lower-case letters and digits, as in my_gpu"),
        ("class", "'class' cannot name a new backend: it is a name of Python or of gpucore"),
        ("gpucore", "'gpucore' cannot name a new backend: it is a name of Python or of gpucore"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(
    name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    assert main(["new-backend", name, "-o", str(folder)]) == 2
    assert capsys.readouterr().err.strip().endswith(reason)
    assert not folder.exists()


def test_names_of_backends_that_are_not_installed_are_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_backend.TABLE, "list_installed", list)
    for name in ("cpu", "cuda", "opencl", "wgpu"):
        with pytest.raises(gp.ArgumentError, match="it is a name of Python or of gpucore"):
            new_backend.check_free(name)


def test_files_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept").write_text("mine")
    assert main(["new-backend", "my_gpu", "-o", str(tmp_path)]) == 2
    assert "exists and is not an empty folder; name another one with -o" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
