"""What a package has no code for: an error that says what it has and what to do, or compilation if that is allowed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import packaged_kernels as kernels
import pytest
from here import NAMES, target_of

import gpucore as gp
from gpucore.runtime import DeviceKind
from gpucore.testing import require_device

A = gp.ArgumentError


def refused(call: Any) -> str:
    with pytest.raises(A) as caught:
        call()
    return str(caught.value)


def test_another_device(package_path: Path, package: gp.Package) -> None:
    device = require_device("simulator")
    x = gp.ones(8, device=device)
    message = refused(lambda: package.saxpy(1.0, x, x.copy()))
    assert f"saxpy: {package_path} has no code of saxpy for simulator:0" in message


def test_another_dtype_or_constant(package_path: Path, package: gp.Package, device: gp.Device) -> None:
    x = gp.ones(8, gp.u32, device=device)
    assert refused(lambda: package.scale(x, 2)) == (
        f"scale: {package_path} has no code of scale[T=u32,n=2,negated=False]; it has scale[T=f32,n=2,negated=false], "
        "scale[T=i32,n=3,negated=false], scale[T=i32,n=3,negated=true]; add it to the kernels that are built, or load "
        "it with gp.load(..., compile=True)"
    )
    one = package["scale[T=f32,n=2,negated=false]"]
    assert "it has scale[T=f32,n=2,negated=false]; add" in refused(lambda: one(gp.ones(8, device=device), 3))


def test_a_target_that_was_not_built(tmp_path: Path, device: gp.Device) -> None:
    other = "opencl" if device.backend.name == "wgpu" else "wgsl"
    gp.build(tmp_path / "k.gpu", [kernels.saxpy], [other])
    package = gp.load(tmp_path / "k.gpu")
    x = gp.ones(8, device=device)
    message = refused(lambda: package.saxpy(1.0, x, x.copy()))
    assert f"no code of saxpy for {device.id} ({device.name}); it has it for {other} (" in message
    if other in map(target_of, gp.devices()):
        assert package.device().backend.name == ("opencl" if other == "opencl" else "wgpu")
    else:
        with pytest.raises(gp.BackendUnavailableError, match=f"no device here runs the kernels of .*for {other}"):
            package.device()


def test_the_best_device_that_runs_it(package: gp.Package) -> None:
    found = package.device()
    assert found.backend.name in NAMES and found.info.kind is not DeviceKind.SOFTWARE


def test_slices_of_folded_grids(tmp_path: Path) -> None:
    """The only form that a package never has."""
    device = require_device("wgpu")
    gp.build(tmp_path / "k.gpu", [kernels.count], [target_of(device.info)])
    package = gp.load(tmp_path / "k.gpu")
    y = gp.zeros(8, gp.i32, device=device)
    package.count(y[1:], workgroups=4)
    message = refused(lambda: package.count(y[1:], workgroups=device.limits.max_workgroups[0] + 1))
    assert "a grid beyond the limits of a dispatch with arrays that begin within their memory" in message
    assert "pass whole arrays, or copies of the slices, and smaller grids, or load it" in message


def test_debug_mode(package: gp.Package, device: gp.Device) -> None:
    x, y = gp.ones(8, device=device), gp.ones(8, device=device)
    package.saxpy(1.0, x, y)
    package.saxpy.debug = True
    assert "has no code in debug mode; turn debug mode off" in refused(lambda: package.saxpy(1.0, x, y))
    package.saxpy.debug = False
    package.saxpy(1.0, x, y)
    assert np.array_equal(y.numpy(), np.full(8, 3, np.float32))


def test_no_ir_and_no_pickle(package: gp.Package) -> None:
    assert "it has machine code and text, and no IR" in refused(package.saxpy.ir)
    with pytest.raises(TypeError, match="load the package again"):
        package.saxpy.__reduce__()


def test_what_a_device_lacks(tmp_path: Path) -> None:
    """WebGPU's OpenGL adapters have no f64."""
    if not any(info.id == "wgpu:opengl:0" for info in gp.devices()):
        pytest.skip("there is no OpenGL adapter")
    device = gp.device("wgpu:opengl:0")
    gp.build(tmp_path / "k.gpu", [kernels.in_f64], ["wgsl-llvmpipe"])
    package = gp.load(tmp_path / "k.gpu")
    if gp.Capability.F64 in device.capabilities:
        pytest.skip("this adapter has f64")
    body: Any = package.in_f64.body
    (ready, *_) = body.specialisations[0].targets["wgsl-llvmpipe"]
    assert ready.obstacle(device.info) == "it needs f64, which the device does not have"


