"""The example plugin for Vulkan, from its sources: it need not be installed. It keeps what it emits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from gpucore.plugin import DeviceInfo, Source, ValidModule

SOURCES = Path(__file__).parents[2] / "examples" / "plugins" / "vulkan_backend" / "src"
sys.path.insert(0, str(SOURCES))

from gpucore_vulkan.emit import Payload  # noqa: E402 (on the path from here on)
from gpucore_vulkan.plugin import VulkanBackend  # noqa: E402

NAME = VulkanBackend.name


class KeepingBackend(VulkanBackend):
    """Keeps the words of all modules, for the validator."""

    emitted: ClassVar[dict[str, bytes]] = {}
    """By the name and the number of each kernel."""

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        source = super().emit(module, device)
        self.emitted[f"{source.entry} {len(self.emitted)}"] = Payload.of(source).words
        return source
