"""The names of `gpucore.testing`. They need pytest."""

from __future__ import annotations

from gpucore.testing.behaviours import Behaviour, Case, Outcome, list_behaviours, run_behaviours
from gpucore.testing.devices import available_devices, is_required
from gpucore.testing.dialects import check_dialect
from gpucore.testing.pytest_suite import ConformanceTests, NumberedTests, require_device
from gpucore.testing.skipped import Skipped
from gpucore.testing.suites import Behaviours
from gpucore.testing.tiers import TIERS

__all__ = [
    "TIERS", "Behaviour", "Behaviours", "Case", "ConformanceTests", "NumberedTests", "Outcome", "Skipped",
    "available_devices", "check_dialect", "is_required", "list_behaviours", "require_device", "run_behaviours",
]  # fmt: skip
