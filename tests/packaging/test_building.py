"""Builds: the same bits from the same sources, the same wheel from an sdist, and editable installs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from distributions import FOLDERS, ROOT, Built, build_all
from fresh_environment import Environment
from make_dist import find_differences

EPOCH = "1700000000"  # as `built` has it
WHERE = "import gpucore, gpucore_cpu; print(gpucore.__spec__.origin); print(gpucore_cpu.__spec__.origin)"

pytestmark = pytest.mark.xdist_group("packaging")


def test_sdists_build_the_same_wheels(built: dict[str, Built], tmp_path: Path) -> None:
    """Bit for bit, in another folder and time zone."""
    for name, folder in FOLDERS.items():
        with tarfile.open(built[name].sdist) as archive:
            archive.extractall(tmp_path / "unpacked", filter="data")
        (unpacked,) = (tmp_path / "unpacked").iterdir()
        (tmp_path / "root" / folder).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(unpacked, tmp_path / "root" / folder)
    (tmp_path / "again").mkdir()
    again = build_all(tmp_path / "again", tmp_path / "root", SOURCE_DATE_EPOCH=EPOCH, PYTHONHASHSEED="7", TZ="UTC-9")
    assert [name for name in FOLDERS if again[name].wheel.read_bytes() != built[name].wheel.read_bytes()] == []


def test_a_difference_is_found(built: dict[str, Built], tmp_path: Path) -> None:
    other = {name: Built(*(Path(shutil.copy(path, tmp_path)) for path in files)) for name, files in built.items()}
    assert find_differences(built, other) == []
    with other["gpucore-cpu"].wheel.open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\1")
    assert find_differences(built, other) == [
        f"{built['gpucore-cpu'].wheel.name} is not reproducible: a second build differs"
    ]


def test_editable_installs(new_environment: Callable[[], Environment]) -> None:
    """The sources themselves are imported, their backends are found, and all goes when it is removed."""
    pytest.importorskip("editables", reason="editables, which hatchling needs for editable installs, is missing")
    environment = new_environment()
    for folder in ("core", "plugins/cpu_backend"):
        environment.pip("install", "--no-index", "--no-deps", "--no-build-isolation", "-q", "-e", str(ROOT / folder))
    assert environment.run("-c", WHERE).split() == [
        str(ROOT / "core/src/gpucore/__init__.py"),
        str(ROOT / "plugins/cpu_backend/src/gpucore_cpu/__init__.py"),
    ]
    assert environment.probe() == {"simulator": "available", "cpu": "available"}
    environment.pip("uninstall", "--yes", "-q", "gpucore-cpu")
    assert environment.probe() == {"simulator": "available"}


@pytest.mark.large
def test_make_dist(tmp_path: Path) -> None:
    """The whole of `make dist`, from the last commit."""
    for module in ("twine", "cyclonedx"):
        pytest.importorskip(module, reason=f"{module}, of requirements-dist.txt, is missing")
    command = [sys.executable, str(Path(__file__).with_name("make_dist.py")), str(tmp_path / "dist")]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    suffixes = sorted(path.name.partition("-0.1.0")[2] for path in (tmp_path / "dist").iterdir())
    assert suffixes == sorted(5 * ["-py3-none-any.cdx.json", "-py3-none-any.whl", ".tar.gz"])
