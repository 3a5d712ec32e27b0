"""The conformance kit over the backends of this repository. One that has no device here is skipped with the reason.

GPUCORE_REQUIRE_BACKENDS="simulator,cpu" turns such skips into failures.
"""

from __future__ import annotations

from gpucore.testing import ConformanceTests


class TestSimulator(ConformanceTests):
    device = "simulator"


class TestCpu(ConformanceTests):
    device = "cpu"


class TestWgpu(ConformanceTests):
    device = "wgpu"


class TestOpencl(ConformanceTests):
    device = "opencl"


class TestCuda(ConformanceTests):
    device = "cuda"
