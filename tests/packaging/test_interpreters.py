"""Every Python that the classifiers name, if this machine has it: a smoke test and the kit's basic tier.

Interpreters are found in PATH, where pyenv keeps them, and in TEST_PYTHONS, a list of paths like PATH's.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from distributions import Built, project_of
from fresh_environment import Environment

VERSIONS = re.findall(r"Python :: (3\.\d+)", "\n".join(project_of("gpucore")["classifiers"]))
NEEDS = ("numpy", "pluggy", "packaging", "llvmlite", "pytest", "hypothesis")
SMOKE = """
import sys
import numpy as np
import gpucore as gp

assert "%d.%d" % sys.version_info[:2] == sys.argv[1]
for name in ("simulator", "cpu"):
    with gp.device(name) as device:
        numbers = np.arange(999, dtype=np.float32)
        assert np.array_equal(gp.sort(numbers[::-1].copy(), device=device), numbers)
        assert gp.asarray(numbers, device=device).sum().item() == numbers.sum()
print("right")
"""

pytestmark = [pytest.mark.large, pytest.mark.xdist_group("packaging")]


def _find(version: str) -> Path | None:
    """An interpreter of that version which starts."""
    given = os.environ.get("TEST_PYTHONS", "").split(os.pathsep)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [*map(Path, filter(None, given)), *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)]
    if found := shutil.which(f"python{version}"):
        candidates.append(Path(found))
    for path in candidates:
        check = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        run = subprocess.run(check, capture_output=True, text=True)
        if run.returncode == 0 and run.stdout.strip() == version:
            return path
    return None


@pytest.mark.parametrize("version", VERSIONS)
def test_python(version: str, built: dict[str, Built], tmp_path: Path) -> None:
    python = _find(version)
    if python is None:
        pytest.skip(f"no Python {version} in PATH, in pyenv or in TEST_PYTHONS")
    environment = Environment(tmp_path / "environment", python=python)
    try:
        environment.pip("install", "--quiet", *NEEDS)
    except AssertionError as error:
        pytest.skip(f"no index here has {', '.join(NEEDS)} for Python {version}: {str(error)[-300:]}")
    wheels = [str(built[name].wheel) for name in ("gpucore", "gpucore-cpu")]
    environment.pip("install", "--no-index", "--no-deps", "--quiet", *wheels)
    assert environment.run("-W", "error", "-c", SMOKE, version) == "right\n"
    for backend in ("simulator", "cpu"):
        report = environment.call(str(environment.command), "conformance", backend, "--tier", "basic")
        assert " passed" in report and " failed" not in report
