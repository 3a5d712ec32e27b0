"""The backend as a plugin, for processes that the tests start."""

from __future__ import annotations

from collections.abc import Iterable

from vulkan_backend import VulkanBackend

from gpucore.runtime import Backend, hookimpl

GPUCORE_API = "2.0"


@hookimpl
def gpucore_backends() -> Iterable[Backend]:
    """The one backend."""
    return [VulkanBackend()]
