"""Mesa's software drivers as on older processors.

llvmpipe and lavapipe choose instructions and vector lengths by what the processor has, and so do their defects.
GALLIUM_OVERRIDE_CPU_CAPS makes them take the processor for an older one; they read it once, so each is a process.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import gpucore as gp

HERE = Path(__file__).parent
CONFORMANCE = HERE.parents[1] / "conformance" / "test_backends.py"
NUMBERS = ("test_wgpu_rounding.py", "test_wgpu_numbers.py", "test_wgpu_functions.py")
# The newest feature that the processor is to have, the modules, and which of their tests.
SELECTIONS = {
    "avx": (
        (*NUMBERS, "test_wgpu_random_expressions.py", CONFORMANCE),
        "test_wgpu or (TestWgpu and (float or function or conver or integ or number))",
    ),
    "sse4.1": (NUMBERS, ""),
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the variable names features of x86 processors")
@pytest.mark.parametrize("newest", SELECTIONS)
def test_the_suite_on_an_older_processor(newest):
    if not any(info.backend == "wgpu" and "llvmpipe" in info.name for info in gp.devices()):
        pytest.skip("no adapter of Mesa's llvmpipe")
    modules, keywords = SELECTIONS[newest]
    result = run_pytest(modules, keywords, GALLIUM_OVERRIDE_CPU_CAPS=newest)
    assert result.returncode == 0, result.stdout[-4000:]


def run_pytest(modules, keywords, **variables):
    """Run test modules in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", keywords]
    return subprocess.run(
        [*command, *modules], cwd=HERE, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
