"""Compilers accept what is generated: NVRTC for several architectures with no GPU, and the drivers of wgpu and OpenCL.

All kernels of gpucore.algorithms and gpucore.random are here, and those with expected texts. Tests of one kernel run
on one worker, which lowers it once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import algorithm_kernels
import golden_kernels
import pytest

import gpucore as gp
from gpucore import compiler
from gpucore.testing import require_device
from gpucore.testing.kernels import functions, integers

ARCHITECTURES = (75, 90, 120)
OLDEST, NEWEST = 75, 120
CASES = {**golden_kernels.CASES, **algorithm_kernels.CASES}
FOR_NEWEST = {case[0]: name for name, case in algorithm_kernels.CASES.items()}.values()
"""One specialisation of each kernel of the library, whose text is the same for all architectures."""
ELF = b"\x7fELF"


def each_kernel(test: Callable[..., None]) -> Any:
    """Parametrises a test with `name`, one group of tests for each kernel."""
    params = [pytest.param(name, marks=pytest.mark.xdist_group(f"kernel {name}")) for name in CASES]
    return pytest.mark.parametrize("name", params)(test)


DTYPES = ("u32", "i32", "f32", "u64", "i64", "f64")
KERNELS = list(dict.fromkeys(case[0] for case in CASES.values()))


def number_of(name: str) -> int | None:
    """Of a specialisation that not every compiler has by default; each of those of another kernel or dtype, or of the
    other order of a sort, has another. None for one of each kernel."""
    if name in golden_kernels.CASES or name in FOR_NEWEST:
        return None
    parts = name.split("_")
    number = sum(DTYPES.index(part) for part in parts if part in DTYPES)
    return number + ("descending" in parts) + KERNELS.index(CASES[name][0])


@each_kernel
def test_nvrtc_makes_a_binary_for_each_architecture(name: str, nvrtc: Any, request: pytest.FixtureRequest) -> None:
    is_of_an_order = name.endswith(("ascending", "descending"))
    if is_of_an_order and (number_of(name) or 0) % 2 and not request.config.getoption("--run-large"):
        pytest.skip("the other order of the sort is compiled; --run-large: both are")
    kernel, bindings = CASES[name]
    source = kernel.emit("cuda", **bindings)
    several = ARCHITECTURES if name in golden_kernels.CASES else (OLDEST, NEWEST) if name in FOR_NEWEST else (OLDEST,)
    for architecture in several:
        binary, log = nvrtc.compile(source, architecture)
        assert binary.startswith(ELF), f"no binary for sm_{architecture}"
        assert source.entry.encode() in binary
        assert not log.strip(), f"sm_{architecture}: {log}"


TYPES = {"f64": gp.f64, "f16": gp.f16, "f32x4": gp.f32x4}
NEWER = {
    **{
        f"{function.__name__}_{name}": (functions.kernel_of(function, 1), {"T": type})
        for function in (gp.cbrt, gp.expm1, gp.log10, gp.log1p)
        for name, type in TYPES.items()
    },
    **{
        f"{function.__name__}_{name}": (functions.kernel_of(function, 2), {"T": type, "Second": type})
        for function in (gp.copysign, gp.hypot)
        for name, type in TYPES.items()
    },
    **{
        f"ldexp_{name}": (functions.kernel_of(gp.ldexp, 2), {"T": TYPES[name], "Second": gp.i32})
        for name in ("f64", "f16")
    },
    "signed": (functions.signed, {}),
    "scaled": (functions.scaled, {}),
    "mul_hi_i64": (integers.products, {"T": gp.i64}),
    "mul_hi_u64": (integers.products, {"T": gp.u64}),
    "mul_hi_i32": (integers.products_of_vectors, {}),
    "rotate_i64": (integers.rotations, {"T": gp.i64}),
    "dot4": (integers.dots_of_bytes, {}),
}


@pytest.mark.parametrize("name", NEWER)
def test_nvrtc_knows_the_newer_functions_of_every_type(name: str, nvrtc: Any) -> None:
    kernel, bindings = NEWER[name]
    binary, log = nvrtc.compile(kernel.emit("cuda", **bindings), ARCHITECTURES[0])
    assert binary.startswith(ELF)
    assert not log.strip(), log


@pytest.mark.parametrize("name", golden_kernels.CASES)
def test_nvrtc_makes_a_binary_of_a_kernel_under_debug(name: str, nvrtc: Any) -> None:
    kernel, bindings = golden_kernels.CASES[name]
    binary, log = nvrtc.compile(kernel.emit("cuda", debug=True, **bindings), ARCHITECTURES[0])
    assert binary.startswith(ELF)
    assert not log.strip(), log


@each_kernel
@pytest.mark.parametrize("backend", ["wgpu", "opencl"])
def test_a_driver_compiles_it(name: str, backend: str, request: pytest.FixtureRequest) -> None:
    """PoCL, which takes longest, compiles one specialisation of each kernel and a third of the others."""
    device = require_device(backend)
    is_slow = (
        backend == "opencl" and device.kind is gp.DeviceKind.SOFTWARE and not request.config.getoption("--run-large")
    )
    if is_slow and (number_of(name) or 0) % 3:
        pytest.skip("wgpu's driver compiles it, and PoCL others of this kernel; --run-large: both do")
    kernel, bindings = CASES[name]
    try:
        compiled = compiler.compile_for(device, kernel.lower(**bindings))
    except gp.CapabilityError as error:
        pytest.skip(error.message)
    compiled.pipeline.release()
