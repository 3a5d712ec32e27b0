"""Corners of kernels by hand: what they refuse, texts that change, texts that follow compile-time values."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable

import pytest

import gpucore as gp

TEXT = """
struct gpucore_scalars { int n; uint a; uint b; uint c; };
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void fill(__global float* restrict x, const struct gpucore_scalars scalars)
{ int i = get_global_id(0); if (i < scalars.n) x[i] = %s; }
"""
SIGNATURE = {"x": gp.Out[gp.f32]}
HAS_OPENCL = any(info.backend == "opencl" for info in gp.devices())
needs_opencl = pytest.mark.skipif(
    not HAS_OPENCL, reason="no OpenCL device (pip install pyopencl pocl-binary-distribution)"
)


def by_hand(text: str = TEXT % "3.0f", entry: str = "fill") -> gp.Kernel:
    made: gp.Kernel = gp.native_kernel("opencl", text, entry=entry, signature=SIGNATURE, workgroup_size=64)
    return made


def value_of(kernel: gp.Kernel, *constants: object, device: str = "opencl") -> float:
    x = gp.zeros(2, gp.f32, device=device)
    kernel(x, *constants, invocations=2)
    kernel(x, *constants, invocations=2)  # the short way
    first, second = x.numpy().tolist()
    assert first == second
    return float(first)


def make_portable() -> gp.Kernel:
    @gp.kernel(workgroup_size=64)
    def fill(x: gp.Out[gp.f32], v: gp.Const[int] = 1):  # type: ignore[assignment]
        i = gp.global_id(0)
        if i < x.size:
            x[i] = gp.f32(v)

    return fill  # type: ignore[no-any-return]


@needs_opencl
def test_a_text_may_be_exchanged_after_a_call() -> None:
    kernel = make_portable()
    found = [value_of(kernel)]
    for value in ("2.0f", "3.0f"):
        kernel.native("opencl", TEXT % value)
        found.append(value_of(kernel))
    kernel.debug = True
    found.append(value_of(kernel))
    kernel.debug = False
    found += [value_of(kernel), value_of(kernel, device="simulator")]
    assert found == [1.0, 2.0, 3.0, 1.0, 3.0, 1.0]


@needs_opencl
def test_a_text_follows_compile_time_values() -> None:
    kernel = make_portable()

    @kernel.native("opencl")  # type: ignore[untyped-decorator]
    def text(v: int) -> str:
        return TEXT % f"{v}.5f"

    assert [value_of(kernel, v) for v in (1, 2, 1)] == [1.5, 2.5, 1.5]


@needs_opencl
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lambda: TEXT, "the function of the native source for opencl is called with v by name"),
        (lambda w: TEXT, "the function of the native source for opencl is called with v by name"),
        (lambda v: 3, "fill: the native source for opencl must be a str, not 3"),
    ],
)
def test_functions_that_make_no_text(text: Callable[..., object], message: str) -> None:
    kernel = make_portable()
    kernel.native("opencl", text)
    with pytest.raises(gp.ArgumentError, match=re.escape(message)):
        value_of(kernel)


@needs_opencl
def test_another_workgroup_size_in_the_text_is_told() -> None:
    kernel = gp.native_kernel("opencl", TEXT % "3.0f", entry="fill", signature=SIGNATURE, workgroup_size=32)
    with pytest.raises(gp.DriverCompileError) as caught:
        value_of(kernel)
    assert caught.value.code == "GP611"
    assert "reqd_work_group_size(64, 1, 1), and the kernel is called with workgroup_size=(32, 1, 1)" in str(
        caught.value
    )
    assert "form() shows" in str(caught.value)
    without = (TEXT % "3.0f").replace("__attribute__((reqd_work_group_size(64, 1, 1)))", "")
    assert value_of(gp.native_kernel("opencl", without, entry="fill", signature=SIGNATURE, workgroup_size=32)) == 3.0


@needs_opencl
def test_debug_is_refused_where_it_could_check_nothing() -> None:
    kernel = by_hand()
    with pytest.raises(gp.ArgumentError, match="fill is a native kernel: it has no bounds checks"):
        kernel.debug = True
    assert kernel.debug is False
    assert value_of(kernel) == 3.0


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: by_hand(entry="a b"), "entry is the name of the kernel's function in the source, not 'a b'"),
        (lambda: by_hand(text=3), "fill: source is the kernel's source, a str, not 3"),  # type: ignore[arg-type]
        (
            lambda: by_hand().native("opencl", "text"),
            "fill is written for opencl; create another with gp.native_kernel",
        ),
        (lambda: by_hand().source("wgsl"), "fill is written in the language of opencl, and has no IR"),
        (lambda: by_hand().ir(), "fill is written in the language of opencl, and has no IR"),
        (
            lambda: by_hand()(gp.zeros(1, gp.f32, device="simulator"), invocations=1),
            "fill is written for opencl, but its arrays are on simulator:0; move them with .to('opencl')",
        ),
        (
            lambda: gp.check(by_hand(), gp.zeros(1, gp.f32, device="simulator"), invocations=1),
            "fill is a native kernel, without the Python source that gp.check runs",
        ),
        (
            lambda: gp.native_kernel("cpu", "", entry="fill", signature=SIGNATURE),
            "fill: the backend 'cpu' takes no native source",
        ),
        (lambda: make_portable().native("simulator", ""), "fill: the backend 'simulator' takes no native source"),
        (lambda: make_portable().native("opencl", 3), "native source is a str or a function that returns one, not 3"),
    ],
)
def test_what_is_refused(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(gp.ArgumentError) as caught:
        attempt()
    assert message in str(caught.value)


def test_a_kernel_by_hand_is_not_pickled() -> None:
    with pytest.raises(TypeError, match=re.escape("the native kernel fill (x) cannot be pickled; create it again")):
        pickle.dumps(by_hand())


@pytest.mark.parametrize(
    ("language", "entry"),
    [
        ("wgsl", "@compute @workgroup_size(64, 1, 1)\nfn fill() {"),
        ("cuda", 'extern "C" __global__ void __launch_bounds__(64) fill('),
        ("opencl", "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\nvoid fill("),
    ],
)
def test_form_in_each_language(language: str, entry: str) -> None:
    assert entry in make_portable().form(language, v=1)
    assert by_hand().source("opencl") == TEXT % "3.0f"
    assert entry in by_hand().form(language)
