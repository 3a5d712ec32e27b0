"""Generated OpenCL C is parsed by clang, where there is one: it knows all that one machine's driver may lack."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from broken_texts import subgroup_sum
from ir_build import KernelBuilder, call, constant, saxpy
from language_kernels import (
    counting,
    exchanging,
    storage_conversions,
    storage_params,
    struct_atomics,
    subgroup_values,
    subgroup_votes,
)

from gpucore.ir import F16, F32, F64, I32, I64, U32, U64, Capability, MathOp, ValidModule, VectorType, lay_out
from gpucore_opencl.platforms import capabilities_of
from gpucore_opencl.plugin import OpenCLBackend

emit = OpenCLBackend().emit


def error_functions() -> ValidModule:
    """erf of every float type."""
    kernel = KernelBuilder("error_functions")
    i = kernel.global_id()
    for type in (F16, F32, F64, *(VectorType(scalar, width) for scalar in (F16, F32) for width in (2, 4))):
        buffer = kernel.buffer(f"b_{type}", type)
        kernel.store(buffer, i, call(MathOp.ERF, kernel.load(buffer, i)))
    return kernel.valid()


PORTABLE = [
    *(storage_conversions(), storage_params(), struct_atomics(), saxpy(), error_functions()),
    *(counting(element) for element in (I32, I64, U64)),
    *(exchanging(element, memory) for element in (I64, U64) for memory in ("buffer", "workgroup")),
]
SUBGROUPS = [
    *(subgroup_values(element, (5, 5, 4)) for element in (I32, U32, F32)),
    *(subgroup_votes((45, 1, 1)), subgroup_sum()),
]


@pytest.fixture(scope="session")
def clang() -> str:
    found = next(filter(None, map(shutil.which, ("clang", *(f"clang-{version}" for version in range(30, 13, -1))))), "")
    if not found:
        pytest.skip("there is no clang from version 14 on")
    return found


def parse(clang: str, valid: ValidModule, standard: str, folder: Path) -> None:
    """Fails where clang has anything to say."""
    path = folder / f"{valid.module.name}.cl"
    path.write_text(emit(valid).text)
    options = ["-x", "cl", f"-cl-std={standard}", "-target", "spir64", "-Xclang", "-finclude-default-header"]
    run = subprocess.run([clang, *options, "-Wall", "-Wno-unused", "-fsyntax-only", str(path)], capture_output=True)
    assert run.returncode == 0 and run.stderr == b"", run.stderr.decode()


@pytest.mark.parametrize("valid", PORTABLE, ids=lambda valid: valid.module.name)
def test_clang_parses_it(clang: str, valid: ValidModule, tmp_path: Path) -> None:
    parse(clang, valid, "CL1.2", tmp_path)


@pytest.mark.parametrize("standard", ["CL2.0", "CL3.0"])
@pytest.mark.parametrize("valid", SUBGROUPS, ids=lambda valid: valid.module.name)
def test_clang_parses_subgroups(clang: str, valid: ValidModule, standard: str, tmp_path: Path) -> None:
    parse(clang, valid, standard, tmp_path)


def test_only_what_needs_an_extension_enables_it() -> None:
    assert "#pragma" not in emit(saxpy()).text
    assert emit(subgroup_sum()).text.startswith("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n")
    assert "cl_khr_int64_extended_atomics : enable" in emit(counting(I64)).text
    assert "int64" not in emit(counting(I32)).text


STRUCT = """\
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

struct Pair {
    half a;
    float4 global_2;
};
typedef char gpucore_layout_0[sizeof(struct Pair) == 32 ? 1 : -1];
typedef char gpucore_layout_1[__builtin_offsetof(struct Pair, a) == 0 ? 1 : -1];
typedef char gpucore_layout_2[__builtin_offsetof(struct Pair, global_2) == 16 ? 1 : -1];

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pick(
    __global struct Pair* restrict pairs)
{
    const float4 pairs_value = pairs[0].global_2;
    pairs[1].global_2 = pairs_value;
}
"""


def test_text_of_a_struct() -> None:
    pair = lay_out("Pair", (("a", F16), ("global", VectorType(F32, 4))))
    kernel = KernelBuilder("pick", (1, 1, 1))
    pairs = kernel.buffer("pairs", pair)
    kernel.store(pairs, constant(1), kernel.load(pairs, constant(0), path=(1,)), (1,))
    assert emit(kernel.valid()).text == STRUCT


SUBGROUP_EXTENSIONS = "cl_khr_subgroups cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative"


def device_with(extensions: str, profile: str = "FULL_PROFILE", version: str = "OpenCL 1.2", features: str = "") -> Any:
    return SimpleNamespace(
        extensions=extensions, profile=profile, double_fp_config=0, platform=SimpleNamespace(name="X"), version=version,
        opencl_c_features=[SimpleNamespace(name=f"__opencl_c_atomic_{name}") for name in features.split()],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("version", "features", "has_fences"),
    [
        ("OpenCL 3.0 X", "order_acq_rel order_seq_cst scope_device", True), ("OpenCL 3.0 X", "order_acq_rel", False),
        ("OpenCL 3.0 X", "scope_device", False), ("OpenCL 2.0 X", "order_acq_rel scope_device", False),
    ],
)  # fmt: skip
def test_fences_of_the_device_are_features_of_3_0(version: str, features: str, has_fences: bool) -> None:
    found = capabilities_of(device_with("", version=version, features=features))
    assert (Capability.DEVICE_FENCE in found) == has_fences


def test_capabilities_are_what_the_extensions_say() -> None:
    least = {Capability.FUSED_FMA, Capability.INT8, Capability.INT16}
    assert capabilities_of(device_with("", "EMBEDDED_PROFILE")) == least
    assert capabilities_of(device_with("")) == least | {Capability.INT64}
    atomics = "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
    assert Capability.ATOMIC_INT64 in capabilities_of(device_with(f"{atomics} cl_khr_icd"))
    assert Capability.ATOMIC_INT64 not in capabilities_of(device_with("cl_khr_int64_base_atomics"))
    assert Capability.SUBGROUP in capabilities_of(device_with(SUBGROUP_EXTENSIONS))
    for missing in SUBGROUP_EXTENSIONS.split():
        rest = [name for name in SUBGROUP_EXTENSIONS.split() if name != missing]
        assert Capability.SUBGROUP not in capabilities_of(device_with(" ".join(rest)))
