"""require_device opens, skips with the reason, or fails where GPUCORE_REQUIRE_BACKENDS says that it must be there."""

from __future__ import annotations

import dataclasses

import pytest

import gpucore as gp
from gpucore.runtime import ProbeResult, ProbeStatus
from gpucore.simulator.device import device_info
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.testing import available_devices, is_required, require_device
from gpucore.testing.devices import REQUIRE_VARIABLE


@pytest.fixture(autouse=True)
def _nothing_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRE_VARIABLE, raising=False)


def test_simulator_is_always_there() -> None:
    assert "simulator" in available_devices()
    device = require_device("simulator")
    assert device.id == "simulator:0"
    assert require_device("simulator:0") is device


def test_missing_device_is_skipped_with_the_reason() -> None:
    with pytest.raises(pytest.skip.Exception, match="simulator:7"):
        require_device("simulator:7")


def test_required_device_fails_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRE_VARIABLE, "cpu, simulator")
    with pytest.raises(pytest.fail.Exception, match=r"requires simulator:7(.|\n)*no device"):
        require_device("simulator:7")


def test_backend_that_is_not_installed_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception, match="nowhere"):
        require_device("nowhere")


class Misnamed(SimulatorBackend):
    """Opens a device with another id than the one that its probe found."""

    name = "misnamed"

    def probe(self) -> ProbeResult:
        return ProbeResult(
            ProbeStatus.AVAILABLE, (dataclasses.replace(device_info(), id="misnamed:0", backend="misnamed"),)
        )


class Broken(SimulatorBackend):
    """Its probe does not come to an answer."""

    name = "broken"

    def probe(self) -> ProbeResult:
        raise RuntimeError("the library has no version")


class Driverless(SimulatorBackend):
    """Its probe finds no driver."""

    name = "driverless"

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.NO_DRIVER, (), "libnothing.so is not there")


@pytest.mark.parametrize(("backend", "outcome", "reason"), [
    (Misnamed, pytest.fail.Exception, "opened 'simulator:0' instead"),
    (Broken, pytest.fail.Exception, "has no version"),
    (Driverless, pytest.skip.Exception, "libnothing"),
])  # fmt: skip
def test_only_what_is_missing_is_skipped(
    backend: type[SimulatorBackend], outcome: type[BaseException], reason: str
) -> None:
    gp.register_backend(backend())
    try:
        with pytest.raises(outcome, match=reason):
            require_device(backend.name)
    finally:
        gp.unregister_backend(backend.name)


@pytest.mark.parametrize(("variable", "name", "wanted"), [
    ("", "cpu", False), ("cpu", "cpu", True), ("cpu, wgpu", "wgpu", True), ("wgpu", "wgpu:vulkan:0", True),
    ("wgpu:vulkan:0", "wgpu:opengl:0", False), ("cpux", "cpu", False),
])  # fmt: skip
def test_is_required(monkeypatch: pytest.MonkeyPatch, variable: str, name: str, wanted: bool) -> None:
    monkeypatch.setenv(REQUIRE_VARIABLE, variable)
    assert is_required(name) is wanted
