"""Installing from an index on loopback: what each extra brings, and what a plugin brings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributions import FOLDERS, Built, project_of
from fresh_environment import Environment
from local_index import make_stand_in, serve
from packaging.requirements import Requirement

BROUGHT: dict[str, set[str]] = {
    "gpucore": set(),
    "gpucore[cpu]": {"gpucore-cpu"},
    "gpucore[wgpu]": {"gpucore-wgpu"},
    "gpucore[opencl]": {"gpucore-opencl"},
    "gpucore[cuda]": {"gpucore-cuda", "pycuda"},
    "gpucore[cuda-wheels]": {"gpucore-cuda", "cuda-bindings"},
    "gpucore[all]": {"gpucore-cpu", "gpucore-wgpu", "gpucore-opencl", "gpucore-cuda", "cuda-bindings"},
    "gpucore[dask]": {"gpucore-dask"},
    "gpucore-cuda": {"gpucore-cuda"},
    "gpucore-cpu": {"gpucore-cpu"},
}
"""What is installed by name -> what it brings besides core, where the compilers and drivers' bindings are installed."""
BY_DEFAULT = ("gpucore[cuda]", "gpucore[dask]", "gpucore-cuda")
STAND_INS = {"pycuda": "2026.1", "cuda-bindings": "13.0.0"}
SORT = "import gpucore as gp, numpy; print(gp.sort(numpy.array([3, 1, 2], numpy.int32), device={!r}))"
LOAD = """
from importlib.metadata import distributions
points = [point for each in distributions() if each.name.startswith("gpucore") for point in each.entry_points]
print(*sorted(f"{point.group}:{point.load().__name__}" for point in points))
"""

pytestmark = pytest.mark.xdist_group("packaging")


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("stand-ins")
    return [make_stand_in(folder, name, version) for name, version in STAND_INS.items()]


@pytest.fixture
def no_other_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip takes nothing from this machine's settings."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


@pytest.fixture(scope="module")
def index(built: dict[str, Built], stand_ins: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    wheels = [files.wheel for files in built.values()]
    with serve(tmp_path_factory.mktemp("index"), [*wheels, *stand_ins]) as address:
        yield address


@pytest.fixture(scope="module")
def environment(new_environment: Callable[[], Environment]) -> Environment:
    return new_environment()


@pytest.mark.usefixtures("no_other_index")
@pytest.mark.parametrize(
    "name", [name if name in BY_DEFAULT else pytest.param(name, marks=pytest.mark.large) for name in BROUGHT]
)
def test_what_a_name_brings(name: str, index: str, environment: Environment) -> None:
    """What pip chooses, from this index alone; what third parties make is there already. Bindings of CUDA are
    stand-ins without content: nothing runs on them here."""
    report = environment.pip("install", "--index-url", index, "--dry-run", "--quiet", "--report", "-", name)
    chosen = {each["metadata"]["name"]: each for each in json.loads(report)["install"]}
    assert chosen.keys() == {"gpucore", *BROUGHT[name]}
    assert all(each["download_info"]["url"].startswith(index) for each in chosen.values())


@pytest.mark.usefixtures("no_other_index")
def test_all(index: str, new_environment: Callable[[], Environment]) -> None:
    environment = new_environment()
    environment.pip("install", "--index-url", index, "--quiet", "gpucore[all]")
    environment.pip("check")
    loaded = environment.run("-c", LOAD).split()
    plugins = [f"gpucore_{name}.plugin" for name in ("cpu", "cuda", "opencl", "wgpu")]
    backends = sorted(f"gpucore.backends:{module}" for module in (*plugins, "gpucore.simulator.plugin"))
    assert loaded == sorted(
        [*backends, "console_scripts:main", "hatch:gpucore.hatch_plugin", "pytest11:gpucore_pytest"]
    )
    found = environment.probe()
    assert found.keys() == {"simulator", "cpu", "wgpu", "opencl", "cuda"}
    assert environment.run("-c", SORT.format("cpu")).split() == ["[1", "2", "3]"]


@pytest.mark.large
@pytest.mark.parametrize("extra", ["cpu", "wgpu", "opencl", "cuda-wheels", "all", "dask"])
def test_an_extra_in_an_empty_environment(
    extra: str, built: dict[str, Built], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what third parties make from this machine's index, and gpucore from its own: on PyPI the name is somebody
    else's. `cuda` is left out, as pycuda is compiled with CUDA's headers."""
    environment = Environment(tmp_path / "environment", is_empty=True)
    try:
        environment.pip("install", "--quiet", *_third_parties(extra))
    except AssertionError as error:
        pytest.skip(f"no index here has {_third_parties(extra)}: {str(error)[-300:]}")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with serve(tmp_path / "index", [files.wheel for files in built.values()]) as index:
        environment.pip("install", "--index-url", index, "--quiet", f"gpucore[{extra}]")
    environment.pip("check")
    plugins = {"cpu", "wgpu", "opencl", "cuda"} if extra == "all" else {extra.removesuffix("-wheels")} - {"dask"}
    found = environment.probe()
    assert found.keys() == {"simulator", *plugins}
    for name, status in found.items():
        if status == "available":
            assert environment.run("-c", SORT.format(name)).split() == ["[1", "2", "3]"]


def _third_parties(extra: str) -> list[str]:
    """Requirements of core, and of what the extra brings, that are not gpucore's."""
    waiting, found = [Requirement(f"gpucore[{extra}]")], set()
    while waiting:
        requirement = waiting.pop()
        if requirement.name not in FOLDERS:
            found.add(str(requirement))
            continue
        project = project_of(requirement.name)
        optional = project.get("optional-dependencies", {})
        waiting += map(Requirement, project["dependencies"])
        waiting += [Requirement(text) for each in requirement.extras for text in optional[each]]
    return sorted(found)
