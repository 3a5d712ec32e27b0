"""Kernels of a package are called as those in Python are, with the same results, checks and errors."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import packaged_kernels as kernels
import pytest

import gpucore as gp
from gpucore.testing import require_device


def numbers(size: int, dtype: Any = np.float32) -> Any:
    return (np.arange(size) * 7 % 23).astype(dtype)


def equal(array: gp.Array, expected: Any) -> None:
    np.testing.assert_array_equal(array.numpy(), expected)


def test_names(package: gp.Package) -> None:
    assert package.names[:6] == (
        "saxpy", "scale", "scale[T=f32,n=2,negated=false]", "scale[T=i32,n=3,negated=false]",
        "scale[T=i32,n=3,negated=true]", "with_a_captured_value",
    )  # fmt: skip
    always = ("x86-64-v3", "x86-64-v4", "aarch64", "opencl", "opencl-cpu", "wgsl", "wgsl-llvmpipe")
    assert package.targets[:7] == always and all(name.startswith("sm_") for name in package.targets[7:])
    assert package["saxpy"] is package.saxpy and "saxpy" in package and list(package) == list(package.names)
    assert "saxpy" in dir(package) and len(package) == len(package.names)
    assert package.saxpy.__doc__.endswith("invocations=None, workgroups=None)\n\ny = a x + y.")
    with pytest.raises(AttributeError, match=r"no kernel 'sax'; it has saxpy, scale"):
        _ = package.sax
    with pytest.raises(KeyError, match="no kernel 'sax'"):
        _ = package["sax"]


def test_scalars_and_repeated_calls(package: gp.Package, device: gp.Device) -> None:
    x, y = gp.asarray(numbers(301), device=device), gp.ones(301, device=device)
    for _ in range(3):
        package.saxpy(2.0, x, y)
    package.saxpy(y=y, a=1.0, x=x, invocations=301)
    equal(y, 7 * numbers(301) + 1)
    assert package.saxpy._variants.repeat is not None  # the short way


def test_dtypes_and_constants_choose(package: gp.Package, device: gp.Device) -> None:
    for dtype, arguments, factor in ((np.float32, (2,), 2), (np.int32, (3,), 3), (np.int32, (3, True), -1)):
        x = gp.asarray(numbers(77, dtype), device=device)
        package.scale(x, *arguments)
        equal(x, numbers(77, dtype) * factor)
    x = gp.asarray(numbers(77), device=device)
    package["scale[T=f32,n=2,negated=false]"](x, 2)
    equal(x, numbers(77) * 2)


def test_structs_and_enums(package: gp.Package, device: gp.Device) -> None:
    y, i = gp.zeros(40, device=device), np.arange(40, dtype=np.float32)
    for mode, sign in ((kernels.Mode.UP, 1), (kernels.Mode.DOWN, -1)):
        for _ in range(2):
            package.by_struct(kernels.Params(2.0, kernels.Inner(mode, (1.0, 5.0)), 7), y)
        equal(y, sign * 2 * i + 12)
    inner, params = package.structs["Inner"], package.structs["Params"]
    mode = inner.__gpucore_fields__[0].nominal
    package.by_struct(params(3.0, inner(mode.UP, (1.0, 5.0)), 7), y)  # without the classes of the program
    equal(y, 3 * i + 12)
    for cls in (kernels.Inner, inner):
        x = gp.asarray([cls(1, (1.0, 2.0)), cls(4, (3.0, 4.0))], cls, device=device)
        package.of_structs(x)
        assert [(each["mode"], *each["place"]) for each in x.numpy()] == [(1, 2.0, 1.0), (4, 4.0, 3.0)]
    z = gp.zeros(40, gp.i32, device=device)
    package.by_mode(kernels.Mode.DOWN, z)
    equal(z, np.arange(40) + 8)
    package.by_mode(mode.UP, z, times=5)
    equal(z, np.arange(40) + 5)


_OF_ONE_NAME = """
import gpucore as gp

def make(**fields):
    return gp.struct(type("Params", (), {"__annotations__": fields}))

One, Two = make(a=gp.f32), make(b=gp.i32, a=gp.f32)

