"""The example plugin for Vulkan, from its sources: on memory that the host sees, and through staging memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import gpucore as gp
from gpucore.plugin import Device
from gpucore.runtime.plugins.manager import register_backend, unregister_backend

sys.path.insert(0, str(Path(__file__).parents[1]))  # modules of several folders
sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "plugins" / "vulkan_backend" / "src"))

pytest.importorskip("vulkan", reason="the package vulkan is not installed")

from gpucore_vulkan.adapters import Adapter
from gpucore_vulkan.device import VulkanDevice
from gpucore_vulkan.plugin import VulkanBackend


class OpeningBackend(VulkanBackend):
    """Opens devices as if they had memory of their own, if it is told so, and keeps them."""

    def __init__(self, is_staged: bool) -> None:
        super().__init__()
        self._is_staged = is_staged
        self.opened: list[VulkanDevice] = []

    def adapter(self) -> Adapter:
        if self._found is None:
            result = self.probe()
            if not result.devices:
                pytest.skip(f"vulkan: {result.reason}")
        assert self._found is not None
        found = self._found[0]
        return found._replace(shares_memory=False) if self._is_staged else found

    def open(self, index: int) -> Device:
        self.opened.append(VulkanDevice(self.adapter()))
        return self.opened[-1]


class Opened(NamedTuple):
    """An open device, as programs have it and as core has it."""

    gpu: gp.Device
    driver: VulkanDevice


@pytest.fixture(params=["shared", "staged"])
def backend(request: pytest.FixtureRequest) -> OpeningBackend:
    made = OpeningBackend(request.param == "staged")
    made.adapter()
    return made


@pytest.fixture
def opened(backend: OpeningBackend) -> Iterator[Opened]:
    register_backend(backend)
    gpu = gp.device(backend.name)
    gpu.synchronize()
    yield Opened(gpu, backend.opened[-1])
    gpu.close()
    unregister_backend(backend.name)
