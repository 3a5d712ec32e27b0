"""The targets of the plugins: what is known of them, what is built, and on which devices it runs."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import packaged_kernels as kernels
import pytest

import gpucore as gp
from gpucore.ir import Capability, Limits
from gpucore.offline.targets import find_target, offline_backends
from gpucore.runtime import Backend, DeviceInfo, DeviceKind

TARGETS = {
    "cpu": ("x86-64-v3", "x86-64-v4", "aarch64"),
    "cuda": ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
    "opencl": ("opencl", "opencl-cpu"),
    "wgpu": ("wgsl", "wgsl-llvmpipe"),
}


def backend_of(name: str) -> Backend:
    pytest.importorskip(f"gpucore_{name}")
    return next(backend for backend in offline_backends() if backend.name == name)


def device(like: DeviceInfo, **changes: Any) -> DeviceInfo:
    return dataclasses.replace(like, **changes)


@pytest.mark.parametrize(("name", "targets"), TARGETS.items())
def test_targets(name: str, targets: tuple[str, ...]) -> None:
    backend = backend_of(name)
    packaged = tuple(name for name in backend.offline_targets if not backend.runtime_files(name))
    assert packaged == targets and backend.offline_device("nothing") is None
    for target in targets:
        info = backend.offline_device(target)
        assert info is not None and info.id == target and info.backend == name
        assert info.capabilities <= backend.capabilities
        found = find_target(f"{name}:{target}")
        assert found.backend is backend and found.device == info == find_target(target).device


def test_the_simulator_has_none() -> None:
    assert "simulator" not in [backend.name for backend in offline_backends()]
    with pytest.raises(gp.ArgumentError, match="no installed backend has the target 'simulator'"):
        find_target("simulator")


def written(path: Path, targets: list[str], *made: Any) -> tuple[dict[str, Any], zipfile.ZipFile]:
    gp.build(path, made, targets)
    archive = zipfile.ZipFile(path)
    return json.loads(archive.read("manifest.json")), archive


def text_of(path: Path, kernel: Any, target: str) -> str:
    manifest, archive = written(path, [target], kernel)
    form = manifest["kernels"][0]["specialisations"][0]["targets"][target][0]
    return archive.read(form["text"]["file"]).decode()


# ---------------------------------------------------------------- WGSL


@gp.kernel(workgroup_size=32)
def with_a_loop(n: gp.i32, at: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    for k in range(n):
        y[at[i]] += k // (i + 1)


def test_wgsl_has_the_workarounds_for_all_drivers(tmp_path: Path) -> None:
    backend_of("wgpu")
    general = text_of(tmp_path / "k.gpu", with_a_loop, "wgsl")
    software = text_of(tmp_path / "k.gpu", with_a_loop, "wgsl-llvmpipe")
    assert "gpucore_slot" in software and "gpucore_slot" not in general  # the check of loops
    assert "min(" in software  # a clamped index
    plain = with_a_loop.source("wgsl")
    assert general != plain  # divisions are guarded, as OpenGL needs


def test_which_wgsl_a_device_runs() -> None:
    backend = backend_of("wgpu")
    both = ("wgsl", "wgsl-llvmpipe")
    gpu = DeviceInfo("wgpu:vulkan:0", "wgpu", 0, "Radeon", DeviceKind.GPU, "Mesa")
    limited = device(gpu, limits=Limits(max_loop_iterations=65535), kernels_share_memory=True)
    other = device(gpu, kernels_share_memory=True)  # a software adapter without the limit
    assert [backend.choose_offline(both, info) for info in (gpu, limited, other)] == ["wgsl", "wgsl-llvmpipe", ""]
    assert [backend.choose_offline(["wgsl"], info) for info in (gpu, limited, other)] == ["wgsl", "", ""]


# ---------------------------------------------------------------- OpenCL


def test_which_opencl_a_device_runs(tmp_path: Path) -> None:
    backend = backend_of("opencl")
    both = ("opencl", "opencl-cpu")
    gpu = DeviceInfo("opencl:0", "opencl", 0, "GPU", DeviceKind.GPU, "a driver")
    assert backend.choose_offline(both, gpu) == "opencl" and backend.choose_offline(["opencl-cpu"], gpu) == ""
    assert backend.choose_offline(both, device(gpu, kernels_share_memory=True)) == "opencl-cpu"
    clamped = text_of(tmp_path / "k.gpu", with_a_loop, "opencl-cpu")
    general = text_of(tmp_path / "k.gpu", with_a_loop, "opencl")
    assert "min(" in clamped and "const int* restrict at" in clamped
    assert "min(" not in general and "const int* restrict at" not in general  # as one driver needs


# ---------------------------------------------------------------- CUDA


@gp.kernel(workgroup_size=256)
def with_much_memory(x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 14_000)
    tile[gp.local_id(0)] = x[gp.global_id(0)]
    gp.barrier()
    x[gp.global_id(0)] = tile[255 - gp.local_id(0)]


def test_cubins(tmp_path: Path) -> None:
    backend_of("cuda")
    nvrtc = pytest.importorskip("gpucore_cuda.nvrtc")
    if nvrtc.find_library() is None:
        pytest.skip("NVRTC is not installed")
    manifest, archive = written(tmp_path / "k.gpu", ["sm_75", "sm_90"], kernels.saxpy, with_much_memory)
    for kernel in manifest["kernels"]:
        for target, forms in kernel["specialisations"][0]["targets"].items():
            for form in forms:
                cubin = archive.read(form["binary"]["file"])
                assert cubin.startswith(b"\x7fELF") and f".text.{form['entry']}\0".encode() in cubin
                assert form["text"] is None and target.removeprefix("sm_") in ("75", "90")
    assert find_target("sm_75").limits.max_workgroup_memory == 64 << 10


def test_which_cubin_a_device_runs() -> None:
    backend = backend_of("cuda")
    targets = ("sm_75", "sm_80", "sm_86", "sm_90", "other")

    def chosen(architecture: str, names: tuple[str, ...] = targets) -> str:
        info = DeviceInfo("cuda:0", "cuda", 0, "GPU", DeviceKind.GPU, "", details=(("architecture", architecture),))
        return backend.choose_offline(names, info)

    found = {name: chosen(name) for name in ("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_120")}
    assert found == {
        "sm_75": "sm_75", "sm_80": "sm_80", "sm_86": "sm_86", "sm_87": "sm_86", "sm_89": "sm_86", "sm_90": "sm_90",
        "sm_100": "", "sm_120": "",
    }  # fmt: skip
    assert chosen("sm_80", ("sm_86",)) == "" and chosen("sm_103", ("sm_100",)) == "sm_100"


def test_architectures_that_are_not_in_the_list() -> None:
    backend = backend_of("cuda")
    info = backend.offline_device("sm_103")
    assert info is not None and info.limits.max_workgroup_memory == 227 << 10
    for name in ("sm_70", "sm_9", "sm_90a", "90"):
        assert backend.offline_device(name) is None
    capabilities = {name: Capability.MATRIX_GROUPS in backend.offline_device(name).capabilities  # type: ignore[union-attr]
                    for name in ("sm_89", "sm_90", "sm_100")}  # fmt: skip
    assert capabilities == {"sm_89": False, "sm_90": True, "sm_100": False}


def test_a_cubin_needs_what_all_devices_of_its_target_have() -> None:
    """Capability 8.0 has units that 8.6, which runs the same code, lacks."""
    backend = backend_of("cuda")
    probe = pytest.importorskip("gpucore_cuda.probe")
    of = {(8, 0): (0, 6, 7, 9), (8, 6): (6, 7, 9), (9, 0): (0,), (10, 0): (0, 3)}
    for (major, minor), minors in of.items():
        target = backend.offline_device(f"sm_{major}{minor}")
        assert target is not None
        assert all(target.capabilities <= probe.capabilities_of(major, each) for each in minors)
        assert Capability.MATRIX_BF16 in target.capabilities
