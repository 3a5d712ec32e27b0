"""Arrays of dtypes that a device lacks, in algorithms, operators and calls: the errors are about the call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import small_devices
from refusals import message

import gpucore as gp


@gp.kernel
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = 2.0 * x[i]


@pytest.fixture
def bare() -> Iterator[gp.Device]:
    gp.register_backend(small_devices.SmallBackend(name="bare"))
    with gp.device("bare:0") as device:
        yield device
    gp.unregister_backend("bare")


def refused(call: Callable[[], object], what: str, kind: str, device: gp.Device) -> str:
    """The error, without its fix."""
    text, found, fix = message(call, gp.CapabilityError).partition("\n  fix: ")
    capability = "int64" if kind == "i64" else kind.partition("x")[0]
    assert found and text == (
        f"error[GP401]: {what} was given elements of type {kind}, which bare:0 ({device.name}) does not have\n"
        f"  why: it needs the capability {capability!r}"
    )
    return fix


@pytest.mark.parametrize("name", ["sort", "matmul"])
def test_algorithms(bare: gp.Device, name: str) -> None:
    given = np.ones((4, 4) if name == "matmul" else 4, np.float64)
    arguments = [given, given] if name == "matmul" else [given]
    fix = refused(lambda: getattr(gp, name)(*arguments, device=bare), name, "f64", bare)
    assert fix == "make it of f32, as in gp.asarray(values, gp.f32), or choose another device"


def test_operators(bare: gp.Device) -> None:
    i, f, b = (gp.asarray(values, device=bare) for values in ([1, 2], [1.5], np.uint8([1])))
    half = gp.asarray([[1, 2]], gp.f16x2, device=bare)
    for call, shown, kind, other in (
        (lambda: i + 1, "`x + y`", "i64", "i32"),
        (lambda: -f, "`-x`", "f64", "f32"),
        (lambda: gp.exp(f), "`gp.exp(x)`", "f64", "f32"),
        (lambda: gp.where(i, 1, 0), "`gp.where(condition, x, y)`", "i64", "i32"),
        (lambda: gp.elementwise("2.0*v")(f), "`2.0*v`", "f64", "f32"),
        (lambda: i.astype(gp.i32), "x.astype(gp.i32)", "i64", "i32"),
        (lambda: half + half, "`x + y`", "f16x2", "f32x2"),
    ):
        fix = refused(call, shown, kind, bare)
        assert fix == f"make it of {other}, as in gp.asarray(values, gp.{other}), or choose another device"
    fix = refused(lambda: b.astype(gp.f64), "x.astype(gp.f64)", "f64", bare)
    assert fix == "use gp.f32, or choose a device that has f64"


def test_arguments_of_kernels(bare: gp.Device) -> None:
    y = gp.zeros(2, device=bare)
    assert message(lambda: double(gp.asarray([1, 2], device=bare), y)) == (
        "double: the argument 'x' holds i64, and the kernel takes f32; make it with gp.asarray(values, gp.f32)"
    )
    assert message(lambda: double(gp.zeros(2, gp.u8, device=bare), y)) == (
        "double: the argument 'x' holds u8, and the kernel takes f32; pass x.astype(gp.f32)"
    )


def test_functions_that_whole_arrays_do_not_have() -> None:
    x = gp.zeros(3, device="simulator")
    end = "can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)"
    assert message(lambda: gp.select(x > 1, x, 0), gp.KernelOnlyError) == (
        f"gp.select {end}; for whole arrays write gp.where(condition, x, y)"
    )
    assert message(lambda: gp.bitcast(gp.u32, x), gp.KernelOnlyError) == (
        f"gp.bitcast {end}; for whole arrays write x.view(dtype)"
    )
