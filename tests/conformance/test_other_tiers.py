"""The tiers beside full over the backends of this repository. Of stress and algorithms, which have tests of their own
here, all run with --run-large."""

from __future__ import annotations

import pytest

from gpucore.testing import ConformanceTests


class TestDebuggingOnSimulator(ConformanceTests):
    device = "simulator"
    tier = "debugging"


class TestDebuggingOnCpu(ConformanceTests):
    device = "cpu"
    tier = "debugging"


class TestDebuggingOnWgpu(ConformanceTests):
    device = "wgpu"
    tier = "debugging"


class TestDebuggingOnOpencl(ConformanceTests):
    device = "opencl"
    tier = "debugging"


class TestDebuggingOnCuda(ConformanceTests):
    device = "cuda"
    tier = "debugging"


@pytest.mark.large
class TestOthersOnSimulator(ConformanceTests):
    device = "simulator"
    tier = "stress,algorithms"


@pytest.mark.large
class TestOthersOnCpu(ConformanceTests):
    device = "cpu"
    tier = "stress,algorithms"


@pytest.mark.large
class TestOthersOnWgpu(ConformanceTests):
    device = "wgpu"
    tier = "stress,algorithms"


@pytest.mark.large
class TestOthersOnOpencl(ConformanceTests):
    device = "opencl"
    tier = "stress,algorithms"


@pytest.mark.large
class TestOthersOnCuda(ConformanceTests):
    device = "cuda"
    tier = "stress,algorithms"
