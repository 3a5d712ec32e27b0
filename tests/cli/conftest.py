"""Run the command line in this process or in another one, with fake backends and plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import gpucore
from gpucore.cli import main
from gpucore.runtime import select
from gpucore.runtime.plugins import discovery, manager
from gpucore.runtime.plugins.discovery import find_plugins

PLUGINS = Path(__file__).parents[1] / "plugins"
CORE = Path(str(gpucore.__file__)).parents[1]
sys.path.insert(0, str(PLUGINS))  # fake_backend and fake_plugins

INSTALLED = ",".join(sorted({record.name for record in find_plugins()}))
"""GPUCORE_BLOCK for all that this environment has installed."""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the tester's own counts."""
    for name in [*os.environ]:
        if name.startswith("GPUCORE_") or name == "NO_COLOR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GPUCORE_CACHE", "off")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("sort", "in.npy", ...)` in this process."""

    def run_command(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run_command


@pytest.fixture
def environment() -> Callable[..., dict[str, str]]:
    """Variables for a process that finds this core and `folders`: `environment(*folders, NAME=value)`."""

    def make(*folders: Path, **variables: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        path = os.pathsep.join(map(str, [*folders, PLUGINS, CORE]))
        return {**kept, "PYTHONPATH": path, **variables}

    return make


@pytest.fixture
def run_process(environment: Callable[..., dict[str, str]]) -> Run:
    """`run_process("doctor", folders=[...], GPUCORE_BLOCK="...")` in a process of its own."""

    def run_command(*arguments: object, folders: tuple[Path, ...] = (), **variables: str) -> Ran:
        command = [sys.executable, "-m", "gpucore", *map(str, arguments)]
        env = environment(*folders, **variables)
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_command


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], None]]:
    """Register fake backends; nothing that is installed is seen. Names must differ: open devices outlive a test."""
    monkeypatch.setenv("GPUCORE_BLOCK", INSTALLED)
    monkeypatch.setattr(select, "_has_warned", False)
    monkeypatch.setattr(select, "_has_warned_of_variables", False)
    manager.refresh()
    names: list[str] = []

    def add(backend: Any) -> None:
        manager.register_backend(backend)
        names.append(backend.name)

    yield add
    for name in names:
        manager.unregister_backend(name)
    monkeypatch.undo()
    manager.refresh()


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if core had been installed alone."""
    monkeypatch.setattr(discovery, "find_plugins", list)
    monkeypatch.setattr(select, "_has_warned", False)
    monkeypatch.setattr(select, "_has_warned_of_variables", False)
    manager.refresh()
    yield
    monkeypatch.undo()
    manager.refresh()
