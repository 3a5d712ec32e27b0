"""A package for the devices of this machine. A test that takes `device` runs on every backend that has targets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.testing import require_device

sys.path.insert(0, str(Path(__file__).parent))  # the module next to this one

import packaged_kernels
from here import NAMES, target_of

TARGETS = ("x86-64-v3", "x86-64-v4", "aarch64", "opencl", "opencl-cpu", "wgsl", "wgsl-llvmpipe")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", NAMES, indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)


@pytest.fixture(scope="session")
def package_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with all kernels of `packaged_kernels`."""
    for name in ("gpucore_cpu", "gpucore_opencl", "gpucore_wgpu", "llvmlite"):
        pytest.importorskip(name)
    path = tmp_path_factory.mktemp("package") / "kernels.gpu"
    targets = list(dict.fromkeys([*TARGETS, *filter(None, map(target_of, gp.devices()))]))
    built = gp.build(path, packaged_kernels.SPECIALISATIONS, targets)
    assert built.skipped == () and built.targets == tuple(targets) and built.nbytes == path.stat().st_size
    return path


@pytest.fixture
def package(package_path: Path) -> gp.Package:
    """The kernels, which may not be compiled from Python."""
    return gp.load(package_path)
