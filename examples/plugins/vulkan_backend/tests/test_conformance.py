from gpucore.testing import ConformanceTests


class TestVulkan(ConformanceTests):
    device = "vulkan"
