"""Options and marks of all tests."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.util
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, SHIPPED, set_shapes
from gpucore.device import open_devices
from gpucore.errors import BackendUnavailableError
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend

with contextlib.suppress(ImportError):  # a machine that does other work, too, is slow: that fails no property test
    from hypothesis import HealthCheck, settings

    settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("shared machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write expected texts anew instead of comparing")
    parser.addoption("--run-large", action="store_true", help="run the tests marked large, and all that take turns")


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in jobs that a shell runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["GPUCORE_CACHE"] = "off"  # what this machine remembers of plugins belongs to its user
    os.environ["GPUCORE_CONFIG"] = "off"
    config.addinivalue_line("markers", "large: takes minutes or gigabytes, or is a variant; runs with --run-large")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-large"):
        return
    for item in items:
        if item.get_closest_marker("large"):
            item.add_marker(pytest.mark.skip(reason="large: runs with --run-large"))


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    grouped = next((item for item in session.items if item.get_closest_marker("xdist_group")), None)
    if getattr(session.config.option, "loadgroup", False) and grouped is not None and "@" not in grouped.nodeid:
        raise pytest.UsageError("pytest-xdist has lost the groups: it does not fit this version of pytest")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
    """What a file of tests leaves, compiled kernels above all, is not looked at again by the garbage collector: many
    tests call it, and it took seconds."""
    result = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()
    return result


@pytest.fixture(scope="session")
def nvrtc() -> Any:
    """The library of NVIDIA's wheel or toolkit."""
    library = pytest.importorskip("gpucore_cuda.nvrtc", reason="gpucore-cuda is not installed")
    try:
        return library.load_nvrtc()
    except BackendUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", autouse=True)
def llvm_translates_each_text_once() -> Iterator[None]:
    """A sixth of the kernels for `cpu` have the text of another one, as those of i32 and u32; LLVM takes most of the
    time of their tests."""
    if importlib.util.find_spec("gpucore_cpu") is None or importlib.util.find_spec("llvmlite") is None:
        yield
        return
    compiler_class = importlib.import_module("gpucore_cpu.jit").Compiler
    translate, first = compiler_class.object_code, dict[str, Any]()

    @functools.lru_cache(maxsize=512)
    def translated(compiler: Any, text: str, num_lanes: object) -> bytes:
        code: bytes = translate(compiler, text, num_lanes)
        return code

    def object_code(self: Any, text: str, num_lanes: object = None) -> bytes:
        return translated(first.setdefault(self._facts, self), text, num_lanes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler_class, "object_code", object_code)
        yield


@pytest.fixture(scope="session")
def simulator_with_groups() -> Iterator[gp.Device]:
    """A simulator with groups that multiply, beside the one that `gp.device` gives: both keep their kernels."""
    backend = SimulatorBackend()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(GROUPS_VARIABLE, "1")
        opened = backend.open(0)
    with gp.Device(OpenDevice(opened, backend)) as device:
        yield device


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be written."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True)
def tables_are_as_before() -> Iterator[None]:
    """A test that leaves another table of shapes fails itself, instead of one after it."""
    yield
    changed = [kind for kind, table in SHIPPED.items() if SHAPES[kind] is not table]
    SHAPES.update(SHIPPED)
    assert not changed, f"the table of shapes for {changed} is another one after the test"


@pytest.fixture
def tables_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The cache, which is on, of this test alone. No open device knows what another test has kept, and the tables are
    those of gpucore."""
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", str(tmp_path / "cache"))
    for kind, table in SHIPPED.items():
        monkeypatch.setitem(SHAPES, kind, table)
    for device in open_devices():
        set_shapes(device, None)
    yield tmp_path / "cache"
    for device in open_devices():
        set_shapes(device, None)
