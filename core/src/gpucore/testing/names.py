"""The names of `gpucore.testing`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from gpucore.testing.behaviours import Behaviour, Case, Outcome, list_behaviours, run_behaviours
from gpucore.testing.devices import available_devices, is_required
from gpucore.testing.dialects import check_dialect
from gpucore.testing.skipped import Skipped
from gpucore.testing.suites import Behaviours
from gpucore.testing.tiers import TIERS

if TYPE_CHECKING or find_spec("pytest") is not None:
    from gpucore.testing.pytest_suite import ConformanceTests, NumberedTests, require_device
else:
    from gpucore.testing.without_pytest import ConformanceTests, NumberedTests, require_device

__all__ = [
    "TIERS", "Behaviour", "Behaviours", "Case", "ConformanceTests", "NumberedTests", "Outcome", "Skipped",
    "available_devices", "check_dialect", "is_required", "list_behaviours", "require_device", "run_behaviours",
]  # fmt: skip
