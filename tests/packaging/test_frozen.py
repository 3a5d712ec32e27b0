"""Applications without an installation: a zip of the program and gpucore, and what PyInstaller makes."""

from __future__ import annotations

import shutil
import subprocess
import zipapp
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from distributions import ROOT, Built
from fresh_environment import Environment

EXAMPLE = ROOT / "examples" / "frozen"
RIGHT = "simulator: right\ncpu: right\n"

pytestmark = pytest.mark.xdist_group("packaging")


@pytest.mark.parametrize(
    "with_metadata", [False, pytest.param(True, marks=pytest.mark.large)], ids=["registered", "found"]
)
def test_zipapp(
    with_metadata: bool, built: dict[str, Built], new_environment: Callable[[], Environment], tmp_path: Path
) -> None:
    """It runs where only the dependencies are installed: by its own registration of the backend, or by the metadata."""
    content = tmp_path / "content"
    for name in ("gpucore", "gpucore-cpu"):
        with zipfile.ZipFile(built[name].wheel) as wheel:
            wheel.extractall(content, [each for each in wheel.namelist() if with_metadata or ".dist-info/" not in each])
    shutil.copy(EXAMPLE / "application.py", content)
    zipapp.create_archive(content, tmp_path / "application.pyz", main="application:main")
    shutil.rmtree(content)
    environment = new_environment()
    assert environment.run(str(tmp_path / "application.pyz")) == RIGHT


@pytest.mark.large
def test_pyinstaller(built: dict[str, Built], new_environment: Callable[[], Environment], tmp_path: Path) -> None:
    """The folder runs where it is moved to, and says what to do where the text of a kernel was left out."""
    pytest.importorskip("PyInstaller", reason="it is in requirements-dist.txt")
    environment = new_environment()
    environment.pip(
        "install", "--no-index", "--no-deps", "-q", *(str(built[n].wheel) for n in ("gpucore", "gpucore-cpu"))
    )
    source = tmp_path / "source"
    shutil.copytree(EXAMPLE, source)
    folders = ("--distpath", str(tmp_path / "made"), "--workpath", str(tmp_path / "work"))
    environment.run("-m", "PyInstaller", "--log-level", "ERROR", *folders, str(source / "application.spec"))
    shutil.rmtree(source)
    moved = shutil.move(tmp_path / "made" / "application", tmp_path / "moved")
    assert environment.call(str(Path(moved) / "application")) == RIGHT
    (Path(moved) / "_internal" / "application.py").unlink()
    run = subprocess.run([Path(moved) / "application"], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 1
    assert "error[GP101]: the source of saxpy cannot be read" in run.stderr
    assert "docs/packages.md, Frozen applications" in run.stderr


FROZEN = """
import sys
sys.frozen = True  # as PyInstaller and others set it
import gpucore as gp
for name in ("cpu", "simulator"):
    try:
        gp.device(name)
    except gp.BackendUnavailableError as error:
        print(error)
"""


def test_what_a_frozen_application_lacks_is_named(
    built: dict[str, Built], new_environment: Callable[[], Environment], tmp_path: Path
) -> None:
    """No hint says to install something into an application that is frozen."""
    left_out = "gpucore/simulator/plugin.py"
    with zipfile.ZipFile(built["gpucore"].wheel) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" not in name and name != left_out]
        wheel.extractall(tmp_path, names)
    shown = new_environment().run("-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{FROZEN}")
    assert "No module named 'gpucore.simulator.plugin'" in shown
    assert "freeze the application with all modules of gpucore: docs/packages.md, Frozen applications" in shown
    assert "freeze the application with gpucore-cpu, and pass its backend to gp.register_backend" in shown
    assert "pip install" not in shown
