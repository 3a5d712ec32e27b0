"""The distributions agree with each other."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from source_tree import DISTRIBUTIONS, EXAMPLES, PLUGINS, ROOT, package

from gpucore.version import __version__


def _project(distribution: str) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((DISTRIBUTIONS[distribution] / "pyproject.toml").read_text())["project"]
    return project


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_version_and_name(distribution: str) -> None:
    project = _project(distribution)
    assert project["name"] == distribution
    assert project["version"] == __version__
    assert project["requires-python"] == ">=3.11"
    assert project["license"] == "Apache-2.0"


def test_extras_pin_the_plugins_exactly() -> None:
    extras = _project("gpucore")["optional-dependencies"]
    bindings = {"cuda": "[pycuda]", "cuda-wheels": "[wheels]"}
    for name in (*PLUGINS, "cuda-wheels"):
        plugin = name.removesuffix("-wheels")
        assert extras[name] == [f"gpucore-{plugin}{bindings.get(name, '')}=={__version__}"]
    assert sorted(extras["all"]) == sorted(extras[name][0] for name in (*PLUGINS, "cuda-wheels") if name != "cuda")
    assert extras["dask"] == [f"gpucore-dask=={__version__}"]
    assert set(extras) == {*PLUGINS, "cuda-wheels", "all", "dask", "bf16", "cli", "plot", "testing"}
    assert set(_project("gpucore-cuda")["optional-dependencies"]) == {"pycuda", "wheels"}


@pytest.mark.parametrize("plugin", [*PLUGINS, *EXAMPLES])
def test_a_plugin_pins_core_exactly(plugin: str) -> None:
    project = _project(f"gpucore-{plugin}")
    assert f"gpucore=={__version__}" in project["dependencies"]
    assert project["entry-points"] == {"gpucore.backends": {plugin: f"gpucore_{plugin}.plugin"}}


def test_gpucore_dask_pins_core_exactly_and_is_no_plugin() -> None:
    project = _project("gpucore-dask")
    assert f"gpucore=={__version__}" in project["dependencies"]
    assert set(project["entry-points"]) == {"gpucore.streaming"}
    assert set(project["optional-dependencies"]) == {"p2p", "zarr"}


def test_core_depends_on_no_driver() -> None:
    names = {requirement.partition(">")[0] for requirement in _project("gpucore")["dependencies"]}
    assert names == {"numpy", "pluggy", "packaging"}


@pytest.mark.parametrize("plugin", [*PLUGINS, *EXAMPLES])
def test_a_plugin_has_its_three_files(plugin: str) -> None:
    folder = package(f"gpucore-{plugin}")
    emitter = "emit.py" if (folder / "emit.py").is_file() else "dialect.py"  # a C-like language is a table
    assert [
        name for name in ("plugin.py", emitter, "device.py", "__init__.py", "py.typed") if not (folder / name).is_file()
    ] == []


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_license_readme_and_types(distribution: str) -> None:
    folder = DISTRIBUTIONS[distribution]
    assert (folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (folder / "README.md").read_text().strip()
    assert (package(distribution) / "py.typed").is_file()
