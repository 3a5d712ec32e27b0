"""Mistakes with arrays and with names of devices: whole texts of the errors."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import array, closed, message

import gpucore as gp
from gpucore import ir
from gpucore.runtime import DeviceInfo, ProbeResult, ProbeStatus, Source
from gpucore.simulator.device import device_info
from gpucore.simulator.plugin import SimulatorBackend

ARRAYS: dict[str, tuple[Callable[[], object], str]] = {
    "bools": (
        lambda: gp.asarray(np.array([True, False]), device="simulator"),
        "device arrays cannot hold bool; use gp.u32, as in x.astype(numpy.uint32)",
    ),
    "objects": (
        lambda: gp.asarray(np.array([{}, None]), device="simulator"),
        "dtype '|O' (object) has no counterpart on devices; supported: int8, uint8, int16, uint16, "
        "int32, uint32, int64, uint64, float16, float32, float64, bfloat16; convert with astype",
    ),
    "strings": (
        lambda: gp.asarray(["a", "b"], device="simulator"),
        "dtype '<U1' (<U1) has no counterpart on devices; supported: int8, uint8, int16, uint16, "
        "int32, uint32, int64, uint64, float16, float32, float64, bfloat16; convert with astype",
    ),
    "complex": (
        lambda: gp.asarray([1j], device="simulator"),
        "dtype '<c16' (complex128) has no counterpart on devices; a vector of two holds a complex number: "
        "gp.asarray(z.astype(np.complex64).view(np.float32).reshape(*z.shape, 2), gp.f32x2)",
    ),
    "complex_as_f32x2": (
        lambda: gp.asarray(np.zeros(3, np.complex64), gp.f32x2, device="simulator"),
        "dtype '<c8' (complex64) has no counterpart on devices; a vector of two holds a complex number: "
        "gp.asarray(z.view(np.float32).reshape(*z.shape, 2), gp.f32x2)",
    ),
    "columns_of_complex": (
        lambda: gp.asarray(np.zeros((3, 2), np.complex64).T, device="simulator"),
        "dtype '<c8' (complex64) has no counterpart on devices; a vector of two holds a complex number: "
        "gp.asarray(np.ascontiguousarray(z, np.complex64).view(np.float32).reshape(*z.shape, 2), gp.f32x2)",
    ),
    "dtype_complex": (
        lambda: gp.empty(2, np.complex64, device="simulator"),
        "dtype '<c8' (complex64) has no counterpart on devices; use gp.f32x2, a vector of the real and the imaginary "
        "part",
    ),
    "view_as_complex": (
        lambda: gp.zeros((3, 2), device="simulator").view(np.complex64),
        "dtype '<c8' (complex64) has no counterpart on devices; use gp.f32x2, a vector of the real and the imaginary "
        "part",
    ),
    "strings_as_f32": (
        lambda: gp.asarray(["a", "b"], gp.f32, device="simulator"),
        "an array of <U1 cannot be converted to gpucore.f32; use astype first",
    ),
    "ragged": (
        lambda: gp.asarray([[1.0], [1.0, 2.0]], device="simulator"),
        "NumPy cannot make an array of this value: setting an array element with a sequence. The requested array has "
        "an inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part.",
    ),
    "unknown_dtype": (
        lambda: gp.zeros(4, "float33", device="simulator"),
        "'float33' is not a dtype; use gp.f32, gp.i32, gp.u32, ... or NumPy's",
    ),
    "device_array_of_other_dtype": (
        lambda: gp.asarray(array(4), gp.i32),
        "this device array is gpucore.f32; x.astype(...) converts it to another dtype",
    ),
    "vector_without_components": (
        lambda: gp.asarray(np.zeros((2, 3), np.float32), gp.f32x4, device="simulator"),
        "gpucore.f32x4 takes a last axis of 4 components; the shape is (2, 3)",
    ),
    "reshape": (
        lambda: array(6).reshape(4, 2),
        "an array of 6 elements cannot have the shape (4, 2), which has 8",
    ),
    "reshape_with_free_length": (
        lambda: array(6).reshape(4, -1),
        "an array of 6 elements cannot have the shape (4, -1): no length fits in place of -1",
    ),
    "reshape_with_two_free_lengths": (
        lambda: array(6).reshape(-1, -1),
        "a shape consists of whole numbers from 0, not -1",
    ),
    "negative_shape": (
        lambda: array(-3),
        "a shape consists of whole numbers from 0, not -3",
    ),
    "float_shape": (
        lambda: gp.zeros(2.0, device="simulator"),  # type: ignore[arg-type]
        "a shape consists of whole numbers from 0, not 2.0",
    ),
    "too_many_elements": (
        lambda: gp.empty((1 << 16, 1 << 16), device="simulator"),
        "an array has at most 2**31 - 1 elements; the shape (65536, 65536) has 4294967296",
    ),
    "fill_value": (
        lambda: gp.full(4, 1.5, gp.i32, device="simulator"),
        "1.5 does not fit gpucore.i32",
    ),
    "arange_step_0": (
        lambda: gp.arange(0, 4, 0, device="simulator"),
        "the step of arange must not be 0",
    ),
    "arange_of_floats": (
        lambda: gp.arange(0.5, 4, device="simulator"),  # type: ignore[arg-type]
        "arange takes whole numbers; its start is 0.5",
    ),
    "arange_up_to_a_float": (
        lambda: gp.arange(5.0, device="simulator"),  # type: ignore[arg-type]
        "arange takes whole numbers; its stop is 5.0",
    ),
    "masked": (
        lambda: gp.asarray(np.ma.masked_equal([1, 2], 2), device="simulator"),
        "devices have no masked arrays; use .filled(value), .compressed() for the unmasked values, or .data for all",
    ),
    "timeout_text": (
        lambda: array(1).device.synchronize(timeout="x"),  # type: ignore[arg-type]
        "timeout must be a number of seconds from 0, or None, not 'x'",
    ),
    "timeout_nan": (
        lambda: array(1).device.synchronize(timeout=float("nan")),
        "timeout must be a number of seconds from 0, or None, not nan",
    ),
    "timeout_bool": (
        lambda: array(1).device.synchronize(timeout=True),
        "timeout must be a number of seconds from 0, or None, not True",
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str) -> None:
    call, expected = ARRAYS[name]
    assert message(call) == expected


def test_closed_array() -> None:
    x = closed()
    expected = "this array (shape (4,), gpucore.f32, on simulator:0) was closed; create a new one"
    for use in (x.numpy, x.copy, lambda: x.reshape(2, 2), lambda: x.to("cpu")):
        assert message(use, gp.ClosedError) == expected


def test_use_as_a_number_or_a_key() -> None:
    with pytest.raises(TypeError, match=r"^a device array has no truth value on the host: call \.numpy\(\) first, or "):
        bool(array(4))
    x = array(4)
    assert {x: 1}[x] == 1
    with pytest.raises(TypeError, match="only an array of one element can be converted to float; this one has 4"):
        float(x)


# ---------------------------------------------------------------- devices


DEVICES: dict[str, tuple[Any, type[gp.GpucoreError], str]] = {
    "misspelt": (
        "cdua",
        gp.BackendUnavailableError,
        "device=\"cdua\" cannot be used: there is no backend 'cdua'; did you mean 'cuda'?",
    ),
    "misspelt_simulator": (
        "simulater:0",
        gp.BackendUnavailableError,
        "device=\"simulater:0\" cannot be used: there is no backend 'simulater'; did you mean 'simulator'?",
    ),
    "no_such_index": (
        "simulator:3",
        gp.BackendUnavailableError,
        "device=\"simulator:3\" cannot be used: backend 'simulator' has no device 'simulator:3'; it has simulator:0",
    ),
    "number": (0, gp.ArgumentError, 'a device is a str such as "cuda:0", a DeviceInfo or an open gp.Device, not a int'),
    "list": (
        "cuda,wgpu",
        gp.ArgumentError,
        "'cuda,wgpu' does not name a device like 'cuda', 'cuda:1' or 'wgpu:vulkan:0'; only GPUCORE_BACKEND and "
        "the config file take a list",
    ),
    "blanks": (
        "my gpu",
        gp.ArgumentError,
        "'my gpu' does not name a device like 'cuda', 'cuda:1' or 'wgpu:vulkan:0'",
    ),
}


@pytest.mark.parametrize("name", DEVICES)
def test_device_names(name: str) -> None:
    given, kind, expected = DEVICES[name]
    assert message(lambda: gp.device(given), kind) == expected
    assert message(lambda: gp.zeros(4, device=given), kind) == expected


def test_pickle_of_a_device() -> None:
    with pytest.raises(
        TypeError, match=r"^an open device cannot be pickled: pickle its \.id, and open it with gp\.dev"
    ):
        pickle.dumps(gp.device("simulator"))


class Failing(SimulatorBackend):
    """A backend whose emitter does not keep its contract."""

    name = "failing"

    def probe(self) -> ProbeResult:
        info = dataclasses.replace(device_info(), id="failing:0", backend="failing")
        return ProbeResult(ProbeStatus.AVAILABLE, (info,))

    def emit(self, module: ir.ValidModule, device: DeviceInfo | None = None) -> Source:
        raise KeyError("a type that it does not know")


def test_a_backend_whose_emitter_fails_is_named() -> None:
    gp.register_backend(Failing())
    try:
        with pytest.raises(
            gp.EmitError, match=r"GP603\]: the backend 'failing' failed to write fill: KeyError"
        ) as caught:
            fill.source("failing")
        assert isinstance(caught.value.__cause__, KeyError)
    finally:
        gp.unregister_backend("failing")


@gp.kernel
def fill(out: gp.Out[gp.f32]):
    out[0] = 1.0


def test_unlike_any_backend() -> None:
    start, _, known = message(lambda: gp.device("quantum"), gp.BackendUnavailableError).partition("the backends are ")
    assert start == "device=\"quantum\" cannot be used: there is no backend 'quantum'; "
    assert {"cpu", "cuda", "opencl", "simulator", "wgpu"} <= set(known.split(", "))


def test_backend_without_a_driver() -> None:
    """The reason and the hint of the probe are in the error, and nothing else is chosen."""
    missing = {name: result for _, name, result in gp.probe() if result.status.value == "no_driver"}
    if not missing:
        pytest.skip("every backend of this machine has its driver")
    for name, result in missing.items():
        assert result.reason and result.hint
        for which in (name, f"{name}:0"):
            with pytest.raises(gp.BackendUnavailableError) as caught:
                gp.zeros(4, device=which)
            assert str(caught.value) == (
                f'device="{which}" cannot be used: {name}: no_driver: {result.reason}\n    hint: {result.hint}'
            )