@gp.kernel(workgroup_size=32)
def first(p: One, y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += p.a

@gp.kernel(workgroup_size=32)
def second(p: Two, y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] += p.a * gp.f32(p.b)
"""


def test_structs_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: gp.Device) -> None:
    (tmp_path / "of_one_name.py").write_text(_OF_ONE_NAME)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("of_one_name")
    gp.build(tmp_path / "k.gpu", module)
    package, y = gp.load(tmp_path / "k.gpu"), gp.zeros(5, device=device)
    assert sorted(package.structs) == ["Params", "Params_2"]
    for one, two in ((module.One, module.Two), (package.structs["Params"], package.structs["Params_2"])):
        package.first(one(2.0), y)
        package.second(two(3, 1.5), y)
    equal(y, np.full(5, 13, np.float32))


def test_f64(package: gp.Package, device: gp.Device) -> None:
    """What only some devices of a target have."""
    x = gp.asarray(np.arange(50.0), device=device) if gp.Capability.F64 in device.capabilities else None
    if x is not None:
        package.in_f64(x)
        equal(x, np.arange(50.0) * 1.1)


def test_functions_of_the_c_library(package: gp.Package, device: gp.Device) -> None:
    x, wanted = (gp.linspace(-4, 4, 999, device=device) for _ in range(2))
    package.with_functions(x)
    kernels.with_functions(wanted)
    np.testing.assert_allclose(x.numpy(), wanted.numpy(), rtol=1e-5)


def test_workgroup_memory(package: gp.Package, device: gp.Device) -> None:
    x, y = numbers(32 * 16).reshape(16, 32), gp.zeros((32, 16), device=device)
    package.transposed(gp.asarray(x, device=device), y, workgroups=(4, 2))
    equal(y, x.T)


def test_slices(package: gp.Package, device: gp.Device) -> None:
    whole, x = gp.ones(301, device=device), gp.asarray(numbers(300), device=device)
    expected = np.ones(301, np.float32)
    for start in (1, 3, 0, 64):
        package.saxpy(1.0, x[start:200], whole[start + 1 : 201])
        expected[start + 1 : 201] += numbers(300)[start:200]
    equal(whole, expected)


def test_folded_grids(package: gp.Package, device: gp.Device) -> None:
    most = device.limits.max_workgroups
    y = gp.zeros(1, gp.i32, device=device)
    for workgroups in ((min(most[0], 70_000) + 1, 1), (1, min(most[1], 70_000) + 1)):
        package.count(y, workgroups=workgroups)
    first, second = (min(each, 70_000) for each in most[:2])
    total = first * (first + 1) // 2 + second * (second + 1) // 2
    equal(y, [(total + 2**31) % 2**32 - 2**31])


def test_fallbacks(package: gp.Package, device: gp.Device) -> None:
    for size, n in ((64, 64), (32, 64), (64, 64), (32, 64)):
        y = gp.zeros(64, device=device)
        package.strided(gp.asarray(numbers(size), device=device), y, n, invocations=n)
        equal(y[:size], numbers(size) + 1)


def test_fallbacks_of_slices(package: gp.Package, device: gp.Device) -> None:
    for size, n in ((64, 64), (32, 64)):
        x, y = gp.asarray(numbers(size + 1), device=device), gp.zeros(65, device=device)
        package.strided(x[1:], y[1:], n, invocations=n)
        equal(y[1 : size + 1], numbers(size + 1)[1:] + 1)
        assert y.numpy()[0] == 0


def test_the_device_of_a_package(package: gp.Package, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that the environment or the program has chosen, or else the best one."""
    for name in ("opencl", "cpu"):
        require_device(name)
        monkeypatch.setenv("GPUCORE_BACKEND", name)
        assert package.device().info.backend == name
    with gp.use("simulator"), pytest.raises(gp.BackendUnavailableError, match="no device here runs the kernels of"):
        package.device()


def test_graphs_profiles_and_bound_arguments(package: gp.Package, device: gp.Device) -> None:
    x, y = gp.asarray(numbers(100), device=device), gp.ones(100, device=device)
    step = package.saxpy.bind(x=x, y=y)
    with device.record() as graph:
        step(1.0)
        package.scale(y, 2)
    expected = np.ones(100, np.float32)
    for _ in range(3):
        graph.replay()
        expected = (expected + numbers(100)) * 2
    equal(y, expected)
    with gp.profile() as profile:
        step(1.0)
        device.synchronize()
    assert "saxpy" in [row.name for row in profile.kernels]


def test_large_arrays_on_all_threads(package: gp.Package) -> None:
    """The pool of threads, and the version with streaming stores."""
    device, n = require_device("cpu"), 12_000_000
    x, y = gp.ones(n, device=device), gp.zeros(n, device=device)
    for _ in range(6):
        package.saxpy(1.0, x, y)
    equal(y, np.full(n, 6, np.float32))


def test_the_same_checks(package: gp.Package, device: gp.Device) -> None:
    """Each wrong call has the message of the kernel in Python."""
    x, y = gp.ones(8, device=device), gp.ones(8, device=device)
    calls: list[Any] = [
        lambda k: k.saxpy(1.0, x), lambda k: k.saxpy("1", x, y), lambda k: k.saxpy(1.0, x, y, block=3),
        lambda k: k.saxpy(1.0, np.ones(8, np.float32), y), lambda k: k.saxpy(1.0, x, x),
        lambda k: k.saxpy(1.0, gp.ones(8, gp.i32, device=device), y), lambda k: k.saxpy(1.0, x, y, invocations=-1),
        lambda k: k.saxpy(1.0, gp.ones((2, 4), device=device), y),
        lambda k: k.scale(gp.ones(8, gp.i64, device=device), 2),
        lambda k: k.scale(x, 2.5), lambda k: k.by_mode(1, gp.zeros(8, gp.i32, device=device)),
        lambda k: k.by_struct(kernels.Inner(1, (1.0, 2.0)), y), lambda k: k.saxpy[1, 2](1.0, x, y),
        lambda k: k.of_structs(y),
    ]  # fmt: skip
    for number, call in enumerate(calls):
        errors = []
        for one in (kernels, package):
            with pytest.raises((gp.ArgumentError, TypeError)) as caught:
                call(one)
            errors.append(caught)
        assert type(errors[0].value) is type(errors[1].value), number
        assert str(errors[0].value) == str(errors[1].value), number
