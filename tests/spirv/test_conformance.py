"""The conformance kit on Vulkan, with the modules of `gpucore.back.spirv`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gpucore.runtime.plugins.manager import register_backend, unregister_backend
from gpucore.testing import ConformanceTests

pytest.importorskip("vulkan", reason="the package vulkan is not installed")

from vulkan_backend import NAME, VulkanBackend


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    register_backend(VulkanBackend())
    yield
    unregister_backend(NAME)


class TestVulkan(ConformanceTests):
    device = NAME