# ---------------------------------------------------------------- compilation where it is allowed


def test_compilation(package_path: Path, device: gp.Device) -> None:
    package = gp.load(package_path, compile=True)
    x = gp.asarray(np.arange(77, dtype=np.uint32), device=device)
    for _ in range(2):
        package.scale(x, 5)
    assert np.array_equal(x.numpy(), np.arange(77, dtype=np.uint32) * 25)
    simulated = gp.ones(8, device=require_device("simulator"))
    package.saxpy(2.0, simulated, y := simulated.copy())
    assert np.array_equal(y.numpy(), np.full(8, 3, np.float32))
    package.saxpy.debug = True
    z = gp.ones(8, device=device)
    package.saxpy(2.0, gp.ones(8, device=device), z)
    assert np.array_equal(z.numpy(), np.full(8, 3, np.float32))
    assert "y = a * x[i] + y[i]" not in package.saxpy.source("wgsl")


def test_captured_values_are_those_of_the_build(package_path: Path, package: gp.Package, device: gp.Device) -> None:
    y = gp.ones(9, gp.i32, device=device)
    kernels.FACTOR = 10
    try:
        package.with_a_captured_value(y)
    finally:
        kernels.FACTOR = 3
    assert np.array_equal(y.numpy(), np.full(9, 3))


