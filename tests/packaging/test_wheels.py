"""What is in the wheels."""

from __future__ import annotations

import configparser
import email
import tomllib
import zipfile
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PLUGINS = ("cpu", "wgpu", "opencl", "cuda")
DISTRIBUTIONS = ("gpucore", *(f"gpucore-{name}" for name in PLUGINS))

pytestmark = pytest.mark.xdist_group("packaging")


def _folder(distribution: str) -> Path:
    return (
        ROOT / "core"
        if distribution == "gpucore"
        else ROOT / "plugins" / f"{distribution.removeprefix('gpucore-')}_backend"
    )


def _project(distribution: str) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((_folder(distribution) / "pyproject.toml").read_text())["project"]
    return found


def _files(wheel: Path) -> dict[str, str]:
    """Name -> text of what is in the dist-info, and "" for the rest."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        return {name: archive.read(name).decode() if ".dist-info/" in name else "" for name in names}


def _information(wheel: Path, name: str) -> str:
    (found,) = [text for path, text in _files(wheel).items() if path.endswith(f".dist-info/{name}")]
    return found


def _metadata(wheel: Path) -> Message:
    return email.message_from_string(_information(wheel, "METADATA"))


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_metadata(distribution: str, wheels: dict[str, Path]) -> None:
    metadata, project = _metadata(wheels[distribution]), _project(distribution)
    assert metadata["Name"] == distribution
    assert metadata["Version"] == project["version"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert metadata["Summary"] == project["description"]
    assert metadata.get_payload().strip() == (_folder(distribution) / "README.md").read_text().strip()
    wanted = {str(Requirement(text)) for text in project["dependencies"]}
    for extra, texts in project.get("optional-dependencies", {}).items():
        wanted |= {str(Requirement(f"{text}; extra == '{extra}'")) for text in texts}
    assert {str(Requirement(text)) for text in metadata.get_all("Requires-Dist")} == wanted


def test_extras_of_core(wheels: dict[str, Path]) -> None:
    metadata = _metadata(wheels["gpucore"])
    assert set(metadata.get_all("Provides-Extra")) == {*PLUGINS, "cuda-wheels", "all", "bf16", "cli", "plot", "testing"}
    pinned = [Requirement(text) for text in metadata.get_all("Requires-Dist") if text.startswith("gpucore-")]
    assert len(pinned) == 2 * len(PLUGINS) + 1
    assert {str(requirement.specifier) for requirement in pinned} == {f"=={metadata['Version']}"}


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_contents(distribution: str, wheels: dict[str, Path]) -> None:
    """Every file of the package, tables of shapes and the runtime of pages among them, its types' mark and its license,
    and nothing else; core has a pytest plugin, too."""
    packages = [distribution.replace("-", "_"), *(["gpucore_pytest"] if distribution == "gpucore" else [])]
    names = [name for name in _files(wheels[distribution]) if ".dist-info/" not in name]
    source = _folder(distribution) / "src"
    wanted = {f"{package}/py.typed" for package in packages}
    for package in packages:
        wanted |= {
            path.relative_to(source).as_posix()
            for path in (source / package).rglob("*.*")
            if path.suffix in (".py", ".pyi", ".cu", ".json", ".js", ".ts")
        }
    assert set(names) == wanted
    assert _information(wheels[distribution], "licenses/LICENSE") == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_entry_points(distribution: str, wheels: dict[str, Path]) -> None:
    entry_points = configparser.ConfigParser()
    entry_points.read_string(_information(wheels[distribution], "entry_points.txt"))
    name = distribution.removeprefix("gpucore-") if distribution != "gpucore" else "simulator"
    module = f"{distribution.replace('-', '_')}.plugin" if distribution != "gpucore" else "gpucore.simulator.plugin"
    assert dict(entry_points["gpucore.backends"]) == {name: module}
    assert entry_points.has_section("console_scripts") == (distribution == "gpucore")
    assert entry_points.has_section("pytest11") == (distribution == "gpucore")
