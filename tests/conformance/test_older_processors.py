"""The behaviours whose code depends on the processor's instructions, on backends told to use older ones alone.

Each runs in a process of its own, because a backend reads its variable when it is loaded.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from gpucore.testing import require_device

TITLES = (
    "Integers", "Floats", "Remainders of floats", "Arithmetic as it is written", "Functions of f32",
    "Conversions, bits, optional types", "Control flow", "Memory, barriers, atomics",
)  # fmt: skip
FLOATS = ("Floats", "Conversions, bits, optional types")
"""What the instructions of floats change. PoCL has these alone: it compiles ten times as long. So has AVX2, with the
functions that its fused operations make: the rest of its code is nearly that of processors of today."""
RUN = """
import json, sys
import gpucore as gp
from gpucore.testing import run_behaviours
from gpucore.testing.suites import SUITES

device = gp.device(sys.argv[1])
outcomes = [outcome for title in json.loads(sys.argv[2]) for outcome in run_behaviours(SUITES[title], device)]
print(json.dumps({
    "name": device.name,
    "target": dict(device.info.details).get("target", ""),
    "capabilities": sorted(capability.value for capability in device.info.capabilities),
    "outcomes": [(outcome.behaviour.number, outcome.status, outcome.reason) for outcome in outcomes],
}))
"""


def run_child(device: str, titles: tuple[str, ...], variables: dict[str, str]) -> dict[str, object]:
    """What the child prints of its device and of the behaviours."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, device, json.dumps(titles)],
        env={**os.environ, **variables}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return result


def check_outcomes(result: dict[str, object]) -> None:
    """Nothing fails, and what is skipped names a capability that the device lacks."""
    outcomes = result["outcomes"]
    assert isinstance(outcomes, list)
    assert not [outcome for outcome in outcomes if outcome[1] == "failed"]
    assert sum(outcome[1] == "passed" for outcome in outcomes) > len(outcomes) / 2
    for number, status, reason in outcomes:
        assert status == "passed" or " has no " in reason, (number, reason)


def probe_features() -> dict[str, bool]:
    """What this processor has, by LLVM's names."""
    binding = pytest.importorskip("llvmlite.binding")
    return dict(binding.get_host_cpu_features())


pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"), reason="the older processors are those of x86-64"
)


@pytest.mark.parametrize(
    ("features", "titles", "lacking"),
    [
        ("sse2", TITLES, {"f16", "fused_fma"}),
        ("avx", FLOATS, {"f16", "fused_fma"}),
        ("avx2", (*FLOATS, "Functions of f32"), set()),
        pytest.param("avx2", TITLES, set(), marks=pytest.mark.large),
    ],
)
def test_cpu(features: str, titles: tuple[str, ...], lacking: set[str]) -> None:
    require_device("cpu")
    if not probe_features().get(features):
        pytest.skip(f"this processor has no {features} itself")
    result = run_child("cpu", titles, {"GPUCORE_CPU_FEATURES": features})
    assert result["target"] == f"x86-64 with {features}"
    capabilities = result["capabilities"]
    assert isinstance(capabilities, list)
    assert lacking == {"f16", "fused_fma"} - set(capabilities)
    check_outcomes(result)


@pytest.mark.parametrize(("library", "name"), [("sse2", "athlon64")])
def test_pocl(library: str, name: str, tmp_path: Path) -> None:
    """POCL_KERNELLIB_NAME has an effect where PoCL was built for several processors, as distributions do."""
    driver = require_device("opencl").info.driver
    if "pocl" not in driver.lower() and "portable computing language" not in driver.lower():
        pytest.skip(f"opencl:0 is not PoCL but {driver}")
    result = run_child("opencl", FLOATS, {"POCL_KERNELLIB_NAME": library, "POCL_CACHE_DIR": str(tmp_path)})
    if name not in str(result["name"]):
        pytest.skip(f"this PoCL was built for one processor: {result['name']}")
    check_outcomes(result)
