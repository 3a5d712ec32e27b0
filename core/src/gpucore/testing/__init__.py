"""The conformance kit, which every backend must pass, gpucore's own and others. Needs pytest.

A plugin's whole test file:

    from gpucore.testing import ConformanceTests

    class TestMyBackend(ConformanceTests):
        device = "mybackend"

If the backend has no device here its tests are skipped with the reason; GPUCORE_REQUIRE_BACKENDS="mybackend" makes
that a failure. docs/conformance.md lists the behaviours.
"""

from gpucore.testing.behaviours import Behaviour, Case, Outcome, list_behaviours, run_behaviours
from gpucore.testing.devices import available_devices, is_required, require_device
from gpucore.testing.dialects import check_dialect
from gpucore.testing.suites import ConformanceTests

__all__ = [
    "Behaviour", "Case", "ConformanceTests", "Outcome", "available_devices", "check_dialect", "is_required",
    "list_behaviours", "require_device", "run_behaviours",
]  # fmt: skip
