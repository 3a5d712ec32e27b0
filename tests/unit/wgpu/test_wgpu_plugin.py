"""The plugin's hook and its probe, on machines with and without drivers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gpucore.errors import BackendUnavailableError
from gpucore.ir import Limits
from gpucore.runtime import DeviceKind, ProbeStatus
from gpucore_wgpu import plugin
from gpucore_wgpu.plugin import WgpuBackend

SHOW = """
import sys
from gpucore_wgpu.plugin import WgpuBackend
result = WgpuBackend().probe()
devices = [f"{d.id}={d.kind.value}={d.driver}" for d in result.devices]
print("ANSWER", result.status.value, bool(result.reason), bool(result.hint), *devices, sep="|")
"""


def probe_with(**variables: str) -> list[str]:
    """What a probe answers in a process with these environment variables: status, reason and hint, devices."""
    command, environment = [sys.executable, "-c", SHOW], {**os.environ, **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return next(line for line in done.stdout.splitlines() if line.startswith("ANSWER")).split("|")[1:]


def test_the_hook_gives_one_backend():
    (backend,) = plugin.gpucore_backends()
    assert plugin.GPUCORE_API == "2.0"
    assert (backend.name, backend.priority, backend.language) == ("wgpu", 60, "wgsl")


def test_devices_have_ids_limits_and_kinds(backend):
    result = backend.probe()
    if result.status is not ProbeStatus.AVAILABLE:
        pytest.skip(result.reason)
    apis = [device.id.split(":")[1] for device in result.devices]
    assert [device.index for device in result.devices] == list(range(len(apis)))
    assert len({device.id for device in result.devices}) == len(apis)
    if "vulkan" in apis:
        assert apis[0] == "vulkan"
    for device in result.devices:
        assert device.id.startswith("wgpu:") and device.id.split(":")[2].isdigit()
        assert device.limits.max_workgroup_invocations >= Limits().max_workgroup_invocations
        if "llvmpipe" in device.name:
            assert device.kind is DeviceKind.SOFTWARE
            assert device.limits.max_loop_iterations == 65535


def test_without_vulkan_llvmpipe_through_opengl_is_software():
    status, _, _, *devices = probe_with(VK_DRIVER_FILES="/nonexistent.json", VK_ICD_FILENAMES="/nonexistent.json")
    assert not any(device.startswith("wgpu:vulkan") for device in devices)
    if status == "available" and any("Mesa" in device for device in devices):
        assert all("=software=" in device for device in devices if "Mesa" in device)


def test_an_api_that_is_not_there_says_why():
    other = "D3D12" if sys.platform == "darwin" else "Metal"
    assert probe_with(WGPU_BACKEND_TYPE=other) == ["no_device", "True", "True"]


def test_open_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("WGPU_BACKEND_TYPE", "nothing")
    with pytest.raises(BackendUnavailableError, match="WGPU_BACKEND_TYPE=nothing"):
        WgpuBackend().open(0)
