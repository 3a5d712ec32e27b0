"""The conformance kit on Vulkan, with the modules of `gpucore.back.spirv`."""

from __future__ import annotations

import pytest
from vulkan_backend import NAME

from gpucore.testing import ConformanceTests

pytestmark = [pytest.mark.usefixtures("vulkan"), pytest.mark.xdist_group("vulkan")]


class TestVulkan(ConformanceTests):
    device = NAME
