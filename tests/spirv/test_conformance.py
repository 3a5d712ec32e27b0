"""The whole conformance kit on examples/plugins/vulkan_backend, with the modules of `gpucore.back.spirv`."""

from __future__ import annotations

import pytest

from gpucore.testing import ConformanceTests

pytestmark = [pytest.mark.usefixtures("vulkan"), pytest.mark.xdist_group("vulkan")]


class TestVulkan(ConformanceTests):
    device = "vulkan"
