"""The example plugin for Vulkan in the tests of this folder, and the validator of modules."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpucore.runtime.plugins.manager import register_backend, unregister_backend

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]

from module_tools import validate_all  # noqa: E402 (on the path from here on)
from vulkan_backend import NAME, SOURCES, KeepingBackend  # noqa: E402


@pytest.fixture(scope="module")
def vulkan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """Registers the backend, for this process and those that it starts. What it emits is validated at the end."""
    pytest.importorskip("vulkan", reason="the package vulkan is not installed")
    folder = tmp_path_factory.mktemp("plugin")
    info = folder / "gpucore_vulkan-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gpucore-vulkan\nVersion: 0\n")
    (info / "entry_points.txt").write_text(f"[gpucore.backends]\n{NAME} = gpucore_vulkan.plugin\n")
    register_backend(KeepingBackend())
    with pytest.MonkeyPatch.context() as environment:
        paths = [str(folder), str(SOURCES), os.environ.get("PYTHONPATH", "")]
        environment.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        yield KeepingBackend.emitted
    unregister_backend(NAME)
    modules = dict(KeepingBackend.emitted)
    KeepingBackend.emitted.clear()
    assert validate_all(modules, tmp_path_factory.mktemp("modules")) == {}