def test_without_the_module(package_path: Path, device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    package = gp.load(package_path, compile=True)
    x = gp.asarray(np.arange(77, dtype=np.uint32), device=device)
    monkeypatch.setitem(sys.modules, "packaged_kernels", None)
    message = refused(lambda: package.scale(x, 5))
    assert "packaged_kernels.scale, from which it could be compiled, cannot be imported" in message
    monkeypatch.setitem(sys.modules, "packaged_kernels", type(sys)("packaged_kernels"))
    assert "install the package that has it" in refused(lambda: package.scale(x, 5))
    other: Any = type(sys)("packaged_kernels")
    other.scale = kernels.saxpy
    monkeypatch.setitem(sys.modules, "packaged_kernels", other)
    assert "was built from another packaged_kernels.scale than the one that is installed" in refused(
        lambda: package.scale(x, 5)
    )


def test_kernels_that_no_module_has(tmp_path: Path, device: gp.Device) -> None:
    @gp.kernel
    def doubled(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] = x[i] * 2.0

    gp.build(tmp_path / "k.gpu", [doubled], [target_of(require_device("opencl").info)])
    package = gp.load(tmp_path / "k.gpu", compile=True)
    x = gp.ones(9, device=device)
    if device.backend.name == "opencl":
        package.doubled(x)
        assert np.array_equal(x.numpy(), np.full(9, 2))
    else:
        assert "was made where no module has it" in refused(lambda: package.doubled(x))
    assert "gp.load(..., compile=True)" not in refused(lambda: gp.load(tmp_path / "k.gpu").doubled.ir())


def test_no_native_source_is_added(package: gp.Package) -> None:
    assert "add native source to the kernel in Python" in refused(lambda: package.saxpy.native("opencl", ""))


# ---------------------------------------------------------------- builds


def test_kernels_that_a_package_cannot_have(tmp_path: Path) -> None:
    path = tmp_path / "k.gpu"
    native = gp.native_kernel("opencl", "", entry="k", signature={"x": gp.In[gp.f32]}, workgroup_size=1)
    assert "written in the language of one backend" in refused(lambda: gp.build(path, [native], ["opencl"]))
    other: Any = [3]
    assert "takes kernels, or pairs of a kernel and its values" in refused(lambda: gp.build(path, other))
    for lone in (kernels.saxpy, str(path)):
        given: Any = lone
        assert "a module or a list of kernels, not " in refused(lambda: gp.build(path, given))  # noqa: B023
    assert refused(lambda: gp.build(path, [])) == "there is no kernel to build"
    assert "give a value for the compile-time parameter, n=" in refused(lambda: gp.build(path, [kernels.scale]))
    assert "did you mean 'wgsl'?" in refused(lambda: gp.build(path, [kernels.saxpy], ["wgsI"]))
    assert "targets is a list" in refused(lambda: gp.build(path, [kernels.saxpy], "wgsl"))
    numbers: Any = [3]
    assert "targets is a list of names such as" in refused(lambda: gp.build(path, [kernels.saxpy], numbers))
    nothing: Any = [(kernels.saxpy, None)]
    assert "takes kernels, or pairs of a kernel and its values" in refused(lambda: gp.build(path, nothing))
    assert "cannot be written" in refused(lambda: gp.build(tmp_path / "no" / "k.gpu", [kernels.saxpy], ["wgsl"]))
    kernels.saxpy.debug = True
    try:
        assert "debug mode, which a package does not have" in refused(lambda: gp.build(path, [kernels.saxpy]))
    finally:
        kernels.saxpy.debug = False
    assert not path.exists()


def test_what_a_target_cannot_have(tmp_path: Path) -> None:
    """It is an error for a target that was asked for, and skipped for all targets."""

    @gp.kernel(workgroup_size=1024)
    def large(x: gp.InOut[gp.f32]):
        x[gp.global_id(0)] = 1.0

    with pytest.raises(gp.LimitError, match="wgsl"):
        gp.build(tmp_path / "k.gpu", [large], ["wgsl"])
    lines: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpucore.offline.building.offline_backends", lambda: backends("wgpu", "cpu"))
        built = gp.build(tmp_path / "k.gpu", [large], report=lines.append)
    assert built.targets == ("x86-64-v3", "x86-64-v4", "aarch64")
    assert [line.partition(":")[0] for line in built.skipped] == ["large for wgsl", "large for wgsl-llvmpipe"]
    assert [line.partition(":")[0] for line in lines] == [f"large for {name}" for name in (
        "wgsl", "wgsl-llvmpipe", *built.targets)]  # fmt: skip


def backends(*names: str) -> list[Any]:
    return [require_device(name).backend for name in names]


def test_builds_are_reproducible(tmp_path: Path) -> None:
    contents = []
    for name in ("a.gpu", "b.gpu"):
        gp.build(tmp_path / name, [kernels.saxpy], ["wgsl", "x86-64-v3"])
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert json.dumps(sorted(each.name for each in tmp_path.iterdir())) == '["a.gpu", "b.gpu"]'


def test_native_source_of_a_kernel_is_not_left_out_silently(tmp_path: Path) -> None:
    @gp.kernel
    def twice(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] *= 2.0

    twice.native("opencl", "no text")
    with pytest.raises(gp.ArgumentError, match="twice has native source for opencl, which a package cannot have"):
        gp.build(tmp_path / "k.gpu", [twice], ["opencl"])
    gp.build(tmp_path / "k.gpu", [twice], ["wgsl"])
    with pytest.raises(gp.ArgumentError, match="twice is of a package; build the kernel in Python"):
        gp.build(tmp_path / "l.gpu", [gp.load(tmp_path / "k.gpu").twice], ["wgsl"])
    with pytest.raises(gp.ArgumentError, match="the target 'web' is one of pages: use gpucore export web"):
        gp.build(tmp_path / "k.gpu", [twice], ["web"])
