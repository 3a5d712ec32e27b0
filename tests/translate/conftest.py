"""The tools of translation, or a skip that names what is missing; and what a device of wgpu ran."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpucore.testing import require_device

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

REQUIRE_VARIABLE = "TRANSLATION_REQUIRED"


def pytest_itemcollected(item: pytest.Item) -> None:
    """All tests here run on one worker, which translates each text once."""
    item.add_marker(pytest.mark.xdist_group("translate"))


def _require(module: str) -> None:
    """Skip the test, or fail it, if a module next to this one says that something is missing."""
    missing: str = importlib.import_module(module).missing()
    if missing and os.environ.get(REQUIRE_VARIABLE):
        pytest.fail(f"{REQUIRE_VARIABLE} is set: {missing}", pytrace=False)
    if missing:
        pytest.skip(missing)


@pytest.fixture(scope="session")
def naga() -> None:
    """naga translates."""
    _require("naga_translation")


@pytest.fixture(scope="session")
def dxc(naga: None) -> None:
    """naga's HLSL can be compiled and run."""
    _require("hlsl_route")


@pytest.fixture(scope="session")
def metal_host(naga: None) -> None:
    """naga's MSL can be compiled and run."""
    _require("metal_host_route")


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """`record("golden")` and `record("conformance")`: a `dispatches.Log` of what lavapipe ran, by recording.py."""
    name = require_device("wgpu").name
    if "llvmpipe" not in name:
        pytest.skip(f"the results are compared with those of lavapipe, and wgpu's device is {name}")

    def run(what: str) -> Any:
        path = tmp_path_factory.mktemp("record") / what
        command = [sys.executable, str(HERE / "recording.py"), what, str(path)]
        variables = os.environ | importlib.import_module("vulkan_runner").IN_ORDER
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        return pickle.loads(path.read_bytes())

    return run
