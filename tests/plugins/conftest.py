"""Fake plugins with fake metadata, and Python processes that find them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpucore
import pytest
from gpucore.runtime import plugins, select
from gpucore.runtime.discovery import find_plugins

HERE = Path(__file__).parent
CORE = Path(str(gpucore.__file__)).parents[1]
sys.path.insert(0, str(HERE))  # plugins under test import fake_backend

GOOD_PLUGIN = """
from fake_backend import FakeBackend, Faults
from gpucore.runtime import DeviceKind, ProbeStatus, hookimpl

GPUCORE_API = "1.0"

@hookimpl
def gpucore_backends():
    return [FakeBackend({name!r}{arguments})]
"""


def good_plugin(name: str, arguments: str = "") -> str:
    """Source of a plugin with one fake backend; `arguments` are more arguments of FakeBackend."""
    return GOOD_PLUGIN.format(name=name, arguments=f", {arguments}" if arguments else "")


def write_plugin(
    folder: Path,
    name: str,
    source: str,
    *,
    distribution: str = "",
    version: str = "1.0",
    requires: tuple[str, ...] = ("gpucore>=0.1",),
    module: str = "",
) -> Path:
    """Install a plugin into `folder`: its module and its dist-info. Returns the dist-info folder."""
    distribution = distribution or f"dist-{name}"
    module = module or f"plugin_{name}_{folder.name}".replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(textwrap.dedent(source))
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {distribution}", f"Version: {version}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\n{name} = {module}\n")
    return info


def installed_names() -> str:
    """GPUCORE_BLOCK for all that this environment has installed."""
    return ",".join(sorted({record.name for record in find_plugins()}))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on sys.path to install plugins into; nothing else that is installed is seen."""
    monkeypatch.setenv("GPUCORE_BLOCK", installed_names())
    folder = tmp_path / f"site_{abs(hash(str(tmp_path)))}"  # modules of two tests never share a name
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def only_fakes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Core's own table without the plugins of this environment, and as new. Tests register fakes on it."""
    for variable in ("GPUCORE_BACKEND", "GPUCORE_REQUIRE", "GPUCORE_PROBE", "GPUCORE_PROBE_TIMEOUT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GPUCORE_BLOCK", installed_names())
    monkeypatch.setattr(select, "_has_warned", False)
    plugins.refresh()
    yield
    for record in plugins.TABLE.list_installed():
        if not record.distribution and record.backends:
            plugins.unregister_backend(record.name)
    monkeypatch.undo()
    plugins.refresh()


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run code in a new process: `run_python(code, *folders, check=True, **environment)`."""

    def run(code: str, *folders: Path, check: bool = True, flags: tuple[str, ...] = (), **environment: str) -> Any:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GPUCORE_", "PYTHON"))}
        path = os.pathsep.join(map(str, [*folders, HERE, CORE]))
        variables = {**kept, "GPUCORE_BLOCK": installed_names(), "PYTHONPATH": path, **environment}
        command = [sys.executable, *flags, "-c", textwrap.dedent(code)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=False)
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def ask_python(run_python: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., Any]:
    """Like run_python; the value of the JSON on the last line that the code prints."""

    def ask(code: str, *folders: Path, **options: Any) -> Any:
        return json.loads(run_python(code, *folders, **options).stdout.strip().splitlines()[-1])

    return ask
