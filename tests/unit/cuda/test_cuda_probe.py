"""What the CUDA probe says: a reason of its own for everything that can be missing or broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from fake_cuda import FakeBindings, FakeDriver, FakePycuda

from gpucore.errors import BackendUnavailableError
from gpucore.ir import Capability
from gpucore.runtime.protocol import DeviceKind, ProbeStatus
from gpucore_cuda import bindings
from gpucore_cuda import probe as probing
from gpucore_cuda.nvidia_binding import NvidiaBinding
from gpucore_cuda.plugin import CUDABackend


def with_driver(monkeypatch: pytest.MonkeyPatch, driver: FakeDriver) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(probing, "load_driver", lambda: driver)
    for name in ("pycuda", "pycuda.driver"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))


def test_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> None:
        raise BackendUnavailableError("the CUDA driver library cannot be loaded: libcuda.so.1: no such file")

    monkeypatch.setattr(probing, "load_driver", load)
    found = CUDABackend().probe()
    assert (found.status, found.devices) == (ProbeStatus.NO_DRIVER, ())
    assert "libcuda" in found.reason and found.hint == "install NVIDIA's driver"


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        (100, ProbeStatus.NO_DEVICE, "finds no GPU (error 100)"),
        (34, ProbeStatus.BROKEN, "stub"),
        (802, ProbeStatus.BROKEN, "not ready"),
        (803, ProbeStatus.BROKEN, "different versions"),
        (804, ProbeStatus.BROKEN, "compatibility library"),
        (999, ProbeStatus.BROKEN, "error 999"),
        (46, ProbeStatus.BROKEN, "cuInit failed with 46"),
    ],
)
def test_errors_of_the_driver(monkeypatch: pytest.MonkeyPatch, code: int, status: ProbeStatus, reason: str) -> None:
    with_driver(monkeypatch, FakeDriver(init_error=code))
    found = CUDABackend().probe()
    assert found.status is status and reason in found.reason and found.hint


def test_hidden_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, FakeDriver(init_error=100))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    found = CUDABackend().probe()
    assert found.status is ProbeStatus.NO_DEVICE and "CUDA_VISIBLE_DEVICES=''" in found.reason


def test_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, FakeDriver(count=2))
    found = CUDABackend().probe()
    assert found.status is ProbeStatus.AVAILABLE and [device.id for device in found.devices] == ["cuda:0", "cuda:1"]
    device = found.devices[0]
    assert (device.name, device.kind, device.api) == ("Fake GPU 0", DeviceKind.GPU, "CUDA 13.0")
    assert device.limits.max_workgroup_memory == 227 * 1024
    assert device.limits.max_workgroups == (2**31 - 1, 65535, 65535)
    assert Capability.F16 in device.capabilities and ("architecture", "sm_90") in device.details
    assert device.workgroups_progress


def test_a_missing_binding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The hint follows what the machine has: pycuda is built with CUDA's headers and a compiler."""
    with_driver(monkeypatch, FakeDriver())
    monkeypatch.setitem(sys.modules, "pycuda.driver", None)
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    monkeypatch.setattr(bindings, "_has_toolkit", lambda: False)
    found = CUDABackend().probe()
    assert found.status is ProbeStatus.BROKEN and "neither pycuda nor cuda-bindings can be imported" in found.reason
    assert found.hint == "pip install cuda-bindings"
    monkeypatch.undo()
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "cuda.h").touch()
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert bindings.advice().startswith("pip install pycuda, or ")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert bindings.advice() == "pip install cuda-bindings"


def test_cuda_bindings_take_the_place_of_pycuda(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakePycuda(FakeDriver())
    monkeypatch.setitem(sys.modules, "pycuda.driver", None)
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", FakeBindings(fake))  # type: ignore[arg-type]
    binding = bindings.load_binding()
    assert isinstance(binding, NvidiaBinding)
    binding.Device(0).retain_primary_context().push()
    with pytest.raises(binding.MemoryError, match="cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY"):
        binding.mem_alloc(1 << 40)


def test_a_missing_nvrtc(monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, FakeDriver())

    def missing() -> Any:
        raise BackendUnavailableError("the NVRTC library is not installed")

    monkeypatch.setattr(probing, "load_nvrtc", missing)
    found = CUDABackend().probe()
    assert found.status is ProbeStatus.AVAILABLE and [info.compiles for info in found.devices] == [False]
    assert found.hint == "pip install -U nvidia-cuda-nvrtc"


@pytest.mark.parametrize(("architectures", "compiles"), [((75, 80), False), ((80, 90), True)])
def test_an_nvrtc_that_may_not_know_the_gpu(
    monkeypatch: pytest.MonkeyPatch, architectures: tuple[int, ...], compiles: bool
) -> None:
    with_driver(monkeypatch, FakeDriver(capability=(9, 0)))
    monkeypatch.setattr(probing, "load_nvrtc", lambda: SimpleNamespace(architectures=architectures))
    found = CUDABackend().probe()
    assert [info.compiles for info in found.devices] == [compiles] and bool(found.hint) is not compiles


def test_an_old_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    with_driver(monkeypatch, FakeDriver(capability=(6, 1)))
    found = CUDABackend().probe()
    assert found.status is ProbeStatus.INCOMPATIBLE and "Fake GPU 0 (sm_61)" in found.reason


def test_an_old_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = FakeDriver()
    monkeypatch.setattr(driver, "version", lambda: (11, 7))
    with_driver(monkeypatch, driver)
    found = CUDABackend().probe()
    assert (found.status, found.devices) == (ProbeStatus.INCOMPATIBLE, ())
    assert found.reason == "the driver is for CUDA 11.7: 11.8 or newer is needed"
    assert found.hint.startswith("update NVIDIA's driver to 520 or newer")


def test_the_plugin_imports_no_driver() -> None:
    program = "import sys, gpucore_cuda.plugin; print(sorted({'pycuda', 'ctypes'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert "pycuda" not in done.stdout and done.returncode == 0, done.stderr


def test_open_without_a_driver_says_why() -> None:
    if CUDABackend().probe().devices:
        pytest.skip("this machine has a GPU")
    with pytest.raises(BackendUnavailableError, match=r"pycuda|libcuda|NVRTC|cuInit"):
        CUDABackend().open(0)
