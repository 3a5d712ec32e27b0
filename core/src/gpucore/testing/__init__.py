"""The conformance kit, which every backend must pass, gpucore's own and others.

A plugin's whole test file, for pytest:

    from gpucore.testing import ConformanceTests

    class TestMyBackend(ConformanceTests):
        device = "mybackend"
        tier = "basic"  # default "full"; see gpucore.testing.tiers

`gpucore conformance mybackend` runs the same behaviours without pytest. If the backend has no device here its tests are
skipped with the reason; GPUCORE_REQUIRE_BACKENDS="mybackend" makes that a failure. docs/conformance.md lists the
behaviours.
"""

from typing import TYPE_CHECKING

from gpucore.lazy import load_on_use

if TYPE_CHECKING:
    from gpucore.testing.names import *  # noqa: F403 (what its __all__ has)
else:
    __getattr__ = load_on_use(__name__, "gpucore.testing.names")
