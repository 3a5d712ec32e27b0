"""Wheels of the five distributions, built once, and fresh environments to install them in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the module next to this one

from fresh_environment import Environment

ROOT = Path(__file__).parents[2]
PLUGINS = ("cpu", "wgpu", "opencl", "cuda")
FOLDERS = {"gpucore": ROOT / "core", **{f"gpucore-{name}": ROOT / "plugins" / f"{name}_backend" for name in PLUGINS}}

Wheels = dict[str, Path]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    """Name of a distribution -> its wheel. Built by the hook that every build front end calls, with no isolation."""
    pytest.importorskip("hatchling")
    target = tmp_path_factory.mktemp("wheels")
    hook = f"from hatchling.build import build_wheel; print(build_wheel({str(target)!r}))"
    builds = {
        name: subprocess.Popen(
            [sys.executable, "-c", hook], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name, folder in FOLDERS.items()
    }
    made = {}
    for name, build in builds.items():
        output, errors = build.communicate()
        assert build.returncode == 0, errors
        made[name] = target / output.split()[-1]
    return made


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Environment]:
    """Makes environments."""
    pytest.importorskip("pip")
    return lambda: Environment(tmp_path_factory.mktemp("environment"))
