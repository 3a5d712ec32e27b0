"""Kernels by hand in a target's language, and native texts of portable kernels."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)
SIGNATURE = {"a": gp.f32, "x": gp.In[gp.f32], "y": gp.InOut[gp.f32]}
BODY = {
    "wgpu": """
    let i = i32(place.x);
    if (i < gpucore_scalars.y_shape_0) { y[i] = gpucore_scalars.a * x[i] + y[i]; }
}
""",
    "opencl": """
    const int i = (int)get_global_id(0);
    if (i < y_shape_0) { y[i] = a * x[i] + y[i]; }
}
""",
    "cuda": """
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < y_shape_0) { y[i] = a * x[i] + y[i]; }
}
""",
}


def text_for(form: str, backend: str) -> str:
    """What form() shows, with a body in its place."""
    start, _, _ = form.rstrip().rpartition("}")
    return start.replace("fn saxpy()", "fn saxpy(@builtin(global_invocation_id) place: vec3u)") + BODY[backend]


def test_a_kernel_by_hand(device: gp.Device) -> None:
    backend = device.backend.name
    if backend not in BODY:
        with pytest.raises(gp.ArgumentError, match="takes no native source"):
            gp.native_kernel(backend, "", entry="saxpy", signature=SIGNATURE)
        return
    form = gp.native_kernel(backend, "", entry="saxpy", signature=SIGNATURE, workgroup_size=64).form()
    text = text_for(form, backend)
    saxpy = gp.native_kernel(backend, text, entry="saxpy", signature=SIGNATURE, workgroup_size=64)
    x = np.arange(301, dtype=np.float32)
    y = gp.ones(301, device=device)
    saxpy(2.0, gp.asarray(x, device=device), y, invocations=301)
    np.testing.assert_array_equal(y.numpy(), 2 * x + 1)
    with pytest.raises(gp.ArgumentError, match="is written for"):
        saxpy(2.0, gp.ones(4, device="simulator"), gp.ones(4, device="simulator"), invocations=4)
    with pytest.raises(gp.ArgumentError):
        saxpy(2.0, x, y, invocations=301)  # a NumPy array, as for every kernel


@gp.kernel(workgroup_size=32)
def fill(y: gp.Out[T], factor: gp.Const[int]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = T(i * factor)


NAMES = {"wgpu": {gp.f32: "f32", gp.i32: "i32"}, "opencl": {gp.f32: "float", gp.i32: "int"}}


def text_of_fill(backend: str, element: object, factor: int) -> str:
    name = NAMES["wgpu" if backend == "wgpu" else "opencl"][element]  # type: ignore[index]
    form = fill.form(backend, T=element, factor=factor).rstrip()
    start, _, _ = form.rpartition("}")
    if backend == "wgpu":
        start = start.replace("fn fill()", "fn fill(@builtin(global_invocation_id) place: vec3u)")
        index, size = "i32(place.x)", "gpucore_scalars.y_shape_0"
        return f"{start} if ({index} < {size}) {{ y[{index}] = {name}({index} * {factor} + 1); }} }}"
    index = "(int)get_global_id(0)" if backend == "opencl" else "(int)(blockIdx.x * blockDim.x + threadIdx.x)"
    return f"{start} if ({index} < y_shape_0) y[{index}] = ({name})({index} * {factor} + 1); }}"


for name in ("wgpu", "opencl", "cuda"):

    @fill.native(name)
    def _made(T: object, factor: int, backend: str = name) -> str:  # noqa: N803 (the type variable's name)
        """Each value one more than the portable kernel's, so that it shows which of the two has run."""
        return text_of_fill(backend, T, factor)


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("factor", [2, 3])
def test_a_native_text_of_a_portable_kernel(device: gp.Device, dtype: type, factor: int) -> None:
    y = gp.zeros(45, gp.asarray(np.zeros(1, dtype), device="simulator").dtype, device=device)
    fill(y, factor, invocations=45)
    one = 1 if device.backend.name in BODY else 0
    np.testing.assert_array_equal(y.numpy(), np.arange(45) * factor + one)


def test_a_text_that_the_driver_refuses(device: gp.Device) -> None:
    backend = device.backend.name
    if backend not in BODY:
        assert not device.backend.takes_native_text
        return
    broken = gp.native_kernel(backend, "this is no program", entry="broken", signature={"y": gp.Out[gp.f32]})
    with pytest.raises(gp.DriverCompileError) as caught:
        broken(gp.zeros(3, device=device), invocations=3)
    assert caught.value.code == "GP611"
    y = gp.zeros(3, gp.i32, device=device)
    fill(y, 1, invocations=3)  # the device goes on
    assert y.numpy()[2] >= 2


def test_small_integers_by_hand(device: gp.Device) -> None:
    """An array of bytes is one of words where the language has none, and `form` says so."""
    backend = device.backend.name
    signature = {"x": gp.In[gp.u8], "by": gp.i8, "y": gp.Out[gp.i32]}
    if backend != "wgpu":
        pytest.skip("its language has bytes")
    form = gp.native_kernel(backend, "", entry="unpack", signature=signature, workgroup_size=4).form()
    assert "x: array<u32>;" in form
    assert "by: i32," in form
    start, _, _ = form.rstrip().rpartition("}")
    text = (
        start.replace("fn unpack()", "fn unpack(@builtin(global_invocation_id) place: vec3u)")
        + """
    let i = place.x;
    if (i32(i) < gpucore_scalars.x_shape_0) {
        y[i] = i32((x[i / 4u] >> (i % 4u * 8u)) & 255u) + gpucore_scalars.by;
    }
}
"""
    )
    unpack = gp.native_kernel(backend, text, entry="unpack", signature=signature, workgroup_size=4)
    x = np.arange(7, dtype=np.uint8) * 40
    y = gp.zeros(7, gp.i32, device=device)
    for _ in range(2):  # the second call goes the short way
        unpack(gp.asarray(x, device=device), -5, y, invocations=7)
        np.testing.assert_array_equal(y.numpy(), x.astype(np.int32) - 5)
        with pytest.raises(gp.ArgumentError, match="i8 holds -128 to 127"):
            unpack(gp.asarray(x, device=device), 128, y, invocations=7)
