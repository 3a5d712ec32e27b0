"""`gpucore devices`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from fake_backend import FakeBackend
from fake_plugins import good_plugin, write_plugin

from gpucore.ir import Limits
from gpucore.runtime import DeviceKind
from gpucore.runtime.select import devices

KEYS = {"id", "backend", "index", "name", "kind", "driver", "api", "capabilities", "limits", "memory", "details"}


def test_json_is_complete_and_in_order(run: Any) -> None:
    shown = run("devices", "--json")
    document = json.loads(shown.out)
    assert shown.code == 0
    assert list(document) == ["gpucore", "default", "problem", "warnings", "devices"]
    infos = devices()
    assert [one["id"] for one in document["devices"]] == [info.id for info in infos]
    assert infos[-1].id == "simulator:0"
    for one, info in zip(document["devices"], infos, strict=True):
        assert set(one) == KEYS
        assert set(one["limits"]) == {field.name for field in dataclasses.fields(Limits)}
        assert (one["name"], one["kind"], one["memory"]) == (info.name, info.kind.value, info.memory)
        assert one["driver"] == info.driver
        assert one["limits"]["max_buffer_size"] == info.limits.max_buffer_size
        assert set(one["capabilities"]) == {capability.value for capability in info.capabilities}


def test_the_best_device_is_marked_with_the_reason(run: Any, register: Any) -> None:
    register(FakeBackend("marked", kinds=(DeviceKind.CPU, DeviceKind.GPU)))
    shown = run("devices")
    lines = shown.out.splitlines()
    assert shown.code == 0
    assert [line.split()[0] for line in lines if "Fake" in line] == ["*", "marked:0"]  # the GPU first
    assert any(line.startswith("*  marked:1") and "gpu" in line and "128 MiB" in line for line in lines)
    assert any(line.strip() == "capabilities: f64" for line in lines)
    assert "default: marked:1 (the best of 3: gpu, priority 50)" in lines


def test_the_environment_is_named_as_the_reason(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_BACKEND", "simulator")
    document = json.loads(run("devices", "--json").out)
    assert document["default"] == {"id": "simulator:0", "why": 'requested by GPUCORE_BACKEND="simulator"'}


def test_no_default_device_is_3_and_the_others_are_listed(
    run: Any, register: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(FakeBackend("unwanted", kinds=(DeviceKind.CPU,)))
    monkeypatch.setenv("GPUCORE_REQUIRE", "gpu")
    shown = run("devices", "--json")
    document = json.loads(shown.out)
    assert shown.code == 3
    assert document["default"] is None
    assert document["problem"].startswith("GPUCORE_REQUIRE=gpu, and no GPU can be used")
    assert [one["id"] for one in document["devices"]] == ["unwanted:0", "simulator:0"]
    assert "default: none: GPUCORE_REQUIRE=gpu" in run("devices").out


def test_a_plugin_without_its_gpu_is_warned_of(run: Any, register: Any) -> None:
    register(FakeBackend("lessgpu", kinds=(DeviceKind.SOFTWARE,)))
    shown = run("devices")
    assert shown.code == 0
    assert "`gpucore doctor` says why" in shown.out


def test_a_driver_that_prints_does_not_spoil_the_json(run_process: Any, tmp_path: Path) -> None:
    faults = 'faults=Faults(probe_output="driver noise")'
    write_plugin(tmp_path, "noisy", "print('import noise')\n" + good_plugin("noisy", faults))
    shown = run_process("devices", "--json", folders=(tmp_path,), GPUCORE_BLOCK="cpu,wgpu,opencl,cuda")
    assert shown.code == 0
    assert [one["id"] for one in json.loads(shown.out)["devices"]] == ["noisy:0", "simulator:0"]
    assert "import noise" in shown.err and "driver noise" in shown.err
