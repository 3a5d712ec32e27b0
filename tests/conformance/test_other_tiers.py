"""The tiers beside full over the backends of this repository. Of stress and algorithms, which have tests of their own
here, all run with --run-large."""

from __future__ import annotations

import pytest

from gpucore.testing import ConformanceTests

for _backend in ("simulator", "cpu", "wgpu", "opencl", "cuda"):
    for _name, _tiers, _marks in (("Debugging", "debugging", []), ("Others", "stress,algorithms", [pytest.mark.large])):
        _facts = {"device": _backend, "tier": _tiers, "pytestmark": _marks}
        globals()[f"Test{_name}On{_backend.capitalize()}"] = type(f"Test{_name}", (ConformanceTests,), _facts)
