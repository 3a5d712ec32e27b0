"""A test that takes `device` runs on every installed backend. The examples are programs, loaded from their files."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import gpucore as gp
from gpucore.testing import available_devices, require_device

EXAMPLES = Path(__file__).parents[2] / "examples"
_loaded: dict[str, ModuleType] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", available_devices(), indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> gp.Device:
    """The device of a backend, or a skip with the probe's reason."""
    return require_device(request.param)


@pytest.fixture(scope="session")
def example() -> Callable[[str], ModuleType]:
    """The module of an example by its name, made once: its kernels stay compiled."""

    def load(name: str) -> ModuleType:
        if name not in _loaded:
            spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            module = _loaded[name] = importlib.util.module_from_spec(spec)
            sys.modules[module.__name__] = module
            spec.loader.exec_module(module)
        return _loaded[name]

    return load
