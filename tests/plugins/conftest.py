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

import pytest

import gpucore
from gpucore.runtime import select
from gpucore.runtime.plugins import discovery, manager

HERE = Path(__file__).parent
CORE = Path(str(gpucore.__file__)).parents[1]
sys.path.insert(0, str(HERE))  # plugins under test import fake_backend

INSTALLED = ",".join(sorted({record.name for record in discovery.find_plugins()}))
"""GPUCORE_BLOCK for all that this environment has installed, read before any test adds to it."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on sys.path to install plugins into; nothing else that is installed is seen."""
    monkeypatch.setenv("GPUCORE_BLOCK", INSTALLED)
    monkeypatch.setenv("GPUCORE_CACHE", "off")
    folder = tmp_path / tmp_path.name  # modules of two tests must not share a name, and are named after the folder
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def only_fakes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Core's own table as in an environment without any plugin. Tests register fakes on it."""
    for variable in ("GPUCORE_BACKEND", "GPUCORE_REQUIRE", "GPUCORE_PROBE", "GPUCORE_PROBE_TIMEOUT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("GPUCORE_BLOCK", raising=False)
    monkeypatch.setattr(discovery, "find_plugins", list)
    monkeypatch.setattr(select, "_has_warned", False)
    monkeypatch.setattr(select, "_has_warned_of_variables", False)
    monkeypatch.setattr(select, "_checked_plugins", set())
    manager.refresh()
    yield
    for record in manager.TABLE.list_installed():
        if not record.distribution and record.backends:
            manager.unregister_backend(record.name)
    monkeypatch.undo()
    manager.refresh()


@pytest.fixture
def python_environment() -> Callable[..., dict[str, str]]:
    """Variables for a process that finds this core, the fakes and `folders`: (*folders, NAME="")."""

    def make(*folders: Path, **environment: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GPUCORE_", "PYTHON"))}
        path = os.pathsep.join(map(str, [*folders, HERE, CORE]))
        return {**kept, "GPUCORE_BLOCK": INSTALLED, "GPUCORE_CACHE": "off", "PYTHONPATH": path, **environment}

    return make


@pytest.fixture
def run_python(python_environment: Callable[..., dict[str, str]]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run code in a new process: `run_python(code, *folders, check=True, **environment)`."""

    def run(code: str, *folders: Path, check: bool = True, flags: tuple[str, ...] = (), **environment: str) -> Any:
        variables = python_environment(*folders, **environment)
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
