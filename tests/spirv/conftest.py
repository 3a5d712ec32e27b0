"""The example plugin for Vulkan in the tests of this folder, and the validator of modules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import gpucore as gp

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "golden"), str(HERE.parent / "backends")]

from example_plugins import installed  # noqa: E402 (on the path from here on)
from module_tools import validate_all  # noqa: E402


@pytest.fixture(scope="module")
def vulkan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """The plugin, as if it were installed. Gives the words that it emits in this process, by the name and the number
    of each kernel; all are validated at the end."""
    pytest.importorskip("vulkan", reason="the package vulkan is not installed")
    emitted: dict[str, bytes] = {}
    with contextmanager(installed)("vulkan", tmp_path_factory.mktemp("plugin")), pytest.MonkeyPatch.context() as patch:
        from gpucore_vulkan.emit import Payload  # noqa: PLC0415 (on the path from here on)
        from gpucore_vulkan.plugin import VulkanBackend  # noqa: PLC0415

        emit = VulkanBackend.emit

        def keep(self: VulkanBackend, *rest: Any) -> Any:
            source = emit(self, *rest)
            emitted[f"{source.entry} {len(emitted)}"] = Payload.of(source).words
            return source

        patch.setattr(VulkanBackend, "emit", keep)
        yield emitted
        for info in gp.devices():
            if info.backend == VulkanBackend.name:
                gp.device(info).close()  # other tests open it in their own way
    assert validate_all(emitted, tmp_path_factory.mktemp("modules")) == {}
