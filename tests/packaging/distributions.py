"""The six distributions: where they are, what their projects declare, and how they are built."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
PLUGINS = ("cpu", "wgpu", "opencl", "cuda")
FOLDERS = {
    "gpucore": "core",
    "gpucore-dask": "scale",
    **{f"gpucore-{name}": f"plugins/{name}_backend" for name in PLUGINS},
}
"""Name of a distribution -> its folder in the repository."""

_HOOKS = "from hatchling.build import build_{0} as build; print(build({1!r}))"


class Built(NamedTuple):
    """The files of a distribution."""

    wheel: Path
    sdist: Path


def project_of(distribution: str, root: Path = ROOT) -> dict[str, Any]:
    """The table `project` of its pyproject.toml."""
    text = (root / FOLDERS[distribution] / "pyproject.toml").read_text()
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def build_all(target: Path, root: Path = ROOT, **variables: str) -> dict[str, Built]:
    """Builds wheels and sdists into `target`, by the hooks that every build front end calls, with no isolation.

    `root` is the repository or a copy of it; `variables` are added to the environment of the builds.
    """
    environment = os.environ | variables
    builds = {
        (name, kind): subprocess.Popen(
            [sys.executable, "-c", _HOOKS.format(kind, str(target))],
            cwd=root / folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, folder in FOLDERS.items()
        for kind in ("wheel", "sdist")
    }
    made: dict[tuple[str, str], Path] = {}
    for key, build in builds.items():
        output, errors = build.communicate()
        if build.returncode:
            raise RuntimeError(f"the {key[1]} of {key[0]} cannot be built: {errors}")
        made[key] = target / output.split()[-1]
    return {name: Built(made[name, "wheel"], made[name, "sdist"]) for name in FOLDERS}
