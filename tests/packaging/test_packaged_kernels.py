"""A wheel with compiled kernels: the build hook makes it, and its kernels run where no compiler can be imported."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from fresh_environment import Environment

EXAMPLE = Path(__file__).parents[2] / "examples" / "packaged"
COMPILERS = (
    "llvmlite", "llvmlite.binding", "gpucore.front.walk", "gpucore.front.walk.lower", "gpucore.passes.pipeline",
    "gpucore.valid.validation", "gpucore_cuda.nvrtc", "gpucore_cpu.jit", "gpucore_cpu.cross", "hatchling",
)  # fmt: skip
BUILD = """
import os, sys
os.chdir(sys.argv[1])
from hatchling.build import build_wheel
print(build_wheel(sys.argv[2]))
"""
RUN = f"""
import json, sys
sys.modules.update(dict.fromkeys({COMPILERS!r}))  # an import of one of them raises
import numpy as np
import gpucore as gp
from packaged_saxpy import kernels
done = {{}}
for name in ("cpu", "wgpu"):
    try:
        device = gp.device(name)
    except gp.BackendUnavailableError:
        continue
    x, y = gp.arange(1000, dtype=gp.f32, device=device), gp.ones(1000, device=device)
    for _ in range(3):
        kernels.saxpy(2.0, x, y)
    kernels.scale(y, 3)
    whole = gp.arange(500, dtype=gp.i32, device=device)
    kernels.scale(whole[3:], 3)
    expected = np.arange(500, dtype=np.int32)
    expected[3:] *= 3
    assert np.array_equal(y.numpy(), (np.arange(1000, dtype=np.float32) * 6 + 1) * 3)
    assert np.array_equal(whole.numpy(), expected)
    done[name] = device.info.compiles
assert kernels.device().backend.name in ("cpu", "wgpu")
print(json.dumps(done))
"""

pytestmark = pytest.mark.xdist_group("packaging")


def test_a_wheel_with_kernels(
    wheels: dict[str, Path], new_environment: Callable[[], Environment], tmp_path: Path
) -> None:
    environment = new_environment()
    environment.pip("install", "--no-deps", *(str(wheels[name]) for name in ("gpucore", "gpucore-cpu", "gpucore-wgpu")))
    project = tmp_path / "packaged"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    name = environment.run("-c", BUILD, str(project), str(tmp_path)).split()[-1]
    assert name == "packaged_saxpy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / name) as archive:
        names = [each for each in archive.namelist() if "dist-info" not in each]
    assert sorted(names) == [f"packaged_saxpy/{each}" for each in ("__init__.py", "kernels.gpu", "kernels.py")]
    assert not list(project.rglob("*.gpu"))
    environment.pip("install", "--no-deps", str(tmp_path / name))
    done = json.loads(environment.run("-c", RUN))
    assert done["cpu"] is False  # it has no compiler
    environment.run("-c", "import packaged_saxpy; packaged_saxpy.main()")
