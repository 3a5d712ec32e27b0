"""The behaviours, by subject."""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.testing.devices import require_device
from gpucore.testing.suites.control import ControlFlowTests
from gpucore.testing.suites.conversions import ConversionTests
from gpucore.testing.suites.floats import FloatTests
from gpucore.testing.suites.functions import FunctionTests
from gpucore.testing.suites.integers import IntegerTests


class ConformanceTests(IntegerTests, FloatTests, FunctionTests, ConversionTests, ControlFlowTests):
    """Every behaviour. A subclass names the `device` to show them on: a backend ("cuda") or a device id ("cuda:1")."""

    device = ""

    @pytest.fixture
    def gpu(self) -> gp.Device:
        """The device under test, open."""
        return require_device(self.device)
