"""Run the conformance kit on the backend."""

from gpucore.testing import ConformanceTests


class TestCc(ConformanceTests):
    device = "cc"
